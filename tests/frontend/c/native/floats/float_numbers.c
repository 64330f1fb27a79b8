// The models of floating-point arithmetic (src/frontend/c/library/floats.c) against the machine, on numbers at random: of all
// sizes, neighbours, subnormal ones, infinities and none.  Prints what differs; no output is success.
// usage: float_numbers SEED COUNT
long __cohort_nondet_long(void) { return 0; }
void __cohort_assume(int condition) { (void)condition; }
void __cohort_unsupported(const char *text) { (void)text; }
#define COHORT_FLOATS 1
// The models have the names of the library, on bits.
#define fabs model_fabs
#define trunc model_trunc
#define floor model_floor
#define ceil model_ceil
#define round model_round
#define sqrt model_sqrt
#define fmin model_fmin
#define fmax model_fmax
#define fabsf model_fabsf
#define truncf model_truncf
#define floorf model_floorf
#define ceilf model_ceilf
#define roundf model_roundf
#define sqrtf model_sqrtf
#define drand48 model_drand48
#include "floats.c"
#undef fabs
#undef trunc
#undef floor
#undef ceil
#undef round
#undef sqrt
#undef fmin
#undef fmax
#undef fabsf
#undef truncf
#undef floorf
#undef ceilf
#undef roundf
#undef sqrtf
#undef drand48
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t bits_of(double number) {
  uint64_t bits;
  memcpy(&bits, &number, sizeof bits);
  return bits;
}
static double number_of(uint64_t bits) {
  double number;
  memcpy(&number, &bits, sizeof number);
  return number;
}
static uint32_t single_bits_of(float number) {
  uint32_t bits;
  memcpy(&bits, &number, sizeof bits);
  return bits;
}
static float single_of(uint32_t bits) {
  float number;
  memcpy(&number, &bits, sizeof number);
  return number;
}

static uint64_t state;
static uint64_t random_bits(void) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state * 0x2545f4914f6cdd1du;
}
// What is no number and signals that is made quiet by the machine, which shows nothing of the models.
static uint64_t quiet(uint64_t bits) { return cohort_is_none(bits) ? bits | 0x0008000000000000u : bits; }
static uint64_t some_number(void) {
  const uint64_t bits = random_bits();
  const uint64_t fraction = 0x800fffffffffffffu;
  switch (random_bits() % 12) {
    case 0: return bits & fraction;
    case 1: return bits | COHORT_INFINITE;
    case 2: return bits_of((double)(int)(bits % 17) - 8);
    case 3: return bits & (COHORT_SIGN | COHORT_INFINITE);
    case 4: return bits_of((double)(int)bits / (1 << bits % 20));
    case 5: return (bits & fraction) | (1023 - 60 + random_bits() % 120) << 52;
    case 6: return bits_of((double)single_of((uint32_t)bits));
    case 7: return (bits & fraction) | (random_bits() % 60) << 52;
    case 8: return bits & 0xffffffff00000000u;
    default: return bits;
  }
}

static int wrong;
static uint64_t left, right;
static void expect(const char *what, uint64_t got, uint64_t wanted) {
  if (got == wanted || (cohort_is_none(got) && cohort_is_none(wanted))) return;
  printf("%s of %lx and %lx: %lx, not %lx\n", what, left, right, got, wanted);
  wrong++;
}
static void expect_single(const char *what, uint32_t got, float wanted) {
  if (isnan(wanted) ? isnan(single_of(got)) : got == single_bits_of(wanted)) return;
  printf("%s of %x and %x: %x, not %x\n", what, (unsigned)left, (unsigned)right, got, single_bits_of(wanted));
  wrong++;
}

static void arithmetic(double x, double y) {
  expect("sum", cohort_double_add(left, right), bits_of(x + y));
  expect("difference", cohort_double_subtract(left, right), bits_of(x - y));
  expect("product", cohort_double_multiply(left, right), bits_of(x * y));
  expect("quotient", cohort_double_divide(left, right), bits_of(x / y));
  expect("less", cohort_double_less(left, right), x < y);
  expect("at most", cohort_double_at_most(left, right), x <= y);
  expect("equal", cohort_double_equal(left, right), x == y);
}
static void conversions(double x) {
  expect("from unsigned", cohort_double_from_unsigned(left), bits_of((double)left));
  expect("from signed", cohort_double_from_signed((long)left), bits_of((double)(long)left));
  if (fabs(x) < 9e18) expect("to signed", (uint64_t)cohort_double_to_signed(left, 64), (uint64_t)(long)x);
  if (fabs(x) < 2e9) expect("to int", (uint64_t)cohort_double_to_signed(left, 32), (uint64_t)(long)(int)x);
  if (x > -1 && x < 1.8e19) expect("to unsigned", cohort_double_to_unsigned(left, 64), (uint64_t)x);
  expect_single("to float", cohort_float_from_double(left), (float)x);
  expect("from float", cohort_double_from_float((uint32_t)left), bits_of((double)single_of((uint32_t)left)));
  expect_single("float from unsigned", cohort_float_from_unsigned(left), (float)left);
  expect_single("float from signed", cohort_float_from_signed((long)left), (float)(long)left);
}
static void singles(float x, float y) {
  const uint64_t a = cohort_double_from_float(single_bits_of(x)), b = cohort_double_from_float(single_bits_of(y));
  expect_single("sum of floats", cohort_float_from_double(cohort_double_add(a, b)), x + y);
  expect_single("product of floats", cohort_float_from_double(cohort_double_multiply(a, b)), x * y);
  expect_single("quotient of floats", cohort_float_from_double(cohort_double_divide(a, b)), x / y);
  expect_single("sqrtf", model_sqrtf(single_bits_of(x)), sqrtf(x));
  expect_single("floorf", model_floorf(single_bits_of(x)), floorf(x));
}
static void functions(double x, double y) {
  expect("fabs", model_fabs(left), bits_of(fabs(x)));
  expect("trunc", model_trunc(left), bits_of(trunc(x)));
  expect("floor", model_floor(left), bits_of(floor(x)));
  expect("ceil", model_ceil(left), bits_of(ceil(x)));
  expect("round", model_round(left), bits_of(round(x)));
  expect("sqrt", model_sqrt(left), bits_of(sqrt(x)));
  if (x == y) return;  // which of two zeros it is, is left open
  expect("fmin", model_fmin(left, right), bits_of(fmin(x, y)));
  expect("fmax", model_fmax(left, right), bits_of(fmax(x, y)));
}

int main(int argc, char **argv) {
  if (argc != 3) return 2;
  state = strtoul(argv[1], 0, 10) * 2 + 1;
  for (long i = strtol(argv[2], 0, 10); i > 0 && wrong < 10; i--) {
    left = quiet(some_number());
    right = quiet(random_bits() % 8 == 0 ? left ^ random_bits() % 4 ^ (random_bits() & COHORT_SIGN) : some_number());
    arithmetic(number_of(left), number_of(right));
    conversions(number_of(left));
    singles(single_of((uint32_t)left), single_of((uint32_t)right));
    functions(number_of(left), number_of(right));
  }
  return wrong != 0;
}
