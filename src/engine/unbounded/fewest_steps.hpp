// The fewest steps in which any number of threads reaches each thread state.  See fewest_steps.cpp.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "base/env.hpp"
#include "engine/unbounded/net.hpp"
#include "engine/unbounded/thread_states.hpp"
#include "engine/unbounded/view_levels.hpp"
#include "model/pair_table.hpp"

namespace cohort::engine::unbounded {

class FewestSteps {
 public:
  // A whole net without broadcasts; so many threads reach every reachable thread state.
  FewestSteps(Env& env, const Net& net, std::uint32_t threads);

  // False: a limit was reached.
  bool run();
  const std::map<ThreadStateKey, std::uint32_t>& steps() const { return steps_; }
  std::uint64_t questions() const { return questions_; }

 private:
  // A place, or none, in a control state.
  struct Entry {
    ControlId control = 0;
    Place place = none;
    std::uint32_t steps = 0;
    bool exact = false;  // no number of threads needs fewer
  };

  std::uint32_t entry_of(ControlId control, Place place) const { return index_.find(control, place); }
  void reach(ControlId control, Place place, std::uint32_t depth);
  bool search_few();
  bool bound_below();
  bool search_more();
  void mark_exact();
  bool all_exact() const;
  bool improve();
  bool improve(const Transition& transition);
  bool look(ControlId control, Place place, std::uint32_t at_least);

  Env* env_;
  const Net* net_;
  std::uint32_t threads_;
  std::vector<Entry> entries_;
  model::PairTable index_;                        // (control, place) to an index in entries_
  std::vector<std::vector<std::uint32_t>> here_;  // entries with a place, by control state
  bool complete_ = false;                         // few threads are all there can be
  std::unique_ptr<ViewLevels> bounds_;            // none: nothing is known
  bool improved_ = false;
  std::uint64_t questions_ = 0;
  std::map<ThreadStateKey, std::uint32_t> steps_;
};

}  // namespace cohort::engine::unbounded
