#include "model/analysis/control_flow.hpp"

#include <fmt/core.h>

#include "base/contract.hpp"
#include "model/analysis/may_fault.hpp"
#include "model/analysis/visit.hpp"
#include "model/passes/unreachable.hpp"

namespace cohort::model {

bool control_flow_judges(PropertyKind kind) {
  switch (kind) {
    case PropertyKind::Assertion:
    case PropertyKind::ErrorLabel:
    case PropertyKind::Cut:
    case PropertyKind::Fault: return true;
    case PropertyKind::Cover:
    case PropertyKind::Condition:
    case PropertyKind::Deadlock: return false;  // they speak of whole states
  }
  COHORT_UNREACHABLE("every kind of property is judged or not");
}

std::optional<std::string> violation_in_control_flow(const Program& program) {
  if (const auto reason = unjudged(program, control_flow_judges)) return reason;
  // What is left of the edges is what the control flow reaches.
  const Program reached = remove_unreachable(program);
  std::optional<std::string> found;
  const auto place = [&](TemplateId templ, LocId location) {
    const Location& target = reached.templ(templ).locations[location.value];
    if (target.error) found = fmt::format("the control flow reaches the error location '{}'", target.label);
  };
  for (const InitialThreads& group : reached.initial) place(group.templ, group.location);
  for (std::size_t i = 0; i < reached.templates.size(); ++i) {
    const Template& templ = reached.templates[i];
    for (const Edge& edge : templ.edges) {
      place(TemplateId(i), edge.target);
      for (const Action& action : edge.actions) {
        for_each_placed(action, place);
        if (reached.faults == FaultPolicy::Violation && may_fault(reached, templ, action)) found = "a step may fault";
      }
    }
  }
  return found;
}

}  // namespace cohort::model
