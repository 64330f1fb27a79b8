// Constrained Horn clauses for Z3's Spacer: rules
//     P(x) and Q(y) and condition  =>  R(z)          or          ... => false
// over unknown predicates.  An answer Satisfiable means that there are predicates that satisfy all rules, and model()
// gives them as clauses of linear literals; Unsatisfiable that there are none, a false conclusion can be derived.
//
// Terms come from a translator over Numbers of Logic::Horn.  Every unknown of a rule is quantified there.  Z3's
// settings for Spacer are global, so one system is solved at a time.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/env.hpp"
#include "smt/scene.hpp"
#include "smt/solver.hpp"

struct _Z3_func_decl;  // NOLINT(bugprone-reserved-identifier): Z3's name

namespace cohort::smt {

// The settings that make a difference on rules over views of threads: each proves some that the others do not end on.
struct HornSettings {
  std::string name = "plain";
  bool generalize_functions = false;  // fp.spacer.use_euf_gen
  bool propagate_equalities = true;   // fp.spacer.eq_prop
  bool inline_rules = true;           // else every predicate stays as it is declared
};

// sum of factor * argument, relation, bound.  A Boolean argument counts as 0 or 1.
struct LinearLiteral {
  enum class Relation : std::uint8_t { AtMost, Equal, Distinct };

  std::vector<std::pair<std::size_t, std::int64_t>> terms;
  Relation relation = Relation::AtMost;
  std::int64_t bound = 0;
  std::int64_t modulus = 0;  // unless 0, the remainder of the sum is what is compared, for Equal and Distinct
};
using LinearClause = std::vector<LinearLiteral>;  // any of them

class HornSystem {
 public:
  HornSystem(Env& env, Context& context) : env_(env), context_(context) {}

  // Its number.
  std::size_t declare(const std::string& name, const std::vector<bool>& is_boolean);
  Term apply(std::size_t predicate, const std::vector<Datum>& arguments);
  // `head` is an application, or false.
  void add(std::span<const Term> body, Term head);
  std::size_t rules() const { return rules_.size(); }

  Answer solve(const HornSettings& settings, double seconds);
  const std::string& reason() const { return reason_; }
  // After Satisfiable: what the predicate is, as a conjunction of clauses.  Parts that no such clause can say are left
  // out, which weakens it.  False is one empty clause.
  const std::vector<LinearClause>& model(std::size_t predicate) const { return models_[predicate]; }

 private:
  Env& env_;
  Context& context_;
  std::vector<_Z3_func_decl*> predicates_;
  std::vector<Term> rules_;
  std::vector<std::vector<LinearClause>> models_;
  std::string reason_;
};

}  // namespace cohort::smt
