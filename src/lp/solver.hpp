// What a linear program asks of the solver behind it, which lives in a module of its own (clp/clp_solver.cpp).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/env.hpp"
#include "lp/linear_program.hpp"

namespace cohort::lp {

class Solver {
 public:
  Solver() = default;
  Solver(const Solver&) = delete;
  Solver& operator=(const Solver&) = delete;
  virtual ~Solver() = default;

  virtual void load(std::uint32_t rows, const std::vector<LinearProgram::Column>& columns) = 0;
  virtual void set_bound(std::uint32_t row, double bound) = 0;
  virtual std::uint32_t add_row(std::span<const Entry> entries, double bound) = 0;
  virtual LinearProgram::Outcome solve(Env& env, double seconds) = 0;
  virtual double objective() const = 0;
  virtual std::vector<double> values() const = 0;
  // As the solver has it, with either sign; empty: none.
  virtual std::vector<double> ray() const = 0;
};

}  // namespace cohort::lp
