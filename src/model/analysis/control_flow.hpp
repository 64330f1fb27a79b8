// What can be said of a program's properties from its control flow alone, without looking at data.
#pragma once

#include <optional>
#include <string>

#include "model/property.hpp"

namespace cohort::model {

// Which properties this can be said of.
bool control_flow_judges(PropertyKind kind);

// None: no property can be violated, with any number of threads, because every error location is out of reach of the
// edges, nothing can fault, and no property looks at whole states.  Else a sentence that says what stands against it.
std::optional<std::string> violation_in_control_flow(const Program& program);

}  // namespace cohort::model
