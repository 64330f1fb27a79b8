// Dynamic cutoff detection (Kaiser, Kroening and Wahl 2010).  n = 1, 2, ... threads are searched completely.  When one
// more thread has reached no new thread state, perhaps no number ever will.  What could still be new is what a step
// makes of threads that were each seen, but never together: these thread states are the candidates, and a backward
// search decides whether one of them is reachable.  If none is, n threads reach all that any number reaches.
//
// The candidates need not be computed: the backward search is told that no thread state outside of those reached may
// be covered, and no target.  A step into such a thread state from others like it adds nothing to the set, so that what
// it really searches are the predecessors of the candidates.  At the end the set is closed, and the proof is the same
// upward-closed set that any backward search ends with.
//
// A thread state here is a control state with a place, so that what the holder of an atomic section and the others are
// together counts too: the numbers of threads that are told are those of plain thread states.
//
// It ends where a cutoff exists, which is always so: thread states are finitely many.  Broadcasts are no obstacle.
#include "engine/unbounded/dynamic_cutoff.hpp"

#include <algorithm>

#include "base/contract.hpp"
#include "engine/unbounded/bounded_search.hpp"

namespace cohort::engine::unbounded {

DynamicCutoff::DynamicCutoff(Env& env, const Net& net) : env_(&env), net_(&net) {
  COHORT_EXPECT(net.is_whole(), "a proof speaks of the whole net");
  threads_ = static_cast<std::uint32_t>(std::max<std::uint64_t>(1, fewest_threads(net.system())));
  targets_.resize(net.control_count());
  for (std::uint32_t i = 0; i < net.targets().size(); ++i) targets_[net.targets()[i].least.control].push_back(i);
  reached_.resize(net.control_count());
  places_.resize(net.control_count());
}

DynamicCutoff::Outcome DynamicCutoff::run(std::uint64_t max_states) {
  visited_ = 0;
  while (visited_ < max_states) {
    if (env_->poll_now("dynamic-cutoff")) return Outcome::Stopped;
    if (!grew_) {
      visited_ += turn_;
      const Outcome outcome = close(turn_);
      if (outcome != Outcome::Paused) return outcome;
    }
    const Outcome outcome = search(turn_);
    if (outcome == Outcome::Violation || outcome == Outcome::Stopped) return outcome;
    if (outcome == Outcome::Paused) turn_ *= 2;
  }
  return Outcome::Paused;
}

// Searches with one more thread; Found: to the end.
DynamicCutoff::Outcome DynamicCutoff::search(std::uint64_t max_states) {
  const std::size_t before = first_.size();
  grew_ = false;
  BoundedSearch search(*env_, net_->system(), threads_, max_states);
  const auto outcome =
      search.run([&](ControlId control, TokenView tokens, std::uint32_t) { return visit(control, tokens); });
  visited_ += search.state_count();
  if (outcome == BoundedSearch::Outcome::Found) {
    execution_ = search.execution();
    goals_ = search.goals();
    if (net_->targets()[found_target_].fault != none) {
      execution_.rules.push_back(net_->targets()[found_target_].fault);
      goals_.emplace_back();
    }
    return Outcome::Violation;
  }
  grew_ = grew_ || first_.size() > before;
  if (grew_) closing_.reset();
  if (outcome == BoundedSearch::Outcome::Stopped) {
    return env_->stop_reason() != StopReason::None ? Outcome::Stopped : Outcome::Paused;
  }
  ++threads_;
  return Outcome::Found;
}

bool DynamicCutoff::visit(ControlId control, TokenView tokens) {
  for (const std::uint32_t target : targets_[control]) {
    if (!covers(tokens, net_->targets()[target].least.tokens)) continue;
    found_target_ = target;
    return true;
  }
  reach(control, tokens);
  return false;
}

void DynamicCutoff::reach(ControlId control, TokenView tokens) {
  if (!reached_[control]) grew_ = true;
  reached_[control] = true;
  for (const Token& token : tokens) {
    places_[control].grow(std::size_t{token.place} + 1);
    if (places_[control].contains(token.place)) continue;
    places_[control].insert(token.place);
    grew_ = true;
  }
  for_each_thread_state(net_->system(), control, tokens,
                        [&](ThreadStateKey key) { first_.try_emplace(key, threads_); });
}

void DynamicCutoff::forbid_the_rest() {
  for (ControlId control = 0; control < net_->control_count(); ++control) {
    if (!net_->possible().is_reached(control)) continue;
    if (!is_reached(control)) {
      closing_->forbid({control, {}});
      continue;
    }
    for (const Place place : net_->possible().places(control)) {
      const bool reached = place < places_[control].size() && places_[control].contains(place);
      if (!reached) closing_->forbid({control, {{place, 1}}});
    }
  }
}

DynamicCutoff::Outcome DynamicCutoff::close(std::uint64_t max_steps) {
  if (!closing_) {
    closing_ = std::make_unique<Backward>(*env_, *net_);
    forbid_the_rest();
  }
  switch (closing_->run(max_steps)) {
    case Backward::Outcome::Unreachable: return Outcome::Found;
    case Backward::Outcome::Stopped: return Outcome::Stopped;
    case Backward::Outcome::Paused: return Outcome::Paused;
    case Backward::Outcome::Violation: break;
  }
  if (!closing_->guessed()) {
    execution_ = closing_->execution();
    goals_ = closing_->goals();
    return Outcome::Violation;
  }
  // More threads reach more: the search will find out.
  grew_ = true;
  closing_.reset();
  return Outcome::Paused;
}

std::uint32_t DynamicCutoff::cutoff() const {
  return first_.empty() ? threads_searched() : first_.at(last());
}

ThreadStateKey DynamicCutoff::last() const {
  const auto latest =
      std::max_element(first_.begin(), first_.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  return latest == first_.end() ? ThreadStateKey{} : latest->first;
}

}  // namespace cohort::engine::unbounded
