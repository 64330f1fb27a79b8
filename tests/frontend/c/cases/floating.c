// Floating-point numbers: what depends on their values is what the machine computes.
// case 1: safe
// case 2: unsafe
// case 3: safe
// case 4: unsafe
// case 5: safe
// case 6: safe
// case 7: safe
// case 8: unsafe
// case 9: safe
// case 10: unsafe
// case 11: safe
// case 12: safe
// case 13: unknown
// case 14: unknown
// case 15: unknown -m 32 not native
// case 16: safe
// case 17: unsafe not native
#include <assert.h>
#include <float.h>
#include <math.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if CASE == 1 || CASE == 2
// Sums that binary fractions do not have; tables, conversions, comparisons.
static const double table[] = {0.1, 0.2, -0.75, 1e300, 3};
static double half(double x) { return x / 2; }
int main(void) {
  volatile double a = table[0], b = table[1];
  assert(a + b != 0.3);
  assert(a + b > 0.3);
  assert((float)(a + b) == 0.3f);
  assert((int)(table[2] * 10) == -7);
  assert(half(table[4]) == 1.5);
  assert(table[3] * table[3] > DBL_MAX);
  double sum = 0;
  for (int i = 0; i < 10; i++) sum += 0.1;
  assert(sum != 1.0 && sum < 1.0);
  assert((unsigned char)(sum * 256) == (CASE == 1 ? 255 : 0));
  return 0;
}

#elif CASE == 3 || CASE == 4
// Each operator, each place: compound assignment, ++, ?:, !, &&, arguments, records, pointers.
struct point {
  float x;
  double y;
};
static int count(double x, float y) { return x > y ? 1 : x < y ? -1 : 0; }
int main(void) {
  struct point p = {.x = 1.5f, .y = -2}, q = p;
  double *y = &q.y;
  int n = 3;
  *y += n;
  assert(q.y == 1);
  p.x *= 2;
  assert(p.x == 3 && p.x++ == 3 && p.x == 4 && --p.x == 3);
  n += 0.75;
  assert(n == 3);
  n *= 1.5;
  assert(n == 4);
  assert(count(p.x, 2) == 1 && count(-p.y, 2) == 0);
  assert(!(p.y && 0.0) && (p.y || 0.0));
  assert((p.y ? 5 : 6) == 5 && (0.0 ? 5 : 6) == 6);
  assert(!-0.0);
  while (p.x) p.x -= 1;
  double z = p.x ?: 7.25;
  assert(z == (CASE == 3 ? 7.25 : 7));
  return 0;
}

#elif CASE == 5
// Zeros with signs, infinities, what is no number, the smallest numbers.
int main(void) {
  volatile double zero = 0, one = 1, tiny = DBL_MIN;
  const double infinite = one / zero, none = zero / zero;
  assert(infinite > DBL_MAX && -infinite < -DBL_MAX);
  assert(none != none && !(none < one) && !(none >= one));
  assert(-zero == zero && one / -zero == -infinite);
  assert(tiny / 2 > 0 && tiny / 2 * 2 == tiny);
  assert(tiny * DBL_EPSILON > 0 && tiny * DBL_EPSILON / 2 == 0);
  assert(infinite - infinite != infinite - infinite);
  assert((float)1e-40 > 0 && (float)1e39 > FLT_MAX);
  assert(isnan(none) && !isnan(one) && isinf(infinite) && isfinite(one) && !isfinite(none));
  return 0;
}

#elif CASE == 6
// Bits of numbers, and numbers of bits.
int main(void) {
  union {
    double number;
    uint64_t bits;
  } u = {.number = 1};
  float f = -2;
  uint32_t bits;
  memcpy(&bits, &f, sizeof bits);
  assert(u.bits == 0x3ff0000000000000u && bits == 0xc0000000u);
  u.bits += 1;
  assert(u.number > 1 && u.number == 1 + DBL_EPSILON);
  return 0;
}

#elif CASE == 7 || CASE == 8
// Shared numbers.
static double total;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *add(void *share) {
#if CASE == 7
  pthread_mutex_lock(&lock);
#endif
  total += *(double *)share;
#if CASE == 7
  pthread_mutex_unlock(&lock);
#else
  assert(total != 0.25 && total != 0.75);
#endif
  return share;
}
int main(void) {
  pthread_t t[2];
  double shares[] = {0.25, 0.5};
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, add, &shares[i]);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  assert(total == 0.75);
  return 0;
}

#elif CASE == 9 || CASE == 10
// Whole numbers there and back.
int main(void) {
  volatile long big = 9007199254740993;
  volatile unsigned long most = ~0ul;
  volatile int negative = -7;
  assert((double)big == 9007199254740992.0 && (long)(double)big == 9007199254740992);
  assert((double)most == 18446744073709551616.0);
  assert((float)16777217 == 16777216.0f && (float)big == 9007199254740992.0f);
  assert((long)((double)negative / 2) == -3 && (unsigned)2.99 == 2u);
  assert((_Bool)0.5 == 1 && (char)65.5 == 'A');
  assert((unsigned long)9223372036854775808.0 == (CASE == 9 ? 1ul << 63 : 0));
  return 0;
}

#elif CASE == 11
// Functions of the library.
int main(void) {
  volatile double x = -2.5, y = 2.25;
  assert(fabs(x) == 2.5 && floor(x) == -3 && ceil(x) == -2 && trunc(x) == -2 && round(x) == -3);
  assert(fmin(x, y) == x && fmax(x, y) == y && sqrt(y) == 1.5 && fabsf((float)x) == 2.5f);
  assert(floor(0.5) == 0 && ceil(0.5) == 1 && ceil(-0.5) == 0 && round(0.5) == 1 && floor(1e300) == 1e300);
  assert(sqrt(2.0 * y) == 2.1213203435596424);
  return 0;
}

#elif CASE == 12
// A sum that nobody wants to know: nothing here depends on the numbers.
int main(void) {
  double times[3] = {0.5, 1.5, 2.5}, sum = 0;
  for (int i = 0; i < 3; i++) sum += times[i];
  printf("%f %.2f\n", sum, sum / 3);
  assert(sizeof times == 24);
  return 0;
}

#elif CASE == 13
// C leaves open what becomes of it.
int main(void) {
  volatile double large = 1e10;
  int n = (int)large;
  assert(n != 0);
  return 0;
}

#elif CASE == 14
int main(void) {
  volatile long double third = 1.0L / 3;
  assert(third * 3 != 0);
  return 0;
}

#elif CASE == 15
int main(void) {
  volatile double third = 1.0 / 3;
  assert(third * 3 != 0);
  return 0;
}

#elif CASE == 16
double drand48(void);
int main(void) {
  double any = drand48();
  assert(any >= 0 && any < 1);
  return 0;
}

#elif CASE == 17
double drand48(void);
int main(void) {
  assert(drand48() < 0.5);
  return 0;
}
#endif
