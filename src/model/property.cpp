#include "model/property.hpp"

#include <fmt/core.h>

#include "base/contract.hpp"

namespace cohort::model {

std::string_view to_string(PropertyKind kind) {
  switch (kind) {
    case PropertyKind::Assertion: return "assertion";
    case PropertyKind::ErrorLabel: return "error-label";
    case PropertyKind::Cover: return "cover";
    case PropertyKind::Condition: return "condition";
    case PropertyKind::Fault: return "fault";
    case PropertyKind::Cut: return "cut";
    case PropertyKind::Deadlock: return "deadlock";
  }
  COHORT_UNREACHABLE("every kind of property has a name");
}

bool is_at_location(PropertyKind kind) {
  switch (kind) {
    case PropertyKind::Assertion:
    case PropertyKind::ErrorLabel:
    case PropertyKind::Cut: return true;
    case PropertyKind::Cover:
    case PropertyKind::Condition:
    case PropertyKind::Fault:
    case PropertyKind::Deadlock: return false;
  }
  COHORT_UNREACHABLE("every kind of property is at locations or not");
}

bool is_bad(EvalContext& context, const Property& property) {
  COHORT_EXPECT(property.kind == PropertyKind::Cover || property.kind == PropertyKind::Condition,
                "only these properties have conditions");
  if (!property.condition) return true;
  const bool bad = holds(context, *property.condition);
  if (property.kind == PropertyKind::Cover || !context.fault) return bad;
  return context.program->faults == FaultPolicy::Violation;
}

std::string describe_unjudged(const Property& property) {
  const std::string place = to_string(property.span);
  return fmt::format("properties of the kind '{}' are not judged{}{}", to_string(property.kind),
                     property.text.empty() ? "" : fmt::format(": {}", property.text),
                     place.empty() ? "" : fmt::format(" at {}", place));
}

}  // namespace cohort::model
