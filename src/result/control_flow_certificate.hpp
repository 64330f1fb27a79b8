// The certificate of a program in which the control flow alone rules out every violation: it says nothing but that, and
// the checker looks for itself.
#pragma once

#include "result/certificate.hpp"
#include "result/checking.hpp"

namespace cohort::result {

class ControlFlowCertificate : public Certificate {
 public:
  static constexpr std::string_view kind_name = "control-flow";

  std::string_view kind() const override { return kind_name; }
  nlohmann::json to_json(const model::Program& program) const override;
};

extern const CertificateKind control_flow_kind;

}  // namespace cohort::result
