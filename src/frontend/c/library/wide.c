// Integers of 128 bits: __int128 is this record, and what is computed with it is done by halves.  Signed ones are kept as
// two's complement, so most operations are the same for both.
#include "cohort_intrinsics.h"

struct cohort_wide {
  unsigned long low;
  unsigned long high;
};

static struct cohort_wide cohort_wide_of(unsigned long high, unsigned long low) {
  struct cohort_wide result;
  result.low = low;
  result.high = high;
  return result;
}
struct cohort_wide cohort_wide_from_unsigned(unsigned long value) { return cohort_wide_of(0, value); }
struct cohort_wide cohort_wide_from_signed(long value) { return cohort_wide_of(value < 0 ? ~0ul : 0ul, (unsigned long)value); }

struct cohort_wide cohort_wide_add(struct cohort_wide left, struct cohort_wide right) {
  const unsigned long low = left.low + right.low;
  return cohort_wide_of(left.high + right.high + (low < left.low), low);
}
struct cohort_wide cohort_wide_subtract(struct cohort_wide left, struct cohort_wide right) {
  return cohort_wide_of(left.high - right.high - (left.low < right.low), left.low - right.low);
}
struct cohort_wide cohort_wide_multiply(struct cohort_wide left, struct cohort_wide right) {
  const unsigned long a1 = left.low >> 32, a0 = left.low & 0xfffffffful;
  const unsigned long b1 = right.low >> 32, b0 = right.low & 0xfffffffful;
  const unsigned long low = a0 * b0, cross = a1 * b0 + (low >> 32), other = a0 * b1 + (cross & 0xfffffffful);
  const unsigned long carried = a1 * b1 + (cross >> 32) + (other >> 32);
  return cohort_wide_of(carried + left.high * right.low + left.low * right.high, left.low * right.low);
}
struct cohort_wide cohort_wide_and(struct cohort_wide left, struct cohort_wide right) {
  return cohort_wide_of(left.high & right.high, left.low & right.low);
}
struct cohort_wide cohort_wide_or(struct cohort_wide left, struct cohort_wide right) {
  return cohort_wide_of(left.high | right.high, left.low | right.low);
}
struct cohort_wide cohort_wide_xor(struct cohort_wide left, struct cohort_wide right) {
  return cohort_wide_of(left.high ^ right.high, left.low ^ right.low);
}
struct cohort_wide cohort_wide_negate(struct cohort_wide value) { return cohort_wide_subtract(cohort_wide_of(0, 0), value); }

static void cohort_check_places(unsigned places) {
  if (places > 127) __cohort_violation("fault", "a shift by a negative number or by at least the width of its operand");
}
struct cohort_wide cohort_wide_shift_left(struct cohort_wide value, unsigned places) {
  cohort_check_places(places);
  if (places == 0) return value;
  if (places >= 64) return cohort_wide_of(value.low << (places - 64), 0);
  return cohort_wide_of(value.high << places | value.low >> (64 - places), value.low << places);
}
// `fill` comes in from above: all bits of it are the same.
static struct cohort_wide cohort_wide_shift_right(struct cohort_wide value, unsigned places, unsigned long fill) {
  cohort_check_places(places);
  if (places == 0) return value;
  if (places == 64) return cohort_wide_of(fill, value.high);
  if (places > 64) return cohort_wide_of(fill, value.high >> (places - 64) | fill << (128 - places));
  return cohort_wide_of(value.high >> places | fill << (64 - places), value.low >> places | value.high << (64 - places));
}
struct cohort_wide cohort_wide_shift_right_unsigned(struct cohort_wide value, unsigned places) {
  return cohort_wide_shift_right(value, places, 0);
}
struct cohort_wide cohort_wide_shift_right_signed(struct cohort_wide value, unsigned places) {
  return cohort_wide_shift_right(value, places, (long)value.high < 0 ? ~0ul : 0ul);
}

int cohort_wide_equal(struct cohort_wide left, struct cohort_wide right) {
  return (left.high == right.high) & (left.low == right.low);
}
int cohort_wide_less_unsigned(struct cohort_wide left, struct cohort_wide right) {
  return (left.high < right.high) | ((left.high == right.high) & (left.low < right.low));
}
int cohort_wide_less_signed(struct cohort_wide left, struct cohort_wide right) {
  return ((long)left.high < (long)right.high) | ((left.high == right.high) & (left.low < right.low));
}
int cohort_wide_truth(struct cohort_wide value) { return (value.high | value.low) != 0; }

// Bit by bit; `rest` is what is left.
static struct cohort_wide cohort_wide_quotient(struct cohort_wide left, struct cohort_wide right, struct cohort_wide *rest) {
  struct cohort_wide quotient = cohort_wide_of(0, 0), left_over = cohort_wide_of(0, 0);
  if (!cohort_wide_truth(right)) __cohort_violation("fault", "division by zero");
  for (int i = 0; i < 128; i++) {
    const unsigned long next = left.high >> 63;
    left = cohort_wide_add(left, left);
    left_over = cohort_wide_add(left_over, left_over);
    left_over.low = left_over.low | next;
    quotient = cohort_wide_add(quotient, quotient);
    if (!cohort_wide_less_unsigned(left_over, right)) {
      left_over = cohort_wide_subtract(left_over, right);
      quotient.low = quotient.low | 1;
    }
  }
  *rest = left_over;
  return quotient;
}
struct cohort_wide cohort_wide_divide_unsigned(struct cohort_wide left, struct cohort_wide right) {
  struct cohort_wide rest;
  return cohort_wide_quotient(left, right, &rest);
}
struct cohort_wide cohort_wide_remainder_unsigned(struct cohort_wide left, struct cohort_wide right) {
  struct cohort_wide rest;
  cohort_wide_quotient(left, right, &rest);
  return rest;
}
static struct cohort_wide cohort_wide_size(struct cohort_wide value) {
  return (long)value.high < 0 ? cohort_wide_negate(value) : value;
}
struct cohort_wide cohort_wide_divide_signed(struct cohort_wide left, struct cohort_wide right) {
  const struct cohort_wide quotient = cohort_wide_divide_unsigned(cohort_wide_size(left), cohort_wide_size(right));
  return (long)(left.high ^ right.high) < 0 ? cohort_wide_negate(quotient) : quotient;
}
struct cohort_wide cohort_wide_remainder_signed(struct cohort_wide left, struct cohort_wide right) {
  const struct cohort_wide rest = cohort_wide_remainder_unsigned(cohort_wide_size(left), cohort_wide_size(right));
  return (long)left.high < 0 ? cohort_wide_negate(rest) : rest;
}
