// Partial-order reduction as constraints: of all executions that differ only in the order of independent steps, one.
#pragma once

#include <vector>

#include "engine/bmc/unrolling.hpp"
#include "model/program.hpp"
#include "smt/solver.hpp"

namespace cohort::engine::bmc {

class NormalForm {
 public:
  NormalForm(const model::Program& program, const Unrolling& unrolling, smt::Context& context, smt::Solver& solver);

  // Constrains the unrolling's next step; call it once for each, in order.
  void add_step(const Step& step);

 private:
  using ByThread = std::vector<smt::Term>;

  void constrain(const Instruction& instruction);
  void advance(const Step& step);
  void update(std::vector<ByThread>& since, const std::vector<smt::Term>& resets, const Step& step);
  bool touches_atomic(const Instruction& instruction) const;

  const model::Program& program_;
  smt::Context& context_;
  smt::Solver& solver_;
  // Each [x][t]: thread t has moved since the last ...
  std::vector<ByThread> since_write_;   // write to cell x
  std::vector<ByThread> since_access_;  // read or write of cell x
  std::vector<ByThread> since_move_;    // step of thread x, or its creation
  std::vector<ByThread> since_atomic_;  // (x = 0) begin or end of an atomic section
  ByThread moved_;                      // at all
};

}  // namespace cohort::engine::bmc
