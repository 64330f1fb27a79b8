// The kinds of properties, for everybody who judges programs.  An engine or a checker says of every kind whether it
// looks for violations of it, in a switch without a default: a new kind does not compile until all of them have
// answered. What somebody does not judge is refused, never passed over.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "model/eval.hpp"
#include "model/program.hpp"

namespace cohort::model {

using PropertyKind = Property::Kind;

// In one word, as documents have it.
std::string_view to_string(PropertyKind kind);

// Is a violation of this kind a location that a thread reaches?
bool is_at_location(PropertyKind kind);

// Is the property violated in the shared state (Cover: once its threads are in place) that `context` looks at?  Only
// for Cover and Condition.  A state is safe if the bad condition is known to be false: one that faults is neither true
// nor false (three-valued, as in the RED paper), which is a violation unless faults are ignored.
bool is_bad(EvalContext& context, const Property& property);

// What to say of a property that is not judged.
std::string describe_unjudged(const Property& property);

// That of the first property whose kind is not judged; none: `judges(kind)` for all of them.
template <class Judges>
std::optional<std::string> unjudged(const Program& program, Judges&& judges) {
  for (const Property& property : program.properties) {
    if (!judges(property.kind)) return describe_unjudged(property);
  }
  return std::nullopt;
}

}  // namespace cohort::model
