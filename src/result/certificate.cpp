#include "result/certificate.hpp"

#include <array>
#include <utility>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "result/control_flow_certificate.hpp"
#include "result/counter_certificate.hpp"
#include "result/modular_certificate.hpp"
#include "result/omega_certificate.hpp"
#include "result/symbolic_certificate.hpp"
#include "result/symbolic_omega_certificate.hpp"
#include "result/upward_certificate.hpp"

namespace cohort::result {

namespace {

using CheckFunction = CertificateCheck (*)(Env&, const model::Program&, const nlohmann::json&);

constexpr std::array checkers{
    std::pair<std::string_view, CheckFunction>{ControlFlowCertificate::kind_name, check_control_flow_certificate},
    std::pair<std::string_view, CheckFunction>{CounterCertificate::kind_name, check_counter_certificate},
    std::pair<std::string_view, CheckFunction>{ModularCertificate::kind_name, check_modular_certificate},
    std::pair<std::string_view, CheckFunction>{SymbolicCertificate::kind_name, check_symbolic_certificate},
    std::pair<std::string_view, CheckFunction>{OmegaCertificate::kind_name, check_omega_certificate},
    std::pair<std::string_view, CheckFunction>{SymbolicOmegaCertificate::kind_name, check_symbolic_omega_certificate},
    std::pair<std::string_view, CheckFunction>{UpwardCertificate::kind_name, check_upward_certificate},
    std::pair<std::string_view, CheckFunction>{UpwardCertificate::linear_kind_name, check_upward_certificate},
};

}  // namespace

CertificateCheck check_certificate(Env& env, const model::Program& program, const nlohmann::json& certificate) {
  if (!certificate.is_object() || !certificate.contains("kind") || !certificate["kind"].is_string()) {
    return {.message = "not a certificate: it has no kind"};
  }
  const auto kind = certificate["kind"].get<std::string>();
  for (const auto& [name, check] : checkers) {
    if (name == kind) return check(env, program, certificate);
  }
  return {.message = fmt::format("no checker for certificates of kind '{}'", kind)};
}

}  // namespace cohort::result
