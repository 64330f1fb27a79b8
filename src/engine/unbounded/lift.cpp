// A solution of the marking equation of the whole net gives one of the reduced net: tokens pass through merged control
// states and places as they do through joined transitions, and what was dropped demands nothing.  So where the reduced
// one has none, neither has the other, and its weights are computed anew.
//
// Of a backward search, the final set is handed over.  Whatever it excludes cannot be covered in the whole net either,
// so all of it may be forbidden there from the beginning; what is added are configurations in merged control states
// and at merged places, in the middle of joined transitions, and few others.  The search on the whole net then ends as
// any other does, with its own check that the set is closed.
#include "engine/unbounded/lift.hpp"

#include <limits>

#include "base/contract.hpp"
#include "engine/unbounded/certify.hpp"
#include "engine/unbounded/marking_equation.hpp"

namespace cohort::engine::unbounded {

std::unique_ptr<result::Certificate> lift(Env& env, const Net& whole, const Backward* search, std::size_t traps) {
  MarkingEquation equation(env, whole);
  equation.allow_traps(traps);
  if (search == nullptr && equation.refute_targets(std::numeric_limits<double>::max())) {
    return certify(whole, &equation.invariants(), nullptr);
  }
  Backward carried(env, whole, &equation);
  if (search != nullptr) {
    for (const std::uint32_t element : search->minimal()) {
      const TokenView tokens = search->tokens(element);
      carried.forbid({search->elements()[element].control, Tokens(tokens.begin(), tokens.end())});
    }
  }
  const auto outcome = carried.run();
  COHORT_EXPECT(outcome != Backward::Outcome::Violation, "what a reduced net excludes the whole net excludes");
  if (outcome != Backward::Outcome::Unreachable) return nullptr;
  return certify(whole, &equation.invariants(), &carried);
}

}  // namespace cohort::engine::unbounded
