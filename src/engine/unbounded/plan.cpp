// The solution of the marking equation that estimates a distance is at the same time a proposal which transitions lead
// there.  A search that asks for a new estimate after every step pays a linear program for each; where the order hardly
// matters (each of a hundred philosophers takes the left fork), one is enough: all that the solution fires is fired,
// one after the other.
//
// Which is next: one that leaves all others possible which are possible now and still wanted; otherwise one that makes
// the fewest of them impossible.  So what is repeated in a state is done before the state is left.  Among equals it is
// the one after the last, so that all take turns.  Numbers that are not whole are rounded up: a proposal may be wrong
// anyhow, and whoever follows it looks where it has led.
//
// Cost: a step looks at each transition of the solution, and at pairs of those that are possible.
#include "engine/unbounded/plan.hpp"

#include <algorithm>
#include <cmath>

#include "base/contract.hpp"

namespace cohort::engine::unbounded {

namespace {

// As far as numbers of the solver may be from the whole ones that they stand for.
constexpr double tiny = 1e-6;
// More than this are not compared with each other.
constexpr std::size_t most_compared = 16;

class Follower {
 public:
  Follower(const Net& net, const std::vector<RelaxedDistance::Share>& shares, Configuration& here)
      : net_(net), here_(here) {
    for (const RelaxedDistance::Share& share : shares) {
      COHORT_EXPECT(share.times > 0, "only what the solution fires has a share");
      wanted_.push_back({share.transitions, static_cast<std::uint64_t>(std::ceil(share.times - tiny))});
    }
  }

  // Fires one more; false: nothing that is wanted can fire.
  bool step(std::vector<TransitionId>& fired) {
    look();
    if (possible_.empty()) return false;
    const Choice& next = choose();
    const Transition& transition = net_.transitions()[next.transition];
    here_.control = transition.to;
    remove(here_.tokens, transition.pre);
    add(here_.tokens, transition.post);
    fired.push_back(next.transition);
    last_ = next.wanted;
    if (--wanted_[next.wanted].times == 0) {
      wanted_.erase(wanted_.begin() + static_cast<std::ptrdiff_t>(next.wanted));
      last_ = last_ == 0 ? wanted_.size() : last_ - 1;
    }
    return true;
  }

 private:
  struct Wanted {
    std::span<const TransitionId> transitions;
    std::uint64_t times = 0;
  };
  struct Choice {
    std::size_t wanted = 0;
    TransitionId transition = 0;
  };

  bool is_possible(const Configuration& where, TransitionId id) const {
    const Transition& transition = net_.transitions()[id];
    return transition.from == where.control && covers(where.tokens, transition.pre);
  }

  // What is wanted and possible, those behind the last one first.
  void look() {
    possible_.clear();
    for (std::size_t i = 0; i < wanted_.size() && possible_.size() < most_compared; ++i) {
      const std::size_t index = (last_ + 1 + i) % wanted_.size();
      for (const TransitionId id : wanted_[index].transitions) {
        if (!is_possible(here_, id)) continue;
        possible_.push_back({index, id});
        break;
      }
    }
  }

  const Choice& choose() const {
    const Choice* best = &possible_.front();
    std::size_t fewest = possible_.size();
    for (const Choice& choice : possible_) {
      if (possible_.size() == 1) break;
      const Transition& transition = net_.transitions()[choice.transition];
      Configuration after{transition.to, here_.tokens};
      remove(after.tokens, transition.pre);
      add(after.tokens, transition.post);
      std::size_t disabled = 0;
      for (const Choice& other : possible_) {
        disabled += &other != &choice && !is_possible(after, other.transition) ? 1 : 0;
      }
      if (disabled >= fewest) continue;
      fewest = disabled;
      best = &choice;
      if (disabled == 0) break;
    }
    return *best;
  }

  const Net& net_;
  Configuration& here_;
  std::vector<Wanted> wanted_;
  std::vector<Choice> possible_;
  std::size_t last_ = 0;
};

}  // namespace

std::vector<TransitionId> follow_plan(Env& env, const Net& net, const std::vector<RelaxedDistance::Share>& shares,
                                      Configuration& here, std::uint64_t most_steps) {
  std::vector<TransitionId> fired;
  Follower follower(net, shares, here);
  while (fired.size() < most_steps && !env.stop_requested("directed") && follower.step(fired)) {
  }
  return fired;
}

}  // namespace cohort::engine::unbounded
