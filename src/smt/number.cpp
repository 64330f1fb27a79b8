#include "smt/number.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "base/contract.hpp"

namespace cohort::smt {

namespace {

using BitOp = Context::BitOp;
using IntOp = Context::IntOp;

unsigned bit_length(Wide value) {
  unsigned length = 0;
  for (; value > 0; value >>= 1U) ++length;
  return length;
}

// What is at most so many times around is brought back by cases, not by a remainder: those linear arithmetic sees
// through.
constexpr Wide most_turns = 4;

// Wider types are taken as if they had no ends, in Horn clauses.
constexpr Wide most_with_ends = Wide{1} << 20U;

// Truncated towards minus infinity.
Wide floored(Wide value, Wide divisor) {
  return value / divisor - (value % divisor < 0 ? 1 : 0);
}

// Wrap-around of a known value.
Wide wrapped(Wide value, unsigned width, bool is_signed) {
  const Wide modulus = Wide{1} << width;
  Wide rest = value % modulus;
  if (rest < 0) rest += modulus;
  return is_signed && rest >= modulus / 2 ? rest - modulus : rest;
}

std::pair<Wide, Wide> interval_of(unsigned width, bool is_signed) {
  const Wide half = Wide{1} << (width - 1);
  return is_signed ? std::pair(-half, half - 1) : std::pair(Wide{0}, 2 * half - 1);
}

// Of a sum or a difference: worth the work only where there are gaps already.
template <typename Operation>
std::optional<ValueSet> combined(const ValueSet& left, const ValueSet& right, Operation operation) {
  if (!left.listed && !right.listed) return std::nullopt;
  return image(left, right, operation);
}

std::optional<ValueSet> remainders(const ValueSet& left, const ValueSet& right) {
  return image(left, right, [](Wide a, Wide b) { return b == 0 ? std::nullopt : std::optional(a % b); });
}

}  // namespace

unsigned width_of(Wide lo, Wide hi) {
  if (lo >= 0) return std::max(bit_length(hi), 1U);
  return 1 + std::max(bit_length(hi), bit_length(-(lo + 1)));
}

std::string to_string(Wide value) {
  if (value == 0) return "0";
  std::string digits;
  const bool negative = value < 0;
  for (; value != 0; value /= 10)
    digits.push_back(static_cast<char>('0' + static_cast<int>(negative ? -(value % 10) : value % 10)));
  if (negative) digits.push_back('-');
  std::reverse(digits.begin(), digits.end());
  return digits;
}

Number Numbers::literal(Wide value) {
  if (as_integers()) return make(context_.integer(to_string(value)), value, value);
  const unsigned width = width_of(value, value);
  return make(context_.bits(to_string(value), width), value, value);
}

std::pair<Number, Term> Numbers::fresh(const std::string& name, Wide lo, Wide hi) {
  COHORT_EXPECT(lo <= hi && lo >= min_int64 && hi <= max_int64, "an unknown has an interval within 64 bits");
  if (lo == hi) return {literal(lo), context_.truth()};
  if (as_integers()) {
    const Number number = make(context_.fresh_integer(name), lo, hi);
    const bool endless = logic_ == Logic::Horn && hi - lo > most_with_ends;
    const Term below = context_.less_integer(number.term, context_.integer(to_string(lo)));
    const Term above = context_.less_integer(context_.integer(to_string(hi)), number.term);
    if (endless) return {number, lo < 0 ? context_.truth() : context_.negate(below)};
    return {number, context_.conj(context_.negate(below), context_.negate(above))};
  }
  const unsigned width = width_of(lo, hi);
  const auto [first, last] = interval_of(width, lo < 0);
  const Number full = make(context_.fresh_bits(name, width), first, last);
  const Term inside = context_.negate(outside(full, lo, hi));
  return {make(full.term, lo, hi), inside};
}

Term Numbers::resized(const Number& operand, unsigned width) {
  if (operand.is_constant()) return context_.bits(to_string(operand.lo), width);
  const unsigned old = width_of(operand.lo, operand.hi);
  if (old > width) return context_.extract(operand.term, width - 1, 0);
  return operand.lo < 0 ? context_.sign_extend(operand.term, width) : context_.zero_extend(operand.term, width);
}

Term Numbers::widened(const Number& operand, Wide lo, Wide hi) {
  return as_integers() ? operand.term : resized(operand, width_of(lo, hi));
}

Number Numbers::add(const Number& left, const Number& right) {
  const Wide lo = left.lo + right.lo;
  const Wide hi = left.hi + right.hi;
  if (lo == hi) return literal(lo);
  if (right.is_constant() && right.lo == 0) return left;
  if (left.is_constant() && left.lo == 0) return right;
  const auto values = combined(left, right, [](Wide a, Wide b) { return std::optional(a + b); });
  if (as_integers()) return known(make(context_.int_op(IntOp::Add, left.term, right.term), lo, hi), values);
  const unsigned width = width_of(lo, hi);
  return known(make(context_.bit_op(BitOp::Add, resized(left, width), resized(right, width)), lo, hi), values);
}

Number Numbers::sub(const Number& left, const Number& right) {
  const Wide lo = left.lo - right.hi;
  const Wide hi = left.hi - right.lo;
  if (lo == hi) return literal(lo);
  if (right.is_constant() && right.lo == 0) return left;
  const auto values = combined(left, right, [](Wide a, Wide b) { return std::optional(a - b); });
  if (as_integers()) return known(make(context_.int_op(IntOp::Sub, left.term, right.term), lo, hi), values);
  const unsigned width = width_of(lo, hi);
  return known(make(context_.bit_op(BitOp::Sub, resized(left, width), resized(right, width)), lo, hi), values);
}

Number Numbers::mul(const Number& left, const Number& right) {
  const std::array corners{left.lo * right.lo, left.lo * right.hi, left.hi * right.lo, left.hi * right.hi};
  const auto [lo, hi] = std::minmax_element(corners.begin(), corners.end());
  if (*lo == *hi) return literal(*lo);
  if (right.is_constant() && right.lo == 1) return left;
  if (left.is_constant() && left.lo == 1) return right;
  if (logic_ == Logic::Horn && !left.is_constant() && !right.is_constant()) return any(*lo, *hi);
  const auto values = image(left, right, [](Wide a, Wide b) { return std::optional(a * b); });
  if (as_integers()) return known(make(context_.int_op(IntOp::Mul, left.term, right.term), *lo, *hi), values);
  const unsigned width = width_of(*lo, *hi);
  return known(make(context_.bit_op(BitOp::Mul, resized(left, width), resized(right, width)), *lo, *hi), values);
}

Number Numbers::divide(const Number& left, const Number& right, bool remainder, Wide lo, Wide hi) {
  if (lo == hi) return literal(lo);
  if (left.is_constant() && right.is_constant() && right.lo != 0) {
    return literal(remainder ? left.lo % right.lo : left.lo / right.lo);
  }
  const bool natural = left.lo >= 0 && right.lo >= 0;
  if (logic_ == Logic::Horn && !right.is_constant()) return any(lo, hi);
  if (as_integers()) {
    const IntOp op = remainder ? IntOp::Mod : IntOp::Div;
    if (natural) return make(context_.int_op(op, left.term, right.term), lo, hi);
    // Of absolute values; the quotient takes the sign of both, the remainder that of the dividend.
    const auto absolute = [&](const Number& number) {
      const Term zero = context_.integer("0");
      return context_.ite(context_.less_integer(number.term, zero), context_.int_op(IntOp::Sub, zero, number.term),
                          number.term);
    };
    const Term result = context_.int_op(op, absolute(left), absolute(right));
    const Term left_negative = context_.less_integer(left.term, context_.integer("0"));
    const Term right_negative = context_.less_integer(right.term, context_.integer("0"));
    const Term flips = remainder ? left_negative : context_.negate(context_.iff(left_negative, right_negative));
    return make(context_.ite(flips, context_.int_op(IntOp::Sub, context_.integer("0"), result), result), lo, hi);
  }
  const Wide low = std::min({left.lo, right.lo, lo});
  const Wide high = std::max({left.hi, right.hi, hi});
  const unsigned width = width_of(low, high);
  const BitOp op = natural ? (remainder ? BitOp::RemU : BitOp::DivU) : (remainder ? BitOp::RemS : BitOp::DivS);
  const Term result = context_.bit_op(op, resized(left, width), resized(right, width));
  const auto [first, last] = interval_of(width, low < 0);
  return narrow(make(result, first, last), lo, hi);
}

Number Numbers::div(const Number& left, const Number& right) {
  const Wide largest = std::max(left.hi < 0 ? -left.hi : left.hi, left.lo < 0 ? -left.lo : left.lo);
  const bool natural = left.lo >= 0 && right.lo >= 0;
  if (natural && right.is_constant() && right.lo > 0)
    return divide(left, right, false, left.lo / right.lo, left.hi / right.lo);
  return divide(left, right, false, natural ? Wide{0} : -largest, natural ? left.hi : largest);
}

Number Numbers::mod(const Number& left, const Number& right) {
  if (left.lo >= 0 && right.lo > left.hi) return left;
  const Wide divisor = std::max(right.hi < 0 ? -right.hi : right.hi, right.lo < 0 ? -right.lo : right.lo);
  const Wide most = std::max(divisor - 1, Wide{0});
  const Wide lo = left.lo < 0 ? std::max(-most, left.lo) : Wide{0};
  const Wide hi = left.hi > 0 ? std::min(most, left.hi) : Wide{0};
  // A power of two keeps the low bits of what is not negative.
  const bool power = right.is_constant() && right.lo > 0 && (right.lo & (right.lo - 1)) == 0;
  if (logic_ == Logic::Bits && power && left.lo >= 0 && lo != hi && !left.is_constant()) {
    return known(make(resized(left, width_of(lo, hi)), lo, hi), remainders(left, right));
  }
  return known(divide(left, right, true, lo, hi), remainders(left, right));
}

Number Numbers::bit_op(BitOp op, const Number& left, const Number& right) {
  if (as_integers()) {
    const bool mask = op == BitOp::And && right.is_constant() && left.lo >= 0 && right.lo >= 0;
    if (mask && (right.lo & (right.lo + 1)) == 0) return mod(left, literal(right.lo + 1));
  }
  if (logic_ == Logic::Horn) {
    if (op == BitOp::And && left.lo >= 0 && right.lo >= 0) return any(0, std::min(left.hi, right.hi));
    const auto [first, last] = interval_of(width_of(std::min(left.lo, right.lo), std::max(left.hi, right.hi)),
                                           std::min(left.lo, right.lo) < 0);
    return any(first, last);
  }
  COHORT_EXPECT(logic_ == Logic::Bits, "operations on bits need bits");
  const Wide lo = std::min(left.lo, right.lo);
  const Wide hi = std::max(left.hi, right.hi);
  const unsigned width = width_of(lo, hi);
  const Term result = context_.bit_op(op, resized(left, width), resized(right, width));
  const auto [first, last] = interval_of(width, lo < 0);
  const Number full = make(result, first, last);
  if (op == BitOp::And && left.lo >= 0 && right.lo >= 0) return narrow(full, 0, std::min(left.hi, right.hi));
  return full;
}

Number Numbers::bit_not(const Number& operand) {
  return sub(constant(-1), operand);
}

Number Numbers::shift_left(const Number& operand, const Number& amount, unsigned width, bool is_signed) {
  if (as_integers() && amount.is_constant() && amount.lo < 32) {
    return wrap(mul(operand, literal(Wide{1} << static_cast<unsigned>(amount.lo))), width, is_signed);
  }
  if (logic_ == Logic::Horn) {
    const auto [first, last] = interval_of(width, is_signed);
    return any(first, last);
  }
  COHORT_EXPECT(logic_ == Logic::Bits, "operations on bits need bits");
  const Term result = context_.bit_op(BitOp::Shl, resized(operand, width), resized(amount, width));
  const auto [first, last] = interval_of(width, is_signed);
  return make(result, first, last);
}

Number Numbers::shift_right(const Number& operand, const Number& amount) {
  if (logic_ == Logic::Horn) return any(std::min(operand.lo, Wide{0}), std::max(operand.hi, Wide{0}));
  COHORT_EXPECT(logic_ == Logic::Bits, "operations on bits need bits");
  // Wide enough to write the amount down, whatever it is.
  const unsigned width = std::max(width_of(std::min(operand.lo, Wide{-1}), operand.hi), 8U);
  const Number bounded = narrow(amount, 0, 63);
  const Term result = context_.bit_op(BitOp::ShrA, resized(operand, width), resized(bounded, width));
  const auto [first, last] = interval_of(width, true);
  return narrow(make(result, first, last), std::min(operand.lo, Wide{0}), std::max(operand.hi, Wide{0}));
}

Number Numbers::wrap(const Number& operand, unsigned width, bool is_signed) {
  const auto [first, last] = interval_of(width, is_signed);
  if (operand.lo >= first && operand.hi <= last) return operand;
  if (operand.is_constant()) return literal(wrapped(operand.lo, width, is_signed));
  // What leaves a narrow type is any value of it: a cast that cuts off is meant to.
  if (logic_ == Logic::Horn) {
    const bool wide = last - first > most_with_ends;
    const Term out = wide && is_signed ? context_.falsity() : outside(operand, first, wide ? operand.hi : last);
    return ite(out, any(first, last), make(operand.term, first, last));
  }
  if (as_integers()) {
    const Wide size = Wide{1} << width;
    const Wide least_turns = floored(operand.lo - first, size);
    const Wide turns = floored(operand.hi - first, size) - least_turns;
    if (turns <= most_turns) {
      const auto back = [&](Wide by) {
        return by == 0 ? operand.term
                       : context_.int_op(IntOp::Sub, operand.term, context_.integer(to_string(by * size)));
      };
      Term result = back(least_turns);
      for (Wide turn = least_turns + 1; turn <= least_turns + turns; ++turn) {
        const Term below = context_.less_integer(operand.term, context_.integer(to_string(first + turn * size)));
        result = context_.ite(below, result, back(turn));
      }
      return make(result, first, last);
    }
    const Term modulus = context_.integer(to_string(size));
    const Term rest = context_.int_op(IntOp::Mod, operand.term, modulus);
    if (!is_signed) return make(rest, first, last);
    const Term high = context_.less_integer(context_.integer(to_string(last)), rest);
    return make(context_.ite(high, context_.int_op(IntOp::Sub, rest, modulus), rest), first, last);
  }
  return make(resized(operand, width), first, last);
}

Number Numbers::wrapping(BitOp op, const Number& left, const Number& right, unsigned width, bool is_signed) {
  const Number exact = op == BitOp::Add ? add(left, right) : op == BitOp::Sub ? sub(left, right) : mul(left, right);
  const auto [first, last] = interval_of(width, is_signed);
  if (exact.lo >= first && exact.hi <= last) return exact;
  if (as_integers() || exact.is_constant()) return wrap(exact, width, is_signed);
  return make(context_.bit_op(op, resized(left, width), resized(right, width)), first, last);
}

Number Numbers::narrow(const Number& operand, Wide lo, Wide hi) {
  return within(operand, {lo, hi, nullptr});
}

Number Numbers::within(const Number& operand, const ValueSet& values) {
  const std::optional<ValueSet> common = meet(operand, values);
  // Where there is no such value, the place is never reached and any value does.
  if (!common || common->is_constant()) return literal(common ? common->lo : values.lo);
  if (as_integers() || (common->lo == operand.lo && common->hi == operand.hi)) {
    return {*common, operand.term};
  }
  return {*common, resized(operand, width_of(common->lo, common->hi))};
}

Number Numbers::known(const Number& result, const std::optional<ValueSet>& values) {
  return values ? within(result, *values) : result;
}

Term Numbers::outside(const Number& operand, Wide lo, Wide hi) {
  Term result = context_.falsity();
  if (operand.lo < lo) result = less(operand, literal(lo));
  if (operand.hi > hi) result = context_.disj(result, less(literal(hi), operand));
  return result;
}

Term Numbers::less(const Number& left, const Number& right) {
  if (left.hi < right.lo) return context_.truth();
  if (left.lo >= right.hi) return context_.falsity();
  if (as_integers()) return context_.less_integer(left.term, right.term);
  const Wide lo = std::min(left.lo, right.lo);
  const unsigned width = width_of(lo, std::max(left.hi, right.hi));
  const Term a = resized(left, width);
  const Term b = resized(right, width);
  return lo < 0 ? context_.less_signed(a, b) : context_.less_unsigned(a, b);
}

Term Numbers::equal(const Number& left, const Number& right) {
  if (left.hi < right.lo || right.hi < left.lo) return context_.falsity();
  if (left.is_constant() && right.is_constant()) return context_.boolean(left.lo == right.lo);
  if ((left.listed || right.listed) && !meet(left, right)) return context_.falsity();
  const Wide lo = std::min(left.lo, right.lo);
  const Wide hi = std::max(left.hi, right.hi);
  return context_.equal(widened(left, lo, hi), widened(right, lo, hi));
}

Number Numbers::ite(Term condition, const Number& then, const Number& otherwise) {
  if (context_.is_true(condition)) return then;
  if (context_.is_false(condition)) return otherwise;
  if (then.is_constant() && otherwise.is_constant() && then.lo == otherwise.lo) return then;
  const ValueSet either = unite(then, otherwise);
  return {either,
          context_.ite(condition, widened(then, either.lo, either.hi), widened(otherwise, either.lo, either.hi))};
}

// As bits, a binary tree over the bits of the index; as integers, and for an index of few values, a chain of
// comparisons.
Number Numbers::select(const Number& index, Wide first, std::span<const Number> choices) {
  COHORT_EXPECT(!choices.empty(), "there is something to select");
  if (index.is_constant() || choices.size() == 1) {
    const Wide at =
        choices.size() == 1 ? Wide{0} : std::clamp(index.lo - first, Wide{0}, static_cast<Wide>(choices.size()) - 1);
    return choices[static_cast<std::size_t>(at)];
  }
  if (logic_ == Logic::Bits && !index.listed) {
    const Number offset = narrow(sub(index, literal(first)), 0, static_cast<Wide>(choices.size()) - 1);
    if (offset.is_constant()) return choices[static_cast<std::size_t>(offset.lo)];
    Wide lo = choices[0].lo;
    Wide hi = choices[0].hi;
    for (const Number& choice : choices) {
      lo = std::min(lo, choice.lo);
      hi = std::max(hi, choice.hi);
    }
    return select_bits(offset, width_of(offset.lo, offset.hi), choices, lo, hi);
  }
  std::optional<Number> result;
  for (std::size_t i = choices.size(); i-- > 0;) {
    const Wide value = first + static_cast<Wide>(i);
    if (!index.contains(value)) continue;
    result = result ? ite(equal(index, literal(value)), choices[i], *result) : choices[i];
  }
  return result.value_or(choices[0]);
}

Number Numbers::select_bits(const Number& index, unsigned bit, std::span<const Number> choices, Wide lo, Wide hi) {
  if (choices.size() == 1 || bit == 0) return make(widened(choices[0], lo, hi), lo, hi);
  const std::size_t half = std::size_t{1} << (bit - 1);
  if (choices.size() <= half) return select_bits(index, bit - 1, choices, lo, hi);
  const Number low = select_bits(index, bit - 1, choices.first(half), lo, hi);
  const Number high = select_bits(index, bit - 1, choices.subspan(half), lo, hi);
  const Term is_high = context_.equal(context_.extract(index.term, bit - 1, bit - 1), context_.bits("1", 1));
  return make(context_.ite(is_high, high.term, low.term), lo, hi);
}

Number Numbers::any(Wide lo, Wide hi) {
  const Wide first = std::max(lo, min_int64);
  const auto [number, inside] = fresh("any", first, std::max(first, std::min(hi, max_int64)));
  side_conditions_.push_back(inside);
  return number;
}

Term Numbers::take_side_conditions() {
  const Term result = context_.conj(side_conditions_);
  side_conditions_.clear();
  return result;
}

std::int64_t Numbers::value(const Solver& solver, const Number& number) const {
  if (number.is_constant()) return static_cast<std::int64_t>(number.lo);
  if (as_integers()) return solver.integer_value(number.term);
  return solver.bits_value(number.term, number.lo < 0);
}

}  // namespace cohort::smt
