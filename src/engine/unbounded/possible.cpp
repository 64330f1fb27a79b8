#include "engine/unbounded/possible.hpp"

#include <fmt/core.h>

#include "base/contract.hpp"

namespace cohort::engine::unbounded {

Possible::Possible(Env& env, CounterSystem& system, Blocking blocking) : system_(&system), blocking_(blocking) {
  for (const Configuration& start : system.initial()) {
    reach(start.control);
    for (const Token& token : start.tokens) add(start.control, token.place);
  }
  // One control state of a program may take long, and a net may have very many: looking at the limits costs, too.
  constexpr std::uint64_t poll_interval = 64;
  for (std::uint64_t processed = 0; !queue_.empty(); ++processed) {
    if (processed % poll_interval == 0 && env.poll_now("possible-states")) return;
    const ControlId control = queue_.back();
    queue_.pop_back();
    queued_[control] = false;
    process(control);
  }
  for (RuleId id = 0; id < system.rule_count(); ++id) {
    const Rule& rule = system.rule(id);
    if (contains_all(rule.from, system.pre(rule))) live_rules_.push_back(id);
  }
  complete_ = true;
}

void Possible::reach(ControlId control) {
  if (control >= reached_.size()) {
    reached_.resize(control + 1, false);
    places_.resize(control + 1);
    queued_.resize(control + 1, false);
  }
  if (reached_[control]) return;
  reached_[control] = true;
  queue(control);
}

void Possible::queue(ControlId control) {
  if (queued_[control]) return;
  queued_[control] = true;
  queue_.push_back(control);
}

void Possible::add(ControlId control, Place place) {
  COHORT_EXPECT(is_reached(control), "places are possible in control states that are reached");
  model::BitSet& places = places_[control];
  places.grow(std::size_t{place} + 1);
  if (places.contains(place)) return;
  places.insert(place);
  queue(control);
}

std::vector<Place> Possible::places(ControlId control) const {
  std::vector<Place> result;
  if (!is_reached(control)) return result;
  places_[control].for_each([&](std::size_t place) { result.push_back(static_cast<Place>(place)); });
  return result;
}

void Possible::process(ControlId control) {
  if (system_->control(control).holder != model::no_id) {
    std::vector<RuleId> ignored;
    system_->enabled(control, {}, ignored);
  } else if (!system_->is_table()) {
    for (const Place place : places(control)) system_->expand(control, place);
  }
  const std::vector<RuleId> rules = system_->leaving(control);
  for (const RuleId id : rules) {
    const Rule rule = system_->rule(id);
    if (!rule.faults && contains_all(control, system_->pre(rule))) propagate(rule);
  }
}

void Possible::propagate(const Rule& rule) {
  reach(rule.to);
  for (const Token& token : system_->post(rule)) add(rule.to, token.place);
  if (rule.broadcast == none) {
    if (rule.from == rule.to) return;
    model::BitSet& from = places_[rule.from];
    model::BitSet& to = places_[rule.to];
    to.grow(from.size());
    from.grow(to.size());
    if (to.unite(from)) queue(rule.to);
    return;
  }
  for (const Place place : places(rule.from)) {
    const auto after = system_->passive(rule.broadcast, place);
    if (after.empty()) note_blocking(rule);
    for (const Place next : std::vector<Place>(after.begin(), after.end())) add(rule.to, next);
  }
}

bool Possible::is_closed() const {
  COHORT_EXPECT(complete_, "there is a result to check");
  for (const Configuration& start : system_->initial()) {
    if (!contains_all(start.control, start.tokens)) return false;
  }
  std::vector<ControlId> passed;  // for each control state, the last one whose places were found in it
  for (const RuleId id : live_rules_) {
    const Rule& rule = system_->rule(id);
    if (rule.faults) continue;
    if (!contains_all(rule.to, system_->post(rule))) return false;
    if (rule.broadcast == none) {
      if (rule.to >= passed.size()) passed.resize(rule.to + 1, none);
      if (passed[rule.to] == rule.from) continue;
      passed[rule.to] = rule.from;
    }
    if (!contains_others(rule)) return false;
  }
  return true;
}

// Are threads that the rule does not consume at possible places afterwards?
bool Possible::contains_others(const Rule& rule) const {
  if (rule.broadcast == none) {
    return places_[rule.from].within(places_[rule.to]);
  }
  for (const Place place : places(rule.from)) {
    for (const Place next : system_->passive(rule.broadcast, place)) {
      if (!contains(rule.to, next)) return false;
    }
  }
  return true;
}

void Possible::note_blocking(const Rule& rule) {
  if (may_block()) return;
  for (const model::Action& action : system_->program().edge(rule.edge).actions) {
    if (!model::is_broadcast(system_->program().exprs, action)) continue;
    blocked_ = fmt::format("the broadcast '{}'", action.text);
    if (blocking_ == Blocking::Dropped) return;
    throw_unsupported(action.span,
                      fmt::format("{} may be blocked by another thread: such programs are not monotone", blocked_));
  }
  COHORT_UNREACHABLE("a rule that broadcasts comes from an action that does");
}

}  // namespace cohort::engine::unbounded
