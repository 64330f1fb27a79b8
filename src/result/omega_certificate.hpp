// The certificate of safety for any number of threads: a finite set of configurations with omegas ("any number of
// threads here") that covers every initial configuration, is closed under every step up to covering, and covers no
// violation.  By monotonicity everything reachable lies below it, whoever computed it.
//
// The checker knows no engine: it takes each thread state of each configuration through the step kernel of the model.
// A program that broadcasts is refused, for covering is not enough there; so are deadlocks, for a configuration that
// covers one need not be one.  A bound on the threads makes no difference: with it, there is less that can be reached,
// and a spawn that does nothing leads to what the spawn covers.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "model/state.hpp"
#include "result/certificate.hpp"
#include "result/checking.hpp"

namespace cohort::result {

class OmegaCertificate : public Certificate {
 public:
  static constexpr std::string_view kind_name = "omega-set";

  struct Configuration {
    std::uint32_t shared = 0;  // index in `shared`
    std::vector<std::pair<std::uint32_t, std::optional<std::uint32_t>>>
        cells;  // index in `locals` and count; none: omega
  };

  std::vector<model::Valuation> shared;
  std::vector<model::ThreadState> locals;
  std::vector<Configuration> configurations;

  std::string_view kind() const override { return kind_name; }
  nlohmann::json to_json(const model::Program& program) const override;
};

extern const CertificateKind omega_kind;

}  // namespace cohort::result
