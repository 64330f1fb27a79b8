// C programs through the front end and the engines: what each construct means, judged by verdicts.
#include <string>

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "frontend/c/c.hpp"
#include "strategy/verify.hpp"

namespace cohort::frontend::c {
namespace {

using result::Verdict;

const std::string threads = R"(
typedef unsigned long pthread_t;
typedef struct { int x; } pthread_attr_t;
typedef struct { int x; } pthread_mutex_t;
int pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
int pthread_mutex_lock(pthread_mutex_t *);
int pthread_mutex_unlock(pthread_mutex_t *);
void *malloc(unsigned long);
void free(void *);
void assert(int);
int nondet_int(void);
void __VERIFIER_assume(int);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
)";

result::Answer answer_alone(const std::string& source, const Options& options = {}) {
  const auto file = std::make_shared<const SourceFile>("test.c", source);
  const model::Program program = load({file}, options);
  Env env;
  env.limits.set_time_limit(20);
  return strategy::verify(env, program, {});
}

result::Answer answer(const std::string& source, const Options& options = {}) {
  return answer_alone(threads + source, options);
}

Verdict verdict(const std::string& source, const Options& options = {}) {
  return answer(source, options).result.verdict;
}

TEST(Lower, UnlockedIncrementLosesUpdates) {
  const std::string body = R"(
int x; pthread_mutex_t m;
void *work(void *p) { LOCK x++; UNLOCK return 0; }
int main() {
  pthread_t a, b;
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, 0);
  pthread_join(a, 0); pthread_join(b, 0);
  assert(x == 2);
})";
  EXPECT_EQ(verdict("#define LOCK\n#define UNLOCK\n" + body), Verdict::Unsafe);
  EXPECT_EQ(verdict("#define LOCK pthread_mutex_lock(&m);\n#define UNLOCK pthread_mutex_unlock(&m);\n" + body),
            Verdict::Safe);
  EXPECT_EQ(verdict("#define LOCK\n#define UNLOCK\n" + body, {.interleave_statements = true}), Verdict::Safe);
}

TEST(Lower, AtomicSectionsNest) {
  const std::string source = R"(
int x;
void __VERIFIER_atomic_inner(void) { x = x + 1; }
void __VERIFIER_atomic_outer(void) { __VERIFIER_atomic_inner(); x = x - 1; }
void *work(void *p) { __VERIFIER_atomic_outer(); return 0; }
int main() { pthread_t a; pthread_create(&a, 0, work, 0); assert(x == 0); })";
  EXPECT_EQ(verdict(source), Verdict::Safe);
}

TEST(Lower, UninitialisedObjectsHaveAnyValueOnceRead) {
  EXPECT_EQ(verdict("int main() { int x; assert(x != 5); }"), Verdict::Unsafe);
  EXPECT_EQ(verdict("int main() { int x; x = 3; assert(x == 3); }"), Verdict::Safe);
  EXPECT_EQ(verdict("int x; int main() { assert(x == 0); }"), Verdict::Safe);
}

TEST(Lower, ChoicesThatAreOnlyComparedAreDecided) {
  EXPECT_EQ(verdict("int main() { int x = nondet_int(); if (x > 10 && x < 12) assert(x == 11); }"), Verdict::Safe);
  EXPECT_EQ(verdict("int main() { int x = nondet_int(); if (x > 10) assert(x == 11); }"), Verdict::Unsafe);
  EXPECT_EQ(verdict("int a; int main() { if (nondet_int() > 5) a = 1; assert(a <= 1); }"), Verdict::Safe);
  EXPECT_EQ(verdict("int a; int main() { if (nondet_int() > 5) a = 1; assert(!a); }"), Verdict::Unsafe);
  EXPECT_EQ(verdict("int main() { int x = nondet_int(); __VERIFIER_assume(x >= 0 && x < 5); assert(x * x < 20); }"),
            Verdict::Safe);
  EXPECT_EQ(verdict("int main() { int x = nondet_int(); __VERIFIER_assume(x >= 0 && x < 6); assert(x * x < 20); }"),
            Verdict::Unsafe);
}

TEST(Lower, PointersFieldsAndArrays) {
  EXPECT_EQ(verdict(R"(
struct node { int value; struct node *next; };
struct node a = {1, 0}, b = {2, &a};
int main() {
  int sum = 0;
  for (struct node *p = &b; p; p = p->next) sum += p->value;
  assert(sum == 3);
})"),
            Verdict::Safe);
  EXPECT_EQ(verdict(R"(
struct pair { char c; int n; } table[3];
void set(struct pair *p, int n) { p->n = n; }
int main() {
  for (int i = 0; i < 3; i++) set(&table[i], i * i);
  int *q = &table[1].n;
  assert(table[0].n + *q + table[2].n == 5);
})"),
            Verdict::Safe);
  EXPECT_EQ(verdict(R"(
int a[4];
int main() { int *p = a + 1; p[2] = 7; assert(*(p + 2) == 7 && a[3] == 7 && p - a == 1); })"),
            Verdict::Safe);
  EXPECT_EQ(verdict("int a, b; int main() { int *p = nondet_int() ? &a : &b; *p = 1; assert(a + b == 1); }"),
            Verdict::Safe);
  EXPECT_EQ(verdict("int a, b; int main() { int *p = nondet_int() ? &a : &b; *p = 1; assert(a == 1); }"),
            Verdict::Unsafe);
}

// Stores of main must not disappear because the routines that read them have not been looked at yet.
TEST(Lower, ThreadsReadWhatMainStoredBefore) {
  EXPECT_EQ(verdict(R"(
int input, output;
void *work(void *p) { output = input + 1; return 0; }
int main() { pthread_t t; input = 4; pthread_create(&t, 0, work, 0); pthread_join(t, 0); assert(output != 5); })"),
            Verdict::Unsafe);
}

// A value must not be carried past another store to its variable.
TEST(Lower, TheLastStoreCounts) {
  EXPECT_EQ(verdict("int g = 3; int main() { int x; x = 1; x = g; g = 4; assert(x == 3); }"), Verdict::Safe);
  EXPECT_EQ(verdict("int g; int main() { int x; x = 1; x = g; g = 4; assert(x == 1); }"), Verdict::Unsafe);
}

TEST(Lower, ContainerOfFindsTheObjectAround) {
  EXPECT_EQ(verdict(R"(
struct inner { int n; };
struct outer { int tag; struct inner in; } o = {4, {5}};
int main() {
  struct inner *p = &o.in;
  struct outer *q = (struct outer *)((char *)p - (unsigned long)&((struct outer *)0)->in);
  assert(q->tag == 4);
})"),
            Verdict::Safe);
}

TEST(Lower, AllocatedObjectsAreDistinct) {
  EXPECT_EQ(verdict(R"(
struct node { int value; struct node *next; };
int main() {
  struct node *list = 0;
  for (int i = 0; i < 3; i++) {
    struct node *n = malloc(sizeof(struct node));
    n->value = i; n->next = list; list = n;
  }
  assert(list->value == 2 && list->next->value == 1 && list->next->next->value == 0 && !list->next->next->next);
})"),
            Verdict::Safe);
}

TEST(Lower, SizesMayComeFromObjectsThatNobodyWrites) {
  const std::string source = R"(
void *read_size(int *);
static int size = 3;
int main(int argc, char **argv) {
  if (argc != 1) read_size(&size);
  int array[size];
  array[2] = 7;
  assert(array[2] == RESULT);
})";
  EXPECT_EQ(verdict("#define RESULT 6\n" + source), Verdict::Unsafe);
  EXPECT_EQ(verdict("#define RESULT 7\n" + source), Verdict::Unknown) << "what read_size does is not known";
}

TEST(Lower, SizesThatAreKnownAtRunTimeHaveABound) {
  const std::string source = R"(
int main(int argc, char **argv) {
  int size = 3;
  if (argc != 1) sscanf(argv[1], "%d", &size);
  int *array = malloc(size * sizeof(int));
  if (size > 4) return 0;
  for (int i = 0; i < size; i++) array[i] = i;
  if (size == 4) assert(array[INDEX] == RESULT);
})";
  const auto defined = [&](int index, int result) {
    return fmt::format("int sscanf(const char *, const char *, ...);\n#define INDEX {}\n#define RESULT {}\n{}", index,
                       result, source);
  };
  EXPECT_EQ(verdict(defined(3, 4)), Verdict::Unsafe);
  EXPECT_EQ(verdict(defined(3, 3)), Verdict::Unknown) << "larger arrays are cut";
  EXPECT_EQ(verdict(defined(4, 4), {.properties = {"faults"}}), Verdict::Unsafe);
}

TEST(Lower, AnExhaustedPoolIsNeitherSafeNorUnsafe) {
  const std::string source = R"(
int main() { int *p = 0; for (int i = 0; i < 9; i++) { p = malloc(4); *p = i; } assert(*p == RESULT); })";
  const auto unknown = answer("#define RESULT 8\n" + source);
  EXPECT_EQ(unknown.result.verdict, Verdict::Unknown);
  EXPECT_NE(unknown.result.reason.find("objects allocated here"), std::string::npos) << unknown.result.reason;
  EXPECT_EQ(verdict("#define RESULT 8\n" + source, {.heap_pool = 9}), Verdict::Safe);
  EXPECT_EQ(verdict("#define RESULT 7\n" + source, {.heap_pool = 9}), Verdict::Unsafe);
}

TEST(Lower, FaultsAreViolationsWhenAskedFor) {
  const Options faults{.properties = {"assertions", "faults"}};
  const std::string null = "int *p; int main() { *p = 1; assert(0); }";
  EXPECT_EQ(verdict(null), Verdict::Safe);
  EXPECT_EQ(verdict(null, faults), Verdict::Unsafe);
  EXPECT_EQ(verdict("int a[3]; int main() { int i = nondet_int(); if (i >= 0 && i < 3) a[i] = 1; }", faults),
            Verdict::Safe);
  EXPECT_EQ(verdict("int a[3]; int main() { int i = nondet_int(); if (i >= 0 && i < 4) a[i] = 1; }", faults),
            Verdict::Unsafe);
  EXPECT_EQ(verdict("int main() { int *p = malloc(4); *p = 1; free(p); }", faults), Verdict::Safe);
  EXPECT_EQ(verdict("int main() { int *p = malloc(4); free(p); *p = 1; }", faults), Verdict::Unsafe);
  EXPECT_EQ(verdict("int main() { int *p = malloc(4); free(p); free(p); }", faults), Verdict::Unsafe);
  EXPECT_EQ(verdict("int x; int main() { int y = 4; x = y / x; }", faults), Verdict::Unsafe);
}

TEST(Lower, FunctionPointersAreResolved) {
  EXPECT_EQ(verdict(R"(
int one(void) { return 1; }
int two(void) { return 2; }
int (*table[2])(void) = {one, two};
int call(int (*f)(void)) { return f(); }
int main() { assert(call(two) == 2 && table[nondet_int() != 0]() <= 2); })"),
            Verdict::Safe);
}

TEST(Lower, UnsignedArithmeticWraps) {
  EXPECT_EQ(verdict(R"(
unsigned char c = 255; unsigned u; unsigned long w;
int main() { c++; u--; w--; assert(c == 0 && u == 4294967295u && w > 1 && (int)u == -1 && -1 < 0 && -1 > 0u); })"),
            Verdict::Safe);
}

TEST(Lower, WhatIsNotModelledIsRefusedOnlyWhereItIsReached) {
  const std::string source = "int f(int n) { return n ? f(n - 1) : 0; }\n";
  EXPECT_EQ(verdict(source + "int main() { int x = 0; if (x) f(3); }"), Verdict::Safe);
  const auto unknown = answer(source + "int main() { f(30); }");
  EXPECT_EQ(unknown.result.verdict, Verdict::Unknown);
  EXPECT_NE(unknown.result.reason.find("recursion of f"), std::string::npos) << unknown.result.reason;
  EXPECT_EQ(verdict(source + "int main() { assert(0); f(30); }"), Verdict::Unsafe);
  EXPECT_EQ(verdict(source + "int main() { assert(f(30) == 0); }", {.recursion = 30}), Verdict::Safe);
  EXPECT_EQ(verdict(source + "int main() { int n = nondet_int(); if (n >= 0 && n < 4) assert(f(n) == 1); }"),
            Verdict::Unsafe);
}

TEST(Lower, TheCallOfAnErrorFunctionIsTheViolation) {
  EXPECT_EQ(verdict("void reach_error(void) {} int main() { reach_error(); }"), Verdict::Unsafe);
  EXPECT_EQ(verdict("void abort(void); void __VERIFIER_error(void) { abort(); } int main() { __VERIFIER_error(); }"),
            Verdict::Unsafe);
}

TEST(Lower, ObjectsOnTheStacksOfManyThreadsHaveAddresses) {
  const std::string source = R"(
struct task { int value, result; };
void *child(void *p) { struct task *t = p; t->result = t->value * 2; return 0; }
void *parent(void *p) {
  struct task mine = {(int)(long)p, 0};
  pthread_t t;
  pthread_create(&t, 0, child, &mine);
  BEFORE
  pthread_join(t, 0);
  assert(mine.result == 2 * (int)(long)p);
  return 0;
}
int main() {
  pthread_t t[2];
  for (long i = 0; i < 2; i++) pthread_create(&t[i], 0, parent, (void *)(i + 1));
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
})";
  EXPECT_EQ(verdict("#define BEFORE\n" + source), Verdict::Safe);
  EXPECT_EQ(verdict("#define BEFORE assert(mine.result == 0);\n" + source), Verdict::Unsafe);
}

TEST(Lower, HeadersPreprocessedForGccAreTaken) {
  EXPECT_EQ(verdict("void *make(unsigned long) __attribute__ ((__malloc__ (free, 1))) __attribute__ ((__malloc__));\n"
                    "int main() { assert(0); }"),
            Verdict::Unsafe);
}

TEST(Lower, AtomicObjectsInFilesPreprocessedForGccAreTaken) {
  const auto judge = [&](const std::string& wanted) {
    const std::string source =
        "_Atomic int a; int main() { int e = 0; __atomic_fetch_add ((&a), (2), 5);\n"
        "int n = ({ __auto_type p = (&a); __typeof__ ((void)0, *p) t; __atomic_load (p, &t, 5); t; });\n"
        "assert(n == " +
        wanted + "); }";
    const auto file = std::make_shared<const SourceFile>("test.i", threads + source);
    Env env;
    env.limits.set_time_limit(20);
    return strategy::verify(env, load({file}, {}), {}).result.verdict;
  };
  EXPECT_EQ(judge("2"), Verdict::Safe);
  EXPECT_EQ(judge("3"), Verdict::Unsafe);
}

TEST(Lower, AtomicOperationsRaceWithPlainAccessesOnly) {
  const auto judge = [&](const std::string& object, const std::string& first, const std::string& second) {
    return verdict(object + "void *f(void *p) { " + first + " return p; }\n" +
                       "int main() { pthread_t t; pthread_create(&t, 0, f, 0); " + second + " pthread_join(t, 0); }",
                   {.properties = {"races"}});
  };
  EXPECT_EQ(judge("int x;", "__atomic_fetch_add(&x, 1, 5);", "x++;"), Verdict::Unsafe);
  EXPECT_EQ(judge("int x, y;", "__atomic_store_n(&x, 1, 5);", "y = x;"), Verdict::Unsafe);
  EXPECT_EQ(judge("int x, y;", "y = __atomic_load_n(&x, 5);", "int z = x; if (z) z++;"), Verdict::Safe);
  EXPECT_EQ(judge("int x;", "__atomic_fetch_add(&x, 1, 5);", "__sync_fetch_and_add(&x, 1);"), Verdict::Safe);
  EXPECT_EQ(judge("_Atomic int x;", "x = 1; x++;", "int y = x; if (x == y) y = x + 1;"), Verdict::Safe);
}

TEST(Lower, NeighbouringBitFieldsAreOneObjectForRaces) {
  const auto judge = [&](const std::string& fields) {
    return verdict("struct { " + fields + R"( } s;
void *f(void *p) { s.a = 1; return p; }
int main() { pthread_t t; pthread_create(&t, 0, f, 0); s.b = 1; pthread_join(t, 0); })",
                   {.properties = {"races"}});
  };
  EXPECT_EQ(judge("unsigned a : 3, b : 3;"), Verdict::Unsafe);
  EXPECT_EQ(judge("unsigned a : 3; unsigned : 0; unsigned b : 3;"), Verdict::Safe);
  EXPECT_EQ(judge("unsigned a, b;"), Verdict::Safe);
}

TEST(Lower, ArgumentsOfAtomicFunctionsAreReadBefore) {
  const std::string source = R"(
int x, y;
void __VERIFIER_atomic_check(int a, int b) { assert(a == b); }
void __VERIFIER_atomic_both(void) { x++; y++; }
void *f(void *a) { __VERIFIER_atomic_both(); return a; }
int main() { pthread_t t; pthread_create(&t, 0, f, 0); __VERIFIER_atomic_check(x, y); })";
  EXPECT_EQ(verdict(source), Verdict::Unsafe);
}

TEST(Lower, AWeakCompareAndExchangeFailsForNoReason) {
  const std::string source =
      "_Atomic int a; int main() { int e = 0; assert(__c11_atomic_compare_exchange_weak(&a, &e, 1, 5, 5)); }";
  EXPECT_EQ(verdict(source), Verdict::Unsafe);
  EXPECT_EQ(verdict(source, {.spurious_failures = false}), Verdict::Safe);
  EXPECT_EQ(
      verdict("_Atomic int a; int main() { int e = 0; while (!__c11_atomic_compare_exchange_weak(&a, &e, 1, 5, 5)); "
              "assert(a == 1); }"),
      Verdict::Safe);
}

TEST(Lower, OverflowIsFoundInAllWidths) {
  const Options overflow{.properties = {"overflow"}};
  const auto judge = [&](const std::string& type, const std::string& value, const std::string& statement) {
    return verdict(type + " x = " + value + "; int main() { " + statement + "; }", overflow);
  };
  EXPECT_EQ(judge("long", "9223372036854775807L", "x++"), Verdict::Unsafe);
  EXPECT_EQ(judge("long", "1L << 40", "x *= x"), Verdict::Unsafe);
  EXPECT_EQ(judge("long", "1L << 30", "x *= x; x = -x - 1"), Verdict::Safe);
  EXPECT_EQ(judge("long", "-1", "x *= -9223372036854775807L - 1"), Verdict::Unsafe);
  EXPECT_EQ(judge("int", "-2147483647 - 1", "x /= -1"), Verdict::Unsafe);
  EXPECT_EQ(judge("int", "1 << 30", "x <<= 1"), Verdict::Unsafe);
  EXPECT_EQ(judge("unsigned long", "-1ul", "x += x; x <<= 3"), Verdict::Safe);
}

TEST(Lower, ThreadsWithoutBoundNeedNoNumbers) {
  const std::string source = R"(
_Bool locked; int inside;
void *work(void *p) {
  __VERIFIER_atomic_begin(); __VERIFIER_assume(!locked); locked = 1; __VERIFIER_atomic_end();
  inside = 1; assert(inside == 1); inside = 0;
  UNLOCK
  return 0;
}
int main() { pthread_t t; while (1) pthread_create(&t, 0, work, 0); })";
  const auto safe = answer("#define UNLOCK locked = 0;\n" + source);
  EXPECT_EQ(safe.result.verdict, Verdict::Safe) << safe.result.reason;
  EXPECT_FALSE(safe.scope.bound);
  EXPECT_EQ(verdict("#define UNLOCK locked = 0; inside = 2;\n" + source), Verdict::Unsafe);
}

TEST(Lower, LocalsOfMainAreSharedWithThreadsOfLabels) {
  const std::string source = R"(
int *pointer;
void f(void) { *pointer = 42; }
int main() { int a = 0; pointer = &a; __CPROVER_ASYNC_1: f(); assert(a == 0 ALSO); })";
  EXPECT_EQ(verdict("#define ALSO\n" + source), Verdict::Unsafe);
  EXPECT_EQ(verdict("#define ALSO || a == 42\n" + source), Verdict::Safe);
}

TEST(Lower, LocalsOfMainAreSharedWhenHandedToThreads) {
  EXPECT_EQ(verdict(R"(
void *work(void *p) { *(int *)p = 5; return p; }
int main() {
  int x = 1; pthread_t t; void *r;
  pthread_create(&t, 0, work, &x);
  pthread_join(t, &r);
  assert(x == 5 && r == &x);
})"),
            Verdict::Safe);
}

// When main leaves its last section, others may go on before the process ends.
TEST(Lower, OthersSeeTheLastSectionOfMain) {
  const std::string body = R"(
int x; pthread_mutex_t m;
void *reader(void *a) { LOCK assert(x != 1); UNLOCK return 0; }
int main() { pthread_t t; pthread_create(&t, 0, reader, 0); LOCK x = 1; AGAIN UNLOCK return 0; })";
  const std::string mutex = "#define LOCK pthread_mutex_lock(&m);\n#define UNLOCK pthread_mutex_unlock(&m);\n";
  const std::string section = "#define LOCK __VERIFIER_atomic_begin();\n#define UNLOCK __VERIFIER_atomic_end();\n";
  for (const std::string& lock : {mutex, section}) {
    for (const bool statements : {false, true}) {
      const Options options{.interleave_statements = statements};
      EXPECT_EQ(verdict(lock + "#define AGAIN\n" + body, options), Verdict::Unsafe);
      EXPECT_EQ(verdict(lock + "#define AGAIN x = 2;\n" + body, options), Verdict::Safe);
    }
  }
  EXPECT_EQ(verdict(R"(
int x;
void *reader(void *a) { assert(x != 1); return 0; }
int main() { pthread_t t; int y; pthread_create(&t, 0, reader, 0); y = x++; return 0; })",
                    {.interleave_statements = true}),
            Verdict::Unsafe);
}

// A declaration of a mutex that nobody looks into may be smaller than the model of a mutex.
TEST(Lower, StandInsForTypesOfTheLibraryHaveRoomForTheModel) {
  EXPECT_EQ(verdict("pthread_mutex_t m; int main() { pthread_mutex_lock(&m); assert(0); }"), Verdict::Unsafe);
  EXPECT_EQ(
      verdict("pthread_mutex_t m[2]; int main() { pthread_mutex_lock(&m[0]); pthread_mutex_lock(&m[1]); assert(0); }"),
      Verdict::Unsafe);
  EXPECT_EQ(verdict("struct s { pthread_mutex_t m; int n; } s; int main() { pthread_mutex_lock(&s.m); assert(0); }"),
            Verdict::Unknown);
}

// Nor need the declaration of a thread's handle be the library's, as long as nobody reads it.
TEST(Lower, StandInsForHandlesOfThreadsMayBeSmall) {
  const std::string source = R"(
typedef int pthread_t;
int pthread_create(pthread_t *, void *, void *, void *);
void assert(int);
int x;
void *work(void *p) { x = 1; return 0; }
int main() { pthread_t t; pthread_create(&t, 0, work, 0); assert(CLAIM); })";
  EXPECT_EQ(answer_alone("#define CLAIM x == 0" + source).result.verdict, Verdict::Unsafe);
  EXPECT_EQ(answer_alone("#define CLAIM x <= 1" + source).result.verdict, Verdict::Safe);
}

// What runs when nobody calls it would be missed.
TEST(Lower, FunctionsThatRunByThemselvesAreSeen) {
  EXPECT_EQ(verdict("void end(int *p) { assert(0); } int main() { __attribute__((cleanup(end))) int x = 1; }"),
            Verdict::Unsafe);
  EXPECT_EQ(verdict("__attribute__((constructor)) static void f(void) { assert(0); } int main() {}"), Verdict::Unsafe);
  EXPECT_EQ(verdict("__attribute__((destructor)) static void f(void) { assert(0); } int main() {}"), Verdict::Unsafe);
  EXPECT_EQ(verdict("void __VERIFIER_nondet_memory(void *, unsigned long); int x; "
                    "int main() { __VERIFIER_nondet_memory(&x, sizeof x); assert(x == 0); }"),
            Verdict::Unknown);
}

// C reads the pointer once, however many members there are to copy.
TEST(Lower, CopiesOfRecordsReadTheirPointersOnce) {
  const std::string body = R"(
void *memcpy(void *, const void *, unsigned long);
struct pair { int a, b; } first = {1, 1}, second = {2, 2}, both[2] = {{1, 1}, {2, 2}};
struct pair *p = &first; int i;
void *change(void *a) { p = &second; i = 1; return 0; }
int main() { pthread_t t; struct pair copy; pthread_create(&t, 0, change, 0); COPY assert(copy.a == copy.b); })";
  EXPECT_EQ(verdict("#define COPY copy = *p;\n" + body), Verdict::Safe);
  EXPECT_EQ(verdict("#define COPY memcpy(&copy, p, sizeof copy);\n" + body), Verdict::Safe);
  EXPECT_EQ(verdict("#define COPY copy = both[i];\n" + body), Verdict::Safe);
  EXPECT_EQ(verdict("#define COPY copy.a = p->a; copy.b = p->b;\n" + body), Verdict::Unsafe);
}

// Threads beyond the supply of numbers exist, though nothing is known of what they do.
TEST(Lower, ViolationsAreFoundBeyondTheNumberedThreads) {
  const std::string body = R"(
int x; pthread_t t[40];
void *work(void *a) { x = 1; return 0; }
int main() {
  for (int i = 0; i < 40; i++) pthread_create(&t[i], 0, work, 0);
  CHECK
  for (int i = 0; i < 40; i++) pthread_join(t[i], 0);
  assert(x == 1);
})";
  EXPECT_EQ(verdict("#define CHECK assert(x == 0);\n" + body), Verdict::Unsafe);
}

// Handles of threads that are created in a loop differ, also where nothing but a comparison looks at them.
TEST(Lower, HandlesThatAreComparedAreTheirThreads) {
  const std::string body = R"(
pthread_t t[COUNT];
void *work(void *a) { return 0; }
int main() {
  for (int i = 0; i < COUNT; i++) pthread_create(&t[i], 0, work, 0);
  assert(t[COUNT - 2] != t[COUNT - 1]);
})";
  EXPECT_EQ(verdict("#define COUNT 3\n" + body), Verdict::Safe);
  EXPECT_EQ(verdict("#define COUNT 18\n" + body), Verdict::Safe);
  EXPECT_EQ(verdict("#define COUNT 18\n" + body, {.late_naming = false}), Verdict::Safe);
  EXPECT_EQ(verdict(R"(
void *work(void *a) { return 0; }
int main() {
  pthread_t *t = malloc(2 * sizeof(pthread_t));
  for (int i = 0; i < 2; i++) pthread_create(t + i, 0, work, 0);
  assert(*t != *(t + 1));
})"),
            Verdict::Safe);
}

}  // namespace
}  // namespace cohort::frontend::c
