// Quick proofs that a configuration is not covered by anything reachable, and lower bounds for how many steps it takes.
// See marking_equation.cpp.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "base/env.hpp"
#include "engine/unbounded/invariants.hpp"
#include "engine/unbounded/net.hpp"
#include "lp/linear_program.hpp"

namespace cohort::engine::unbounded {

class MarkingEquation {
 public:
  MarkingEquation(Env& env, const Net& net);

  // Tries to show that nothing reachable covers a configuration, for at most so many seconds; true: invariants()
  // refutes it.
  bool refute(ControlId control, TokenView tokens, double seconds);
  // The same for all targets of the net; stops at the first that withstands.
  bool refute_targets(double seconds);

  // How many traps may be looked for, in all; each costs a linear program.
  void allow_traps(std::size_t count) { allowed_traps_ = count; }
  // Might the last answer have been another one with more traps, or more time?
  bool was_limited() const { return limited_; }

  const Invariants& invariants() const { return invariants_; }
  std::uint64_t programs_solved() const { return solved_; }

 private:
  using Outcome = lp::LinearProgram::Outcome;

  void number_rows();
  void make_columns();
  void add_column(const std::vector<std::pair<std::uint32_t, std::int64_t>>& effect, double cost);
  void set_goal(ControlId control, TokenView tokens);
  bool refute_once(ControlId control, TokenView tokens, double deadline);
  bool learn_weighting(ControlId control, TokenView tokens);
  Weighting weighting_of(const std::vector<Weight>& ray) const;
  bool learn_trap();
  void shrink_to_trap(Trap& set) const;

  // Case distinctions: see branch_and_bound.cpp.
  struct Branch {
    std::uint32_t column = 0;
    std::uint32_t most = 0;
    bool more = false;
  };
  bool distinguish_cases(ControlId control, TokenView tokens, double deadline);
  std::optional<Cases> branch(std::vector<Branch>& way, double deadline);
  std::optional<Cases> leaf(const std::vector<Branch>& way) const;
  void number_effects();
  std::optional<std::uint32_t> most_fractional() const;
  void set_case(const Branch& branch);
  void clear_case(const std::vector<Branch>& way, std::uint32_t column, bool more);

  Env* env_;
  const Net* net_;
  Invariants invariants_;
  std::vector<std::uint32_t> place_row_;    // none: nothing is demanded there
  std::vector<std::uint32_t> control_row_;  // none: there is only one
  std::vector<std::uint32_t> trap_row_;     // of each trap
  std::uint32_t rows_ = 0;
  std::uint32_t start_row_ = none;  // that one initial configuration is chosen
  std::vector<lp::LinearProgram::Column> columns_;
  std::unique_ptr<lp::LinearProgram> program_;
  std::vector<std::uint32_t> changed_;        // rows whose bound is not that of no goal at all
  std::vector<double> base_;                  // minus what is there at the start
  std::vector<const Effect*> column_effect_;  // of columns that stand for transitions; empty: not yet numbered
  std::map<Effect, std::uint32_t> effect_column_;
  std::map<std::uint32_t, std::pair<std::uint32_t, std::uint32_t>> case_rows_;  // of a column: at most, at least
  std::size_t allowed_traps_ = 200;
  // How many cases of whole numbers may be distinguished to refute one target; each costs a linear program.
  static constexpr std::size_t allowed_cases = 64;
  std::size_t cases_left_ = 0;
  bool asking_for_targets_ = false;
  bool limited_ = false;
  std::uint64_t solved_ = 0;
};

// Whole numbers in the same proportions, nearly; none where they would be large.
std::optional<std::vector<Weight>> whole_proportions(const std::vector<double>& numbers);

}  // namespace cohort::engine::unbounded
