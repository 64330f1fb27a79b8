// The certificate of symbolic exploration: a list of symbolic states <S, {(L1, n1), ...}>, sets given by cubes, whose
// represented states hold every initial state, are closed under every step for the given bound on threads, and violate
// nothing.
//
// The checker knows nothing of decision diagrams.  It expands the list to the counter states it stands for and hands
// those to the checker of closed counter sets; a list that stands for more than `most_states` of them is refused, not
// half checked.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "model/ids.hpp"
#include "result/certificate.hpp"
#include "result/cubes.hpp"

namespace cohort::result {

class SymbolicCertificate : public Certificate {
 public:
  static constexpr std::string_view kind_name = "symbolic-set";
  static constexpr std::size_t most_states = 2'000'000;

  struct LocalSet {
    model::TemplateId templ;
    model::LocId location;
    bool atomic = false;
    Cubes values;
  };
  struct SymbolicState {
    std::uint32_t shared = 0;                                    // index in `shared`
    std::vector<std::pair<std::uint32_t, std::uint32_t>> cells;  // index in `locals`, and count
  };

  std::uint32_t bound = 1;
  std::vector<Cubes> shared;
  std::vector<LocalSet> locals;
  std::vector<SymbolicState> states;

  std::string_view kind() const override { return kind_name; }
  nlohmann::json to_json(const model::Program& program) const override;
};

extern const CertificateKind symbolic_kind;

}  // namespace cohort::result
