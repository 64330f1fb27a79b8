// The certificate of explicit counter abstraction: a set of counter states that holds every initial state, is closed
// under every step for the given bound on threads, and holds no violating state.  Such a set contains all reachable
// states, whoever computed it.
//
// Where no bound is asked for, the same set proves more: if it is closed under every step without a bound, and the
// program fixes the number of threads at the start, no execution has more threads than it knows.
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
#include "result/checking.hpp"

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

extern const CertificateKind counter_kind;

}  // namespace cohort::result
