// The constraints of an execution that ends after a given number of steps: it violates a property there and, with
// projections, holds only steps that influence the violation.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "engine/bmc/unrolling.hpp"
#include "model/program.hpp"
#include "smt/solver.hpp"

namespace cohort::engine::bmc {

class Ending {
 public:
  // Speaks of the unrolling's present depth.  `ends`: the execution ends there; everything is asserted under it.
  Ending(const model::Program& program, Unrolling& unrolling, smt::Translator& translator, smt::Solver& solver,
         smt::Term ends);

  // False: there is none, as can be seen without the solver.
  bool require_violation();
  // In its place: the execution is looked at for the values that these have at its end.
  void look_at(std::vector<Access> reads) { targets_.push_back({translator_.context().truth(), std::move(reads)}); }
  // Needs one of these first, as all that follows.  When the execution ends because an integer leaves 64 bits.
  smt::Term overflows() const { return overflows_; }
  void require_projection();
  // The steps of the execution in the solver's model that its violation needs; null for the others.  They make an
  // execution themselves, which is a projection.
  std::vector<const Instruction*> influencing(std::vector<const Instruction*> executed) const;

 private:
  // A property of states, and whether it is the one that the execution is to violate.
  struct Target {
    smt::Term chosen;
    std::vector<Access> reads;
  };

  void add_target(smt::Term holds, std::vector<Access> reads);
  smt::Term covers(const model::Property& property, std::vector<Access>& reads);
  smt::Term at_least(const std::vector<smt::Term>& terms, std::size_t count);
  smt::Term is_needed(const Instruction& instruction, const std::vector<smt::Term>& later_runs,
                      const SymbolicState& before);
  void step_back(const Step& step);
  bool influences(const Instruction& instruction, const std::vector<bool>& needed, const std::vector<bool>& later_runs,
                  const SymbolicState& before) const;
  bool holds(smt::Term term) const { return context_.is_true(term) || solver_.boolean_value(term); }

  const model::Program& program_;
  Unrolling& unrolling_;
  smt::Translator& translator_;
  smt::Context& context_;
  smt::Solver& solver_;
  smt::Term ends_;
  smt::Term overflows_;
  std::vector<Target> targets_;
  std::vector<smt::Term> needed_;  // by cell: its value after the current step matters
};

}  // namespace cohort::engine::bmc
