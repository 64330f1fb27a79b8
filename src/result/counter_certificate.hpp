// The certificate of explicit counter abstraction: a set of counter states that holds every initial state, is closed
// under every step for the given bound on threads, and holds no violating state.  Such a set contains all reachable
// states, whoever computed it.
//
// The checker enumerates the initial states up to permutation, and lets one thread of each local state take every step
// on the interpreter: the interpreter does not tell threads apart, so other threads in the same local state add nothing
// but permutations.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "model/state.hpp"
#include "result/certificate.hpp"

namespace cohort::result {

class CounterCertificate : public Certificate {
 public:
  static constexpr std::string_view kind_name = "counter-set";

  struct CounterState {
    std::uint32_t shared = 0;                                    // index in `shared`
    std::vector<std::pair<std::uint32_t, std::uint32_t>> cells;  // index in `locals`, ascending, and count
  };

  std::uint32_t bound = 1;
  std::vector<model::Valuation> shared;
  std::vector<model::ThreadState> locals;
  std::vector<CounterState> states;

  std::string_view kind() const override { return kind_name; }
  nlohmann::json to_json(const model::Program& program) const override;
};

CertificateCheck check_counter_certificate(Env& env, const model::Program& program, const nlohmann::json& json);

}  // namespace cohort::result
