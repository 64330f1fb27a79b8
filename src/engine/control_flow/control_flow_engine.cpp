#include "engine/control_flow/control_flow_engine.hpp"

#include "base/contract.hpp"
#include "model/analysis/control_flow.hpp"
#include "result/control_flow_certificate.hpp"

namespace cohort::engine::control_flow {

std::optional<std::string> ControlFlowEngine::refuses(const Task& task) const {
  return violation_in_control_flow(task.program);
}

result::Result ControlFlowEngine::check(Env&, const Task& task) const {
  COHORT_EXPECT(!refuses(task), "an engine checks only what it takes");
  result::Result result;
  result.verdict = result::Verdict::Safe;
  if (task.options.certificate) result.certificate = std::make_unique<result::ControlFlowCertificate>();
  return result;
}

}  // namespace cohort::engine::control_flow
