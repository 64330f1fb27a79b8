#include "engine/unbounded/bounded_search.hpp"

#include <algorithm>

#include "base/contract.hpp"

namespace cohort::engine::unbounded {

BoundedSearch::BoundedSearch(Env& env, CounterSystem& system, std::uint32_t threads, std::size_t max_states)
    : env_(&env), system_(&system), threads_(threads), max_states_(max_states) {}

std::uint64_t BoundedSearch::control_threads(ControlId control) const {
  return (system_->has_single() ? 1U : 0U) + (system_->control(control).holder != model::no_id ? 1U : 0U);
}

// Every way to fill the omegas of an initial configuration with what is left of the bound.
bool BoundedSearch::distribute(const Configuration& initial, std::size_t index, std::uint64_t remaining,
                               Configuration& chosen, const Visit& visit) {
  while (index < initial.tokens.size() && initial.tokens[index].count != omega) ++index;
  if (index == initial.tokens.size()) {
    return add_state(chosen.control, chosen.tokens, 0, visit);
  }
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
    if (present > threads_) continue;
    if (distribute(start, 0, threads_ - present, fixed, visit)) return true;
  }
  return false;
}

bool BoundedSearch::add_state(ControlId control, const Tokens& tokens_of_state, std::uint32_t depth,
                              const Visit& visit) {
  const std::uint64_t hash = hash_of(control, tokens_of_state);
  const auto [first, last] = index_.equal_range(hash);
  for (auto it = first; it != last; ++it) {
    const TokenView other = tokens(it->second);
    if (states_[it->second].control == control &&
        std::equal(other.begin(), other.end(), tokens_of_state.begin(), tokens_of_state.end())) {
      return false;
    }
  }
  const auto id = static_cast<std::uint32_t>(states_.size());
  State state;
  state.control = control;
  state.tokens_begin = static_cast<std::uint32_t>(arena_.size());
  state.tokens_count = static_cast<std::uint32_t>(tokens_of_state.size());
  state.depth = depth;
  arena_.insert(arena_.end(), tokens_of_state.begin(), tokens_of_state.end());
  states_.push_back(state);
  index_.emplace(hash, id);
  return visit(control, tokens_of_state, depth);
}

Tokens BoundedSearch::fire(TokenView before, const Rule& rule) const {
  Tokens after(before.begin(), before.end());
  remove(after, system_->pre(rule));
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
      if (alive >= threads_) return after;
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
      COHORT_EXPECT(rule.broadcast == none, "broadcasts are searched elsewhere");
      if (rule.faults) continue;
      if (add_state(rule.to, fire(tokens(next), rule), states_[next].depth + 1, visit)) return Outcome::Found;
    }
  }
  return Outcome::Exhausted;
}

std::uint64_t fewest_threads(const CounterSystem& system) {
  std::uint64_t fewest = UINT64_MAX;
  for (const Configuration& start : system.initial()) {
    std::uint64_t count = system.has_single() ? 1 : 0;
    for (const Token& token : start.tokens) count += token.count == omega ? 0 : token.count;
    fewest = std::min(fewest, count);
  }
  return fewest;
}

}  // namespace cohort::engine::unbounded
