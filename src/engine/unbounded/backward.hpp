// Backward search for coverability: which configurations can be driven into a violation?  See backward.cpp.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "base/env.hpp"
#include "engine/unbounded/antichain.hpp"
#include "engine/unbounded/counter_system.hpp"
#include "engine/unbounded/directed.hpp"
#include "engine/unbounded/marking_equation.hpp"
#include "engine/unbounded/net.hpp"
#include "engine/unbounded/unroll.hpp"

namespace cohort::engine::unbounded {

class Backward {
 public:
  enum class Outcome : std::uint8_t { Unreachable, Violation, Stopped, Paused };
  // What is found first: executions with few threads, or with the fewest steps.
  enum class Order : std::uint8_t { Threads, Steps };

  struct Element {
    ControlId control = 0;
    std::uint32_t tokens_begin = 0;
    std::uint32_t tokens_count = 0;
    std::uint32_t next = none;       // the element that `transition` leads to
    TransitionId transition = none;  // with `next` none: the number of the target
    std::uint32_t level = 0;         // its place in the queue: the number of threads, or of steps
    bool minimal = true;             // false: a smaller one was found since
    bool widened = false;            // less than what `transition` needs to lead to `next`
  };
  // Says what to put in the place of a configuration: something smaller, or nothing.
  using Widen = std::function<std::optional<Tokens>(ControlId, TokenView)>;

  // With a marking equation of the same net, elements that it refutes are dropped.
  Backward(Env& env, const Net& net, MarkingEquation* equation = nullptr, Order order = Order::Threads);

  // Before the first run.  Smaller elements are guesses: Unreachable is then as true as ever, but what is found may be
  // no violation (see guessed()).
  void widen_by(Widen widen) { widen_ = std::move(widen); }
  // With Order::Steps: nothing that takes more steps than this is looked for; run() then ends as Paused.
  void stop_at_level(std::uint32_t level) { last_level_ = level; }
  // Before the first run: one more configuration that must not be covered, besides the targets.
  void forbid(Configuration configuration) { forbidden_.push_back(std::move(configuration)); }

  // Paused after so many predecessors have been computed; the next call goes on from there.
  Outcome run(std::uint64_t max_steps = UINT64_MAX);

  TokenView tokens(std::uint32_t element) const {
    return {arena_.data() + elements_[element].tokens_begin, elements_[element].tokens_count};
  }
  const std::vector<Element>& elements() const { return elements_; }
  // After Unreachable: the minimal elements.
  std::vector<std::uint32_t> minimal() const;
  // After Violation: the execution, and what must be covered after each of its rules.
  Execution execution() const;
  std::vector<Tokens> goals() const;
  // After Violation: the first element that was widened or forbidden on the way from the start, and whose tokens can
  // therefore be covered; none: the execution ends in a target.
  std::optional<std::uint32_t> guessed() const;
  std::uint32_t found() const { return found_; }
  // The way from an element to a target, where nothing was widened or forbidden.
  Directed::Goal way_from(std::uint32_t element) const;
  // After Violation with Order::Steps: how many.
  std::uint32_t steps() const { return elements_[found_].level; }

 private:
  Outcome search(std::uint64_t max_steps);
  void index_transitions();
  bool is_closed();
  // Is no minimal element above another?
  bool is_antichain() const;
  bool add_targets();
  bool add(ControlId control, const Tokens& tokens, std::uint32_t next, TransitionId transition);
  bool expand(std::uint32_t element);
  bool back_over(std::uint32_t element, TransitionId id);
  bool back_over_broadcast(std::uint32_t element, TransitionId id, const Tokens& rest, std::size_t index, Count left,
                           std::size_t choice, Tokens& chosen);
  const std::vector<Place>& origins(const Transition& transition, Place place);
  bool is_initial(ControlId control, TokenView tokens) const;
  // The way from the element that was found to a target.
  struct Way {
    std::vector<TransitionId> path;
    std::vector<Tokens> elements;
    const Target* target = nullptr;
  };
  Way way() const;
  bool is_refuted(ControlId control, TokenView tokens);

  Env* env_;
  const Net* net_;
  MarkingEquation* equation_;
  Order order_;
  Widen widen_;
  std::vector<Configuration> forbidden_;
  std::int64_t credit_;  // for linear programs
  std::uint64_t unasked_ = 0;
  bool started_ = false;
  bool checking_ = false;
  std::uint64_t steps_ = 0;
  std::uint64_t pause_ = UINT64_MAX;
  std::vector<Element> elements_;
  std::vector<Token> arena_;
  FiledAntichain minimal_;
  std::vector<std::vector<std::uint32_t>> queue_;  // by level
  std::size_t lowest_ = 0;
  std::uint32_t last_level_ = none;
  std::vector<std::vector<TransitionId>> entering_;  // those that change the control state, or broadcast
  model::PairTable producing_index_;  // (control, place) to an index in producing_: the others, by what they produce
  std::vector<std::vector<TransitionId>> producing_;
  std::vector<std::vector<const Configuration*>> initial_;
  std::unordered_map<std::uint64_t, std::vector<Place>> origins_;
  std::uint32_t found_ = none;
};

}  // namespace cohort::engine::unbounded
