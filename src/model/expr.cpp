#include "model/expr.hpp"

#include "base/contract.hpp"

namespace cohort::model {

std::size_t ExprPool::Hash::operator()(const Expr& node) const noexcept {
  std::size_t hash = static_cast<std::size_t>(node.op);
  const auto mix = [&hash](std::uint64_t part) { hash = (hash ^ part) * 0x9E3779B97F4A7C15ULL + (hash >> 29U); };
  mix(node.primed ? 1 : 2);
  mix(static_cast<std::uint64_t>(node.value));
  mix(node.var.value);
  mix(node.templ.value);
  mix(static_cast<std::uint64_t>(node.type.kind()) * 131 + node.type.width());
  for (const ExprId arg : node.args) mix(arg.value + 7U);
  return hash;
}

ExprId ExprPool::add(Expr node) {
  for (const ExprId arg : node.args) COHORT_EXPECT(arg.value < nodes_.size(), "arguments exist before their node");
  const auto [it, inserted] = index_.emplace(std::move(node), ExprId(nodes_.size()));
  if (inserted) nodes_.push_back(it->first);
  return it->second;
}

ExprId ExprPool::constant(Value value, Type type) {
  COHORT_EXPECT(type.contains(value), "a constant is a value of its type");
  return add({.op = Op::Const, .type = type, .value = value});
}

ExprId ExprPool::nondet(Type type) {
  COHORT_EXPECT(!type.is_array(), "a choice is a scalar");
  return add({.op = Op::Nondet, .type = type, .value = next_nondet_++});
}

ExprId ExprPool::variable(Op op, VarId var, Type type, bool primed) {
  COHORT_EXPECT(!type.is_array(), "an array is read by element");
  return add({.op = op, .primed = primed, .type = type, .var = var});
}

ExprId ExprPool::element(Op op, VarId var, Type array_type, ExprId index, bool primed) {
  COHORT_EXPECT(array_type.is_array(), "only arrays have elements");
  return add({.op = op, .primed = primed, .type = array_type.element(), .var = var, .args = {index}});
}

ExprId ExprPool::remote(ExprId ref, TemplateId templ, VarId var, Type type) {
  COHORT_EXPECT((*this)[ref].type.kind() == Type::Kind::ThreadRef, "a remote read goes through a thread reference");
  return add({.op = Op::RemoteVar, .type = type, .var = var, .templ = templ, .args = {ref}});
}

ExprId ExprPool::bound_thread(std::size_t depth) {
  return add({.op = Op::BoundThread, .type = Type::thread_ref(), .value = static_cast<Value>(depth)});
}

ExprId ExprPool::at_location(ExprId ref, TemplateId templ, LocId location) {
  return add({.op = Op::AtLocation, .value = static_cast<Value>(location.value), .templ = templ, .args = {ref}});
}

ExprId ExprPool::quantified(Op op, ExprId body) {
  COHORT_EXPECT(op == Op::ForallThread || op == Op::ExistsThread, "a quantifier is for all or exists");
  return add({.op = op, .args = {body}});
}

ExprId ExprPool::negate(ExprId operand) {
  if (is_true(operand)) return falsity();
  if (is_false(operand)) return truth();
  if ((*this)[operand].op == Op::Not) return (*this)[operand].args[0];
  return unary(Op::Not, operand, Type::boolean());
}

ExprId ExprPool::conj(ExprId left, ExprId right) {
  if (is_true(left) || is_false(right)) return right;
  if (is_true(right) || is_false(left)) return left;
  return binary(Op::And, left, right, Type::boolean());
}

ExprId ExprPool::disj(ExprId left, ExprId right) {
  if (is_false(left) || is_true(right)) return right;
  if (is_false(right) || is_true(left)) return left;
  return binary(Op::Or, left, right, Type::boolean());
}

ExprId ExprPool::unary(Op op, ExprId operand, Type type) {
  return add({.op = op, .type = type, .args = {operand}});
}

ExprId ExprPool::binary(Op op, ExprId left, ExprId right, Type type) {
  return add({.op = op, .type = type, .args = {left, right}});
}

ExprId ExprPool::ite(ExprId condition, ExprId then, ExprId otherwise) {
  return add({.op = Op::Ite, .type = (*this)[then].type, .args = {condition, then, otherwise}});
}

bool mentions(const ExprPool& pool, ExprId root, Op op) {
  bool found = false;
  for_each_node(pool, root, [&](const Expr& node, ExprId) { found = found || node.op == op; });
  return found;
}

bool mentions_primed(const ExprPool& pool, ExprId root) {
  bool found = false;
  for_each_node(pool, root, [&](const Expr& node, ExprId) { found = found || node.primed; });
  return found;
}

}  // namespace cohort::model
