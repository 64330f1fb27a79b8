#include "lemma/box.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "base/contract.hpp"
#include "model/analysis/may_fault.hpp"

namespace cohort::lemma {

using model::Expr;
using model::ExprId;
using model::Op;
using model::Type;

namespace {

// Branches inside branches are looked at in boxes of their own so deep; each costs a copy, and what they share is
// evaluated again.
constexpr unsigned most_depth = 3;

Range truth_of(const std::optional<bool>& value) {
  return value ? exactly(*value ? 1 : 0) : between(0, 1);
}

std::optional<bool> decided(const Range& range) {
  if (!range.contains(0)) return true;
  if (range.is_constant()) return false;
  return std::nullopt;
}

Op negation(Op op) {
  switch (op) {
    case Op::Eq: return Op::Ne;
    case Op::Ne: return Op::Eq;
    case Op::Lt: return Op::Ge;
    case Op::Le: return Op::Gt;
    case Op::Gt: return Op::Le;
    case Op::Ge: return Op::Lt;
    default: COHORT_UNREACHABLE("a comparison");
  }
}

bool is_comparison(Op op) {
  return op == Op::Eq || op == Op::Ne || op == Op::Lt || op == Op::Le || op == Op::Gt || op == Op::Ge;
}

// Without one value, as far as a range can say that.
std::optional<Range> without(const Range& range, Wide value) {
  if (!range.contains(value)) return range;
  if (range.is_constant()) return std::nullopt;
  if (range.lo == value) return meet(range, between(value + 1, range.hi));
  if (range.hi == value) return meet(range, between(range.lo, value - 1));
  if (!range.listed) return range;
  std::vector<Wide> values = *range.listed;
  std::erase(values, value);
  Range few = range;
  static_cast<smt::ValueSet&>(few) = smt::set_of(std::move(values));
  return meet(range, few);
}

}  // namespace

Cells::Cells(const model::Program& program) : program_(program) {
  const auto place = [](const std::vector<model::Variable>& variables, std::vector<Group>& groups) {
    std::uint32_t next = 0;
    for (const model::Variable& variable : variables) {
      const bool summary = variable.type.slots() > most_elements;
      groups.push_back({next, summary ? 1 : variable.type.slots(), summary, variable.type.element()});
      next += groups.back().count;
    }
    return next;
  };
  shared_count_ = place(program.shared, shared_);
  for (const model::Template& templ : program.templates)
    local_counts_.push_back(place(templ.locals, locals_.emplace_back()));
}

bool Box::unite(std::uint32_t one, std::uint32_t other) {
  const std::uint32_t least = std::min(same[one], same[other]);
  const std::uint32_t greatest = std::max(same[one], same[other]);
  for (std::uint32_t& group : same) {
    if (group == greatest) group = least;
  }
  return restrict(one, at(other));
}

bool Box::restrict(std::uint32_t cell, Range to) {
  for (std::uint32_t other = same[cell]; other < same.size(); ++other) {
    if (same[other] != same[cell]) continue;
    const auto inside = meet(at(other), to);
    if (!inside) return false;
    to = *inside;
  }
  for (std::uint32_t other = same[cell]; other < same.size(); ++other) {
    if (same[other] == same[cell]) at(other) = to;
  }
  return true;
}

void Box::part(std::uint32_t cell) {
  if (same[cell] != cell) {
    same[cell] = cell;
    return;
  }
  std::optional<std::uint32_t> next;
  for (std::uint32_t other = cell + 1; other < same.size(); ++other) {
    if (same[other] != cell) continue;
    if (!next) next = other;
    same[other] = *next;
  }
}

Box plain_box(std::vector<Range> shared, std::vector<Range> locals) {
  Box box{std::move(shared), std::move(locals), {}};
  box.same.resize(box.shared.size() + box.locals.size());
  std::iota(box.same.begin(), box.same.end(), 0U);
  return box;
}

Box join(const Box& left, const Box& right) {
  COHORT_EXPECT(left.same.size() == right.same.size(), "boxes of one place have the same cells");
  Box result = left;
  for (std::size_t i = 0; i < left.shared.size(); ++i) result.shared[i] = join(left.shared[i], right.shared[i]);
  for (std::size_t i = 0; i < left.locals.size(); ++i) result.locals[i] = join(left.locals[i], right.locals[i]);
  // Cells are equal if they are so on both sides; on each, those with the same one value are.
  using Side = std::pair<bool, Wide>;
  const auto side = [](const Box& box, std::uint32_t cell) {
    const Range& range = box.at(cell);
    return range.is_constant() ? Side(true, range.lo) : Side(false, box.same[cell]);
  };
  std::map<std::pair<Side, Side>, std::uint32_t> classes;
  for (std::uint32_t cell = 0; cell < left.same.size(); ++cell)
    result.same[cell] = classes.emplace(std::pair(side(left, cell), side(right, cell)), cell).first->second;
  return result;
}

std::optional<Range> Glance::range(ExprId id) {
  if (const auto it = known_.find(id); it != known_.end()) return it->second;
  const std::optional<Range> result = compute(id);
  known_[id] = result;
  return result;
}

std::optional<Range> Glance::compute(ExprId id) {
  const Expr& node = exprs_[id];
  switch (node.op) {
    case Op::Const: return exactly(node.value);
    case Op::Nondet: return all_of(node.type);
    case Op::SharedVar:
    case Op::LocalVar:
    case Op::PassiveVar: return variable(node);
    case Op::Not: {
      const auto operand = range(node.args[0]);
      if (!operand) return std::nullopt;
      const auto value = decided(*operand);
      return truth_of(value ? std::optional(!*value) : std::nullopt);
    }
    case Op::And:
    case Op::Or:
    case Op::Implies: return connective(node);
    case Op::Ite: return choice(node);
    case Op::Eq:
    case Op::Ne:
    case Op::Xor:
    case Op::Lt:
    case Op::Le:
    case Op::Gt:
    case Op::Ge: return comparison(node);
    case Op::Neg:
    case Op::BitNot:
    case Op::Cast: {
      const auto operand = range(node.args[0]);
      if (!operand) return std::nullopt;
      if (node.op == Op::Cast) return wrap(*operand, node.type);
      const Range negated = subtract(exactly(node.op == Op::Neg ? 0 : -1), *operand);
      return kept(negated, node.type);
    }
    case Op::Shl:
    case Op::Shr: return shift(node);
    case Op::Add:
    case Op::Sub:
    case Op::Mul:
    case Op::Div:
    case Op::Mod:
    case Op::BitAnd:
    case Op::BitOr:
    case Op::BitXor: return arithmetic(node);
    case Op::RemoteVar:
    case Op::Self:
    case Op::BoundThread:
    case Op::AtLocation:
    case Op::ForallThread:
    case Op::ExistsThread: break;
  }
  COHORT_UNREACHABLE("commands do not look at threads by reference");
}

std::optional<Glance::Selected> Glance::select(const Cells::Group& group, std::optional<ExprId> index,
                                               std::uint32_t array_size) {
  if (!index) return Selected{group.first, group.first, true};
  const auto at = range(*index);
  if (!at) return std::nullopt;
  const Wide most = Wide{array_size} - 1;
  if (at->lo < 0 || at->hi > most) fault_ = true;
  const auto inside = meet(*at, between(0, most));
  if (!inside) return std::nullopt;
  if (group.summary) return Selected{group.first, group.first, false};
  return Selected{group.first + static_cast<std::uint32_t>(inside->lo),
                  group.first + static_cast<std::uint32_t>(inside->hi), inside->is_constant()};
}

std::optional<Range> Glance::variable(const Expr& node) {
  const bool shared = node.op == Op::SharedVar;
  COHORT_EXPECT(!node.primed, "commands speak of the state before");
  COHORT_EXPECT(node.op != Op::PassiveVar || passive_ != nullptr, "a passive thread is in view");
  const Cells::Group& group = shared ? cells_.shared(node.var) : cells_.local(templ_, node.var);
  const auto& variable =
      shared ? cells_.program().shared[node.var.value] : cells_.program().templ(templ_).local(node.var);
  const auto index = node.args.empty() ? std::nullopt : std::optional(node.args[0]);
  const auto selected = select(group, index, variable.type.slots());
  if (!selected) return std::nullopt;
  const std::vector<Range>& values = shared ? box_.shared : node.op == Op::LocalVar ? box_.locals : passive_->locals;
  Range result = values[selected->first];
  for (std::uint32_t cell = selected->first + 1; cell <= selected->last; ++cell) result = join(result, values[cell]);
  return result;
}

std::optional<Range> Glance::guarded(ExprId condition, bool truth, ExprId operand) {
  if (depth_ >= most_depth) return range(operand);
  Box copy = box_;
  Glance inner(cells_, templ_, copy, passive_);
  inner.depth_ = depth_ + 1;
  if (!inner.assume(condition, truth)) return std::nullopt;
  // What went wrong in the condition is the caller's to see.
  inner.fault_ = inner.overflow_ = false;
  inner.known_.clear();
  const auto result = inner.range(operand);
  fault_ = fault_ || inner.fault_;
  overflow_ = overflow_ || inner.overflow_;
  return result;
}

std::optional<Range> Glance::connective(const Expr& node) {
  const auto first = range(node.args[0]);
  if (!first) return std::nullopt;
  const bool goes_on = node.op != Op::Or;  // with the second operand, if the first is true
  const bool otherwise = node.op != Op::And;
  const auto left = decided(*first);
  if (left && *left != goes_on) return exactly(otherwise ? 1 : 0);
  const bool may_fault = model::may_fault(exprs_, node.args[1]);
  const auto second = may_fault ? guarded(node.args[0], goes_on, node.args[1]) : range(node.args[1]);
  if (!second) return left ? std::nullopt : std::optional(exactly(otherwise ? 1 : 0));
  const auto right = decided(*second);
  if (left) return truth_of(right);
  return truth_of(right && *right == otherwise ? right : std::nullopt);
}

std::optional<Range> Glance::choice(const Expr& node) {
  const auto condition = range(node.args[0]);
  if (!condition) return std::nullopt;
  const auto value = decided(*condition);
  if (value) return range(node.args[*value ? 1 : 2]);
  const auto then = guarded(node.args[0], true, node.args[1]);
  const auto otherwise = guarded(node.args[0], false, node.args[2]);
  if (then && otherwise) return join(*then, *otherwise);
  return then ? then : otherwise;
}

std::optional<Range> Glance::comparison(const Expr& node) {
  const auto left = range(node.args[0]);
  const auto right = range(node.args[1]);
  if (!left || !right) return std::nullopt;
  const bool same =
      alike(node.args[0], node.args[1]) || (left->is_constant() && right->is_constant() && left->lo == right->lo);
  const bool distinct = !meet(*left, *right);
  switch (node.op) {
    case Op::Eq: return truth_of(same ? std::optional(true) : distinct ? std::optional(false) : std::nullopt);
    case Op::Ne:
    case Op::Xor: return truth_of(same ? std::optional(false) : distinct ? std::optional(true) : std::nullopt);
    case Op::Lt:
    case Op::Ge: {
      const bool is_less = left->hi < right->lo;
      const bool is_not = same || left->lo >= right->hi;
      const auto less = is_less ? std::optional(true) : is_not ? std::optional(false) : std::nullopt;
      return truth_of(less && node.op == Op::Ge ? std::optional(!*less) : less);
    }
    default: {
      const bool is_greater = left->lo > right->hi;
      const bool is_not = same || left->hi <= right->lo;
      const auto greater = is_greater ? std::optional(true) : is_not ? std::optional(false) : std::nullopt;
      return truth_of(greater && node.op == Op::Le ? std::optional(!*greater) : greater);
    }
  }
}

// Fixed widths wrap around; other results must stay within 64 bits.
Range Glance::kept(const Range& exact, const Type& type) {
  if (type.kind() == Type::Kind::Int) return wrap(exact, type);
  const Range all = all_of(Type::integer());
  if (exact.lo < all.lo || exact.hi > all.hi) overflow_ = true;
  const auto inside = meet(exact, all);
  return inside ? *inside : all;
}

std::optional<Range> Glance::arithmetic(const Expr& node) {
  const auto left = range(node.args[0]);
  const auto right = range(node.args[1]);
  if (!left || !right) return std::nullopt;
  switch (node.op) {
    case Op::Add: return kept(add(*left, *right), node.type);
    case Op::Sub: {
      if (alike(node.args[0], node.args[1])) return exactly(0);
      return kept(subtract(*left, *right), node.type);
    }
    case Op::Mul: return kept(multiply(*left, *right), node.type);
    case Op::Div:
    case Op::Mod: {
      if (right->contains(0)) fault_ = true;
      const auto result = node.op == Op::Div ? divide(*left, *right) : remainder(*left, *right);
      return result ? std::optional(kept(*result, node.type)) : std::nullopt;
    }
    case Op::BitAnd: return wrap(combine(Bits::And, *left, *right), node.type);
    case Op::BitOr: return wrap(combine(Bits::Or, *left, *right), node.type);
    default: return wrap(combine(Bits::Xor, *left, *right), node.type);
  }
}

std::optional<Range> Glance::shift(const Expr& node) {
  const auto left = range(node.args[0]);
  const auto right = range(node.args[1]);
  if (!left || !right) return std::nullopt;
  const bool fixed = node.type.kind() == Type::Kind::Int;
  const Range amounts = between(0, fixed ? Wide{node.type.width()} - 1 : Wide{63});
  if (!is_within(*right, amounts)) fault_ = true;
  const auto amount = meet(*right, amounts);
  if (!amount) return std::nullopt;
  const Type type = fixed ? node.type : Type::fixed(64, true);
  return wrap(node.op == Op::Shl ? shift_left(*left, *amount) : shift_right(*left, *amount), type);
}

std::optional<std::uint32_t> Glance::cell_of(ExprId id) {
  const Expr* node = &exprs_[id];
  while (node->op == Op::Cast) {
    const auto operand = range(node->args[0]);
    if (!operand || !(wrap(*operand, node->type) == *operand)) return std::nullopt;
    node = &exprs_[node->args[0]];
  }
  if (!node->args.empty()) return std::nullopt;
  if (node->op == Op::SharedVar) return cells_.shared(node->var).first;
  if (node->op == Op::LocalVar) return cells_.shared_count() + cells_.local(templ_, node->var).first;
  return std::nullopt;
}

// Expressions that differ in variables that are equal alone have equal values.
bool Glance::alike(ExprId left, ExprId right, unsigned depth) {
  if (left == right) return true;
  const auto one = cell_of(left);
  const auto other = cell_of(right);
  if (one && other) return box_.equal(*one, *other);
  const Expr& first = exprs_[left];
  const Expr& second = exprs_[right];
  constexpr unsigned deepest = 4;
  if (depth == deepest || first.args.empty() || first.op != second.op || !(first.type == second.type)) return false;
  const bool same_variable = first.var == second.var && first.args.size() == second.args.size();
  if (!same_variable) return false;
  for (std::size_t i = 0; i < first.args.size(); ++i) {
    if (!alike(first.args[i], second.args[i], depth + 1)) return false;
  }
  return true;
}

bool Glance::either(ExprId one, bool one_truth, ExprId other, bool other_truth) {
  if (depth_ >= most_depth) return true;
  Box copy = box_;
  Glance first(cells_, templ_, copy, passive_);
  first.depth_ = ++depth_;
  const bool left = first.assume(one, one_truth);
  // The second alternative is asked only where the first fails.
  const bool right = assume(one, !one_truth) && assume(other, other_truth);
  --depth_;
  known_.clear();
  if (!right && !left) return false;
  if (!right) {
    box_ = std::move(copy);
  } else if (left) {
    box_ = join(box_, copy);
  }
  return true;
}

bool Glance::assume(ExprId id, bool truth) {
  if (budget_ == 0) return true;
  --budget_;
  const Expr& node = exprs_[id];
  switch (node.op) {
    case Op::Const: return (node.value != 0) == truth;
    case Op::Not: return assume(node.args[0], !truth);
    case Op::And:
      if (!truth) return either(node.args[0], false, node.args[1], false);
      return assume(node.args[0], true) && assume(node.args[1], true);
    case Op::Or:
      if (truth) return either(node.args[0], true, node.args[1], true);
      return assume(node.args[0], false) && assume(node.args[1], false);
    case Op::Implies:
      if (truth) return either(node.args[0], false, node.args[1], true);
      return assume(node.args[0], true) && assume(node.args[1], false);
    default: break;
  }
  if (is_comparison(node.op)) return compare(truth ? node.op : negation(node.op), node.args[0], node.args[1]);
  const auto value = range(id);
  if (!value) return false;
  const auto wanted = truth ? without(*value, 0) : meet(*value, exactly(0));
  return wanted && narrow(id, *wanted);
}

bool Glance::compare(Op op, ExprId left, ExprId right) {
  const auto one = range(left);
  const auto other = range(right);
  if (!one || !other) return false;
  const auto one_cell = cell_of(left);
  const auto other_cell = cell_of(right);
  const bool same = alike(left, right);
  const auto both = [&](const std::optional<Range>& first, const std::optional<Range>& second) {
    return first && second && narrow(left, *first) && narrow(right, *second);
  };
  // Beyond every value.
  const Wide least = std::min(one->lo, other->lo) - 1;
  const Wide most = std::max(one->hi, other->hi) + 1;
  switch (op) {
    case Op::Eq: {
      const auto common = meet(*one, *other);
      if (!both(common, common)) return false;
      if (!one_cell || !other_cell) return true;
      const bool united = box_.unite(*one_cell, *other_cell);
      known_.clear();
      return united;
    }
    case Op::Ne:
      if (same) return false;
      return both(other->is_constant() ? without(*one, other->lo) : one,
                  one->is_constant() ? without(*other, one->lo) : other);
    case Op::Lt:
      return !same && both(meet(*one, between(least, other->hi - 1)), meet(*other, between(one->lo + 1, most)));
    case Op::Le: return both(meet(*one, between(least, other->hi)), meet(*other, between(one->lo, most)));
    case Op::Gt:
      return !same && both(meet(*one, between(other->lo + 1, most)), meet(*other, between(least, one->hi - 1)));
    default: return both(meet(*one, between(other->lo, most)), meet(*other, between(least, one->hi)));
  }
}

// Both ends of a sum that does not wrap around.
bool Glance::narrow_sum(const Expr& node, const Range& to) {
  const auto left = range(node.args[0]);
  const auto right = range(node.args[1]);
  if (!left || !right) return false;
  const bool adds = node.op == Op::Add;
  const Range exact = adds ? add(*left, *right) : subtract(*left, *right);
  const Range all = all_of(node.type.kind() == Type::Kind::Int ? node.type : Type::integer());
  if (exact.lo < all.lo || exact.hi > all.hi) return true;
  const auto first = meet(*left, adds ? subtract(to, *right) : add(to, *right));
  const auto second = meet(*right, adds ? subtract(to, *left) : subtract(*left, to));
  return first && second && narrow(node.args[0], *first) && narrow(node.args[1], *second);
}

// What a known remainder of a number that is not negative, or its low bits, say of the number.
bool Glance::narrow_remainder(const Expr& node, const Range& to) {
  const auto left = range(node.args[0]);
  const auto right = range(node.args[1]);
  if (!left || !right || !right->is_constant() || !to.is_constant()) return left && right;
  const bool masks = node.op == Op::BitAnd;
  const Wide modulus = masks ? right->lo + 1 : right->lo;
  const bool power = (modulus & (modulus - 1)) == 0 && is_within(*right, all_of(node.type));
  const bool applies = modulus > 1 && (masks ? power : left->lo >= 0);
  if (!applies || to.lo < 0 || to.lo >= modulus || modulus > Wide{1} << 32U) return true;
  Range rest = *left;
  rest.listed = nullptr;
  rest.modulus = modulus;
  rest.rest = to.lo;
  rest.lo -= modulus;
  rest.hi += modulus;
  rest.lo += ((to.lo - rest.lo) % modulus + modulus) % modulus;
  rest.hi -= ((rest.hi - to.lo) % modulus + modulus) % modulus;
  const auto inside = meet(*left, rest);
  return inside && narrow(node.args[0], *inside);
}

bool Glance::narrow(ExprId id, const Range& to) {
  if (budget_ == 0) return true;
  --budget_;
  const auto value = range(id);
  if (!value || !meet(*value, to)) return false;
  const Expr& node = exprs_[id];
  switch (node.op) {
    case Op::SharedVar:
    case Op::LocalVar: {
      const bool shared = node.op == Op::SharedVar;
      const Cells::Group& group = shared ? cells_.shared(node.var) : cells_.local(templ_, node.var);
      const auto& variable =
          shared ? cells_.program().shared[node.var.value] : cells_.program().templ(templ_).local(node.var);
      const auto index = node.args.empty() ? std::nullopt : std::optional(node.args[0]);
      const auto selected = select(group, index, variable.type.slots());
      if (!selected) return false;
      if (!selected->certain) return true;
      const std::uint32_t cell = (shared ? 0 : cells_.shared_count()) + selected->first;
      if (is_within(box_.at(cell), to)) return true;
      known_.clear();
      return box_.restrict(cell, to);
    }
    case Op::Cast: {
      const auto operand = range(node.args[0]);
      if (!operand) return false;
      if (exprs_[node.args[0]].type.is_bool()) {
        if (!to.contains(0)) return assume(node.args[0], true);
        return to.contains(1) || assume(node.args[0], false);
      }
      return !(wrap(*operand, node.type) == *operand) || narrow(node.args[0], to);
    }
    case Op::Add:
    case Op::Sub: return narrow_sum(node, to);
    case Op::Mod:
    case Op::BitAnd: return narrow_remainder(node, to);
    case Op::Ite: {
      const auto then = guarded(node.args[0], true, node.args[1]);
      const auto otherwise = guarded(node.args[0], false, node.args[2]);
      const bool first = then && meet(*then, to);
      const bool second = otherwise && meet(*otherwise, to);
      if (first && second) return true;
      if (first) return assume(node.args[0], true) && narrow(node.args[1], to);
      return second && assume(node.args[0], false) && narrow(node.args[2], to);
    }
    case Op::Not:
    case Op::And:
    case Op::Or:
    case Op::Implies:
    case Op::Eq:
    case Op::Ne:
    case Op::Lt:
    case Op::Le:
    case Op::Gt:
    case Op::Ge:
      if (!to.contains(0)) return assume(id, true);
      return to.contains(1) || assume(id, false);
    default: return true;
  }
}

}  // namespace cohort::lemma
