// What kind of mistake a violation is, in the terms of other tools: a rule, the entries of CWE, the properties of
// SV-COMP.
#pragma once

#include <string_view>
#include <vector>

#include "report/words.hpp"

namespace cohort::report {

struct ViolationClass {
  model::Mistake mistake = model::Mistake::Assertion;
  std::string_view id;           // "data-race"
  std::string_view title;        // "Data race"
  std::vector<unsigned> cwes;    // numbers in the Common Weakness Enumeration, the most exact first; may be empty
  std::string_view subproperty;  // as SV-COMP has it: "no-data-race"; empty: it has none
  std::string_view formula;      // what holds of programs without it: "G ! data-race"; empty likewise
};

// All of them; the order is that of the rules in SARIF logs.
const std::vector<ViolationClass>& violation_classes();

const ViolationClass& class_of(const Violation& violation);

}  // namespace cohort::report
