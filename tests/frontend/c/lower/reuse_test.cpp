// Freed addresses come back where a comparison can tell, and nowhere else.
#include <string>

#include <gtest/gtest.h>

#include "frontend/c/c.hpp"
#include "strategy/verify.hpp"

namespace cohort::frontend::c {
namespace {

using result::Verdict;

const std::string head = R"(
typedef unsigned long pthread_t;
typedef struct { int x; } pthread_attr_t;
int pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
void *malloc(unsigned long);
void *calloc(unsigned long, unsigned long);
void free(void *);
void assert(int);
)";

model::Program read(const std::string& source, const Options& options) {
  return load({std::make_shared<const SourceFile>("test.c", head + source)}, options);
}

Verdict verdict(const std::string& source, const Options& options = {}) {
  Env env;
  env.limits.set_time_limit(60);
  return strategy::verify(env, read(source, options), {}).result.verdict;
}

const Options without{.reuse = false};
const Options faults{.properties = {"faults"}};

TEST(Reuse, ANewObjectMayHaveTheAddressOfAFreedOne) {
  const std::string begin = "int main() { int *p = malloc(4); free(p); int *q = malloc(4); ";
  EXPECT_EQ(verdict(begin + "assert(p != q); }"), Verdict::Unsafe);
  EXPECT_EQ(verdict(begin + "assert(p == q); }"), Verdict::Unsafe) << "or not";
  EXPECT_EQ(verdict(begin + "assert(p != q); }", without), Verdict::Safe);
  EXPECT_EQ(verdict("int main() { int *p = malloc(4); int *q = malloc(4); assert(p != q); free(p); }"), Verdict::Safe);
}

TEST(Reuse, WhatLivesIsNotHandedOut) {
  EXPECT_EQ(verdict("int main() { int *p = malloc(4); free(p); int *q = malloc(4); int *r = malloc(4);\n"
                    "  assert(q != r); }"),
            Verdict::Safe);
  EXPECT_EQ(verdict("int main() { int *last = 0; for (int i = 0; i < 4; i++) { int *p = malloc(4); assert(p != last);\n"
                    "  last = p; if (i == 1) free(p); } }"),
            Verdict::Unsafe);
}

TEST(Reuse, PoolsOfALoopComeBackOneByOne) {
  const std::string source =
      "int *p[3]; int main() { for (int i = 0; i < 3; i++) p[i] = malloc(4); free(p[1]);\n"
      "  int *q = malloc(4); assert(q != p[INDEX]); }";
  EXPECT_EQ(verdict("#define INDEX 1\n" + source), Verdict::Unsafe);
  EXPECT_EQ(verdict("#define INDEX 0\n" + source), Verdict::Safe);
  EXPECT_EQ(verdict("#define INDEX 2\n" + source), Verdict::Safe);
}

TEST(Reuse, ObjectsOfAnotherTypeHaveOtherAddresses) {
  EXPECT_EQ(verdict("struct s { int a, b, c; };\n"
                    "int main() { int *p = malloc(4); free(p); struct s *q = malloc(sizeof *q);\n"
                    "  assert((void *)p != (void *)q); }"),
            Verdict::Safe);
}

TEST(Reuse, WhatWasThereStandsThereUnlessItIsZeroed) {
  const std::string begin = "int main() { int *p = malloc(4); *p = 7; free(p); int *q = ";
  EXPECT_EQ(verdict(begin + "malloc(4); if (p == q) assert(*q == 7); }"), Verdict::Safe);
  EXPECT_EQ(verdict(begin + "malloc(4); assert(*q == 7); }"), Verdict::Unsafe) << "a new object has any value";
  EXPECT_EQ(verdict(begin + "calloc(1, 4); if (p == q) assert(*q == 0); }"), Verdict::Safe);
  EXPECT_EQ(verdict(begin + "calloc(1, 4); assert(p != q); }"), Verdict::Unsafe);
}

TEST(Reuse, FaultsAreThoseOfFreedObjects) {
  const std::string begin = "int main() { int *p = malloc(4); free(p); int *q = malloc(4); ";
  EXPECT_EQ(verdict(begin + "if (p == q) *p = 1; free(q); }", faults), Verdict::Safe) << "it lives again";
  EXPECT_EQ(verdict(begin + "if (p != q) *p = 1; free(q); }", faults), Verdict::Unsafe);
  EXPECT_EQ(verdict(begin + "if (p == q) free(p); free(q); }", faults), Verdict::Unsafe) << "freed twice";
  EXPECT_EQ(verdict("int main() { int *p = malloc(4); free(p); int *q = malloc(4); *p = 1; free(q); }", faults),
            Verdict::Unsafe)
      << "whether or not the address comes back";
}

// Nobody compares the pointers, so there is nothing to choose.
TEST(Reuse, CostsNothingWhereNobodyCanTell) {
  const std::string source =
      "int main() { int s = 0; for (int i = 0; i < 4; i++) { int *p = malloc(4); *p = i; s += *p; free(p); }\n"
      "  assert(s == 6); }";
  const auto size = [](const model::Program& program) {
    std::size_t edges = 0;
    for (const model::Template& templ : program.templates) edges += templ.edges.size();
    return edges;
  };
  EXPECT_EQ(size(read(source, {})), size(read(source, without)));
  EXPECT_EQ(verdict(source), Verdict::Safe);
}

// A pop reads the top and what lies below it; meanwhile both are popped and freed, and the address of the top comes
// back with something else below.
TEST(Reuse, FindsTheStackWhoseTopComesBack) {
  const std::string source = R"(
struct node { int value; struct node *next; };
struct node *_Atomic top;
void push(int v) {
  struct node *n = malloc(sizeof *n);
  n->value = v;
  struct node *old = top;
  do n->next = old; while (!__c11_atomic_compare_exchange_strong(&top, &old, n, 5, 5));
}
int taken[3];
void pop(void) {
  struct node *old = top;
  while (old) {
    struct node *next = old->next;
    if (!__c11_atomic_compare_exchange_strong(&top, &old, next, 5, 5)) continue;
    assert(!taken[old->value]);
    taken[old->value] = 1;
    free(old);
    return;
  }
}
void *other(void *p) { pop(); pop(); push(2); pop(); pop(); return 0; }
int main() {
  pthread_t t;
  push(0);
  push(1);
  pthread_create(&t, 0, other, 0);
  pop();
  pthread_join(t, 0);
})";
  EXPECT_EQ(verdict(source, without), Verdict::Safe);
  EXPECT_EQ(verdict(source), Verdict::Unsafe);
}

}  // namespace
}  // namespace cohort::frontend::c
