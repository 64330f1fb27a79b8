// How far is a configuration from the nearest target?  The least number of rules in a solution of the marking equation
// is at most the true number; a configuration without a solution leads to no target.  Floating-point numbers: good for
// guiding a search, not for conclusions.
//
// A target is one more column, which consumes the target and gives the goal; so one linear program serves any number of
// targets.  Not for nets with broadcasts.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/env.hpp"
#include "engine/unbounded/net.hpp"
#include "lp/linear_program.hpp"

namespace cohort::engine::unbounded {

class RelaxedDistance {
 public:
  explicit RelaxedDistance(const Net& net);

  // Transitions with the same effect, and how often the solution fires one of them.
  struct Share {
    std::span<const TransitionId> transitions;
    double times = 0;
  };
  struct Answer {
    bool reachable = false;
    double steps = 0;
    std::vector<Share> shares;
  };
  // None: the run must stop, or the solver gave up.
  std::optional<Answer> from(Env& env, ControlId control, TokenView tokens);

 private:
  void set_configuration(ControlId control, TokenView tokens);

  const Net* net_;
  std::uint32_t goal_row_ = 0;
  std::vector<std::uint32_t> place_row_;
  std::vector<std::uint32_t> control_row_;
  std::vector<std::uint32_t> changed_;
  std::vector<std::vector<TransitionId>> transitions_;  // of each column; none for targets
  std::unique_ptr<lp::LinearProgram> program_;
};

}  // namespace cohort::engine::unbounded
