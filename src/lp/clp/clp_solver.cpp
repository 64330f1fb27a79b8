// The solver Clp, as a module: it brings LAPACK and the Fortran library along, and starting with them takes as long as
// deciding a small net.
#include <algorithm>
#include <memory>

#include <coin/ClpEventHandler.hpp>
#include <coin/ClpSimplex.hpp>

#include "lp/solver.hpp"

namespace cohort::lp {

namespace {

// Ends the simplex method when the run must stop.
class Watcher : public ClpEventHandler {
 public:
  explicit Watcher(Env* env) : env_(env) {}

  int event(Event which) override {
    if (which != endOfIteration) return -1;
    return env_->stop_requested("linear-program") ? 5 : -1;
  }
  ClpEventHandler* clone() const override { return new Watcher(*this); }

 private:
  Env* env_;
};

class ClpSolver : public Solver {
 public:
  void load(std::uint32_t rows, const std::vector<LinearProgram::Column>& columns) override {
    std::vector<CoinBigIndex> starts{0};
    std::vector<int> indices;
    std::vector<double> values;
    std::vector<double> costs;
    for (const LinearProgram::Column& column : columns) {
      for (const Entry& entry : column.entries) {
        indices.push_back(static_cast<int>(entry.index));
        values.push_back(entry.value);
      }
      starts.push_back(static_cast<CoinBigIndex>(indices.size()));
      costs.push_back(column.cost);
    }
    const std::vector<double> zeros(std::max<std::size_t>(rows, columns.size()), 0.0);
    const std::vector<double> infinite(zeros.size(), COIN_DBL_MAX);
    simplex_.setLogLevel(0);
    simplex_.loadProblem(static_cast<int>(columns.size()), static_cast<int>(rows), starts.data(), indices.data(),
                         values.data(), zeros.data(), infinite.data(), costs.data(), zeros.data(), infinite.data());
  }

  void set_bound(std::uint32_t row, double bound) override {
    simplex_.setRowLower(static_cast<int>(row), std::max(bound, -COIN_DBL_MAX));
  }

  std::uint32_t add_row(std::span<const Entry> entries, double bound) override {
    std::vector<int> indices;
    std::vector<double> values;
    for (const Entry& entry : entries) {
      indices.push_back(static_cast<int>(entry.index));
      values.push_back(entry.value);
    }
    simplex_.addRow(static_cast<int>(indices.size()), indices.data(), values.data(), bound, COIN_DBL_MAX);
    return static_cast<std::uint32_t>(simplex_.numberRows() - 1);
  }

  LinearProgram::Outcome solve(Env& env, double seconds) override {
    const Watcher watcher(&env);
    simplex_.passInEventHandler(&watcher);
    simplex_.setMaximumSeconds(seconds);
    simplex_.dual();
    switch (simplex_.status()) {
      case 0: return LinearProgram::Outcome::Solved;
      case 1: return LinearProgram::Outcome::Infeasible;
      default: return LinearProgram::Outcome::Stopped;
    }
  }

  double objective() const override { return simplex_.objectiveValue(); }

  std::vector<double> values() const override {
    const double* const values = simplex_.primalColumnSolution();
    return {values, values + simplex_.numberColumns()};
  }

  std::vector<double> ray() const override {
    const std::unique_ptr<double[]> found(simplex_.infeasibilityRay());
    if (!found) return {};
    return {found.get(), found.get() + simplex_.numberRows()};
  }

 private:
  ClpSimplex simplex_;
};

}  // namespace

}  // namespace cohort::lp

extern "C" cohort::lp::Solver* cohort_make_linear_solver() {
  return new cohort::lp::ClpSolver();
}
