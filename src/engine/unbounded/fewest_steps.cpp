// A breadth-first search with few threads says in how many steps they reach each thread state (here: a place in a
// control state).  More threads may be faster, but only in one way.  Take the first moment t at which some thread state
// k is reached sooner than so.  Before the step that does it, everything is reached as the table says, each by itself;
// so the step needs thread states that are each there before t, but that few threads do not bring together as soon.
// Only where the table allows that is k a candidate.  A backward search, breadth first and not deeper than the table's
// number, decides; it finds the true number or none, and where it finds one, the table changes and the argument begins
// again.  When no candidate is left, the table is right for any number of threads.
//
// Most candidates need no such search: views of two or three threads (view_levels.hpp) say at least how many steps it
// takes, and where that is what the table says, if need be after searching a few threads more, the table is right
// there.
//
// Searching forwards with any number of threads instead makes every way to spread them a configuration of its own, and
// searching backwards from every thread state is as slow where there are thousands of them.
#include "engine/unbounded/fewest_steps.hpp"

#include <algorithm>

#include "base/contract.hpp"
#include "engine/unbounded/backward.hpp"
#include "engine/unbounded/bounded_search.hpp"

namespace cohort::engine::unbounded {

namespace {

constexpr std::size_t most_views = 8'000'000;
// A few threads more than reach everything mostly reach it in the fewest steps.
constexpr std::uint32_t most_more = 3;
constexpr std::size_t most_states = 4'000'000;

}  // namespace

FewestSteps::FewestSteps(Env& env, const Net& net, std::uint32_t threads)
    : env_(&env), net_(&net), threads_(threads), here_(net.control_count()) {
  COHORT_EXPECT(net.is_whole() && !net.system().has_broadcasts(), "a whole net without broadcasts");
}

bool FewestSteps::run() {
  if (!search_few()) return false;
  if (!complete_ && (!bound_below() || !search_more())) return false;
  do {
    improved_ = false;
    if (!complete_ && !improve()) return false;
  } while (improved_);
  for (const Entry& entry : entries_) {
    const Control& control = net_->system().control(entry.control);
    const std::uint32_t local = entry.place == none ? control.holder : entry.place;
    if (local == model::no_id) continue;
    const auto [known, is_new] = steps_.try_emplace({control.shared, local}, entry.steps);
    if (!is_new) known->second = std::min(known->second, entry.steps);
  }
  return true;
}

void FewestSteps::reach(ControlId control, Place place, std::uint32_t depth) {
  if (entry_of(control, place) != model::PairTable::absent) return;
  const auto id = static_cast<std::uint32_t>(entries_.size());
  index_.insert(control, place, id);
  entries_.push_back({control, place, depth, false});
  if (place != none) here_[control].push_back(id);
}

bool FewestSteps::search_few() {
  BoundedSearch search(*env_, net_->system(), threads_, SIZE_MAX);
  const auto outcome = search.run([&](ControlId control, TokenView tokens, std::uint32_t depth) {
    reach(control, none, depth);
    for (const Token& token : tokens) reach(control, token.place, depth);
    return false;
  });
  complete_ = !search.was_bounded();
  return outcome == BoundedSearch::Outcome::Exhausted;
}

// Wider views where narrower ones leave something open.
bool FewestSteps::bound_below() {
  for (std::size_t width = ViewLevels::least_width; width <= ViewLevels::most_width; ++width) {
    if (!ViewLevels::takes(*net_, width)) return true;
    auto levels = std::make_unique<ViewLevels>(*env_, *net_, width);
    if (!levels->run(most_views)) return env_->stop_reason() == StopReason::None;
    bounds_ = std::move(levels);
    mark_exact();
    if (all_exact()) return true;
  }
  return true;
}

void FewestSteps::mark_exact() {
  for (Entry& entry : entries_) {
    const std::uint32_t least = bounds_->level(entry.control, entry.place);
    COHORT_EXPECT(least <= entry.steps, "what few threads reach is bounded by the views");
    entry.exact = entry.exact || least == entry.steps;
  }
}

// With one thread more, and another, as deep as the table goes.
bool FewestSteps::search_more() {
  for (std::uint32_t more = 1; bounds_ && more <= most_more && !all_exact(); ++more) {
    std::uint32_t deepest = 0;
    for (const Entry& entry : entries_) deepest = std::max(deepest, entry.exact ? 0 : entry.steps);
    BoundedSearch search(*env_, net_->system(), threads_ + more, most_states);
    search.set_max_depth(deepest);
    const auto lower = [&](ControlId control, Place place, std::uint32_t depth) {
      reach(control, place, depth);
      Entry& entry = entries_[entry_of(control, place)];
      entry.steps = std::min(entry.steps, depth);
    };
    const auto outcome = search.run([&](ControlId control, TokenView tokens, std::uint32_t depth) {
      lower(control, none, depth);
      for (const Token& token : tokens) lower(control, token.place, depth);
      return false;
    });
    mark_exact();
    if (outcome == BoundedSearch::Outcome::Stopped) return env_->stop_reason() == StopReason::None;
  }
  return true;
}

bool FewestSteps::all_exact() const {
  return std::all_of(entries_.begin(), entries_.end(), [](const Entry& entry) { return entry.exact; });
}

bool FewestSteps::improve() {
  for (const Transition& transition : net_->transitions()) {
    if (!improve(transition)) return false;
  }
  return true;
}

// Looks at everything that the transition may reach sooner than the table says.
bool FewestSteps::improve(const Transition& transition) {
  std::uint32_t ready = 0;
  const auto wait_for = [&](Place place) {
    const std::uint32_t entry = entry_of(transition.from, place);
    if (entry == model::PairTable::absent) return false;
    ready = std::max(ready, entries_[entry].steps);
    return true;
  };
  if (!wait_for(none)) return true;
  for (const Token& token : transition.pre) {
    if (!wait_for(token.place)) return true;
  }
  if (!look(transition.to, none, ready + 1)) return false;
  for (const Token& token : transition.post) {
    if (!look(transition.to, token.place, ready + 1)) return false;
  }
  if (transition.from == transition.to) return true;
  for (std::size_t i = 0; i < here_[transition.from].size(); ++i) {
    const Entry passive = entries_[here_[transition.from][i]];
    if (!look(transition.to, passive.place, std::max(ready, passive.steps) + 1)) return false;
  }
  return true;
}

// Can it be reached in fewer steps than the table says, given that it takes at least so many?
bool FewestSteps::look(ControlId control, Place place, std::uint32_t at_least) {
  const std::uint32_t id = entry_of(control, place);
  const std::uint32_t known = id == model::PairTable::absent ? none : entries_[id].steps;
  if (bounds_) {
    const std::uint32_t least = bounds_->level(control, place);
    if (least == none) return true;
    at_least = std::max(at_least, least);
  }
  if (at_least >= known || (id != model::PairTable::absent && entries_[id].exact)) return true;
  ++questions_;
  Backward search(*env_, *net_, nullptr, Backward::Order::Steps);
  search.forbid({control, place == none ? Tokens{} : Tokens{{place, 1}}});
  if (known != none) search.stop_at_level(known - 1);
  const auto outcome = search.run();
  if (outcome == Backward::Outcome::Stopped) return false;
  if (outcome == Backward::Outcome::Violation) {
    improved_ = true;
    if (id == model::PairTable::absent) {
      reach(control, place, search.steps());
    } else {
      entries_[id].steps = search.steps();
    }
  }
  const std::uint32_t entry = entry_of(control, place);
  if (entry != model::PairTable::absent) entries_[entry].exact = true;
  return true;
}

}  // namespace cohort::engine::unbounded
