// The certificate of a program in which the control flow alone rules out every violation: it says nothing but that, and
// the checker looks for itself.
#pragma once

#include "result/certificate.hpp"

namespace cohort::result {

class ControlFlowCertificate : public Certificate {
 public:
  static constexpr std::string_view kind_name = "control-flow";

  std::string_view kind() const override { return kind_name; }
  nlohmann::json to_json(const model::Program& program) const override;
};

CertificateCheck check_control_flow_certificate(Env& env, const model::Program& program,
                                                const nlohmann::json& certificate);

}  // namespace cohort::result
