// Exact integers as terms.  A Number carries an interval that holds its value; as bits it is as wide as that interval
// needs, so an integer without a declared bound still gets few bits where it can only have grown a little.  Operations
// compute the interval of the exact result first and then work in its width: nothing wraps unless wrap() is asked for.
// A few values with gaps between them are listed one by one (see smt/value_set.hpp).
//
// As integers all is exact as well.  What wraps around comes back by cases where it cannot be far around, so that sums
// and differences stay in linear arithmetic; linear.hpp says which expressions do.
//
// For Horn clauses numbers are guesses of what the program computes, in linear arithmetic: wide types have no ends, so
// nothing wraps around, and what is not linear is any value of its interval.  What is concluded from them is for others
// to check with bits.  The constraints of such values are side conditions, which their user takes.
//
// Representation.  As bits: unsigned in the least width for `hi` when lo >= 0, else in two's complement in the least
// width for both ends; numbers with equal intervals have terms of equal sort.  As integers: a term of sort Int.
// Invariant: in every model that satisfies the constraints of its unknowns, the value lies in [lo, hi] and, if any
// values are listed, among them.  Both ends of
// an operand lie within 64 bits; results may leave them, and whoever stores one narrows it first (see narrow()).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "smt/context.hpp"
#include "smt/solver.hpp"
#include "smt/value_set.hpp"

namespace cohort::smt {

struct Number : ValueSet {
  Term term;
};

inline constexpr Wide min_int64 = -(Wide{1} << 63U);
inline constexpr Wide max_int64 = (Wide{1} << 63U) - 1;

class Numbers {
 public:
  Numbers(Context& context, Logic logic) : context_(context), logic_(logic) {}

  Logic logic() const { return logic_; }

  Number constant(std::int64_t value) { return literal(value); }
  // A new unknown within [lo, hi]; the second part is the constraint that keeps it there.
  std::pair<Number, Term> fresh(const std::string& name, Wide lo, Wide hi);

  Number add(const Number& left, const Number& right);
  Number sub(const Number& left, const Number& right);
  Number mul(const Number& left, const Number& right);
  Number negate(const Number& operand) { return sub(constant(0), operand); }
  // Truncating as in C.  Where the divisor is 0 the result is some number of its interval.
  Number div(const Number& left, const Number& right);
  Number mod(const Number& left, const Number& right);

  // As bits; of integers that are not negative also a mask of low bits on the right, and a shift by a small constant.
  Number bit_op(Context::BitOp op, const Number& left, const Number& right);  // And, Or, Xor
  Number bit_not(const Number& operand);
  // Both operands within 64 bits, the amount within [0, width).  The result of a left shift is the low `width` bits,
  // taken as signed or unsigned.
  Number shift_left(const Number& operand, const Number& amount, unsigned width, bool is_signed);
  Number shift_right(const Number& operand, const Number& amount);

  // The low `width` bits of an exact result, as signed or unsigned: wrap-around.
  Number wrap(const Number& operand, unsigned width, bool is_signed);
  // The same with the operation done in `width` bits at once: cheaper for Add, Sub and Mul than to wrap the exact
  // result.
  Number wrapping(Context::BitOp op, const Number& left, const Number& right, unsigned width, bool is_signed);
  // The same number, known by the caller to lie within [lo, hi] as well.
  Number narrow(const Number& operand, Wide lo, Wide hi);
  // The same number, known by the caller to be one of these.
  Number within(const Number& operand, const ValueSet& values);

  Term outside(const Number& operand, Wide lo, Wide hi);
  Term less(const Number& left, const Number& right);
  Term equal(const Number& left, const Number& right);
  Number ite(Term condition, const Number& then, const Number& otherwise);
  // The number in `choices` that `index` - first selects; the index is known to select one.
  Number select(const Number& index, Wide first, std::span<const Number> choices);

  std::int64_t value(const Solver& solver, const Number& number) const;
  // Horn: what holds of the unknowns that were made since the last call.
  Term take_side_conditions();

 private:
  bool as_integers() const { return logic_ != Logic::Bits; }
  // Horn: a value of which nothing but the interval is known.
  Number any(Wide lo, Wide hi);
  Number literal(Wide value);
  static Number make(Term term, Wide lo, Wide hi) { return {{lo, hi, nullptr}, term}; }
  // An exact result, with what is known of it beside its interval.
  Number known(const Number& result, const std::optional<ValueSet>& values);
  // The number as a bit-vector of this width: extended by its sign, or cut.
  Term resized(const Number& operand, unsigned width);
  Term widened(const Number& operand, Wide lo, Wide hi);
  Number divide(const Number& left, const Number& right, bool remainder, Wide lo, Wide hi);
  Number select_bits(const Number& index, unsigned bit, std::span<const Number> choices, Wide lo, Wide hi);

  Context& context_;
  Logic logic_;
  std::vector<Term> side_conditions_;
};

// Bits that the interval needs, and whether they are signed.
unsigned width_of(Wide lo, Wide hi);
std::string to_string(Wide value);

}  // namespace cohort::smt
