// The certificate of the symbolic Karp-Miller construction: labels <S, {(pc, L, n or omega), ...}> that together cover
// every initial configuration, are closed under every step up to covering, and cover no violation.  A label stands for
// the configurations whose shared state is in S and that have, for each entry, n threads at pc with locals in L, chosen
// independently.
//
// The checker knows neither engines nor decision diagrams.  It lists the values of each set and takes every shared
// state together with every local state of each entry through the step kernel of the model; what the step leaves, with
// the other entries as they are, must embed into a label: each thread into an entry that includes its set, no entry
// taking more than it has.  The other entries are never multiplied out, so the work is the sum over labels of |S| |L|,
// not their product over all threads.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "model/ids.hpp"
#include "result/certificate.hpp"
#include "result/cubes.hpp"

namespace cohort::result {

class SymbolicOmegaCertificate : public Certificate {
 public:
  static constexpr std::string_view kind_name = "symbolic-omega-set";

  struct LocalSet {
    model::TemplateId templ;
    model::LocId location;
    bool atomic = false;
    Cubes values;
  };
  struct Label {
    std::uint32_t shared = 0;  // index in `shared`
    std::vector<std::pair<std::uint32_t, std::optional<std::uint32_t>>>
        threads;  // index in `locals` and count; none: omega
  };

  std::vector<Cubes> shared;
  std::vector<LocalSet> locals;
  std::vector<Label> labels;

  std::string_view kind() const override { return kind_name; }
  nlohmann::json to_json(const model::Program& program) const override;
};

extern const CertificateKind symbolic_omega_kind;

}  // namespace cohort::result
