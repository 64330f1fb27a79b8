// The model keeps 64-bit values as signed numbers.  Addition, subtraction, multiplication and the bit operations do not
// care; comparisons, division, remainder and right shift of unsigned 64-bit numbers look at the signs first.
#include "frontend/c/lower/expressions.hpp"

#include <algorithm>
#include <limits>

#include "base/contract.hpp"
#include "frontend/c/lower/fold.hpp"

namespace cohort::frontend::c::lower {

using ir::Op;
using model::ExprId;
using ModelOp = model::Op;
using TypeKind = ir::Type::Kind;

namespace {

const model::Type wide = model::Type::fixed(64, true);
const model::Type plain_int = model::Type::fixed(32, true);

bool is_unsigned64(const ir::Type& type) {
  return type.kind == TypeKind::Int && !type.is_signed && type.width == 64;
}

ModelOp model_op(Op op) {
  switch (op) {
    case Op::Add: return ModelOp::Add;
    case Op::Sub: return ModelOp::Sub;
    case Op::Mul: return ModelOp::Mul;
    case Op::Div: return ModelOp::Div;
    case Op::Mod: return ModelOp::Mod;
    case Op::Shl: return ModelOp::Shl;
    case Op::Shr: return ModelOp::Shr;
    case Op::BitAnd: return ModelOp::BitAnd;
    case Op::BitOr: return ModelOp::BitOr;
    case Op::BitXor: return ModelOp::BitXor;
    case Op::Eq: return ModelOp::Eq;
    case Op::Ne: return ModelOp::Ne;
    case Op::Lt: return ModelOp::Lt;
    case Op::Le: return ModelOp::Le;
    case Op::Gt: return ModelOp::Gt;
    case Op::Ge: return ModelOp::Ge;
    default: COHORT_UNREACHABLE("an operator that the model has");
  }
}

bool holds(ModelOp op, model::Value left, model::Value right) {
  switch (op) {
    case ModelOp::Eq: return left == right;
    case ModelOp::Ne: return left != right;
    case ModelOp::Lt: return left < right;
    case ModelOp::Le: return left <= right;
    case ModelOp::Gt: return left > right;
    case ModelOp::Ge: return left >= right;
    default: COHORT_UNREACHABLE("a comparison");
  }
}

// Does every value keep its meaning in the other type?
bool is_widening(const ir::Type& from, const ir::Type& to) {
  if (from.kind != TypeKind::Int || to.kind != TypeKind::Int || from.is_float != to.is_float) return false;
  return from.is_signed == to.is_signed ? from.width <= to.width : !from.is_signed && from.width < to.width;
}

}  // namespace

ExprId Expressions::compare(ModelOp op, ExprId left, ExprId right) {
  const model::Expr& a = pool()[left];
  const model::Expr& b = pool()[right];
  if (a.op == ModelOp::Const && b.op == ModelOp::Const) return pool().boolean(holds(op, a.value, b.value));
  return pool().binary(op, left, right, model::Type::boolean());
}

ExprId Expressions::convert(ExprId value, const model::Type& type) {
  const model::Expr& node = pool()[value];
  if (node.type == type) return value;
  if (type.is_bool()) return compare(ModelOp::Ne, value, constant(0, node.type));
  if (node.op == ModelOp::Const) return constant(type.wrap(node.value), type);
  return pool().unary(ModelOp::Cast, value, type);
}

ExprId Expressions::arithmetic(ModelOp op, ExprId left, ExprId right, const model::Type& type) {
  const model::Expr a = pool()[left];
  const model::Expr b = pool()[right];
  if (a.op == ModelOp::Const && b.op == ModelOp::Const && b.value >= 0) {
    const auto x = static_cast<std::uint64_t>(a.value);
    const auto y = static_cast<std::uint64_t>(b.value);
    const auto result = [&](std::uint64_t bits) { return constant(type.wrap(static_cast<model::Value>(bits)), type); };
    if (op == ModelOp::Add) return result(x + y);
    if (op == ModelOp::Sub) return result(x - y);
    if (op == ModelOp::Mul) return result(x * y);
  }
  if ((op == ModelOp::Add || op == ModelOp::Sub) && pool().is_const(right, 0)) return convert(left, type);
  if (op == ModelOp::Add && pool().is_const(left, 0)) return convert(right, type);
  if ((op == ModelOp::Mul || op == ModelOp::Div) && pool().is_const(right, 1)) return convert(left, type);
  return pool().binary(op, left, right, type);
}

ExprId Expressions::from_truth(ExprId truth, const model::Type& type) {
  return convert(truth, type);
}

ExprId Expressions::number(TermId id) {
  const ExprId result = value(id);
  return pool()[result].type.is_bool() ? convert(result, plain_int) : result;
}

ExprId Expressions::index(TermId id) {
  return convert(number(id), wide);
}

ExprId Expressions::value(TermId id) {
  const Term term = flat_.term(id);
  const model::Type type = memory_.type_of(term.type);
  switch (term.op) {
    case Op::Const:
    case Op::FunctionAddr: return constant(type.wrap(memory_.value_of(id)), type);
    case Op::Nondet: return choice(term, type);
    case Op::Load: {
      const auto known = loads_.find(id);
      COHORT_EXPECT(known != loads_.end(), "what a term reads has been read before");
      return convert(known->second, type);
    }
    case Op::AddressOf: return convert(address(flat_.access(term.access)), type);
    case Op::Cast:
      if (flat_.type_of(term.args[0]).is_float != flat_.unit.type(term.type).is_float) {
        check(pool().falsity(), std::nullopt, "a floating-point number that is taken for something else");
        return constant(0, type);
      }
      if (type.is_bool()) return truth(term.args[0]);
      return convert(value(term.args[0]), type);
    case Op::Conditional: {
      const ExprId condition = truth(term.args[0]);
      return pool().ite(condition, convert(value(term.args[1]), type), convert(value(term.args[2]), type));
    }
    case Op::LogicalNot:
    case Op::LogicalAnd:
    case Op::LogicalOr:
    case Op::Eq:
    case Op::Ne:
    case Op::Lt:
    case Op::Le:
    case Op::Gt:
    case Op::Ge: return from_truth(truth(id), type);
    case Op::PointerAdd: {
      const auto size = static_cast<model::Value>(size_of(flat_.unit, flat_.unit.type(term.type).target));
      const ExprId distance = arithmetic(ModelOp::Mul, index(term.args[1]), constant(size, wide), wide);
      return arithmetic(ModelOp::Add, value(term.args[0]), convert(distance, type), type);
    }
    case Op::PointerDiff: return pointer_difference(term);
    default: return operation(term);
  }
}

ExprId Expressions::choice(const Term& term, const model::Type& type) {
  if (term.choices.empty()) return pool().nondet(type);
  const auto& values = term.choices;
  const auto count = static_cast<model::Value>(values.size());
  const auto distance = static_cast<std::uint64_t>(values.back()) - static_cast<std::uint64_t>(values.front());
  if (distance == values.size() - 1) {
    return convert(pool().nondet(model::Type::range(values.front(), values.back())), type);
  }
  const model::Type number = model::Type::range(0, count - 1);
  const ExprId which = pool().nondet(number);
  ExprId result = constant(type.wrap(values.back()), type);
  for (model::Value i = count - 2; i >= 0; --i) {
    const ExprId chosen = compare(ModelOp::Eq, which, constant(i, number));
    result = pool().ite(chosen, constant(type.wrap(values[static_cast<std::size_t>(i)]), type), result);
  }
  return result;
}

ExprId Expressions::pointer_difference(const Term& term) {
  const ir::TypeId element = flat_.unit.type(flat_.term(term.args[0]).type).target;
  const auto size = static_cast<model::Value>(size_of(flat_.unit, element));
  const ExprId left = convert(value(term.args[0]), wide);
  const ExprId right = convert(value(term.args[1]), wide);
  const ExprId bytes = arithmetic(ModelOp::Sub, left, right, wide);
  return convert(arithmetic(ModelOp::Div, bytes, constant(size, wide), wide), memory_.type_of(term.type));
}

ExprId Expressions::operation(const Term& term) {
  const model::Type type = memory_.type_of(term.type);
  const ExprId left = convert(number(term.args[0]), type);
  if (term.op == Op::Neg || term.op == Op::BitNot) {
    if (term.op == Op::Neg) check_overflow(term, constant(0, type), left);
    return pool().unary(term.op == Op::Neg ? ModelOp::Neg : ModelOp::BitNot, left, type);
  }
  const bool shifts = term.op == Op::Shl || term.op == Op::Shr;
  const ExprId right = shifts ? number(term.args[1]) : convert(number(term.args[1]), type);
  check_operation(term, left, right);
  if (is_unsigned64(flat_.unit.type(term.type))) {
    if (term.op == Op::Shr) return unsigned_shift(left, right);
    if (term.op == Op::Div || term.op == Op::Mod) return unsigned_division(term.op, left, right);
  }
  return arithmetic(model_op(term.op), left, right, type);
}

ExprId Expressions::halved(ExprId value) {
  const ExprId shifted = pool().binary(ModelOp::Shr, value, constant(1, wide), wide);
  return pool().binary(ModelOp::BitAnd, shifted, constant(std::numeric_limits<model::Value>::max(), wide), wide);
}

// A number above 2^63 is shifted by one first, and then it is below.
ExprId Expressions::unsigned_shift(ExprId left, ExprId right) {
  const ExprId small = arithmetic(ModelOp::Shr, left, right, wide);
  const ExprId is_small = compare(ModelOp::Ge, left, constant(0, wide));
  if (pool().is_true(is_small)) return small;
  const model::Type count = pool()[right].type;
  const ExprId none = compare(ModelOp::Eq, right, constant(0, count));
  // Where nothing is shifted, the value of the other branch does not matter, but it must exist.
  const ExprId less = pool().ite(none, constant(0, count), arithmetic(ModelOp::Sub, right, constant(1, count), count));
  const ExprId large = arithmetic(ModelOp::Shr, halved(left), less, wide);
  return pool().ite(is_small, small, pool().ite(none, left, large));
}

// By a divisor above 2^63 the quotient is 0 or 1.  Otherwise half of a large dividend is divided, and twice that
// quotient is right or one too small.
ExprId Expressions::unsigned_division(Op op, ExprId left, ExprId right) {
  const ExprId zero = constant(0, wide);
  const ExprId one = constant(1, wide);
  const ExprId left_small = compare(ModelOp::Ge, left, zero);
  const ExprId right_small = compare(ModelOp::Ge, right, zero);
  const ExprId small = arithmetic(model_op(op), left, right, wide);
  if (pool().is_true(left_small) && pool().is_true(right_small)) return small;
  const ExprId doubled =
      arithmetic(ModelOp::Mul, arithmetic(ModelOp::Div, halved(left), right, wide), constant(2, wide), wide);
  const ExprId rest = arithmetic(ModelOp::Sub, left, arithmetic(ModelOp::Mul, doubled, right, wide), wide);
  const ExprId too_small = unsigned_compare(ModelOp::Ge, rest, right);
  const ExprId exact = pool().ite(too_small, arithmetic(ModelOp::Add, doubled, one, wide), doubled);
  const ExprId by_large = pool().ite(unsigned_compare(ModelOp::Ge, left, right), one, zero);
  const ExprId quotient = pool().ite(right_small, exact, by_large);
  if (op == Op::Div) return pool().ite(pool().conj(left_small, right_small), small, quotient);
  const ExprId remainder = arithmetic(ModelOp::Sub, left, arithmetic(ModelOp::Mul, quotient, right, wide), wide);
  return pool().ite(pool().conj(left_small, right_small), small, remainder);
}

void Expressions::check(ExprId condition, std::optional<Wrong> kind, std::string message) {
  if (pool().is_true(condition)) return;
  checks_.push_back({condition, kind, std::move(message)});
}

void Expressions::check_operation(const Term& term, ExprId left, ExprId right) {
  const ir::Type& type = flat_.unit.type(term.type);
  const auto compared = [&](ModelOp op, ExprId side, model::Value bound) {
    return compare(op, side, constant(bound, pool()[side].type));
  };
  if (term.op == Op::Div || term.op == Op::Mod) {
    check(compared(ModelOp::Ne, right, 0), Wrong::Fault, "division by zero");
  }
  if (term.op == Op::Shl || term.op == Op::Shr) {
    const ExprId inside = pool().conj(compared(ModelOp::Ge, right, 0),
                                      compared(ModelOp::Lt, right, static_cast<model::Value>(type.width)));
    check(inside, Wrong::Fault, "a shift by a negative number or by at least the width of its operand");
  }
  check_overflow(term, left, right);
}

// Signed overflow wraps around unless it was asked for.
void Expressions::check_overflow(const Term& term, ExprId left, ExprId right) {
  const ir::Type& type = flat_.unit.type(term.type);
  if (!flat_.options.asks_for(Wrong::Overflow) || !type.is_signed) return;
  const bool divides = term.op == Op::Div || term.op == Op::Mod;
  if (divides || term.op == Op::Neg) {
    const ExprId value = divides ? left : right;
    const std::int64_t least = std::numeric_limits<std::int64_t>::min() >> (64 - type.width);
    ExprId leaves = compare(ModelOp::Eq, value, constant(least, pool()[value].type));
    if (divides) leaves = pool().conj(leaves, compare(ModelOp::Eq, right, constant(-1, pool()[right].type)));
    return check(pool().negate(leaves), Wrong::Overflow, "signed overflow");
  }
  if (term.op != Op::Add && term.op != Op::Sub && term.op != Op::Mul && term.op != Op::Shl) return;
  if (type.width >= 64) return check(fits_64(term.op, left, right), Wrong::Overflow, "signed overflow");
  const ExprId exact = arithmetic(model_op(term.op), convert(left, wide), convert(right, wide), wide);
  const ExprId wrapped = convert(convert(exact, memory_.type_of(term.type)), wide);
  check(compare(ModelOp::Eq, exact, wrapped), Wrong::Overflow, "signed overflow");
}

// Where there is no wider type to calculate in, it says of one operand how far the other lets it go, in comparisons
// that methods with intervals understand; of a product of two variables, that the way back leads to the operand.
ExprId Expressions::fits_64(Op op, ExprId left, ExprId right) {
  if (op == Op::Mul && pool()[left].op == ModelOp::Const) std::swap(left, right);
  if (op == Op::Mul && pool()[right].op == ModelOp::Const) return fits_multiple(left, pool()[right].value);
  const ExprId least = constant(std::numeric_limits<model::Value>::min(), wide);
  const ExprId most = constant(std::numeric_limits<model::Value>::max(), wide);
  const auto bound = [&](ModelOp with, ExprId end) { return pool().binary(with, end, right, wide); };
  if (op == Op::Add || op == Op::Sub) {
    const bool adds = op == Op::Add;
    const ExprId low = compare(ModelOp::Ge, left, bound(adds ? ModelOp::Sub : ModelOp::Add, least));
    const ExprId high = compare(ModelOp::Le, left, bound(adds ? ModelOp::Sub : ModelOp::Add, most));
    const ExprId from_zero = compare(ModelOp::Ge, right, constant(0, wide));
    return pool().ite(from_zero, adds ? high : low, adds ? low : high);
  }
  if (op == Op::Shl) {
    return pool().conj(compare(ModelOp::Ge, left, bound(ModelOp::Shr, least)),
                       compare(ModelOp::Le, left, bound(ModelOp::Shr, most)));
  }
  return fits_product(left, right);
}

ExprId Expressions::fits_multiple(ExprId left, model::Value factor) {
  constexpr model::Value least = std::numeric_limits<model::Value>::min();
  constexpr model::Value most = std::numeric_limits<model::Value>::max();
  if (factor == 0 || factor == 1) return pool().truth();
  if (factor == -1) return compare(ModelOp::Ne, left, constant(least, wide));
  const model::Value one = least / factor;
  const model::Value other = most / factor;
  return pool().conj(compare(ModelOp::Ge, left, constant(std::min(one, other), wide)),
                     compare(ModelOp::Le, left, constant(std::max(one, other), wide)));
}

ExprId Expressions::fits_product(ExprId left, ExprId right) {
  const ExprId result = pool().binary(ModelOp::Mul, left, right, wide);
  const auto is = [&](ExprId value, model::Value number) {
    return compare(ModelOp::Eq, value, constant(number, wide));
  };
  const ExprId simple = pool().disj(is(left, 0), is(left, -1));
  const ExprId divisor = pool().ite(simple, constant(1, wide), left);
  const ExprId least = is(right, std::numeric_limits<model::Value>::min());
  const ExprId back = compare(ModelOp::Eq, pool().binary(ModelOp::Div, result, divisor, wide), right);
  return pool().ite(simple, pool().negate(pool().conj(is(left, -1), least)), back);
}

ExprId Expressions::truth(TermId id) {
  const Term term = flat_.term(id);
  switch (term.op) {
    case Op::Nondet:
      if (term.choices.empty()) return pool().nondet(model::Type::boolean());
      break;
    case Op::LogicalNot: return pool().negate(truth(term.args[0]));
    case Op::LogicalAnd: return pool().conj(truth(term.args[0]), truth(term.args[1]));
    case Op::LogicalOr: return pool().disj(truth(term.args[0]), truth(term.args[1]));
    case Op::Eq:
    case Op::Ne:
    case Op::Lt:
    case Op::Le:
    case Op::Gt:
    case Op::Ge: return comparison(term);
    case Op::Cast: {
      // A widening keeps what is nonzero nonzero, and so does the cast of a truth value.
      const ir::Type& from = flat_.type_of(term.args[0]);
      const ir::Type& to = flat_.unit.type(term.type);
      if (from.is_float != to.is_float) break;
      if (from.kind == TypeKind::Bool || to.kind == TypeKind::Bool ||
          (from.kind == to.kind && from.width <= to.width)) {
        return truth(term.args[0]);
      }
      break;
    }
    default: break;
  }
  return convert(value(id), model::Type::boolean());
}

// A number that is used for nothing but this comparison, with a constant: only the outcome is chosen.
std::optional<ExprId> Expressions::free_comparison(const Term& term) {
  for (const std::size_t side : {0, 1}) {
    const auto bound = lower::number(flat_, term.args[1 - side]);
    TermId id = term.args[side];
    while (flat_.term(id).op == Op::Cast && is_widening(flat_.type_of(flat_.term(id).args[0]), flat_.type_of(id))) {
      id = flat_.term(id).args[0];
    }
    const ir::Type& type = flat_.type_of(id);
    if (!bound || flat_.term(id).op != Op::Nondet || !flat_.term(id).choices.empty()) continue;
    if (type.kind != TypeKind::Int || type.width > 32) continue;
    const std::int64_t size = std::int64_t{1} << type.width;
    const std::int64_t low = type.is_signed ? -size / 2 : 0;
    const auto outcome = [&](std::int64_t value) {
      return side == 0 ? holds(model_op(term.op), value, *bound) : holds(model_op(term.op), *bound, value);
    };
    // The outcome can change only at the bound, and is the same on either side of it.
    bool can_hold = false;
    bool can_fail = false;
    const std::int64_t near = std::clamp(*bound, low - 1, low + size);
    for (const std::int64_t value : {low, low + size - 1, near - 1, near, near + 1}) {
      if (value < low || value >= low + size) continue;
      (outcome(value) ? can_hold : can_fail) = true;
    }
    if (can_hold && can_fail) return pool().nondet(model::Type::boolean());
    return pool().boolean(can_hold);
  }
  return std::nullopt;
}

ExprId Expressions::comparison(const Term& term) {
  const ir::Type& type = flat_.type_of(term.args[0]);
  const ModelOp op = model_op(term.op);
  if (const auto free = free_comparison(term)) return *free;
  if (op == ModelOp::Ne && number_is(term.args[1], 0)) return truth(term.args[0]);
  if (op == ModelOp::Eq && number_is(term.args[1], 0)) return pool().negate(truth(term.args[0]));
  const ExprId left = number(term.args[0]);
  const ExprId right = convert(number(term.args[1]), pool()[left].type);
  return is_unsigned64(type) ? unsigned_compare(op, left, right) : compare(op, left, right);
}

ExprId Expressions::unsigned_compare(ModelOp op, ExprId left, ExprId right) {
  if (op == ModelOp::Eq || op == ModelOp::Ne) return compare(op, left, right);
  const auto negative = [&](ExprId side) { return compare(ModelOp::Lt, side, constant(0, wide)); };
  const ExprId left_large = negative(left);
  const ExprId right_large = negative(right);
  const bool wants_less = op == ModelOp::Lt || op == ModelOp::Le;
  const ExprId same = compare(op, left, right);
  if (pool().is_false(right_large)) {
    return wants_less ? pool().conj(pool().negate(left_large), same) : pool().disj(left_large, same);
  }
  if (pool().is_false(left_large)) {
    return wants_less ? pool().disj(right_large, same) : pool().conj(pool().negate(right_large), same);
  }
  const ExprId alike = pool().negate(pool().binary(ModelOp::Xor, left_large, right_large, model::Type::boolean()));
  return pool().ite(alike, same, wants_less ? right_large : left_large);
}

bool Expressions::number_is(TermId id, std::int64_t value) const {
  return lower::number(flat_, id) == value;
}

ExprId Expressions::address(const Access& access) {
  const model::Type type = memory_.pointer_type();
  ExprId sum = access.inst
                   ? constant(type.wrap(layout_.address_of(*access.inst) + access.offset), type)
                   : arithmetic(ModelOp::Add, value(access.pointer), constant(type.wrap(access.offset), type), type);
  for (const Index& part : access.indices) {
    const auto stride = static_cast<model::Value>(part.stride);
    const ExprId distance = arithmetic(ModelOp::Mul, index(part.term), constant(stride, wide), wide);
    sum = arithmetic(ModelOp::Add, sum, convert(distance, type), type);
  }
  return sum;
}

}  // namespace cohort::frontend::c::lower
