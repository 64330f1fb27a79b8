#include "result/control_flow_certificate.hpp"

#include <nlohmann/json.hpp>

#include "model/control_flow.hpp"

namespace cohort::result {

nlohmann::json ControlFlowCertificate::to_json(const model::Program&) const {
  return {{"kind", kind_name}};
}

CertificateCheck check_control_flow_certificate(Env&, const model::Program& program, const nlohmann::json&) {
  if (const auto violation = violation_in_control_flow(program)) return {.message = *violation};
  return {.valid = true, .message = "the control flow reaches no error location, whatever the number of threads"};
}

}  // namespace cohort::result
