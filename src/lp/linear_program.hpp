// A linear program in floating-point numbers:  minimise cost * x  subject to  A x >= bound, x >= 0, with costs that are
// not negative.  Bounds change from one call to the next and rows are added; each call goes on from the basis of the
// one before (dual simplex).
//
// The only folder that knows the solver, Clp, which is a module that the first program loads.  Whoever draws a
// conclusion from an answer verifies it in exact arithmetic: answers here are suggestions.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/env.hpp"

namespace cohort::lp {

struct Entry {
  std::uint32_t index = 0;  // of the row, in a column; of the column, in a row
  double value = 0;
};

class Solver;

class LinearProgram {
 public:
  enum class Outcome : std::uint8_t { Solved, Infeasible, Stopped };

  // Columns by their entries, at most one for each row.
  struct Column {
    std::vector<Entry> entries;
    double cost = 0;
  };

  LinearProgram(std::uint32_t rows, const std::vector<Column>& columns);
  LinearProgram(const LinearProgram&) = delete;
  LinearProgram& operator=(const LinearProgram&) = delete;
  ~LinearProgram();

  // Rows have the bound 0 at first; minus infinity is none.
  void set_bound(std::uint32_t row, double bound);
  std::uint32_t add_row(std::span<const Entry> entries, double bound);

  // Ends at the limits of the run, and after so many seconds.
  Outcome solve(Env& env, double seconds);

  // After Solved.
  double objective() const;
  std::vector<double> values() const;
  // After Infeasible: weights of the rows, none negative, with weights * A <= 0 and weights * bound > 0, nearly.
  // Empty: the solver has none to offer.
  std::vector<double> ray() const;

 private:
  std::unique_ptr<Solver> solver_;
};

}  // namespace cohort::lp
