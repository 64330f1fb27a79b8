// Proofs by k-induction: from any state, a number of steps without a violation is followed by no violation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/env.hpp"
#include "engine/bmc/lemmas.hpp"
#include "engine/bmc/plan.hpp"
#include "engine/bmc/unrolling.hpp"
#include "engine/engine.hpp"
#include "smt/solver.hpp"
#include "smt/translator.hpp"

namespace cohort::engine::bmc {

class Induction {
 public:
  Induction(Env& env, const Task& task, const Plan& plan, smt::Translator& translator,
            const smt::SolverOptions& options);

  // True: no state that steps lead to violates, given that no execution of at most steps - 1 steps violates.  False:
  // not shown, or the budget (in seconds) was used up.  The number of steps never gets smaller from call to call.
  bool proves(std::uint32_t steps, double seconds);
  // From now on, only from states that satisfy them.
  void use(const Lemmas& lemmas) { lemmas.assume(unrolling_.state(0), translator_, solver_); }

 private:
  void assume_fine(std::size_t index);
  smt::Term differ(const SymbolicState& one, const SymbolicState& other);

  Env& env_;
  const model::Program& program_;
  smt::Translator& translator_;
  smt::Context& context_;
  smt::Solver solver_;
  Unrolling unrolling_;
  std::size_t fine_ = 0;  // states before this one are assumed to violate nothing
};

}  // namespace cohort::engine::bmc
