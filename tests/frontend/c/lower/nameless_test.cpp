// Which allocated objects may change places, and that programs that tell objects apart keep them where they are.
#include <string>

#include <gtest/gtest.h>

#include "frontend/c/c.hpp"
#include "model/heap.hpp"
#include "strategy/verify.hpp"

namespace cohort::frontend::c {
namespace {

using result::Verdict;

// Two threads work on nodes that they allocate; `step` is what one does with its node n, the stack g and its argument
// p.
std::string program(const std::string& step, const std::string& check = "") {
  return R"(
typedef unsigned long pthread_t;
typedef struct { int x; } pthread_attr_t;
int pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
void *malloc(unsigned long);
void free(void *);
void assert(int);
struct node { int value; struct node *next; int row[2]; } *g, *h;
long number;
long __VERIFIER_nondet_long(void);
union both { struct node *pointer; long number; } u;
void outside(struct node *);
void *w(void *p) {
  struct node *n = malloc(sizeof *n);
  n->value = 1; n->next = 0;
  )" + step +
         R"(
  return 0;
}
int main() {
  pthread_t t[2];
  number = __VERIFIER_nondet_long();
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, w, 0);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  )" + check +
         R"(
  return 0;
}
)";
}

model::Program read(const std::string& source, const Options& options = {}) {
  return load({std::make_shared<const SourceFile>("test.c", source)}, options);
}

bool is_nameless(const std::string& step, const Options& options = {}) {
  const std::string check = "if (number == 77 && h == g) assert(0);";
  return model::heap_of(read(program("g = n; " + step, check), options)).has_value();
}

TEST(Nameless, ObjectsWhoseAddressesAreStoredComparedAndFollowed) {
  EXPECT_TRUE(is_nameless(""));
  EXPECT_TRUE(is_nameless("n->next = g; h = n->next; if (h == g && h != n && h) n->value = h->value;"));
  EXPECT_TRUE(is_nameless("struct node copy = *n; *n = copy; free(n);"));
  EXPECT_TRUE(is_nameless("", {.properties = {"faults"}}));
}

TEST(Nameless, NotWhereAddressesBecomeNumbers) {
  EXPECT_FALSE(is_nameless("number = (long)n;"));
  EXPECT_FALSE(is_nameless("if (n < g) number = 1;"));
  EXPECT_FALSE(is_nameless("number = n - g;"));
  EXPECT_FALSE(is_nameless("if ((long)n % 2) number = 1;"));
  EXPECT_FALSE(is_nameless("u.pointer = n; number = u.number;"));
}

TEST(Nameless, NotWhereNumbersStandAmongAddresses) {
  EXPECT_FALSE(is_nameless("if (number) g = (struct node *)number;"));
  EXPECT_FALSE(is_nameless("h = (struct node *)8; if (number) h = n;"));
  EXPECT_FALSE(is_nameless("if (n == (struct node *)number) number = 2;"));
  EXPECT_TRUE(is_nameless("void *other = (void *)number; if (other) number = 2;")) << "they are kept apart";
}

TEST(Nameless, NotWhereAddressesAreMoved) {
  EXPECT_FALSE(is_nameless("h = n + number;"));
  EXPECT_FALSE(is_nameless("int *row = n->row; row[number] = 1;"));
  EXPECT_TRUE(is_nameless("n->row[1] = 1; number = n->row[1];"));
}

TEST(Nameless, NotForRacesNorBehindFunctionsThatNobodyDefines) {
  EXPECT_FALSE(is_nameless("", {.properties = {"races"}}));
  EXPECT_FALSE(is_nameless("", {.late_naming = false}));
  EXPECT_FALSE(is_nameless("outside(n);"));
}

std::uint64_t states(const std::string& source, bool with_names, Verdict expected, bool samples = false) {
  Env env;
  env.limits.set_time_limit(60);
  strategy::Options options;
  options.engine = "explicit";
  options.threads.bound = 4;
  options.engine_options.sample_choices = samples;
  const auto answer = strategy::verify(env, read(source, {.late_naming = !with_names}), options);
  EXPECT_EQ(answer.result.verdict, expected);
  return std::get<std::uint64_t>(*env.statistics.find("states"));
}

TEST(Nameless, TheOrderOfAllocationsDoesNotCount) {
  const std::string push = "do n->next = g; while (!__sync_bool_compare_and_swap(&g, n->next, n));";
  const std::string source = program(push, "assert(g && g->next && !g->next->next);");
  EXPECT_LT(2 * states(source, false, Verdict::Safe), states(source, true, Verdict::Safe));
  EXPECT_EQ(states(source, false, Verdict::Safe, true), states(source, false, Verdict::Safe))
      << "nor where choices are tried";
}

// The size of an object that is known at run time only is stored before its address is.
TEST(Nameless, SizesAreNotGarbage) {
  const std::string source = R"(
typedef unsigned long pthread_t;
typedef struct { int x; } pthread_attr_t;
int pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
void *malloc(unsigned long);
void assert(int);
_Bool __VERIFIER_nondet_bool(void);
int *p, x;
void *w(void *a) { x = 1; if (p) { *p = 1; x = 2; } return 0; }
int main() {
  pthread_t t;
  pthread_create(&t, 0, w, 0);
  unsigned long n = __VERIFIER_nondet_bool() ? 4 : 8;
  p = malloc(n);
  pthread_join(t, 0);
  assert(x != 2);
}
)";
  states(source, false, Verdict::Unsafe);
}

TEST(Nameless, ViolationsHaveTracesOverTheProgramsOwnObjects) {
  const std::string lost = "n->next = g; g = n;";
  states(program(lost, "assert(g->next);"), false, Verdict::Unsafe);
  // Garbage lies in between.
  const std::string drop = "g = n; n = malloc(sizeof *n); n->value = 2; h = n;";
  states(program(drop, "assert(h->value != 2 || g->value != 1);"), false, Verdict::Unsafe);
}

}  // namespace
}  // namespace cohort::frontend::c
