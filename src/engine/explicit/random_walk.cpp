#include "engine/explicit/random_walk.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <string>

#include "base/contract.hpp"

namespace cohort::engine::explicit_ {

namespace {

// How many executions of one length are cut off before they may become longer.
constexpr std::uint64_t patience = 20;
constexpr std::size_t most_change_steps = 3;
constexpr std::size_t longest_turn = 12;
constexpr double patient = 4.0 / 3;  // priorities are between 1 and 2
constexpr std::array switching_probabilities = {1.0, 0.3, 0.1, 0.02};

}  // namespace

SearchOutcome RandomWalk::run() {
  space_.for_each_initial([&] {
    const auto word = space_.encode_next();
    starts_.emplace_back(word.begin(), word.end());
    if (outcome_.property || !(outcome_.property = space_.violated_by_next())) return;
    path_ = {starts_.back()};
    keep_execution();
  });
  while (outcome_.bad == StateStore::none && !starts_.empty() && !env_.poll_now("random-start")) {
    start_execution();
    if (!execute()) break;
  }
  return outcome_;
}

void RandomWalk::start_execution() {
  path_ = {starts_[random_() % starts_.size()]};
  priorities_.clear();
  last_ = in_a_row_ = 0;
  schedule_ = {};
  schedule_.kind = static_cast<Schedule::Kind>(executions_ % 3);
  schedule_.switching = switching_probabilities[executions_ / 3 % switching_probabilities.size()];
  schedule_.turn = random_() % 2 == 0 ? 1 : 1 + random_() % longest_turn;
  for (std::size_t i = random_() % (most_change_steps + 1); i > 0; --i) {
    // What matters is often near the beginning, when threads have just been created.
    const std::size_t range = random_() % 2 == 0 ? longest_ : std::min<std::size_t>(longest_, 2U << random_() % 8U);
    schedule_.change_steps.push_back(random_() % range);
  }
  ++executions_;
}

bool RandomWalk::execute() {
  for (std::size_t steps = 0; steps < most_steps_; ++steps) {
    if (env_.stop_requested("random-walk")) return false;
    env_.report_progress([&] { return std::to_string(executions_) + " random executions"; });
    const model::SharedId before = space_.shared();
    space_.load(path_.back().data());
    if (steps > 0 && space_.shared() != before) ++in_a_row_;
    follow_slots();
    const bool moved = step();
    if (outcome_.bad != StateStore::none) return false;
    if (!moved) {
      longest_ = std::max(longest_, steps);
      outcome_.property = space_.violated_by_deadlock();
      if (outcome_.property) keep_execution();
      return !outcome_.property;
    }
    const auto& changes = schedule_.change_steps;
    if (std::find(changes.begin(), changes.end(), steps) != changes.end()) {
      priorities_[last_] = *std::min_element(priorities_.begin(), priorities_.end()) - 1;
    }
  }
  longest_ = std::max(longest_, most_steps_);
  if (++cut_off_ % patience == 0) most_steps_ *= 2;
  return true;
}

// Slots come and go with threads; a thread that is new has a priority of its own.
void RandomWalk::follow_slots() {
  const auto& slots = space_.slots();
  priorities_.resize(slots.size(), 0);
  std::uniform_real_distribution<double> any(1, 2);
  for (std::size_t slot = 0; slot < slots.size(); ++slot) {
    if (slots[slot] == model::no_id) priorities_[slot] = 0;
    if (slots[slot] != model::no_id && priorities_[slot] == 0) priorities_[slot] = any(random_);
  }
}

std::vector<std::size_t> RandomWalk::schedule_order() {
  std::vector<std::size_t> order(space_.slots().size());
  std::iota(order.begin(), order.end(), 0);
  if (schedule_.kind == Schedule::Kind::Turns) {
    const std::size_t first = in_a_row_ < schedule_.turn ? last_ : last_ + 1;
    if (first < order.size())
      std::rotate(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(first), order.end());
    std::stable_partition(order.begin(), order.end(), [&](std::size_t slot) { return priorities_[slot] >= patient; });
    return order;
  }
  if (schedule_.kind == Schedule::Kind::Priorities) {
    std::sort(order.begin(), order.end(),
              [&](std::size_t left, std::size_t right) { return priorities_[left] > priorities_[right]; });
    return order;
  }
  std::shuffle(order.begin(), order.end(), random_);
  if (std::bernoulli_distribution(schedule_.switching)(random_)) return order;
  const auto last = std::find(order.begin(), order.end(), last_);
  if (last != order.end()) std::iter_swap(order.begin(), last);
  return order;
}

bool RandomWalk::step() {
  for (const std::size_t slot : schedule_order()) {
    if (space_.slots()[slot] == model::no_id || !step_of(slot)) continue;
    if (slot != last_) in_a_row_ = 0;
    last_ = slot;
    return true;
  }
  return false;
}

// One of the steps of the thread in `slot`, each with the same probability, unless one of them violates.
bool RandomWalk::step_of(std::size_t slot) {
  Word chosen;
  std::uint64_t seen = 0;
  space_.for_each_successor(
      [&](std::size_t, const PlainSpace::Transition& transition) {
        ++outcome_.transitions;
        ++seen;
        if (transition.faults) {
          outcome_.fault = true;
          return false;
        }
        outcome_.property = space_.violated_by_next();
        if (!outcome_.property && random_() % seen != 0) return true;
        const auto word = space_.encode_next();
        chosen.assign(word.begin(), word.end());
        return !outcome_.property;
      },
      slot);
  if (seen == 0) return false;
  if (!outcome_.fault) path_.push_back(std::move(chosen));
  if (outcome_.fault || outcome_.property) keep_execution();
  return true;
}

// A state that comes again is the same record, so that what lies between is left out.
void RandomWalk::keep_execution() {
  StateStore::Ref at = StateStore::none;
  for (const Word& word : path_) at = store_.insert(word, at).ref;
  outcome_.bad = at;
}

}  // namespace cohort::engine::explicit_
