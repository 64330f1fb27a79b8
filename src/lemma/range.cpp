#include "lemma/range.hpp"

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <utility>

#include "base/contract.hpp"

namespace cohort::lemma {

using model::Type;
using model::Value;
using smt::ValueSet;

namespace {

constexpr Wide least_value = INT64_MIN;
constexpr Wide greatest_value = INT64_MAX;
// Remainders of larger moduli are not kept, so that products of two of them fit.
constexpr Wide largest_modulus = Wide{1} << 62U;

Wide magnitude(Wide value) {
  return value < 0 ? -value : value;
}

Wide greatest_divisor(Wide one, Wide other) {
  one = magnitude(one);
  other = magnitude(other);
  while (other != 0) one = std::exchange(other, one % other);
  return one;
}

Wide residue(Wide value, Wide modulus) {
  const Wide rest = value % modulus;
  return rest < 0 ? rest + modulus : rest;
}

// With the remainder `rest` modulo `modulus`; a modulus of 0 says that it is `rest` itself.
struct Congruence {
  Wide modulus = 1;
  Wide rest = 0;
};

Congruence congruence_of(const Range& range) {
  return range.is_constant() ? Congruence{0, range.lo} : Congruence{range.modulus, range.rest};
}

// The values that leave the remainder; none: there are no such values.
std::optional<Range> make(const ValueSet& values, Congruence congruence) {
  Range result;
  if (congruence.modulus == 0) {
    if (!values.contains(congruence.rest)) return std::nullopt;
    return exactly(congruence.rest);
  }
  if (congruence.modulus > largest_modulus) congruence = {1, 0};
  static_cast<ValueSet&>(result) = values;
  result.modulus = congruence.modulus;
  result.rest = residue(congruence.rest, congruence.modulus);
  if (result.modulus == 1) return result;
  if (values.listed) {
    std::vector<Wide> fitting;
    std::copy_if(values.listed->begin(), values.listed->end(), std::back_inserter(fitting),
                 [&](Wide value) { return residue(value, result.modulus) == result.rest; });
    if (fitting.empty()) return std::nullopt;
    static_cast<ValueSet&>(result) = smt::set_of(std::move(fitting));
  } else {
    result.lo += residue(result.rest - result.lo, result.modulus);
    result.hi -= residue(result.hi - result.rest, result.modulus);
    if (result.lo > result.hi) return std::nullopt;
  }
  if (result.is_constant()) return exactly(result.lo);
  return result;
}

// With both remainders: that of the least common multiple, found by trying; of two large moduli the larger is kept, and
// the other only asked whether they agree.
std::optional<Range> make_both(const ValueSet& values, Congruence one, Congruence other) {
  if (one.modulus != 0 && (other.modulus == 0 || other.modulus > one.modulus)) std::swap(one, other);
  const Wide common = greatest_divisor(one.modulus, other.modulus);
  if (common == 0 ? one.rest != other.rest : residue(one.rest - other.rest, common) != 0) return std::nullopt;
  constexpr Wide most_tries = 1024;
  if (one.modulus == 0) return make(values, one);
  const Wide tries = other.modulus / common;
  if (tries > most_tries || one.modulus > largest_modulus / most_tries) return make(values, one);
  Congruence both{one.modulus * tries, one.rest};
  for (Wide i = 0; i < tries && residue(both.rest - other.rest, other.modulus) != 0; ++i) both.rest += one.modulus;
  return make(values, both);
}

Range made(const ValueSet& values, Congruence congruence) {
  const auto result = make(values, congruence);
  COHORT_EXPECT(result, "an operation on some values has a result");
  return *result;
}

// What all listed values have in common.
Range made(const ValueSet& values) {
  if (values.is_constant()) return exactly(values.lo);
  Wide modulus = values.listed ? 0 : 1;
  for (std::size_t i = 0; modulus != 1 && i < values.listed->size(); ++i)
    modulus = greatest_divisor(modulus, (*values.listed)[i] - values.lo);
  return made(values, {modulus, values.lo});
}

// The least interval with all of these.
ValueSet hull(std::initializer_list<Wide> values) {
  return {std::min(values), std::max(values), nullptr};
}

}  // namespace

bool Range::contains(Wide value) const {
  return ValueSet::contains(value) && residue(value, modulus) == rest;
}

Range exactly(Wide value) {
  Range result;
  result.lo = result.hi = value;
  return result;
}

Range between(Wide lo, Wide hi) {
  COHORT_EXPECT(lo <= hi, "a range is not empty");
  Range result;
  result.lo = lo;
  result.hi = hi;
  return result;
}

Range all_of(const Type& type) {
  switch (type.kind()) {
    case Type::Kind::Bool: return between(0, 1);
    case Type::Kind::Int: {
      const Wide size = Wide{1} << type.width();
      const Wide lo = type.is_signed() ? -(size / 2) : Wide{0};
      return between(lo, lo + size - 1);
    }
    case Type::Kind::Range: return between(type.lo(), type.hi());
    case Type::Kind::Integer: return between(least_value, greatest_value);
    case Type::Kind::ThreadRef: return between(0, greatest_value);
  }
  COHORT_UNREACHABLE("every kind of type has its values");
}

Range join(const Range& left, const Range& right) {
  if (left == right) return left;
  const Congruence one = congruence_of(left);
  const Congruence other = congruence_of(right);
  const Wide modulus = greatest_divisor(greatest_divisor(one.modulus, other.modulus), one.rest - other.rest);
  return made(smt::unite(left, right), {modulus, one.rest});
}

std::optional<Range> meet(const Range& left, const Range& right) {
  const auto values = smt::meet(left, right);
  if (!values) return std::nullopt;
  const Congruence one = congruence_of(left);
  const Congruence other = congruence_of(right);
  return make_both(*values, one, other);
}

bool is_within(const Range& inner, const Range& outer) {
  return join(inner, outer) == outer;
}

Range widen(const Range& old, const Range& wider, const std::vector<Wide>& landmarks, const Range& all) {
  ValueSet values{wider.lo, wider.hi, nullptr};
  if (wider.lo < old.lo) {
    const auto above = std::upper_bound(landmarks.begin(), landmarks.end(), wider.lo);
    values.lo = above == landmarks.begin() ? std::min(all.lo, wider.lo) : *std::prev(above);
  }
  if (wider.hi > old.hi) {
    const auto at_least = std::lower_bound(landmarks.begin(), landmarks.end(), wider.hi);
    values.hi = at_least == landmarks.end() ? std::max(all.hi, wider.hi) : *at_least;
  }
  return made(values, congruence_of(wider));
}

Range add(const Range& left, const Range& right) {
  if (const auto few = smt::image(left, right, [](Wide a, Wide b) { return std::optional(a + b); })) return made(*few);
  const Congruence one = congruence_of(left);
  const Congruence other = congruence_of(right);
  const Wide modulus = greatest_divisor(one.modulus, other.modulus);
  return made({left.lo + right.lo, left.hi + right.hi, nullptr}, {modulus, one.rest + other.rest});
}

Range subtract(const Range& left, const Range& right) {
  if (const auto few = smt::image(left, right, [](Wide a, Wide b) { return std::optional(a - b); })) return made(*few);
  const Congruence one = congruence_of(left);
  const Congruence other = congruence_of(right);
  const Wide modulus = greatest_divisor(one.modulus, other.modulus);
  return made({left.lo - right.hi, left.hi - right.lo, nullptr}, {modulus, one.rest - other.rest});
}

Range multiply(const Range& left, const Range& right) {
  // The product of two ends of more than 63 bits need not fit; programs have none.
  if (const auto few = smt::image(left, right, [](Wide a, Wide b) { return std::optional(a * b); })) return made(*few);
  const ValueSet values = hull({left.lo * right.lo, left.lo * right.hi, left.hi * right.lo, left.hi * right.hi});
  const Congruence one = congruence_of(left);
  const Congruence other = congruence_of(right);
  constexpr Wide small = Wide{1} << 31U;
  const auto fits = [&](Wide value) { return magnitude(value) <= small; };
  if (!fits(one.modulus) || !fits(one.rest) || !fits(other.modulus) || !fits(other.rest)) return made(values, {1, 0});
  const Wide modulus = greatest_divisor(greatest_divisor(one.modulus * other.modulus, one.modulus * other.rest),
                                        other.modulus * one.rest);
  return made(values, {modulus, one.rest * other.rest});
}

std::optional<Range> divide(const Range& left, const Range& right) {
  const auto quotient = [](Wide a, Wide b) { return b == 0 ? std::optional<Wide>() : std::optional(a / b); };
  if (right.is_constant() && right.lo == 0) return std::nullopt;
  if (const auto few = smt::image(left, right, quotient)) return made(*few);
  std::optional<Range> result;
  // On either side of 0 the quotient is monotone in both operands, up to the sign.
  const auto part = [&](Wide lo, Wide hi) {
    if (lo > hi) return;
    const ValueSet values = hull({left.lo / lo, left.lo / hi, left.hi / lo, left.hi / hi});
    // The operand may change its sign in between.
    const bool around = left.lo < 0 && left.hi > 0;
    const Range one =
        between(around ? std::min(values.lo, Wide{0}) : values.lo, around ? std::max(values.hi, Wide{0}) : values.hi);
    result = result ? join(*result, one) : one;
  };
  part(std::max(right.lo, Wide{1}), right.hi);
  part(right.lo, std::min(right.hi, Wide{-1}));
  return result;
}

std::optional<Range> remainder(const Range& left, const Range& right) {
  const auto rest = [](Wide a, Wide b) { return b == 0 ? std::optional<Wide>() : std::optional(a % b); };
  if (right.is_constant() && right.lo == 0) return std::nullopt;
  if (const auto few = smt::image(left, right, rest)) return made(*few);
  const Wide largest = std::max(magnitude(right.lo), magnitude(right.hi)) - 1;
  const bool away_from_zero = right.lo > 0 || right.hi < 0;
  const Wide smallest = std::min(magnitude(right.lo), magnitude(right.hi));
  if (away_from_zero && -smallest < left.lo && left.hi < smallest) return left;
  const Wide lo = left.lo >= 0 ? Wide{0} : std::max(left.lo, -largest);
  const Wide hi = left.hi <= 0 ? Wide{0} : std::min(left.hi, largest);
  Congruence congruence;
  if (right.is_constant()) congruence = {greatest_divisor(left.is_constant() ? 0 : left.modulus, right.lo), left.lo};
  return made({lo, hi, nullptr}, congruence);
}

Range combine(Bits operation, const Range& left, const Range& right) {
  const auto apply = [&](Wide a, Wide b) {
    const auto one = static_cast<std::uint64_t>(static_cast<Value>(a));
    const auto other = static_cast<std::uint64_t>(static_cast<Value>(b));
    const std::uint64_t bits = operation == Bits::And ? one & other : operation == Bits::Or ? one | other : one ^ other;
    return std::optional(Wide{static_cast<Value>(bits)});
  };
  if (const auto few = smt::image(left, right, apply)) return made(*few);
  if (operation == Bits::And && (left.lo >= 0 || right.lo >= 0)) {
    const Wide one = left.lo >= 0 ? left.hi : greatest_value;
    const Wide other = right.lo >= 0 ? right.hi : greatest_value;
    return between(0, std::min(one, other));
  }
  if (left.lo < 0 || right.lo < 0) return between(least_value, greatest_value);
  Wide most = 1;
  while (most <= std::max(left.hi, right.hi)) most *= 2;
  return between(operation == Bits::Or ? std::max(left.lo, right.lo) : Wide{0}, most - 1);
}

Range shift_left(const Range& left, const Range& amount) {
  const Wide least = std::clamp(amount.lo, Wide{0}, Wide{63});
  const Wide most = std::clamp(amount.hi, Wide{0}, Wide{63});
  if (least == most) return multiply(left, exactly(Wide{1} << static_cast<unsigned>(least)));
  return multiply(left, between(Wide{1} << static_cast<unsigned>(least), Wide{1} << static_cast<unsigned>(most)));
}

Range shift_right(const Range& left, const Range& amount) {
  const auto least = static_cast<unsigned>(std::clamp(amount.lo, Wide{0}, Wide{63}));
  const auto most = static_cast<unsigned>(std::clamp(amount.hi, Wide{0}, Wide{63}));
  const ValueSet values = hull({left.lo >> least, left.lo >> most, left.hi >> least, left.hi >> most});
  return made(values);
}

Range wrap(const Range& operand, const Type& type) {
  if (type.kind() != Type::Kind::Int) return operand;
  const Range all = all_of(type);
  if (operand.lo >= all.lo && operand.hi <= all.hi) return operand;
  const Wide size = Wide{1} << type.width();
  const auto kept = [&](Wide value, Wide) { return std::optional(all.lo + residue(value - all.lo, size)); };
  if (const auto few = smt::image(operand, exactly(0), kept)) return made(*few);
  // What lies between two multiples of the size is moved as a whole.
  constexpr Wide far = Wide{1} << 100U;
  if (-far < operand.lo && operand.hi < far && operand.hi - operand.lo < size) {
    const Wide lo = all.lo + residue(operand.lo - all.lo, size);
    const Wide moved = lo - operand.lo;
    if (operand.hi + moved <= all.hi)
      return made({lo, operand.hi + moved, nullptr}, {operand.modulus, operand.rest + moved});
  }
  const Congruence congruence = congruence_of(operand);
  return made(all, {greatest_divisor(congruence.modulus, size), congruence.rest});
}

}  // namespace cohort::lemma
