// Expressions over sets of states: the paper's indirect_ref and indirect_arith (section 4.1).  The paper gives a value
// as a diagram with an auxiliary variable VALUE, and the target of a chain of indirections as one with PI; here both
// are lists of cases, each a value with the set of states in which it is taken, which is the same function split by the
// value of the auxiliary variable, without variables that would have to be eliminated again.  Beside the cases stand
// the states in which the evaluation faults; the two together are all states.
//
// Terms are evaluated for one executing process; what comes out is made once for each step and process, and kept there.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "engine/pointer/encoding.hpp"
#include "model/expr.hpp"

namespace cohort::engine::pointer {

struct Cases {
  std::vector<std::pair<model::Value, dd::Bdd>> values;  // disjoint; no value twice
  dd::Bdd fault;
};

struct Truth {
  dd::Bdd holds;
  dd::Bdd fault;  // disjoint from holds
};

class Terms {
 public:
  explicit Terms(const Encoding& encoding) : encoding_(encoding), pool_(encoding.layout().program().exprs) {}

  // `self`: the executing process, from 0.
  Cases value(model::ExprId id, std::size_t self);
  Truth truth(model::ExprId id, std::size_t self);

 private:
  Cases evaluate(model::ExprId id);
  Truth judge(model::ExprId id);
  Cases variable(const model::Expr& node);
  Cases arithmetic(const model::Expr& node);
  Cases to_reference(Cases cases) const;
  Truth connective(const model::Expr& node);
  Truth comparison(const model::Expr& node);
  Truth at_location(const model::Expr& node);
  Truth quantified(const model::Expr& node);
  Cases cell(std::size_t cell, const CellType& type, const dd::Bdd& where) const;
  // Joins cases of one value and drops empty ones.
  static Cases gathered(std::map<model::Value, dd::Bdd> values, dd::Bdd fault);

  const Encoding& encoding_;
  const model::ExprPool& pool_;
  std::size_t self_ = 0;
  std::vector<std::size_t> bound_;
};

}  // namespace cohort::engine::pointer
