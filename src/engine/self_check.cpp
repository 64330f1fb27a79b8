#include "engine/self_check.hpp"

#include <nlohmann/json.hpp>

namespace cohort::engine {

bool passes_checker(Env& env, const model::Program& program, std::optional<std::uint32_t> bound,
                    const result::Certificate& certificate) {
  const result::CertificateCheck check = result::check_certificate(env, program, bound, certificate.to_json(program));
  return check.valid || !check.complete;
}

}  // namespace cohort::engine
