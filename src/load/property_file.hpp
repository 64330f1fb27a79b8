// Property files as SV-COMP has them: lines `CHECK( init(main()), LTL(formula) )`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/source.hpp"

namespace cohort::load {

struct Specification {
  std::vector<std::string> properties;     // what the C front end is asked for
  std::vector<std::string> subproperties;  // what counts as a violation: "unreach-call", "valid-deref", ...
  std::string text;                        // the lines, one CHECK each
};

// Throws InputError: malformed, or unsupported for a formula that asks for what Cohort does not look for.
Specification read_property_file(const SourceFilePtr& file);
// The same for a text of one or more lines, which may be bare formulas; `span` is its place.
Specification read_specification(const std::string& text, const SourceSpan& span);

// The line for a formula such as `G ! data-race`.
std::string check_line(std::string_view formula);
// What is asked by the properties of the C front end, as lines.
std::string specification_text(const std::vector<std::string>& properties);

}  // namespace cohort::load
