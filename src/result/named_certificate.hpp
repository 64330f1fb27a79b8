// The certificate of programs whose threads refer to each other: a set of states in which every thread has its name,
// which is its slot.  It holds every initial state, is closed under every step, and holds no violating state, so it
// contains all reachable states, whoever computed it.
//
// Nothing is left out by symmetry or because a variable does not matter: the checker would have to trust the analyses
// that say so.  That makes the set large, and the checker a loop over the interpreter.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/state.hpp"
#include "result/certificate.hpp"
#include "result/checking.hpp"

namespace cohort::result {

class NamedCertificate : public Certificate {
 public:
  static constexpr std::string_view kind_name = "named-set";

  std::vector<model::State> states;

  std::string_view kind() const override { return kind_name; }
  nlohmann::json to_json(const model::Program& program) const override;
};

extern const CertificateKind named_kind;

}  // namespace cohort::result
