#include "engine/unbounded/bounded_search.hpp"

#include <algorithm>

#include "base/contract.hpp"

namespace cohort::engine::unbounded {

BoundedSearch::BoundedSearch(Env& env, CounterSystem& system, std::uint32_t threads, std::size_t max_states)
    : env_(&env), system_(&system), threads_(threads), max_states_(max_states) {}

std::uint64_t BoundedSearch::control_threads(ControlId control) const {
  return (system_->has_single() ? 1U : 0U) + (system_->control(control).holder != model::no_id ? 1U : 0U);
}

// Every way to fill the omegas of an initial configuration with what is left of the bound.  An omega may stand for a
// number that has a least value, as where one thread and any number of others start at the same place: ways with fewer
// are no start.
bool BoundedSearch::distribute(const Configuration& initial, std::size_t index, std::uint64_t remaining,
                               Configuration& chosen, const Visit& visit) {
  while (index < initial.tokens.size() && initial.tokens[index].count != omega) ++index;
  if (index == initial.tokens.size()) {
    if (complete_start(*system_, initial, chosen.tokens) != chosen) return false;
    return add_state(chosen.control, chosen.tokens, none, none, visit);
  }
  bounded_ = true;
  for (std::uint64_t share = 0; share <= remaining; ++share) {
    Configuration next = chosen;
    add(next.tokens, initial.tokens[index].place, static_cast<Count>(share));
    if (distribute(initial, index + 1, remaining - share, next, visit)) return true;
    if (states_.size() > max_states_) return false;
  }
  return false;
}

bool BoundedSearch::add_starts(const Visit& visit) {
  const std::vector<Configuration> initial = system_->initial();
  for (const Configuration& start : initial) {
    Configuration fixed{start.control, {}};
    for (const Token& token : start.tokens) {
      if (token.count != omega) fixed.tokens.push_back(token);
    }
    const std::uint64_t present = total(fixed.tokens) + control_threads(start.control);
    if (present > threads_) {
      bounded_ = true;
      continue;
    }
    if (distribute(start, 0, threads_ - present, fixed, visit)) return true;
  }
  return false;
}

bool BoundedSearch::add_state(ControlId control, const Tokens& tokens_of_state, std::uint32_t parent, RuleId rule,
                              const Visit& visit) {
  if (2 * (states_.size() + 1) > index_.size()) grow_index();
  const std::size_t place = position(control, tokens_of_state);
  if (index_[place] != none) return false;
  const auto id = static_cast<std::uint32_t>(states_.size());
  State state;
  state.control = control;
  state.tokens_begin = static_cast<std::uint32_t>(arena_.size());
  state.tokens_count = static_cast<std::uint32_t>(tokens_of_state.size());
  state.depth = parent == none ? 0 : states_[parent].depth + 1;
  state.parent = parent;
  state.rule = rule;
  arena_.insert(arena_.end(), tokens_of_state.begin(), tokens_of_state.end());
  states_.push_back(state);
  index_[place] = id;
  return visit(control, tokens_of_state, state.depth);
}

std::size_t BoundedSearch::position(ControlId control, TokenView wanted) const {
  std::size_t place = hash_of(control, wanted) & (index_.size() - 1);
  for (; index_[place] != none; place = (place + 1) & (index_.size() - 1)) {
    const TokenView other = tokens(index_[place]);
    if (states_[index_[place]].control == control &&
        std::equal(other.begin(), other.end(), wanted.begin(), wanted.end())) {
      break;
    }
  }
  return place;
}

void BoundedSearch::grow_index() {
  constexpr std::size_t least = 64;
  index_.assign(std::max(least, 2 * index_.size()), none);
  for (std::uint32_t state = 0; state < states_.size(); ++state) {
    index_[position(states_[state].control, tokens(state))] = state;
  }
}

bool BoundedSearch::fire(std::uint32_t state, RuleId id, const Visit& visit) {
  const Rule rule = system_->rule(id);
  Tokens others(tokens(state).begin(), tokens(state).end());
  remove(others, system_->pre(rule));
  if (rule.broadcast == none) return add_state(rule.to, with_produced(std::move(others), rule), state, id, visit);
  Tokens moved;
  return move_others(state, id, others, 0, others.empty() ? 0 : others[0].count, 0, moved, visit);
}

// Of the `left` threads at the place with this index, some go to the place `choice` that the broadcast offers them, the
// rest to those after it.
bool BoundedSearch::move_others(std::uint32_t state, RuleId id, const Tokens& others, std::size_t index, Count left,
                                std::size_t choice, Tokens& moved, const Visit& visit) {
  const Rule& rule = system_->rule(id);
  if (index == others.size()) return add_state(rule.to, with_produced(moved, rule), state, id, visit);
  if (env_->stop_requested("bounded-search") || states_.size() > max_states_) return false;
  const auto offered = system_->passive(rule.broadcast, others[index].place);
  const std::vector<Place> places(offered.begin(), offered.end());
  COHORT_EXPECT(!places.empty(), "broadcasts that can block are refused before");
  const bool last = choice + 1 == places.size();
  for (Count taken = last ? left : 0; taken <= left; ++taken) {
    Tokens more = moved;
    if (taken > 0) add(more, places[choice], taken);
    const bool next = last || taken == left;
    const Count rest = !next ? left - taken : index + 1 < others.size() ? others[index + 1].count : 0;
    if (move_others(state, id, others, next ? index + 1 : index, rest, next ? 0 : choice + 1, more, visit)) return true;
  }
  return false;
}

// With what the rule produces, as far as the bound allows.
Tokens BoundedSearch::with_produced(Tokens after, const Rule& rule) {
  // The active thread is there before its children; what a step takes away makes room for them.
  Tokens born(system_->post(rule).begin(), system_->post(rule).end());
  if (rule.active_after != none) {
    const Token active{rule.active_after, 1};
    born = minus(born, {&active, 1});
    add(after, rule.active_after, 1);
  }
  const std::uint64_t ending = rule.ends ? 1 : 0;
  std::uint64_t alive = total(after) + control_threads(rule.to) + ending;
  for (const Token& token : born) {
    for (Count i = 0; i < token.count; ++i) {
      if (alive >= threads_) {
        bounded_ = true;
        return after;
      }
      add(after, token.place, 1);
      ++alive;
    }
  }
  return after;
}

BoundedSearch::Outcome BoundedSearch::run(const Visit& visit) {
  if (add_starts(visit)) return Outcome::Found;
  std::vector<RuleId> rules;
  for (std::uint32_t next = 0; next < states_.size(); ++next) {
    if (env_->stop_requested("bounded-search") || states_.size() > max_states_) return Outcome::Stopped;
    if (states_[next].depth >= max_depth_) break;
    rules.clear();
    system_->enabled(states_[next].control, tokens(next), rules);
    for (const RuleId id : rules) {
      const Rule& rule = system_->rule(id);
      if (rule.faults) continue;
      if (fire(next, id, visit)) return Outcome::Found;
    }
  }
  // The last broadcast may have been cut off.
  return env_->stop_reason() != StopReason::None || states_.size() > max_states_ ? Outcome::Stopped
                                                                                 : Outcome::Exhausted;
}

std::vector<std::uint32_t> BoundedSearch::path() const {
  COHORT_EXPECT(!states_.empty(), "the search ended somewhere");
  std::vector<std::uint32_t> path;
  for (auto state = static_cast<std::uint32_t>(states_.size() - 1); state != none; state = states_[state].parent) {
    path.push_back(state);
  }
  std::reverse(path.begin(), path.end());
  return path;
}

Execution BoundedSearch::execution() const {
  const std::vector<std::uint32_t> states = path();
  Execution execution;
  execution.start = {states_[states[0]].control, Tokens(tokens(states[0]).begin(), tokens(states[0]).end())};
  for (std::size_t i = 1; i < states.size(); ++i) execution.rules.push_back(states_[states[i]].rule);
  return execution;
}

std::vector<Tokens> BoundedSearch::goals() const {
  const std::vector<std::uint32_t> states = path();
  std::vector<Tokens> goals;
  for (std::size_t i = 1; i < states.size(); ++i) {
    goals.emplace_back(tokens(states[i]).begin(), tokens(states[i]).end());
  }
  return goals;
}

std::uint64_t fewest_threads(const CounterSystem& system) {
  std::uint64_t fewest = UINT64_MAX;
  for (const Configuration& start : system.initial()) {
    const std::uint64_t single = system.has_single() ? 1 : 0;
    fewest = std::min(fewest, single + total(complete_start(system, start, {}).tokens));
  }
  return fewest;
}

}  // namespace cohort::engine::unbounded
