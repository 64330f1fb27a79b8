// Breadth-first search over the finite configurations with at most n threads: shortest executions, and which thread
// states n threads reach.  A broadcast leads to one configuration for each way in which the threads that it does not
// consume may move.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "base/env.hpp"
#include "engine/unbounded/counter_system.hpp"
#include "engine/unbounded/unroll.hpp"

namespace cohort::engine::unbounded {

class BoundedSearch {
 public:
  enum class Outcome : std::uint8_t { Exhausted, Found, Stopped };

  BoundedSearch(Env& env, CounterSystem& system, std::uint32_t threads, std::size_t max_states);

  void set_max_depth(std::uint32_t depth) { max_depth_ = depth; }

  // Visits configurations in order of their depth; `visit(control, tokens, depth)` returns true to end the search
  // there.
  using Visit = std::function<bool(ControlId, TokenView, std::uint32_t)>;
  Outcome run(const Visit& visit);
  std::size_t state_count() const { return states_.size(); }
  // Could there have been more threads than the bound?  If not, what was searched is all there is.
  bool was_bounded() const { return bounded_; }
  // After Found: the execution to where the search ended, and what is there after each of its rules.
  Execution execution() const;
  std::vector<Tokens> goals() const;

 private:
  struct State {
    ControlId control = 0;
    std::uint32_t tokens_begin = 0;
    std::uint32_t tokens_count = 0;
    std::uint32_t depth = 0;
    std::uint32_t parent = none;
    RuleId rule = none;
  };

  bool add_starts(const Visit& visit);
  bool distribute(const Configuration& initial, std::size_t index, std::uint64_t remaining, Configuration& chosen,
                  const Visit& visit);
  bool add_state(ControlId control, const Tokens& tokens, std::uint32_t parent, RuleId rule, const Visit& visit);
  // Where the configuration is in the index, or the free place where it would go.
  std::size_t position(ControlId control, TokenView tokens) const;
  void grow_index();
  bool fire(std::uint32_t state, RuleId rule, const Visit& visit);
  bool move_others(std::uint32_t state, RuleId rule, const Tokens& others, std::size_t index, Count left,
                   std::size_t choice, Tokens& moved, const Visit& visit);
  Tokens with_produced(Tokens others, const Rule& rule);
  std::vector<std::uint32_t> path() const;
  std::uint64_t control_threads(ControlId control) const;
  TokenView tokens(std::uint32_t state) const {
    return {arena_.data() + states_[state].tokens_begin, states_[state].tokens_count};
  }

  Env* env_;
  CounterSystem* system_;
  std::uint32_t threads_;
  std::size_t max_states_;
  std::uint32_t max_depth_ = UINT32_MAX;
  bool bounded_ = false;
  std::vector<State> states_;
  std::vector<Token> arena_;
  std::vector<std::uint32_t> index_;  // open addressing by the hash; at most half full
};

// The fewest threads that some initial configuration has.
std::uint64_t fewest_threads(const CounterSystem& system);

}  // namespace cohort::engine::unbounded
