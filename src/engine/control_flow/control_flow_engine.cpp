#include "engine/control_flow/control_flow_engine.hpp"

#include <vector>

#include "base/contract.hpp"
#include "engine/self_check.hpp"
#include "model/analysis/control_flow.hpp"
#include "result/control_flow_certificate.hpp"

namespace cohort::engine::control_flow {

namespace {

// Follows the edges and the creations of threads once more, without asking for anything else.
bool reaches_no_error(const model::Program& program) {
  std::vector<std::vector<bool>> reached;
  std::vector<std::pair<model::TemplateId, model::LocId>> pending;
  for (const model::Template& templ : program.templates) reached.emplace_back(templ.locations.size(), false);
  const auto reach = [&](model::TemplateId templ, model::LocId location) {
    if (reached[templ.value][location.value]) return;
    reached[templ.value][location.value] = true;
    pending.emplace_back(templ, location);
  };
  for (const model::InitialThreads& group : program.initial) reach(group.templ, group.location);
  while (!pending.empty()) {
    const auto [id, location] = pending.back();
    pending.pop_back();
    const model::Template& templ = program.templ(id);
    if (templ.locations[location.value].error) return false;
    for (const model::Edge& edge : templ.edges) {
      if (edge.source != location) continue;
      reach(id, edge.target);
      for (const model::Action& action : edge.actions) {
        for (const model::Spawn& spawn : action.spawns) reach(spawn.templ, spawn.location);
      }
    }
  }
  return true;
}

}  // namespace

std::optional<std::string> ControlFlowEngine::refuses(const Task& task) const {
  return violation_in_control_flow(task.program);
}

result::Result ControlFlowEngine::check(Env& env, const Task& task) const {
  COHORT_EXPECT(!refuses(task), "an engine checks only what it takes");
  self_check(env, "no error location is reached", [&] { return reaches_no_error(task.program); });
  result::Result result;
  result.verdict = result::Verdict::Safe;
  if (task.options.certificate) result.certificate = std::make_unique<result::ControlFlowCertificate>();
  return result;
}

}  // namespace cohort::engine::control_flow
