// Structural reductions of nets that keep whether a target can be covered (after Berthelot 1987; Haddad 1990; for
// coverability they may forget more than for reachability):
//
//   - A place with any number of threads at every start never runs out of them, so nothing needs to ask for it: it is
//     dropped.
//   - Control states through which executions only pass: the system is in one control state at a time, so after a
//     transition into c the next one leaves c.  Where c is neither initial nor demanded by a target, each transition
//     into it is joined with each one out of it.  Chains of shared states, which is what converters make of the
//     transitions of a Petri net, become one transition again.
//   - Places through which threads only pass: if all that consumes from p consumes one thread there and nothing else,
//     and keeps the control state, which all that produces there leads to, then it may as well happen at once.  It only
//     gives threads earlier, and nobody asks for those at p.
//   - Transitions that do the same as another one, or nothing at all.
//   - Transitions that give nothing anybody asks for, and the places that nobody asks for then.
//
// A joined transition is the sequence of its rules, so an execution of the reduced net is one of the system; what must
// be there at the start is computed from the rules (Net::execution).  A joined transition is made only where the net
// does not grow.
//
// Broadcasts look at all places at once.  With them, a place is supplied only if no broadcast moves threads away from
// it; what a broadcast leads to a place that somebody asks for is asked for itself; transitions that broadcast are not
// joined with others, so control states before and after them stay; and a place is passed at once only if no broadcast
// moves threads to it, away from it, or away from where they go: those that come early could be moved.
//
// Proofs about a reduced net become proofs about the whole one in lift.hpp.
#include "engine/unbounded/reduce.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <unordered_set>

#include "base/contract.hpp"

namespace cohort::engine::unbounded {

class Reducer {
 public:
  Reducer(Env& env, const Net& net, Reduction& reduction) : env_(env), net_(net), reduction_(reduction) {}

  std::optional<Net> run() {
    reduction_ = {};
    reduction_.transitions_before = net_.transitions_.size();
    net_.whole_ = false;
    net_.dropped_.assign(net_.place_count(), false);
    survey_broadcasts();
    drop_supplied_places();
    for (std::size_t before = SIZE_MAX; before > net_.transitions_.size();) {
      before = net_.transitions_.size();
      fuse();
      keep_useful();
      merge_controls();
      merge_places();
      if (env_.poll_now("reduce-net")) return std::nullopt;
    }
    reduction_.transitions_after = net_.transitions_.size();
    return std::move(net_);
  }

 private:
  using Ids = std::vector<TransitionId>;
  using Moves = std::vector<std::pair<Place, Place>>;

  // Where broadcasts lead threads, by broadcast and control state, without those that stay.
  void survey_broadcasts() {
    moved_from_.assign(net_.place_count(), false);
    moved_to_.assign(net_.place_count(), false);
    for (const Transition& transition : net_.transitions_) {
      if (transition.broadcast == none) continue;
      const auto [entry, is_new] = moves_.try_emplace({transition.broadcast, transition.from});
      if (!is_new) continue;
      for (const Place place : net_.possible().places(transition.from)) {
        for (const Place after : net_.passive(transition, place)) {
          if (after == place) continue;
          entry->second.emplace_back(place, after);
          moved_from_[place] = true;
          moved_to_[after] = true;
        }
      }
    }
  }

  const Moves& moves_of(const Transition& transition) const {
    return moves_.at({transition.broadcast, transition.from});
  }

  // Removes tokens for which `gone(place)` holds.
  template <class Gone>
  void drop_places(const Gone& gone) {
    const auto drop = [&](Tokens& tokens) {
      tokens.erase(std::remove_if(tokens.begin(), tokens.end(), [&](const Token& token) { return gone(token.place); }),
                   tokens.end());
    };
    for (Transition& transition : net_.transitions_) {
      drop(transition.pre);
      drop(transition.post);
    }
    for (Configuration& start : net_.initial_) drop(start.tokens);
    for (Target& target : net_.targets_) drop(target.least.tokens);
    for (Place place = 0; place < net_.dropped_.size(); ++place) {
      net_.dropped_[place] = net_.dropped_[place] || gone(place);
    }
  }

  void drop_supplied_places() {
    std::vector<std::size_t> supplied(net_.place_count(), 0);
    for (const Configuration& start : net_.initial_) {
      for (const Token& token : start.tokens) supplied[token.place] += token.count == omega ? 1 : 0;
    }
    const std::size_t all = net_.initial_.size();
    if (all == 0) return;
    const auto is_supplied = [&](Place place) { return supplied[place] == all && !moved_from_[place]; };
    for (Place place = 0; place < supplied.size(); ++place) reduction_.places_dropped += is_supplied(place) ? 1 : 0;
    drop_places(is_supplied);
  }

  void fuse() {
    const auto hash = [](const Transition* transition) {
      return hash_of(transition->from, transition->pre) * 31 + hash_of(transition->to, transition->post) +
             transition->broadcast;
    };
    const auto equal = [](const Transition* a, const Transition* b) {
      return a->from == b->from && a->to == b->to && a->broadcast == b->broadcast && a->pre == b->pre &&
             a->post == b->post;
    };
    // The one with the fewest rules stays.
    std::stable_sort(net_.transitions_.begin(), net_.transitions_.end(),
                     [](const Transition& a, const Transition& b) { return a.rules.size() < b.rules.size(); });
    std::vector<Transition> kept;
    kept.reserve(net_.transitions_.size());
    std::unordered_set<const Transition*, decltype(hash), decltype(equal)> seen(16, hash, equal);
    for (Transition& transition : net_.transitions_) {
      if (transition.changes_nothing() || seen.contains(&transition)) continue;
      kept.push_back(std::move(transition));
      seen.insert(&kept.back());
    }
    net_.transitions_ = std::move(kept);
  }

  // Marks what targets need, and what is needed to get that; drops the rest.
  void keep_useful() {
    std::vector<bool> place(net_.place_count(), false);
    std::vector<bool> control(net_.control_count(), false);
    std::vector<bool> useful(net_.transitions_.size(), false);
    const auto need = [&](const Tokens& tokens) {
      for (const Token& token : tokens) place[token.place] = true;
    };
    for (const Target& target : net_.targets_) {
      control[target.least.control] = true;
      need(target.least.tokens);
    }
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t i = 0; i < useful.size(); ++i) {
        const Transition& transition = net_.transitions_[i];
        const bool broadcasts = transition.broadcast != none;
        if ((useful[i] && !broadcasts) || !control[transition.to]) continue;
        bool gives = std::any_of(transition.post.begin(), transition.post.end(), [&](const Token& token) {
          return place[token.place] && count_at(transition.pre, token.place) < token.count;
        });
        if (broadcasts) {
          for (const auto& [before, after] : moves_of(transition)) {
            if (!place[after]) continue;
            gives = true;
            changed = changed || !place[before];
            place[before] = true;
          }
        }
        if (useful[i] || (transition.from == transition.to && !gives)) continue;
        useful[i] = changed = true;
        control[transition.from] = true;
        need(transition.pre);
      }
    }
    std::vector<Transition> kept;
    for (std::size_t i = 0; i < useful.size(); ++i) {
      if (useful[i]) kept.push_back(std::move(net_.transitions_[i]));
    }
    net_.transitions_ = std::move(kept);
    drop_places([&](Place which) { return !place[which]; });
  }

  static Transition join(const Transition& first, const Transition& second) {
    Transition joined{.from = first.from, .to = second.to};
    joined.pre = first.pre;
    add(joined.pre, minus(second.pre, first.post));
    joined.post = minus(first.post, second.pre);
    add(joined.post, second.post);
    joined.rules = first.rules;
    joined.rules.insert(joined.rules.end(), second.rules.begin(), second.rules.end());
    return joined;
  }

  // Replaces two lists of transitions by all their joins; the lists are emptied and `gone` marks their members.
  template <class Added>
  void join_all(const Ids& first, const Ids& second, const Added& added) {
    for (const TransitionId one : first) {
      for (const TransitionId other : second) {
        Transition joined = join(net_.transitions_[one], net_.transitions_[other]);
        if (joined.changes_nothing()) continue;
        net_.transitions_.push_back(std::move(joined));
        gone_.push_back(false);
        added(static_cast<TransitionId>(net_.transitions_.size() - 1));
      }
    }
    for (const TransitionId id : first) gone_[id] = true;
    for (const TransitionId id : second) gone_[id] = true;
  }

  static bool pays(std::size_t first, std::size_t second, std::size_t rules) {
    constexpr std::size_t most_rules = 64;
    return first * second <= first + second && rules <= most_rules;
  }

  std::size_t most_rules(const Ids& ids) const {
    std::size_t most = 0;
    for (const TransitionId id : ids) most = std::max(most, net_.transitions_[id].rules.size());
    return most;
  }

  void drop_gone(Ids& ids) const {
    ids.erase(std::remove_if(ids.begin(), ids.end(), [&](TransitionId id) { return gone_[id]; }), ids.end());
  }

  void sweep() {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < gone_.size(); ++i) {
      if (gone_[i]) continue;
      if (kept != i) net_.transitions_[kept] = std::move(net_.transitions_[i]);
      ++kept;
    }
    net_.transitions_.resize(kept);
  }

  void merge_controls() {
    std::vector<bool> fixed(net_.control_count(), false);
    for (const Configuration& start : net_.initial_) fixed[start.control] = true;
    for (const Target& target : net_.targets_) fixed[target.least.control] = true;
    std::vector<Ids> into(net_.control_count());
    std::vector<Ids> from(net_.control_count());
    gone_.assign(net_.transitions_.size(), false);
    const auto file = [&](TransitionId id) {
      const Transition& transition = net_.transitions_[id];
      into[transition.to].push_back(id);
      from[transition.from].push_back(id);
      if (transition.from == transition.to || transition.broadcast != none) {
        fixed[transition.from] = fixed[transition.to] = true;
      }
    };
    for (TransitionId id = 0; id < net_.transitions_.size(); ++id) file(id);
    for (ControlId control = 0; control < net_.control_count(); ++control) {
      if (fixed[control] || (into[control].empty() && from[control].empty())) continue;
      drop_gone(into[control]);
      drop_gone(from[control]);
      if (!pays(into[control].size(), from[control].size(), most_rules(into[control]) + most_rules(from[control])))
        continue;
      const Ids first = std::move(into[control]);
      const Ids second = std::move(from[control]);
      into[control].clear();
      from[control].clear();
      join_all(first, second, file);
      ++reduction_.controls_merged;
    }
    sweep();
  }

  // What is needed to decide about the places.
  struct Uses {
    Ids produce;
    Ids consume;
    bool fixed = false;  // initial, demanded by a target, or used in another way than one thread at a time
  };

  void count_uses(TransitionId id, std::vector<Uses>& uses) const {
    const Transition& transition = net_.transitions_[id];
    for (const Token& token : transition.post) {
      uses[token.place].produce.push_back(id);
      const bool once = token.count == 1 && count_at(transition.pre, token.place) == 0;
      if (!once || transition.broadcast != none) uses[token.place].fixed = true;
    }
    for (const Token& token : transition.pre) {
      uses[token.place].consume.push_back(id);
      const bool alone = transition.pre.size() == 1 && token.count == 1 && transition.from == transition.to;
      const bool exposes = std::any_of(transition.post.begin(), transition.post.end(),
                                       [&](const Token& made) { return moved_from_[made.place]; });
      if (!alone || exposes || transition.broadcast != none) uses[token.place].fixed = true;
    }
  }

  bool passes_at_once(const Uses& uses) const {
    if (uses.fixed || uses.produce.empty() || uses.consume.empty()) return false;
    const ControlId control = net_.transitions_[uses.consume.front()].from;
    return std::all_of(uses.consume.begin(), uses.consume.end(),
                       [&](TransitionId id) { return net_.transitions_[id].from == control; }) &&
           std::all_of(uses.produce.begin(), uses.produce.end(),
                       [&](TransitionId id) { return net_.transitions_[id].to == control; });
  }

  void merge_places() {
    std::vector<Uses> uses(net_.place_count());
    for (Place place = 0; place < uses.size(); ++place) uses[place].fixed = moved_from_[place] || moved_to_[place];
    for (const Configuration& start : net_.initial_) {
      for (const Token& token : start.tokens) uses[token.place].fixed = true;
    }
    for (const Target& target : net_.targets_) {
      for (const Token& token : target.least.tokens) uses[token.place].fixed = true;
    }
    gone_.assign(net_.transitions_.size(), false);
    for (TransitionId id = 0; id < net_.transitions_.size(); ++id) count_uses(id, uses);
    for (Place place = 0; place < uses.size(); ++place) {
      if (uses[place].fixed) continue;
      drop_gone(uses[place].produce);
      drop_gone(uses[place].consume);
      if (!passes_at_once(uses[place])) continue;
      const Ids first = std::move(uses[place].produce);
      const Ids second = std::move(uses[place].consume);
      uses[place].produce.clear();
      uses[place].consume.clear();
      uses[place].fixed = true;
      if (!pays(first.size(), second.size(), most_rules(first) + most_rules(second))) continue;
      join_all(first, second, [&](TransitionId id) { count_uses(id, uses); });
      ++reduction_.places_merged;
    }
    sweep();
  }

  Env& env_;
  Net net_;
  Reduction& reduction_;
  std::vector<bool> gone_;
  std::map<std::pair<std::uint32_t, ControlId>, Moves> moves_;
  std::vector<bool> moved_from_;
  std::vector<bool> moved_to_;
};

std::optional<Net> reduce(Env& env, const Net& net, Reduction& reduction) {
  return Reducer(env, net, reduction).run();
}

}  // namespace cohort::engine::unbounded
