// Formulas of certificates, which are SMT-LIB over bit-vectors, as people write them: `0 <= x && x < T0.y + 1`.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cohort::report {

// The name of `g3` or `t0.2`; none: that of something that the reader does not know, and then there is no text.
using FormulaNames = std::function<std::optional<std::string>(std::string_view symbol)>;

// The conjuncts of the formula, each as text; those that mention what has no name, or say nothing, are left out.
std::vector<std::string> conjuncts_text(const std::string& formula, const FormulaNames& names);

}  // namespace cohort::report
