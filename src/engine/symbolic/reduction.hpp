// The dynamic part of partial-order reduction for sets of states: may a thread that model/dependence.hpp allows be
// expanded alone?
//
// It must be able to move in every state of the set, or at least in one that the other threads and the properties
// cannot tell from it. Let X be the set, E the part of it where the thread can move, and let the others see a part of
// the values only.  If E and X look the same to the others, expanding E by the thread alone loses nothing: in a state b
// outside E the thread is stuck for good (nobody writes what its guards read), so whatever follows b is done by the
// others alone, and they do the same from a state of E that looks like b.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "dd/bdd.hpp"
#include "engine/symbolic/encoding.hpp"
#include "model/analysis/dependence.hpp"

namespace cohort::engine::symbolic {

class Reduction {
 public:
  Reduction(const model::Program& program, const Encoding& encoding)
      : program_(&program), encoding_(&encoding), dependence_(program) {}

  const model::Dependence& dependence() const { return dependence_; }

  // `states` and its part `movable` where a thread of `templ`, whose own variables are `own`, can move.
  bool loses_nothing(const dd::Bdd& states, const dd::Bdd& movable, const model::Dependence::Future& others,
                     model::TemplateId templ, const std::vector<dd::Var>& own) {
    if (movable.is_false()) return false;
    if (movable == states) return true;
    if (dependence_.sees_locals(others, templ)) return false;
    std::vector<dd::Var> hidden = own;
    for (std::uint32_t v = 0; v < program_->shared.size(); ++v) {
      if (!dependence_.sees_shared(others, model::VarId(v))) hidden.push_back(encoding_->shared(v));
    }
    const auto it = hidden_.try_emplace(hidden, hidden).first;
    return dd::exists(states, it->second) == dd::exists(movable, it->second);
  }

 private:
  const model::Program* program_;
  const Encoding* encoding_;
  model::Dependence dependence_;
  std::map<std::vector<dd::Var>, dd::VarSet> hidden_;
};

}  // namespace cohort::engine::symbolic
