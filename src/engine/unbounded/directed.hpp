// A forward search for violations that is drawn to the targets.  See directed.cpp.
#pragma once

#include <cstdint>
#include <queue>
#include <unordered_map>
#include <vector>

#include "base/env.hpp"
#include "engine/unbounded/antichain.hpp"
#include "engine/unbounded/net.hpp"
#include "engine/unbounded/relaxed_distance.hpp"

namespace cohort::engine::unbounded {

class Directed {
 public:
  // Exhausted: there is nothing left to try; no proof, for distances are computed in floating-point numbers.
  enum class Outcome : std::uint8_t { Violation, Exhausted, Stopped, Paused };
  // Greedy: the nearest configuration first.  Shortest: the violation with the fewest steps.
  enum class Order : std::uint8_t { Greedy, Shortest };

  // A configuration from which a way to a target is known.
  struct Goal {
    Configuration least;
    std::vector<TransitionId> rest;
    std::uint32_t target = 0;
  };

  // Not for nets with broadcasts.
  Directed(Env& env, const Net& net, Order order);

  // Whatever covers it from now on is as good as a target; for Order::Greedy.
  void add_goal(Goal goal);

  // Paused after so many distances have been computed; the next call goes on from there.
  Outcome run(std::uint64_t max_distances = UINT64_MAX);
  // After Violation.
  Execution execution() const;
  // Was it a goal, and no target, that was found?
  bool met() const { return found_target_ >= net_->targets().size(); }
  std::size_t state_count() const { return states_.size(); }

 private:
  struct State {
    ControlId control = 0;
    std::uint32_t tokens_begin = 0;
    std::uint32_t tokens_count = 0;
    std::uint32_t parent = none;
    TransitionId transition = none;  // those behind the last are plans
    std::uint32_t depth = 0;         // in rules
    bool closed = false;
  };
  struct Item {
    double priority = 0;
    std::uint32_t state = 0;
    bool operator<(const Item& other) const {
      return priority != other.priority ? priority > other.priority : state > other.state;
    }
  };
  using Queue = std::priority_queue<Item>;

  TokenView tokens(std::uint32_t state) const {
    return {arena_.data() + states_[state].tokens_begin, states_[state].tokens_count};
  }
  void index_transitions();
  void start();
  std::uint32_t pop();
  bool expand(std::uint32_t state);
  bool fire(std::uint32_t state, TransitionId id, double priority);
  bool follow(std::uint32_t state, const RelaxedDistance::Answer& answer);
  std::uint32_t rules_of(TransitionId transition) const;
  bool reach(const Configuration& configuration, std::uint32_t parent, TransitionId transition, double priority,
             bool preferred);
  bool is_covered(std::uint32_t state);
  bool finds_target(std::uint32_t state);

  Env* env_;
  const Net* net_;
  Order order_;
  RelaxedDistance distance_;
  bool started_ = false;
  std::uint64_t distances_ = 0;
  std::vector<State> states_;
  std::vector<Token> arena_;
  std::unordered_multimap<std::uint64_t, std::uint32_t> index_;
  Antichain expanded_;
  Queue queue_;
  Queue preferred_;  // configurations reached by a transition of the solution that guided their parent
  std::uint64_t turn_ = 0;
  model::PairTable row_index_;  // (control, place) to an index in rows_: transitions by a place that they consume from
  std::vector<std::vector<TransitionId>> rows_;
  std::vector<std::vector<TransitionId>> free_;
  std::vector<std::vector<std::uint32_t>> targets_;  // by control state; those behind the last are goals
  std::vector<Goal> goals_;
  std::vector<bool> is_preferred_;
  std::vector<std::vector<TransitionId>> plans_;  // what was fired at once
  std::uint64_t plan_steps_left_;
  std::uint32_t found_ = none;
  std::uint32_t found_target_ = none;
};

}  // namespace cohort::engine::unbounded
