// What is undefined in C is found where it is asked for, also where constants, dead values and short circuits would
// make it disappear.
#include <string>

#include <gtest/gtest.h>

#include "frontend/c/c.hpp"
#include "strategy/verify.hpp"

namespace cohort::frontend::c {
namespace {

using result::Verdict;

const std::string declarations = R"(
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
void *malloc(unsigned long);
void *memcpy(void *, const void *, unsigned long);
void free(void *);
void assert(int);
int nondet_int(void);
void __VERIFIER_assume(int);
enum { MAX = 2147483647, MIN = -2147483647 - 1 };
int g;
)";

Verdict verdict(const std::string& source, const std::string& property) {
  const auto file = std::make_shared<const SourceFile>("test.c", declarations + source);
  const model::Program program = load({file}, {.properties = {property}});
  Env env;
  env.limits.set_time_limit(20);
  return strategy::verify(env, program, {}).result.verdict;
}

// The statements as the body of main, in a program that otherwise is fine.
Verdict overflow(const std::string& statements) {
  return verdict("int main() { " + statements + " return 0; }", "overflow");
}

Verdict faults(const std::string& statements) {
  return verdict("int main() { " + statements + " return 0; }", "faults");
}

TEST(Undefined, OverflowOfConstantsIsFound) {
  EXPECT_EQ(overflow("int x = MAX; g = x + 1;"), Verdict::Unsafe);
  EXPECT_EQ(overflow("int x = MAX; g = x - 1;"), Verdict::Safe);
  EXPECT_EQ(overflow("int x = MIN; g = -x;"), Verdict::Unsafe);
  EXPECT_EQ(overflow("int x = MIN + 1; g = -x;"), Verdict::Safe);
  EXPECT_EQ(overflow("int x = MIN, y = -1; g = x / y;"), Verdict::Unsafe);
  EXPECT_EQ(overflow("int x = 46341; x *= x; g = x;"), Verdict::Unsafe);
  EXPECT_EQ(overflow("int x = 46340; x *= x; g = x;"), Verdict::Safe);
  EXPECT_EQ(overflow("int x = 1; g = x << 31;"), Verdict::Unsafe);
  EXPECT_EQ(overflow("int x = 1; g = x << 30;"), Verdict::Safe);
  EXPECT_EQ(overflow("long x = 9223372036854775807; x++; g = x;"), Verdict::Unsafe);
  EXPECT_EQ(overflow("unsigned x = MAX; x += x; x += 2; g = x == 0;"), Verdict::Safe);
  EXPECT_EQ(overflow("short x = 32767; x++; g = x;"), Verdict::Safe);
}

TEST(Undefined, OverflowOfWhatNobodyReadsIsFound) {
  EXPECT_EQ(overflow("int x = MAX; x++;"), Verdict::Unsafe);
  EXPECT_EQ(overflow("int x = MAX; (void)(x + 1);"), Verdict::Unsafe);
  EXPECT_EQ(overflow("int x = MAX; x + 1;"), Verdict::Unsafe);
  EXPECT_EQ(overflow("int x = MAX; x < MAX && x + 1;"), Verdict::Safe);
  EXPECT_EQ(overflow("int x = MAX; return x + 1;"), Verdict::Unsafe);
}

TEST(Undefined, OverflowIsLookedForOnlyWhereCComputes) {
  EXPECT_EQ(overflow("int x = nondet_int(); if (x < MAX && x + 1 > 0) g = 1;"), Verdict::Safe);
  EXPECT_EQ(overflow("int x = nondet_int(); if (x <= MAX && x + 1 > 0) g = 1;"), Verdict::Unsafe);
  EXPECT_EQ(overflow("int x = nondet_int(); g = x < MAX ? x + 1 : x;"), Verdict::Safe);
  EXPECT_EQ(overflow("int x = nondet_int(); g = x == MIN ? 0 : -x;"), Verdict::Safe);
}

// An assumption comes too late for what went wrong before it.
TEST(Undefined, WhatGoesWrongBeforeAnAssumptionIsFound) {
  EXPECT_EQ(overflow("int x = nondet_int(); int y = x + 1; __VERIFIER_assume(x > 0 && x < 5); g = y;"),
            Verdict::Unsafe);
  EXPECT_EQ(overflow("int x = nondet_int(); __VERIFIER_assume(x > 0 && x < 5); int y = x + 1; g = y;"), Verdict::Safe);
  EXPECT_EQ(faults("int x = nondet_int(); int y = 8 / x; __VERIFIER_assume(x > 0 && x < 5); g = y;"), Verdict::Unsafe);
  EXPECT_EQ(faults("int x = g; int y = 8 / x; __VERIFIER_assume(x != 0); g = y;"), Verdict::Unsafe);
  EXPECT_EQ(faults("int x = g; __VERIFIER_assume(x != 0); int y = 8 / x; g = y;"), Verdict::Safe);
}

TEST(Undefined, AtomicArithmeticWrapsAround) {
  EXPECT_EQ(overflow("g = MAX; __sync_fetch_and_add(&g, 1); __atomic_fetch_sub(&g, 1, 5);"), Verdict::Safe);
  EXPECT_EQ(overflow("g = MAX; g++;"), Verdict::Unsafe);
}

TEST(Undefined, FaultsOfWhatNobodyReadsAreFound) {
  EXPECT_EQ(faults("int *p = 0; *p;"), Verdict::Unsafe);
  EXPECT_EQ(faults("int *p = 0; p == 0 || *p;"), Verdict::Safe);
  EXPECT_EQ(faults("int *p = 0; return *p;"), Verdict::Unsafe);
  EXPECT_EQ(faults("int a[3]; int *p = a; p[-1] = 0;"), Verdict::Unsafe);
  EXPECT_EQ(faults("int a[3]; int *p = a + 1; p[-1] = 0;"), Verdict::Safe);
  EXPECT_EQ(faults("int *p = malloc(4); p[1] = 0;"), Verdict::Unsafe);
  EXPECT_EQ(faults("int *p = malloc(4); *p = 0; free(p); int v = *p;"), Verdict::Unsafe);
  EXPECT_EQ(faults("int *p = malloc(4); free(p); *p = 0;"), Verdict::Unsafe);
  EXPECT_EQ(faults("int *p = malloc(4); *p = 0; free(p);"), Verdict::Safe);
}

// What makes an index must be checked before the index is.
TEST(Undefined, IndicesThatCannotBeComputedAreFound) {
  EXPECT_EQ(verdict("int a[9], x; int main() { int y = x; a[8 / y] = 1; g = a[1]; }", "faults"), Verdict::Unsafe);
  EXPECT_EQ(verdict("int a[9], x; int main() { int y = x; a[8 / (y + 1)] = 1; g = a[1]; }", "faults"), Verdict::Safe);
  EXPECT_EQ(verdict("int a[9], x; int main() { int y = x; g = a[8 / y]; }", "faults"), Verdict::Unsafe);
  EXPECT_EQ(verdict("int a[9], x; int main() { x = MAX; int y = x; a[y + 1] = 1; g = a[1]; }", "overflow"),
            Verdict::Unsafe);
}

// Addresses are small numbers; a pointer that is moved far away must not come back.
TEST(Undefined, PointersThatAreMovedFarAwayStayThere) {
  const std::string source = "char b[8]; char *p; int n; int main() { n = N; p = b; if (n > 0) p = p + n; ";
  for (const std::string far : {"256", "4096", "65536", "0x1000000"}) {
    EXPECT_EQ(verdict("#define N " + far + "\n" + source + "*p = 1; return b[0]; }", "faults"), Verdict::Unsafe);
    EXPECT_EQ(verdict("#define N " + far + "\n" + source + "assert(p > b + 8); }", "assertions"), Verdict::Safe);
  }
  EXPECT_EQ(verdict("#define N 7\n" + source + "*p = 1; return b[0]; }", "faults"), Verdict::Safe);
}

TEST(Undefined, CallsThroughNullAreFaults) {
  const std::string source = "void f(void) { g = 1; } int main() { void (*p)(void) = nondet_int() ? f : 0; ";
  EXPECT_EQ(verdict(source + "p(); }", "faults"), Verdict::Unsafe);
  EXPECT_EQ(verdict(source + "if (p) p(); }", "faults"), Verdict::Safe);
  // Where nobody asks, the execution ends there.
  EXPECT_EQ(verdict(source + "p(); assert(g == 1); }", "assertions"), Verdict::Safe);
}

// A shift that C does not execute must neither be reported nor end the execution.
TEST(Undefined, ShiftsBehindAShortCircuitAreNotExecuted) {
  const std::string start = "int n = nondet_int(); __VERIFIER_assume(n == 3 || n == 40); ";
  EXPECT_EQ(faults(start + "g = n >= 32 || (1u << n);"), Verdict::Safe);
  EXPECT_EQ(faults(start + "g = n < 32 ? 1 << n : 0;"), Verdict::Safe);
  EXPECT_EQ(faults(start + "g = n > 40 || (1u << n);"), Verdict::Unsafe);
  EXPECT_EQ(verdict("int main() { " + start + "int big = n >= 32 || ((1u << n) & 1); assert(!big); }", "assertions"),
            Verdict::Unsafe);
}

TEST(Undefined, WhatMainReturnsIsHalfOfARace) {
  const std::string source =
      "void *w(void *a) { g = 1; return 0; } int main() { pthread_t t; pthread_create(&t, 0, w, 0); ";
  EXPECT_EQ(verdict(source + "return g; }", "races"), Verdict::Unsafe);
  EXPECT_EQ(verdict(source + "pthread_join(t, 0); return g; }", "races"), Verdict::Safe);
}

}  // namespace
}  // namespace cohort::frontend::c
