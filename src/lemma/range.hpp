// What is known of a number without a solver: an interval, a list of values where they are few (smt/value_set.hpp), and
// a remainder that all of them leave.  The domain of lemma/ranges.hpp.
//
// Invariant: the set is not empty, `rest` lies in [0, modulus), and both ends of the interval leave that remainder.
// Both ends lie within 70 bits or so: operands are values of the program, and a result goes through wrap() or within()
// before it is an operand again.  An operation's result holds the results of all pairs of values; it may hold more.
#pragma once

#include <optional>
#include <vector>

#include "model/type.hpp"
#include "smt/value_set.hpp"

namespace cohort::lemma {

using smt::Wide;

struct Range : smt::ValueSet {
  Wide modulus = 1;  // 1: any remainder
  Wide rest = 0;

  bool operator==(const Range&) const = default;
  bool contains(Wide value) const;
};

Range exactly(Wide value);
Range between(Wide lo, Wide hi);
// All values of a scalar type; of mathematical integers and references, those of 64 bits.
Range all_of(const model::Type& type);

// The least ranges that hold the union and the intersection; the latter is none where they have nothing in common.
Range join(const Range& left, const Range& right);
std::optional<Range> meet(const Range& left, const Range& right);
bool is_within(const Range& inner, const Range& outer);
// `wider` holds `old`.  An end that moved goes on to the next of the landmarks, which are sorted, or where there is
// none to the end of `all`; so chains of widened ranges are short.
Range widen(const Range& old, const Range& wider, const std::vector<Wide>& landmarks, const Range& all);

Range add(const Range& left, const Range& right);
Range subtract(const Range& left, const Range& right);
Range multiply(const Range& left, const Range& right);
// Truncating as in C, for all divisors but 0; none where 0 is the only one.
std::optional<Range> divide(const Range& left, const Range& right);
std::optional<Range> remainder(const Range& left, const Range& right);

enum class Bits : std::uint8_t { And, Or, Xor };
// Of values within 64 bits.
Range combine(Bits operation, const Range& left, const Range& right);
// By amounts within [0, 64).
Range shift_left(const Range& left, const Range& amount);
Range shift_right(const Range& left, const Range& amount);

// The low bits of an exact number, as the type keeps it.  Types that do not wrap around keep it as it is.
Range wrap(const Range& operand, const model::Type& type);

}  // namespace cohort::lemma
