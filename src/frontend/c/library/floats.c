// Floating-point numbers as IEEE 754 has them, on their bits: what the machine computes in one instruction is computed here
// with whole numbers, rounded to nearest, ties to even, with subnormal numbers, infinities and not-a-number.  So every engine
// takes programs with floating point, and none of it is approximated.  Read only where a value matters (Demands::floats).
//
// A number on the way is (sign, exponent, fraction): the fraction has its highest bit at place 62, and the exponent is the
// biased one of a double with that bit as its first; bits that no longer fit are kept as the lowest bit ("sticky").  The code
// has no branches and shifts by constants only, so that an operation is one path and a few expressions.
//
// `float` is computed in double and rounded: for sums, products and quotients that gives the same, since 53 >= 2 * 24 + 2.
#include "cohort_intrinsics.h"

#if COHORT_FLOATS

enum { COHORT_BIAS = 1023 };
#define COHORT_SIGN 0x8000000000000000ul
#define COHORT_INFINITE 0x7ff0000000000000ul
#define COHORT_NOT_A_NUMBER 0x7ff8000000000000ul
#define COHORT_HIDDEN 0x0010000000000000ul

// Shifts of as much as 63 places; what falls out stays as the lowest bit.
static unsigned long cohort_jam(unsigned long fraction, unsigned long places) {
  const unsigned long all = fraction != 0;
  unsigned long f = fraction;
  f = (places & 32) != 0 ? f >> 32 | ((f & 0xfffffffful) != 0) : f;
  f = (places & 16) != 0 ? f >> 16 | ((f & 0xfffful) != 0) : f;
  f = (places & 8) != 0 ? f >> 8 | ((f & 0xfful) != 0) : f;
  f = (places & 4) != 0 ? f >> 4 | ((f & 0xful) != 0) : f;
  f = (places & 2) != 0 ? f >> 2 | ((f & 3ul) != 0) : f;
  f = (places & 1) != 0 ? f >> 1 | (f & 1ul) : f;
  return places > 63 ? all : f;
}

struct cohort_number {
  unsigned long fraction;
  unsigned long exponent;  // wraps around below 0
};
// The highest bit comes to place 62, whichever it is; 0 stays.
static struct cohort_number cohort_normal(unsigned long f, unsigned long exponent) {
  struct cohort_number n;
  unsigned long places = 0;
  unsigned long far = f < 1ul << 31;
  f = far != 0 ? f << 32 : f;
  places = places + far * 32;
  far = f < 1ul << 47;
  f = far != 0 ? f << 16 : f;
  places = places + far * 16;
  far = f < 1ul << 55;
  f = far != 0 ? f << 8 : f;
  places = places + far * 8;
  far = f < 1ul << 59;
  f = far != 0 ? f << 4 : f;
  places = places + far * 4;
  far = f < 1ul << 61;
  f = far != 0 ? f << 2 : f;
  places = places + far * 2;
  far = f < 1ul << 62;
  f = far != 0 ? f << 1 : f;
  n.fraction = f;
  n.exponent = exponent - places - far;
  return n;
}

// The fraction of a number that is neither infinite nor none, normalised.
static struct cohort_number cohort_take_apart(unsigned long bits) {
  const unsigned long exponent = bits >> 52 & 0x7fful;
  const unsigned long rest = bits & (COHORT_HIDDEN - 1);
  const unsigned long whole = rest | COHORT_HIDDEN;
  const unsigned long fraction = exponent != 0 ? whole : rest;
  return cohort_normal(fraction << 10, exponent + (exponent == 0));
}

// Rounds to the bits that a number with so few exponents has.
static unsigned long cohort_round(unsigned long sign, struct cohort_number n, unsigned long most, unsigned long low_bits) {
  // Below the least exponent there are fewer bits.
  const unsigned long is_small = (long)n.exponent <= 0;
  const unsigned long missing = is_small != 0 ? 1 - n.exponent : 0;
  unsigned long f = cohort_jam(n.fraction, missing);
  const unsigned long half = 1ul << (low_bits - 1);
  const unsigned long rest = f & (half * 2 - 1);
  f = (f + half) >> low_bits;
  f = rest == half ? f & ~1ul : f;
  // The first bit of the fraction counts as one of the exponent.
  const unsigned long before = is_small != 0 ? 0ul : n.exponent - 1;
  const unsigned long kept = 62 - low_bits;
  const unsigned long infinite = most << kept;
  const unsigned long number = (before << kept) + f;
  const unsigned long is_large = (is_small == 0) & (n.exponent >= most);
  const unsigned long magnitude = is_large != 0 ? infinite : number;
  return sign | magnitude;
}
static unsigned long cohort_pack(unsigned long sign, struct cohort_number n) {
  const unsigned long number = cohort_round(sign, n, 0x7ff, 10);
  return n.fraction == 0 ? sign : number;
}
static int cohort_is_none(unsigned long bits) { return (bits & ~COHORT_SIGN) > COHORT_INFINITE; }

unsigned long cohort_double_add(unsigned long left, unsigned long right) {
  const unsigned long left_size = left & ~COHORT_SIGN, right_size = right & ~COHORT_SIGN;
  const unsigned long swap = left_size < right_size;
  const unsigned long large = swap != 0 ? right : left, small = swap != 0 ? left : right;
  const unsigned long sign = large & COHORT_SIGN;
  const unsigned long differ = (left ^ right) & COHORT_SIGN;
  const unsigned long high = large >> 52 & 0x7fful, low = small >> 52 & 0x7fful;
  const unsigned long large_rest = large & (COHORT_HIDDEN - 1), small_rest = small & (COHORT_HIDDEN - 1);
  const unsigned long large_whole = large_rest | COHORT_HIDDEN, small_whole = small_rest | COHORT_HIDDEN;
  const unsigned long first = (high != 0 ? large_whole : large_rest) << 9;
  const unsigned long exponent = high + (high == 0);
  const unsigned long second = cohort_jam((low != 0 ? small_whole : small_rest) << 9, exponent - low - (low == 0));
  const unsigned long plus = first + second, minus = first - second;
  const unsigned long sum = differ != 0 ? minus : plus;
  const unsigned long zero = differ != 0 ? 0ul : sign;
  const unsigned long packed = cohort_pack(sign, cohort_normal(sum, exponent + 1));
  const unsigned long finite = sum == 0 ? zero : packed;
  const unsigned long size = large & ~COHORT_SIGN;
  const unsigned long both = (small & ~COHORT_SIGN) == COHORT_INFINITE;
  const unsigned long none = (size > COHORT_INFINITE) | (both & (differ != 0));
  const unsigned long result = size == COHORT_INFINITE ? large : finite;
  return none != 0 ? COHORT_NOT_A_NUMBER : result;
}
unsigned long cohort_double_subtract(unsigned long left, unsigned long right) {
  return cohort_double_add(left, right ^ COHORT_SIGN);
}

unsigned long cohort_double_multiply(unsigned long left, unsigned long right) {
  const unsigned long left_size = left & ~COHORT_SIGN, right_size = right & ~COHORT_SIGN;
  const unsigned long sign = (left ^ right) & COHORT_SIGN;
  const struct cohort_number a = cohort_take_apart(left), b = cohort_take_apart(right);
  // The upper half of the product of 64 bits each, and whether there is something below.
  const unsigned long a1 = a.fraction >> 32, a0 = a.fraction & 0xfffffffful;
  const unsigned long b1 = b.fraction >> 32, b0 = b.fraction & 0xfffffffful;
  const unsigned long low = a0 * b0, cross = a1 * b0 + (low >> 32), other = a0 * b1 + (cross & 0xfffffffful);
  const unsigned long upper = a1 * b1 + (cross >> 32) + (other >> 32);
  const unsigned long below = (low & 0xfffffffful) | (other & 0xfffffffful);
  const unsigned long fraction = upper | (below != 0);
  const unsigned long finite = cohort_pack(sign, cohort_normal(fraction, a.exponent + b.exponent - COHORT_BIAS + 2));
  const unsigned long infinite = (left_size == COHORT_INFINITE) | (right_size == COHORT_INFINITE);
  const unsigned long zero = (left_size == 0) | (right_size == 0);
  const unsigned long none = (left_size > COHORT_INFINITE) | (right_size > COHORT_INFINITE) | (infinite & zero);
  const unsigned long result = infinite != 0 ? sign | COHORT_INFINITE : finite;
  return none != 0 ? COHORT_NOT_A_NUMBER : result;
}

unsigned long cohort_double_divide(unsigned long left, unsigned long right) {
  const unsigned long left_size = left & ~COHORT_SIGN, right_size = right & ~COHORT_SIGN;
  const unsigned long sign = (left ^ right) & COHORT_SIGN;
  const struct cohort_number a = cohort_take_apart(left), b = cohort_take_apart(right);
  const unsigned long dividend = a.fraction >> 10;
  const unsigned long divisor = b.fraction >> 10 | (right_size == 0);
  // Ten bits of the quotient at a time.
  unsigned long quotient = dividend / divisor, rest = dividend % divisor;
  quotient = quotient << 10 | (rest << 10) / divisor;
  rest = (rest << 10) % divisor;
  quotient = quotient << 10 | (rest << 10) / divisor;
  rest = (rest << 10) % divisor;
  quotient = quotient << 10 | (rest << 10) / divisor;
  rest = (rest << 10) % divisor;
  quotient = quotient << 10 | (rest << 10) / divisor;
  rest = (rest << 10) % divisor;
  quotient = quotient << 10 | (rest << 10) / divisor;
  rest = (rest << 10) % divisor;
  quotient = quotient << 10 | (rest << 10) / divisor;
  rest = (rest << 10) % divisor;
  const unsigned long fraction = quotient | (rest != 0);
  const unsigned long finite = cohort_pack(sign, cohort_normal(fraction, a.exponent - b.exponent + COHORT_BIAS + 2));
  const unsigned long none = (left_size > COHORT_INFINITE) | (right_size > COHORT_INFINITE) |
                             ((left_size == right_size) & ((left_size == 0) | (left_size == COHORT_INFINITE)));
  const unsigned long infinite = (left_size == COHORT_INFINITE) | (right_size == 0);
  const unsigned long bounded = right_size == COHORT_INFINITE ? sign : finite;
  const unsigned long result = infinite != 0 ? sign | COHORT_INFINITE : bounded;
  return none != 0 ? COHORT_NOT_A_NUMBER : result;
}

// Numbers in their order as signed integers; both zeros are 0.
static long cohort_rank(unsigned long bits) {
  const long size = (long)(bits & ~COHORT_SIGN);
  const long below = -size;
  return bits > ~COHORT_SIGN ? below : size;
}
int cohort_double_less(unsigned long left, unsigned long right) {
  const int none = cohort_is_none(left) | cohort_is_none(right);
  const int less = cohort_rank(left) < cohort_rank(right);
  return none != 0 ? 0 : less;
}
int cohort_double_at_most(unsigned long left, unsigned long right) {
  const int none = cohort_is_none(left) | cohort_is_none(right);
  const int less = cohort_rank(left) <= cohort_rank(right);
  return none != 0 ? 0 : less;
}
int cohort_double_equal(unsigned long left, unsigned long right) {
  const int none = cohort_is_none(left) | cohort_is_none(right);
  const int equal = cohort_rank(left) == cohort_rank(right);
  return none != 0 ? 0 : equal;
}

static struct cohort_number cohort_from_size(unsigned long size) {
  const unsigned long is_large = size >> 63;
  const unsigned long halved = size >> 1 | (size & 1);
  return cohort_normal(is_large != 0 ? halved : size, COHORT_BIAS + 62 + is_large);
}
unsigned long cohort_double_from_unsigned(unsigned long value) { return cohort_pack(0, cohort_from_size(value)); }
unsigned long cohort_double_from_signed(long value) {
  const unsigned long bits = (unsigned long)value, negated = 0 - bits;
  const unsigned long sign = bits & COHORT_SIGN;
  return cohort_pack(sign, cohort_from_size(sign != 0 ? negated : bits));
}

// Towards zero.  C leaves open what becomes of a number that the type does not have.
static unsigned long cohort_whole(unsigned long bits) {
  const unsigned long exponent = bits >> 52 & 0x7fful;
  const unsigned long fraction = (bits & (COHORT_HIDDEN - 1)) | COHORT_HIDDEN;
  const unsigned long is_below_one = exponent < COHORT_BIAS;
  const unsigned long up = (fraction << 11) >> 1;  // the highest bit at place 62, for 2 to the power of 62
  const unsigned long places = COHORT_BIAS + 62 - exponent;
  unsigned long f = up;
  f = (places & 32) != 0 ? f >> 32 : f;
  f = (places & 16) != 0 ? f >> 16 : f;
  f = (places & 8) != 0 ? f >> 8 : f;
  f = (places & 4) != 0 ? f >> 4 : f;
  f = (places & 2) != 0 ? f >> 2 : f;
  f = (places & 1) != 0 ? f >> 1 : f;
  const unsigned long doubled = fraction << 11;
  f = exponent == COHORT_BIAS + 63 ? doubled : f;
  return is_below_one != 0 ? 0ul : f;
}
static void cohort_check_whole(int fits) {
  if (!fits) __cohort_unsupported("the conversion of a floating-point number to an integer type that does not have it");
}
long cohort_double_to_signed(unsigned long bits, unsigned width) {
  const unsigned long size = cohort_whole(bits);
  const unsigned long is_negative = bits >> 63;
  const unsigned long most = (1ul << (width - 1)) - 1 + is_negative;
  cohort_check_whole(((bits >> 52 & 0x7fful) < COHORT_BIAS + 64) & (size <= most));
  const unsigned long negated = 0 - size;
  return (long)(is_negative != 0 ? negated : size);
}
unsigned long cohort_double_to_unsigned(unsigned long bits, unsigned width) {
  const unsigned long size = cohort_whole(bits);
  const unsigned long most = ~0ul >> (64 - width);
  cohort_check_whole(((bits >> 52 & 0x7fful) < COHORT_BIAS + 64) & (size <= most) & ((bits <= ~COHORT_SIGN) | (size == 0)));
  return size;
}

unsigned long cohort_double_from_float(unsigned value) {
  const unsigned long sign = (unsigned long)(value >> 31) << 63;
  const unsigned long exponent = value >> 23 & 0xffu, rest = value & 0x7fffffu;
  const unsigned long whole = rest | 0x800000ul;
  const unsigned long fraction = exponent != 0 ? whole : rest;
  const unsigned long biased = exponent + (exponent == 0) + COHORT_BIAS - 127;
  const unsigned long finite = cohort_pack(sign, cohort_normal(fraction << 39, biased));
  const unsigned long special = rest != 0 ? COHORT_NOT_A_NUMBER : sign | COHORT_INFINITE;
  return exponent == 0xff ? special : finite;
}
static unsigned cohort_pack_float(unsigned long sign, struct cohort_number n) {
  n.exponent = n.exponent - (COHORT_BIAS - 127);
  const unsigned long number = cohort_round(sign >> 32, n, 0xff, 39);
  return (unsigned)(n.fraction == 0 ? sign >> 32 : number);
}
unsigned cohort_float_from_double(unsigned long bits) {
  const unsigned long size = bits & ~COHORT_SIGN, sign = bits & COHORT_SIGN;
  const unsigned finite = cohort_pack_float(sign, cohort_take_apart(bits));
  const unsigned infinite = (unsigned)(sign >> 32) | 0x7f800000u;
  const unsigned result = size == COHORT_INFINITE ? infinite : finite;
  return size > COHORT_INFINITE ? 0x7fc00000u : result;
}
unsigned cohort_float_from_unsigned(unsigned long value) { return cohort_pack_float(0, cohort_from_size(value)); }
unsigned cohort_float_from_signed(long value) {
  const unsigned long bits = (unsigned long)value, negated = 0 - bits;
  const unsigned long sign = bits & COHORT_SIGN;
  return cohort_pack_float(sign, cohort_from_size(sign != 0 ? negated : bits));
}

// Functions of the library; the parser hands numbers over as their bits.
#define COHORT_ONE 0x3ff0000000000000ul
#define COHORT_HALF 0x3fe0000000000000ul
int cohort_double_isnan(unsigned long bits) { return cohort_is_none(bits); }
int cohort_double_isinf(unsigned long bits) {
  const int sign = bits > ~COHORT_SIGN ? -1 : 1;
  return (bits & ~COHORT_SIGN) == COHORT_INFINITE ? sign : 0;
}
int cohort_double_isfinite(unsigned long bits) { return (bits & ~COHORT_SIGN) < COHORT_INFINITE; }
int cohort_double_signbit(unsigned long bits) { return bits > ~COHORT_SIGN; }
unsigned long fabs(unsigned long bits) { return bits & ~COHORT_SIGN; }
unsigned long trunc(unsigned long bits) {
  const unsigned long exponent = bits >> 52 & 0x7fful;
  if (exponent < COHORT_BIAS) return bits & COHORT_SIGN;
  if (exponent >= COHORT_BIAS + 52) return bits;
  const unsigned long below = 1ul << (COHORT_BIAS + 52 - exponent);
  return bits & ~(below - 1);
}
unsigned long floor(unsigned long bits) {
  const unsigned long whole = trunc(bits);
  if (whole == bits || bits <= ~COHORT_SIGN || cohort_is_none(bits)) return whole;
  return cohort_double_subtract(whole, COHORT_ONE);
}
unsigned long ceil(unsigned long bits) {
  const unsigned long whole = trunc(bits);
  if (whole == bits || bits > ~COHORT_SIGN || cohort_is_none(bits)) return whole;
  return cohort_double_add(whole, COHORT_ONE);
}
// Halves go away from zero.
unsigned long round(unsigned long bits) {
  const unsigned long whole = trunc(bits), rest = cohort_double_subtract(bits, whole) & ~COHORT_SIGN;
  if (!cohort_double_at_most(COHORT_HALF, rest)) return whole;
  return cohort_double_add(whole, COHORT_ONE | (bits & COHORT_SIGN));
}
unsigned long fmin(unsigned long left, unsigned long right) {
  if (cohort_is_none(left)) return right;
  return cohort_double_less(right, left) ? right : left;
}
unsigned long fmax(unsigned long left, unsigned long right) {
  if (cohort_is_none(left)) return right;
  return cohort_double_less(left, right) ? right : left;
}
// Digit by digit: two bits of the number give one of the root.
unsigned long sqrt(unsigned long bits) {
  const unsigned long size = bits & ~COHORT_SIGN;
  if (size == 0 || cohort_is_none(bits) || bits == COHORT_INFINITE) return bits;
  if (bits > ~COHORT_SIGN) return COHORT_NOT_A_NUMBER;
  struct cohort_number n = cohort_take_apart(bits);
  unsigned long rest = 0, root = 0, digits = (n.exponent & 1) != 0 ? n.fraction : n.fraction << 1;
  for (int i = 0; i < 56; i++) {
    rest = rest << 2 | digits >> 62;
    digits = digits << 2;
    const unsigned long trial = root << 2 | 1;
    const unsigned long fits = rest >= trial;
    rest = rest - fits * trial;
    root = root << 1 | fits;
  }
  n.exponent = (n.exponent + COHORT_BIAS) >> 1;
  n.fraction = root << 7 | (rest != 0);
  return cohort_pack(0, n);
}
static unsigned cohort_single(unsigned long bits) { return cohort_float_from_double(bits); }
unsigned fabsf(unsigned bits) { return bits & 0x7fffffffu; }
unsigned truncf(unsigned bits) { return cohort_single(trunc(cohort_double_from_float(bits))); }
unsigned floorf(unsigned bits) { return cohort_single(floor(cohort_double_from_float(bits))); }
unsigned ceilf(unsigned bits) { return cohort_single(ceil(cohort_double_from_float(bits))); }
unsigned roundf(unsigned bits) { return cohort_single(round(cohort_double_from_float(bits))); }
unsigned sqrtf(unsigned bits) { return cohort_single(sqrt(cohort_double_from_float(bits))); }
// Any number from 0 to below 1.
unsigned long drand48(void) {
  const unsigned long bits = (unsigned long)__cohort_nondet_long();
  __cohort_assume(bits < COHORT_ONE);
  return bits;
}

#endif
