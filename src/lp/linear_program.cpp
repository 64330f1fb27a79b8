#include "lp/linear_program.hpp"

#include <algorithm>
#include <cmath>

#include <coin/ClpEventHandler.hpp>
#include <coin/ClpSimplex.hpp>

#include "base/contract.hpp"

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

}  // namespace

class LinearProgram::Solver {
 public:
  ClpSimplex simplex;
};

LinearProgram::LinearProgram(std::uint32_t rows, const std::vector<Column>& columns)
    : solver_(std::make_unique<Solver>()) {
  std::vector<CoinBigIndex> starts{0};
  std::vector<int> indices;
  std::vector<double> values;
  std::vector<double> costs;
  for (const Column& column : columns) {
    COHORT_EXPECT(column.cost >= 0, "costs are not negative");
    for (const Entry& entry : column.entries) {
      COHORT_EXPECT(entry.index < rows, "an entry belongs to a row");
      indices.push_back(static_cast<int>(entry.index));
      values.push_back(entry.value);
    }
    starts.push_back(static_cast<CoinBigIndex>(indices.size()));
    costs.push_back(column.cost);
  }
  const std::vector<double> zeros(std::max<std::size_t>(rows, columns.size()), 0.0);
  const std::vector<double> infinite(zeros.size(), COIN_DBL_MAX);
  ClpSimplex& simplex = solver_->simplex;
  simplex.setLogLevel(0);
  simplex.loadProblem(static_cast<int>(columns.size()), static_cast<int>(rows), starts.data(), indices.data(),
                      values.data(), zeros.data(), infinite.data(), costs.data(), zeros.data(), infinite.data());
}

LinearProgram::~LinearProgram() = default;

void LinearProgram::set_bound(std::uint32_t row, double bound) {
  solver_->simplex.setRowLower(static_cast<int>(row), std::max(bound, -COIN_DBL_MAX));
}

std::uint32_t LinearProgram::add_row(std::span<const Entry> entries, double bound) {
  std::vector<int> indices;
  std::vector<double> values;
  for (const Entry& entry : entries) {
    indices.push_back(static_cast<int>(entry.index));
    values.push_back(entry.value);
  }
  ClpSimplex& simplex = solver_->simplex;
  simplex.addRow(static_cast<int>(indices.size()), indices.data(), values.data(), bound, COIN_DBL_MAX);
  return static_cast<std::uint32_t>(simplex.numberRows() - 1);
}

LinearProgram::Outcome LinearProgram::solve(Env& env, double seconds) {
  if (env.poll_now("linear-program")) return Outcome::Stopped;
  ClpSimplex& simplex = solver_->simplex;
  const Watcher watcher(&env);
  simplex.passInEventHandler(&watcher);
  simplex.setMaximumSeconds(seconds);
  simplex.dual();
  switch (simplex.status()) {
    case 0: return Outcome::Solved;
    case 1: return Outcome::Infeasible;
    default: return Outcome::Stopped;
  }
}

double LinearProgram::objective() const {
  return solver_->simplex.objectiveValue();
}

std::vector<double> LinearProgram::values() const {
  const double* const values = solver_->simplex.primalColumnSolution();
  return {values, values + solver_->simplex.numberColumns()};
}

std::vector<double> LinearProgram::ray() const {
  const std::unique_ptr<double[]> found(solver_->simplex.infeasibilityRay());
  if (!found) return {};
  std::vector<double> ray(found.get(), found.get() + solver_->simplex.numberRows());
  // The solver's sign depends on which side of a row is violated; ours are lower bounds only.
  double sum = 0;
  for (const double weight : ray) sum += weight;
  for (double& weight : ray) weight = std::max(0.0, sum < 0 ? -weight : weight);
  return ray;
}

}  // namespace cohort::lp
