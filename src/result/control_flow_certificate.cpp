#include "result/control_flow_certificate.hpp"

#include <nlohmann/json.hpp>

#include "model/analysis/control_flow.hpp"

namespace cohort::result {

namespace {

std::string check(const Checking& checking) {
  expect_members(checking.certificate, {"kind"});
  checking.env.poll("check-control-flow");
  if (const auto violation = violation_in_control_flow(checking.program)) refute(*violation);
  return "the control flow reaches no error location, whatever the number of threads";
}

}  // namespace

nlohmann::json ControlFlowCertificate::to_json(const model::Program&) const {
  return {{"kind", kind_name}};
}

const CertificateKind control_flow_kind{ControlFlowCertificate::kind_name, model::control_flow_judges, check};

}  // namespace cohort::result
