// Constraints of witnesses: expressions of C over integers, evaluated in a state of the model.
#pragma once

#include <optional>
#include <string>

#include "model/program.hpp"
#include "model/state.hpp"

namespace cohort::witness {

// The value in `state` for the thread in `slot` (none: shared variables only); none where a name is not that of a
// variable of the model, or the text is not such an expression.  `result`: what `\result` stands for.
std::optional<model::Value> evaluate(const model::Program& program, const model::State& state,
                                     std::optional<std::size_t> slot, const std::string& text,
                                     std::optional<model::Value> result = std::nullopt);

// The numbers in the text: values that a choice has to be tried with.
std::vector<model::Value> constants_in(const std::string& text);

}  // namespace cohort::witness
