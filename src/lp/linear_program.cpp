#include "lp/linear_program.hpp"

#include <algorithm>

#include "base/contract.hpp"
#include "base/module.hpp"
#include "lp/solver.hpp"

namespace cohort::lp {

namespace {

using Make = Solver* (*)();

std::unique_ptr<Solver> make_solver() {
  static const auto make = reinterpret_cast<Make>(
      module_function("cohort_clp.so", "cohort_make_linear_solver", "the solver for linear programs"));
  return std::unique_ptr<Solver>(make());
}

}  // namespace

LinearProgram::LinearProgram(std::uint32_t rows, const std::vector<Column>& columns) : solver_(make_solver()) {
  for (const Column& column : columns) {
    COHORT_EXPECT(column.cost >= 0, "costs are not negative");
    COHORT_EXPECT(std::all_of(column.entries.begin(), column.entries.end(),
                              [&](const Entry& entry) { return entry.index < rows; }),
                  "an entry belongs to a row");
  }
  solver_->load(rows, columns);
}

LinearProgram::~LinearProgram() = default;

void LinearProgram::set_bound(std::uint32_t row, double bound) {
  solver_->set_bound(row, bound);
}

std::uint32_t LinearProgram::add_row(std::span<const Entry> entries, double bound) {
  return solver_->add_row(entries, bound);
}

LinearProgram::Outcome LinearProgram::solve(Env& env, double seconds) {
  if (env.poll_now("linear-program")) return Outcome::Stopped;
  return solver_->solve(env, seconds);
}

double LinearProgram::objective() const {
  return solver_->objective();
}

std::vector<double> LinearProgram::values() const {
  return solver_->values();
}

std::vector<double> LinearProgram::ray() const {
  std::vector<double> ray = solver_->ray();
  // The solver's sign depends on which side of a row is violated; ours are lower bounds only.
  double sum = 0;
  for (const double weight : ray) sum += weight;
  for (double& weight : ray) weight = std::max(0.0, sum < 0 ? -weight : weight);
  return ray;
}

}  // namespace cohort::lp
