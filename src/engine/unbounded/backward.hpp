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
#include "engine/unbounded/marking_equation.hpp"
#include "engine/unbounded/net.hpp"
#include "engine/unbounded/unroll.hpp"

namespace cohort::engine::unbounded {

class Backward {
 public:
  enum class Outcome : std::uint8_t { Unreachable, Violation, Stopped, Paused };

  struct Element {
    ControlId control = 0;
    std::uint32_t tokens_begin = 0;
    std::uint32_t tokens_count = 0;
    std::uint32_t next = none;       // the element that `transition` leads to
    TransitionId transition = none;  // with `next` none: the number of the target
    bool minimal = true;             // false: a smaller one was found since
  };

  // With a marking equation of the same net, elements that it refutes are dropped.
  Backward(Env& env, const Net& net, MarkingEquation* equation = nullptr);

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
  bool is_refuted(ControlId control, TokenView tokens);

  Env* env_;
  const Net* net_;
  MarkingEquation* equation_;
  std::int64_t credit_;  // for linear programs
  std::uint64_t unasked_ = 0;
  bool started_ = false;
  bool checking_ = false;
  std::uint64_t steps_ = 0;
  std::uint64_t pause_ = UINT64_MAX;
  std::vector<Element> elements_;
  std::vector<Token> arena_;
  FiledAntichain minimal_;
  std::vector<std::vector<std::uint32_t>> queue_;  // by number of threads
  std::size_t lowest_ = 0;
  std::vector<std::vector<TransitionId>> entering_;  // those that change the control state, or broadcast
  model::PairTable producing_index_;  // (control, place) to an index in producing_: the others, by what they produce
  std::vector<std::vector<TransitionId>> producing_;
  std::vector<std::vector<const Configuration*>> initial_;
  std::unordered_map<std::uint64_t, std::vector<Place>> origins_;
  std::uint32_t found_ = none;
};

}  // namespace cohort::engine::unbounded
