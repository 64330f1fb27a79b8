#include "frontend/c/lower/fold.hpp"

#include <limits>

#include "base/contract.hpp"

namespace cohort::frontend::c::lower {

using ir::Op;
using Kind = ir::Type::Kind;

namespace {

using Bits = std::uint64_t;

Bits bits(std::int64_t value) {
  return static_cast<Bits>(value);
}

bool is_unsigned64(const ir::Type& type) {
  return (type.kind == Kind::Int && !type.is_signed && type.width == 64) || type.kind == Kind::Pointer;
}

bool less(const ir::Type& type, std::int64_t left, std::int64_t right) {
  return is_unsigned64(type) ? bits(left) < bits(right) : left < right;
}

std::optional<std::int64_t> divide(const ir::Type& type, Op op, std::int64_t left, std::int64_t right) {
  if (right == 0) return std::nullopt;
  COHORT_EXPECT(op == Op::Div || op == Op::Mod, "quotients and remainders are computed here");
  if (is_unsigned64(type)) {
    return static_cast<std::int64_t>(op == Op::Div ? bits(left) / bits(right) : bits(left) % bits(right));
  }
  if (right == -1) return op == Op::Div ? static_cast<std::int64_t>(-bits(left)) : 0;
  return op == Op::Div ? left / right : left % right;
}

std::optional<std::int64_t> shift(const ir::Type& type, Op op, std::int64_t left, std::int64_t right) {
  if (right < 0 || right >= static_cast<std::int64_t>(type.width)) return std::nullopt;
  if (op == Op::Shl) return static_cast<std::int64_t>(bits(left) << bits(right));
  return is_unsigned64(type) ? static_cast<std::int64_t>(bits(left) >> bits(right)) : left >> right;
}

// None where the operation is undefined: then the fault stays for run time.
std::optional<std::int64_t> compute(Op op, const ir::Type& operands, std::int64_t left, std::int64_t right) {
  switch (op) {
    case Op::Add: return static_cast<std::int64_t>(bits(left) + bits(right));
    case Op::Sub: return static_cast<std::int64_t>(bits(left) - bits(right));
    case Op::Mul: return static_cast<std::int64_t>(bits(left) * bits(right));
    case Op::Div:
    case Op::Mod: return divide(operands, op, left, right);
    case Op::Shl:
    case Op::Shr: return shift(operands, op, left, right);
    case Op::BitAnd: return left & right;
    case Op::BitOr: return left | right;
    case Op::BitXor: return left ^ right;
    case Op::Eq: return left == right;
    case Op::Ne: return left != right;
    case Op::Lt: return less(operands, left, right);
    case Op::Le: return !less(operands, right, left);
    case Op::Gt: return less(operands, right, left);
    case Op::Ge: return !less(operands, left, right);
    default: return std::nullopt;
  }
}

// Does the exact result of signed arithmetic leave the type?
bool leaves_type(Op op, const ir::Type& type, std::int64_t left, std::int64_t right) {
  if (type.kind != Kind::Int || !type.is_signed) return false;
  std::int64_t exact = 0;
  bool leaves = false;
  switch (op) {
    case Op::Add: leaves = __builtin_add_overflow(left, right, &exact); break;
    case Op::Sub: leaves = __builtin_sub_overflow(left, right, &exact); break;
    case Op::Mul: leaves = __builtin_mul_overflow(left, right, &exact); break;
    case Op::Shl: leaves = __builtin_mul_overflow(left, std::int64_t{1} << right, &exact) || right == 63; break;
    case Op::Div:
    case Op::Mod: return right == -1 && left == std::numeric_limits<std::int64_t>::min() >> (64 - type.width);
    default: return false;
  }
  return leaves || convert(type, exact) != exact;
}

bool is_fixed(const Access& access) {
  return access.inst && access.indices.empty();
}

bool is_binary(Op op) {
  return op >= Op::Add && op <= Op::Ge;
}

std::optional<TermId> fold_address_sum(Flat& flat, const Term& term) {
  COHORT_EXPECT(term.op == Op::PointerAdd && term.args.size() == 2, "a sum of a pointer and a number");
  COHORT_EXPECT(flat.unit.type(term.type).kind == Kind::Pointer, "the sum is a pointer");
  const Term base = flat.term(term.args[0]);
  const auto step = number(flat, term.args[1]);
  if (step == 0) return fold(flat, Term{.op = Op::Cast, .type = term.type, .args = {term.args[0]}, .span = term.span});
  if (base.op != Op::AddressOf) return std::nullopt;
  const std::uint64_t size = size_of(flat.unit, flat.unit.type(term.type).target);
  Access access = flat.access(base.access);
  if (step) {
    access.offset += *step * static_cast<std::int64_t>(size);
  } else if (!access.indices.empty() && access.indices.back().stride == size) {
    Index& last = access.indices.back();
    const ir::TypeId type = flat.unit.add_type({.kind = Kind::Int, .width = 64, .is_signed = true});
    const auto widened = [&](TermId arg) { return fold(flat, Term{.op = Op::Cast, .type = type, .args = {arg}}); };
    last.term = fold(flat, Term{.op = Op::Add, .type = type, .args = {widened(last.term), widened(term.args[1])}});
  } else {
    access.indices.push_back({term.args[1], size, 0});
  }
  return flat.address_of(flat.add(std::move(access)), term.type);
}

std::optional<TermId> fold_logic(Flat& flat, const Term& term) {
  COHORT_EXPECT(term.args.size() == (term.op == Op::Conditional  ? 3U
                                     : term.op == Op::LogicalNot ? 1U
                                                                 : 2U),
                "logical operators have their operands");
  const auto truth = [&](TermId id) -> std::optional<bool> {
    if (const auto value = number(flat, id)) return *value != 0;
    if (is_address(flat, id)) return true;
    return std::nullopt;
  };
  const auto first = truth(term.args[0]);
  if (!first) return std::nullopt;
  if (term.op == Op::LogicalNot) return flat.constant(*first ? 0 : 1, term.type);
  if (term.op == Op::Conditional) return term.args[*first ? 1 : 2];
  if (*first == (term.op == Op::LogicalOr)) return flat.constant(*first ? 1 : 0, term.type);
  const auto second = truth(term.args[1]);
  if (!second) return std::nullopt;
  return flat.constant(*second ? 1 : 0, term.type);
}

std::optional<TermId> fold_cast(Flat& flat, const Term& term) {
  COHORT_EXPECT(term.args.size() == 1, "a cast has one operand");
  const ir::Type& to = flat.unit.type(term.type);
  const TermId arg = term.args[0];
  if (flat.term(arg).type == term.type) return arg;
  if (flat.type_of(arg).is_float != to.is_float) return std::nullopt;  // the value is not known
  if (const auto value = number(flat, arg)) return flat.constant(convert(to, *value), term.type);
  if (to.kind == Kind::Bool && is_address(flat, arg)) return flat.constant(1, term.type);
  const Term source = flat.term(arg);
  // Every value of the narrower type comes from as many values of the wider one.
  const bool narrows = to.kind == Kind::Bool || (to.kind == Kind::Int && to.width <= flat.unit.type(source.type).width);
  if (source.op == Op::Nondet && narrows && source.choices.empty()) {
    return flat.add(Term{.op = Op::Nondet, .type = term.type, .span = term.span});
  }
  if (to.kind == Kind::Pointer && is_constant(flat, arg)) {
    Term copy = source;
    copy.type = term.type;
    return flat.add(std::move(copy));
  }
  // The address of an object survives the way through a wide enough integer.
  if (to.kind == Kind::Pointer && source.op == Op::Cast && flat.unit.type(source.type).width >= to.width &&
      flat.type_of(source.args[0]).kind == Kind::Pointer) {
    return fold(flat, Term{.op = Op::Cast, .type = term.type, .args = source.args, .span = term.span});
  }
  if (to.kind == Kind::Pointer && source.op == Op::AddressOf) {
    Term copy = source;
    copy.type = term.type;
    return flat.add(std::move(copy));
  }
  return std::nullopt;
}

}  // namespace

std::int64_t convert(const ir::Type& type, std::int64_t value) {
  if (type.kind == Kind::Bool) return value != 0;
  if (type.kind != Kind::Int && type.kind != Kind::Pointer) return value;
  if (type.width >= 64) return value;
  COHORT_EXPECT(type.width > 0, "a number has bits");
  const Bits mask = (Bits{1} << type.width) - 1;
  const Bits kept = bits(value) & mask;
  const bool negative = type.is_signed && ((kept >> (type.width - 1)) & 1U) != 0;
  return static_cast<std::int64_t>(negative ? kept | ~mask : kept);
}

std::optional<std::int64_t> number(const Flat& flat, TermId id) {
  const Term& term = flat.term(id);
  return term.op == Op::Const ? std::optional(term.value) : std::nullopt;
}

bool is_address(const Flat& flat, TermId id) {
  const Term& term = flat.term(id);
  if (term.op == Op::FunctionAddr) return true;
  return term.op == Op::AddressOf && flat.access(term.access).inst.has_value();
}

bool is_constant(const Flat& flat, TermId id) {
  const Term& term = flat.term(id);
  if (term.op == Op::Const || term.op == Op::FunctionAddr) return true;
  return term.op == Op::AddressOf && is_fixed(flat.access(term.access));
}

std::optional<bool> equal_constants(const Flat& flat, TermId left, TermId right) {
  const Term& a = flat.term(left);
  const Term& b = flat.term(right);
  if (!is_constant(flat, left) || !is_constant(flat, right)) return std::nullopt;
  if (a.op == Op::Const && b.op == Op::Const) return a.value == b.value;
  if (a.op != b.op) {
    const Term& other = a.op == Op::Const ? a : b;
    // NULL is nobody's address; what other numbers are is a matter of the layout.
    if (other.op == Op::Const && other.value != 0) return std::nullopt;
    return false;
  }
  if (a.op == Op::FunctionAddr) return a.function == b.function;
  const Access& x = flat.access(a.access);
  const Access& y = flat.access(b.access);
  // One past the end of one object may be the beginning of another in C; here there is a gap between objects.
  return x.inst == y.inst && x.offset == y.offset;
}

TermId fold(Flat& flat, Term term) {
  std::optional<TermId> simpler;
  if (term.op == Op::Cast) {
    simpler = fold_cast(flat, term);
  } else if (term.op == Op::LogicalNot || term.op == Op::LogicalAnd || term.op == Op::LogicalOr ||
             term.op == Op::Conditional) {
    simpler = fold_logic(flat, term);
  } else if (term.op == Op::PointerAdd) {
    simpler = fold_address_sum(flat, term);
  } else if (term.op == Op::Neg || term.op == Op::BitNot) {
    const auto value = number(flat, term.args[0]);
    // What overflows stays for run time where that is asked for.
    const bool overflows = value && term.op == Op::Neg && flat.options.asks_for(Wrong::Overflow) &&
                           leaves_type(Op::Sub, flat.unit.type(term.type), 0, *value);
    if (value && !overflows) {
      const Bits result = term.op == Op::Neg ? -bits(*value) : ~bits(*value);
      simpler = flat.constant(convert(flat.unit.type(term.type), static_cast<std::int64_t>(result)), term.type);
    }
  } else if (is_binary(term.op)) {
    COHORT_EXPECT(term.args.size() == 2, "binary operators have two operands");
    const auto left = number(flat, term.args[0]);
    const auto right = number(flat, term.args[1]);
    if (left && right) {
      const auto value = compute(term.op, flat.type_of(term.args[0]), *left, *right);
      const bool overflows = value && flat.options.asks_for(Wrong::Overflow) &&
                             leaves_type(term.op, flat.unit.type(term.type), *left, *right);
      if (value && !overflows) simpler = flat.constant(convert(flat.unit.type(term.type), *value), term.type);
    } else if (term.op == Op::Eq || term.op == Op::Ne) {
      const auto equal = equal_constants(flat, term.args[0], term.args[1]);
      if (equal) simpler = flat.constant(*equal == (term.op == Op::Eq) ? 1 : 0, term.type);
    }
  }
  return simpler ? *simpler : flat.add(std::move(term));
}

AccessId fold(Flat& flat, Access access) {
  if (!access.inst && flat.term(access.pointer).op == Op::AddressOf) {
    const Access base = flat.access(flat.term(access.pointer).access);
    access.inst = base.inst;
    access.pointer = base.pointer;
    access.offset += base.offset;
    access.indices.insert(access.indices.begin(), base.indices.begin(), base.indices.end());
  }
  std::vector<Index> open;
  for (const Index& index : access.indices) {
    const auto value = number(flat, index.term);
    const bool inside = value && *value >= 0 && (index.count == 0 || bits(*value) < index.count);
    if (inside || (value && index.count == 0)) {
      access.offset += *value * static_cast<std::int64_t>(index.stride);
    } else {
      open.push_back(index);
    }
  }
  access.indices = std::move(open);
  return flat.add(std::move(access));
}

}  // namespace cohort::frontend::c::lower
