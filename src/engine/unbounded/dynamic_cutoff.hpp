// Proofs for any number of threads by searching few of them.  See dynamic_cutoff.cpp.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "base/env.hpp"
#include "engine/unbounded/backward.hpp"
#include "engine/unbounded/net.hpp"
#include "engine/unbounded/thread_states.hpp"
#include "model/analysis/bit_set.hpp"

namespace cohort::engine::unbounded {

class DynamicCutoff {
 public:
  // Found: no number of threads reaches a thread state or a target that those searched do not.
  enum class Outcome : std::uint8_t { Found, Violation, Stopped, Paused };

  // A whole net.
  DynamicCutoff(Env& env, const Net& net);

  // Paused when about so many configurations have been visited; the next call goes on from there.
  Outcome run(std::uint64_t max_states = UINT64_MAX);

  // Every thread state that was reached, and with how many threads first.
  const std::map<ThreadStateKey, std::uint32_t>& reached() const { return first_; }
  // After Found: the fewest threads that reach all of them; `last` is one that fewer do not reach.
  std::uint32_t cutoff() const;
  ThreadStateKey last() const;
  // How many threads have been searched completely, at least.
  std::uint32_t threads_searched() const { return threads_ - 1; }

  // After Found: the closed set that proves it.
  const Backward& proof() const { return *closing_; }
  // After Violation.
  const Execution& execution() const { return execution_; }
  const std::vector<Tokens>& goals() const { return goals_; }

 private:
  Outcome search(std::uint64_t max_states);
  Outcome close(std::uint64_t max_steps);
  bool visit(ControlId control, TokenView tokens);
  void reach(ControlId control, TokenView tokens);
  bool is_reached(ControlId control) const { return control < reached_.size() && reached_[control]; }
  void forbid_the_rest();

  Env* env_;
  const Net* net_;
  std::uint32_t threads_ = 0;  // to be searched next
  bool grew_ = true;           // with the last number of threads
  std::uint64_t visited_ = 0;
  std::uint64_t turn_ = 20'000;  // configurations, or predecessors, before the other side has its turn
  std::vector<bool> reached_;
  std::vector<model::BitSet> places_;
  std::map<ThreadStateKey, std::uint32_t> first_;
  std::vector<std::vector<std::uint32_t>> targets_;  // by control state
  std::uint32_t found_target_ = none;
  std::unique_ptr<Backward> closing_;
  Execution execution_;
  std::vector<Tokens> goals_;
};

}  // namespace cohort::engine::unbounded
