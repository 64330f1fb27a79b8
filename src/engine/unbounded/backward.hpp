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
#include "engine/unbounded/possible.hpp"
#include "engine/unbounded/unroll.hpp"

namespace cohort::engine::unbounded {

class Backward {
 public:
  enum class Outcome : std::uint8_t { Unreachable, Violation, Stopped, Paused };

  struct Element {
    ControlId control = 0;
    std::uint32_t tokens_begin = 0;
    std::uint32_t tokens_count = 0;
    std::uint32_t next = none;  // the element that `rule` leads to
    RuleId rule = none;         // with `next` none: the rule that faults, if that is the violation
    bool minimal = true;        // false: a smaller one was found since
  };

  struct Options {
    const std::vector<RuleId>* rules = nullptr;  // only these: Unreachable then speaks of executions by them alone
  };

  Backward(Env& env, CounterSystem& system, const Possible& possible, const Options& options);

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
  const std::vector<RuleId>& rules() const { return options_.rules ? *options_.rules : possible_->live_rules(); }
  Outcome search(std::uint64_t max_steps);
  void index_rules();
  bool is_closed();
  bool add_targets();
  bool add_cover_targets(ControlId control, const model::Property& property);
  bool choose_places(ControlId control, const std::vector<std::pair<model::TemplateId, model::LocId>>& wanted,
                     std::size_t index, Tokens& chosen);
  bool add(ControlId control, const Tokens& tokens, std::uint32_t next, RuleId rule);
  bool expand(std::uint32_t element);
  bool back_over(std::uint32_t element, RuleId rule);
  bool back_over_broadcast(std::uint32_t element, RuleId rule, const Tokens& rest, std::size_t index, Count left,
                           std::size_t choice, Tokens& chosen);
  const std::vector<Place>& origins(const Rule& rule, Place place);
  bool is_initial(ControlId control, TokenView tokens) const;

  Env* env_;
  CounterSystem* system_;
  const Possible* possible_;
  Options options_;
  bool started_ = false;
  bool checking_ = false;
  std::uint64_t steps_ = 0;
  std::uint64_t pause_ = UINT64_MAX;
  std::vector<Element> elements_;
  std::vector<Token> arena_;
  FiledAntichain minimal_;
  std::vector<std::vector<std::uint32_t>> queue_;  // by number of threads
  std::size_t lowest_ = 0;
  std::vector<std::vector<RuleId>> entering_;  // rules that change the control state, or broadcast
  model::PairTable
      producing_index_;  // (control, place) to an index in producing_: the other rules, by what they produce
  std::vector<std::vector<RuleId>> producing_;
  std::vector<std::vector<const Configuration*>> initial_;
  std::unordered_map<std::uint64_t, std::vector<Place>> origins_;
  std::uint32_t found_ = none;
};

}  // namespace cohort::engine::unbounded
