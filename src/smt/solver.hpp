// A solver over one context: assertions, checks under assumptions, and the values of a model.  A check ends early when
// the run must stop (time, memory, signal): a watcher thread looks at the limits and interrupts Z3, and the answer is
// Unknown, with the reason in words.
//
// With `dump_folder` every check is also written there as an SMT-LIB file that any other solver can read.
#pragma once

#include <climits>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/env.hpp"
#include "smt/context.hpp"

struct _Z3_solver;  // NOLINT(bugprone-reserved-identifier): Z3's name
struct _Z3_model;   // NOLINT(bugprone-reserved-identifier): Z3's name

namespace cohort::smt {

enum class Answer : std::uint8_t { Satisfiable, Unsatisfiable, Unknown };

// What the formulas are made of, which decides the procedure.  Horn: rules over unknown predicates (smt/horn.hpp), in
// linear arithmetic.
enum class Logic : std::uint8_t { Bits, Integers, Horn };

struct SolverOptions {
  Logic logic = Logic::Bits;
  std::string dump_folder;  // empty: none
};

// When a check gives up; by default only when the run must stop.
struct Budget {
  std::optional<double> seconds;      // of processor time
  std::optional<unsigned> conflicts;  // of the search, which are the same in every run
};

class Solver {
 public:
  Solver(Env& env, Context& context, SolverOptions options);
  Solver(const Solver&) = delete;
  Solver& operator=(const Solver&) = delete;
  ~Solver();

  void add(Term formula);
  void push();
  void pop();
  // Forgets what the search has learned, and keeps the assertions; not between push() and pop().
  void restart();
  Answer check(std::span<const Term> assumptions = {}, const Budget& budget = {});

  // Why the last check ended with Unknown.
  const std::string& reason() const { return reason_; }
  // False: it was the budget of the check, and a larger one, or another formula, may have an answer.
  bool within_budget() const { return within_budget_; }
  double solve_seconds() const { return solve_seconds_; }
  std::uint64_t checks() const { return checks_; }

  // Of the last check, which was Satisfiable; unknowns that the model leaves open are false or 0.
  bool boolean_value(Term term) const;
  // The number that the bits stand for, signed or unsigned; at most 64 bits wide.
  std::int64_t bits_value(Term term, bool is_signed) const;
  std::int64_t integer_value(Term term) const;
  _Z3_model* model() const { return model_; }

 private:
  void open();
  void close();
  void put(Term formula);
  void dump(std::span<const Term> assumptions) const;
  void limit_conflicts(unsigned most);
  _Z3_ast* value(Term term) const;
  void drop_model();

  Env& env_;
  Context& context_;
  SolverOptions options_;
  _Z3_solver* solver_ = nullptr;
  _Z3_model* model_ = nullptr;
  std::vector<Term> assertions_;  // outside of all push(): what a restart needs
  std::size_t pushed_ = 0;
  std::string reason_;
  bool within_budget_ = true;
  double solve_seconds_ = 0;
  std::uint64_t checks_ = 0;
  unsigned most_conflicts_ = UINT_MAX;
};

}  // namespace cohort::smt
