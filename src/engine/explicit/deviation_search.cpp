#include "engine/explicit/deviation_search.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace cohort::engine::explicit_ {

using model::LocalId;
using model::no_id;

SearchOutcome DeviationSearch::run() {
  space_.for_each_initial([&] {
    if (outcome_.bad == StateStore::none) meet(StateStore::none, no_id);
  });
  if (outcome_.bad != StateStore::none) return outcome_;
  while (explore_level()) {
    ++outcome_.depth;
    const std::vector<StateStore::Ref> states = std::exchange(open_, {});
    queue_.clear();
    if (!deviate(states)) break;
    if (queue_.empty()) {
      outcome_.complete = true;
      break;
    }
  }
  return outcome_;
}

bool DeviationSearch::explore_level() {
  for (std::size_t i = 0; i < queue_.size(); ++i) {
    const StateStore::Ref ref = queue_[i];
    if (env_.stop_requested("deviation-search")) return false;
    report();
    const LocalId last = load(ref);
    const std::uint64_t before = outcome_.transitions;
    if (last != no_id && !expand(ref, {.only = last})) return false;
    if (outcome_.transitions == before && !expand_next(ref, last)) return false;
    if (outcome_.transitions > before) {
      open_.push_back(ref);
      continue;
    }
    if (const auto property = space_.violated_by_deadlock()) {
      outcome_.bad = ref;
      outcome_.property = property;
      return false;
    }
  }
  return true;
}

bool DeviationSearch::expand_next(StateStore::Ref ref, LocalId last) {
  schedule_.clear();
  for (const Cell& cell : space_.cells()) schedule_.push_back(cell.local);
  const auto after = std::upper_bound(schedule_.begin(), schedule_.end(), last);
  std::rotate(schedule_.begin(), after, schedule_.end());
  const std::uint64_t before = outcome_.transitions;
  for (const LocalId next : schedule_) {
    if (next == last) continue;
    if (!expand(ref, {.only = next})) return false;
    if (outcome_.transitions > before) return true;
  }
  return true;
}

bool DeviationSearch::deviate(const std::vector<StateStore::Ref>& states) {
  for (const StateStore::Ref ref : states) {
    if (env_.stop_requested("deviate")) return false;
    report();
    const LocalId last = load(ref);
    if (!expand(ref, {.except = last})) return false;
  }
  return true;
}

bool DeviationSearch::expand(StateStore::Ref ref, const CounterSpace::Movers& movers) {
  return space_.for_each_successor(
      [&](LocalId, const CounterSpace::Transition& transition) {
        ++outcome_.transitions;
        if (transition.faults) {
          outcome_.bad = ref;
          outcome_.fault = true;
          return false;
        }
        return meet(ref, transition.local);
      },
      movers);
}

bool DeviationSearch::meet(StateStore::Ref parent, LocalId last) {
  const auto state = space_.encode_next();
  word_.assign(state.begin(), state.end());
  put_number(word_, last != no_id ? std::uint64_t{last} + 1 : 0);
  const auto [ref, fresh] = store_.insert(word_, parent);
  if (!fresh) return true;
  queue_.push_back(ref);
  const auto property = space_.violated_by_next();
  if (!property) return true;
  outcome_.bad = ref;
  outcome_.property = property;
  return false;
}

LocalId DeviationSearch::load(StateStore::Ref ref) {
  const std::uint8_t* word = space_.load(store_.bytes(ref));
  const std::uint64_t last = get_number(word);
  return last != 0 ? static_cast<LocalId>(last - 1) : no_id;
}

void DeviationSearch::report() {
  env_.report_progress([&] {
    return std::to_string(store_.size()) + " states with at most " + std::to_string(outcome_.depth) + " deviations, " +
           std::to_string(outcome_.transitions) + " transitions";
  });
}

}  // namespace cohort::engine::explicit_
