// Breadth-first search over the finite configurations with at most n threads: shortest executions, and which thread
// states n threads reach.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <unordered_map>
#include <vector>

#include "base/env.hpp"
#include "engine/unbounded/counter_system.hpp"
#include "engine/unbounded/unroll.hpp"

namespace cohort::engine::unbounded {

class BoundedSearch {
 public:
  enum class AtBound : std::uint8_t {
    Skip,  // a spawn beyond the bound does nothing: the semantics of a bound
    Stop,  // a step beyond the bound is not taken: executions that any number of threads has too
  };
  enum class Outcome : std::uint8_t { Exhausted, Found, Stopped };

  BoundedSearch(Env& env, CounterSystem& system, std::uint32_t threads, AtBound at_bound, std::size_t max_states);

  // Visits configurations in order of their depth; `visit(control, tokens, depth)` returns true to end the search
  // there.
  using Visit = std::function<bool(ControlId, TokenView, std::uint32_t)>;
  Outcome run(const Visit& visit);
  // Ends at the first violation, if there is one.
  Outcome find_violation();

  std::size_t state_count() const { return states_.size(); }
  // After Found: the way there, and the property violated (none: the last rule faults).
  Execution execution() const;
  std::optional<model::PropertyId> property() const { return property_; }

 private:
  struct State {
    ControlId control = 0;
    std::uint32_t tokens_begin = 0;
    std::uint32_t tokens_count = 0;
    std::uint32_t parent = none;
    RuleId rule = none;
    std::uint32_t depth = 0;
  };

  bool add_starts(const Visit& visit);
  bool distribute(const Configuration& initial, std::size_t index, std::uint64_t remaining, Configuration& chosen,
                  const Visit& visit);
  bool add_state(ControlId control, const Tokens& tokens, std::uint32_t parent, RuleId rule, const Visit& visit);
  std::optional<Tokens> fire(TokenView tokens, const Rule& rule) const;
  std::uint64_t control_threads(ControlId control) const;
  TokenView tokens(std::uint32_t state) const {
    return {arena_.data() + states_[state].tokens_begin, states_[state].tokens_count};
  }

  Env* env_;
  CounterSystem* system_;
  std::uint32_t threads_;
  AtBound at_bound_;
  std::size_t max_states_;
  std::vector<State> states_;
  std::vector<Token> arena_;
  std::unordered_multimap<std::uint64_t, std::uint32_t> index_;
  bool check_violations_ = false;
  std::optional<model::PropertyId> property_;
  RuleId fault_ = none;
  std::uint32_t found_ = none;
};

// The fewest threads that some initial configuration has.
std::uint64_t fewest_threads(const CounterSystem& system);

}  // namespace cohort::engine::unbounded
