// Threads that wait for ever while others go on.
//
// A thread can never go on, whatever the others do, in a state from which no execution lets it.  From every state an
// execution leads to a bottom component of the graph of states, one that nothing leaves, and a thread that is stuck on
// the way is stuck there.  So there is such a thread exactly if, in some bottom component, a local state is occupied
// from which nobody ever moves.  Threads in the same local state are alike, which makes this right for counted threads,
// too.  If somebody has given up in the component (cannot move, and does not wait), its executions are none.  A thread
// in a loop where it waits moves, but it is stuck all the same if none of its moves there changes what is shared or
// leaves such loops.
//
// Where stubborn sets were taken, the graph is that of the steps explored.  Its bottom components are parts of bottom
// components of the whole graph, have the same moves of threads, and there is one in each that shows somebody who waits
// (docs/identity.md has the proof).
//
// Components of a complete store, successors computed again as they are needed: time and memory linear in the graph.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "base/contract.hpp"
#include "base/env.hpp"
#include "engine/explicit/search.hpp"
#include "engine/state_store.hpp"
#include "model/analysis/components.hpp"
#include "model/thread_system.hpp"

namespace cohort::engine::explicit_ {

template <class Space, class Store>
class WaitingSearch {
 public:
  // The store holds every state that a complete search came to; it has not expanded those of `partial` in full.
  WaitingSearch(Env& env, Space& space, Store& store, const std::vector<bool>& partial)
      : env_(env), space_(space), store_(store), partial_(partial) {}

  // A state of a component in which somebody is stuck; none if there is none, or if `stopped()`.  `for_each_state`
  // calls what it is given for each state that is stored, until that returns false.
  template <class ForEachState>
  std::optional<StateStore::Ref> run(ForEachState&& for_each_state) {
    const auto after = [this](StateStore::Ref ref) { return successors(ref); };
    model::Components<decltype(after)> components(store_.end(), after);
    std::optional<StateStore::Ref> bad;
    const auto close = [&](const auto& component) {
      const auto& members = component.members;
      if (component.bottom && somebody_is_stuck(members)) bad = *std::min_element(members.begin(), members.end());
    };
    const auto is_done = [&] {
      stopped_ = stopped_ || env_.stop_requested("waiting-threads");
      return stopped_ || bad.has_value();
    };
    for_each_state([&](StateStore::Ref ref) {
      components.visit(ref, close, is_done);
      return !bad && !stopped_;
    });
    return bad;
  }

  bool stopped() const { return stopped_; }

 private:
  std::vector<StateStore::Ref> successors(StateStore::Ref ref) {
    std::vector<StateStore::Ref> result;
    space_.load(store_.bytes(ref));
    for_each_explored(space_, partial_, ref, [&](auto, const auto&) {
      const auto [target, fresh] = store_.insert(space_.encode_next(), ref);
      COHORT_EXPECT(!fresh, "the store is closed under steps");
      result.push_back(target);
      return true;
    });
    return result;
  }

  struct Move {
    model::LocalId from = 0;
    model::LocalId to = 0;
    bool changes = false;  // what is shared, or who is there
  };

  bool somebody_is_stuck(const std::vector<StateStore::Ref>& members) {
    std::set<model::LocalId> present;
    std::set<model::LocalId> moving;
    std::set<model::LocalId> runs;
    std::vector<Move> moves;
    for (const StateStore::Ref member : members) {
      space_.load(store_.bytes(member));
      const model::SharedId shared = space_.shared();
      bool inside = false;  // somebody, who lets nobody else run
      space_.for_each_local([&](model::LocalId local) { inside = inside || space_.is_inside(local); });
      space_.for_each_local([&](model::LocalId local) {
        present.insert(local);
        const bool waits = space_.violation().location(local).waits;
        if (waits || runs.contains(local)) return;
        const bool locked_out = inside && !space_.is_inside(local);
        const bool runs_on = locked_out ? space_.violation().could_step(shared, local)
                                        : space_.violation().runs_in_circles(shared, local);
        if (runs_on) runs.insert(local);
      });
      space_.for_each_successor([&](auto active, const auto& transition) {
        const model::LocalId from = space_.local_of(active);
        moving.insert(from);
        moves.push_back({from, transition.local, transition.shared != shared || transition.spawns != model::no_id});
        return true;
      });
    }
    bool waits = false;
    std::set<model::LocalId> spinning;
    for (const model::LocalId local : present) {
      const model::Location& location = space_.violation().location(local);
      if (moving.contains(local)) {
        if (location.waits) spinning.insert(local);
        continue;
      }
      // The system leaves out steps that change nothing: whoever runs round in circles has not given up.  Nor has who
      // is kept from its step by another's atomic section only.
      if (location.waits) {
        waits = true;
      } else if (!runs.contains(local)) {
        return false;
      }
    }
    return waits || keeps_spinning(std::move(spinning), moves);
  }

  // The greatest set of local states in loops that no move leads out of or changes anything from.
  static bool keeps_spinning(std::set<model::LocalId> spinning, const std::vector<Move>& moves) {
    for (bool shrinks = true; shrinks;) {
      shrinks = false;
      for (const Move& move : moves) {
        if (!spinning.contains(move.from) || (!move.changes && spinning.contains(move.to))) continue;
        spinning.erase(move.from);
        shrinks = true;
      }
    }
    return !spinning.empty();
  }

  Env& env_;
  Space& space_;
  Store& store_;
  const std::vector<bool>& partial_;
  bool stopped_ = false;
};

}  // namespace cohort::engine::explicit_
