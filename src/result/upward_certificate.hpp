// The certificate of a backward search: for any number of threads, what no execution ever enters.
//
// A configuration is a *control state* (the shared state, the thread inside an atomic section, and the thread of each
// template that has exactly one) and numbers of the other threads by local state.  For each control state the
// certificate lists the local states that are possible in it, and a finite set of *bad* multisets.  It claims that no
// reachable configuration has a control state that is not listed, a thread in a local state that is not possible there,
// or at least the threads of a bad multiset.
//
// The checker knows no engine.  It verifies that every initial configuration keeps to this; that each step leads from
// possible to possible; that every violation that can be made of possible threads is bad; and that what is needed for
// a step into something bad is bad already or impossible: the step's outcomes come from the step kernel of the model,
// and the least that must have been there before is (bad - made) + used, with each thread that a broadcast moved
// brought back to every place it may have come from.  So nothing reachable is bad, whoever computed the sets.  Unlike
// covering, this argument holds for programs that broadcast, too.
//
// A certificate may also have weightings and traps (weightings.hpp): what they refute counts as impossible.  One that
// has no bad multisets at all is a proof by the marking equation, and is of the kind `marking-equation`.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "model/state.hpp"
#include "result/certificate.hpp"
#include "result/checking.hpp"
#include "result/weightings.hpp"

namespace cohort::result {

class UpwardCertificate : public Certificate {
 public:
  static constexpr std::string_view kind_name = "upward-set";
  static constexpr std::string_view linear_kind_name = "marking-equation";

  using Multiset = result::Multiset;  // indices in `locals`, ascending

  struct Control {
    std::uint32_t shared = 0;            // index in `shared`
    std::vector<std::uint32_t> threads;  // those that are part of the control state, as indices in `locals`, ascending
    std::vector<std::uint32_t> possible;
    std::vector<Multiset> bad;
  };

  std::vector<model::TemplateId> unique;  // templates of which exactly one thread exists at the start, and no more ever
  std::vector<model::Valuation> shared;
  std::vector<model::ThreadState> locals;
  std::vector<Control> controls;
  std::vector<WeightedTrap> traps;
  std::vector<Weighting> weightings;
  std::vector<WeightingCases> cases;

  std::string_view kind() const override;
  nlohmann::json to_json(const model::Program& program) const override;
};

extern const CertificateKind upward_kind;
extern const CertificateKind marking_equation_kind;

}  // namespace cohort::result
