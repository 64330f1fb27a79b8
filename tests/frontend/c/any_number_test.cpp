// `--any NAME`: what becomes of the text, what is refused, and what is proved.
#include "frontend/c/any_number.hpp"

#include <string>

#include <gtest/gtest.h>

#include "frontend/c/c.hpp"
#include "model/any_number.hpp"
#include "strategy/verify.hpp"

namespace cohort::frontend::c {
namespace {

using result::Verdict;

std::string rewritten(const std::string& text) {
  const auto file = std::make_shared<const SourceFile>("test.c", text);
  const std::string result = with_any_number({file}, "N").files.front()->text();
  return result.substr(0, text.size());
}

std::string refusal(const std::string& text) {
  try {
    rewritten(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "taken";
}

TEST(AnyNumber, TakesTheDefinitionAwayAndNothingElse) {
  EXPECT_EQ(rewritten("#define N 4\nint x;\n"), "           \nint x;\n");
  EXPECT_EQ(rewritten("#ifndef N\n# define N (12)\n#endif\nint x;"), "#ifndef N\n               \n#endif\nint x;");
  EXPECT_EQ(rewritten("static const int N = 4; int x = 1;"), "                        int x = 1;");
  EXPECT_EQ(rewritten("int M = 3;\nenum { N = 4 };\n"), "int M = 3;\n               \n");
  EXPECT_EQ(rewritten("enum { N = 4, M = 2 };"), "enum {        M = 2 };");
  EXPECT_EQ(rewritten("enum { M = 2, N = 4 };"), "enum { M = 2        };");
  EXPECT_EQ(rewritten("#define N 4 // threads\n/* N = 5; */ char *s = \"N[N]\";"),
            "                      \n/* N = 5; */ char *s = \"N[N]\";");
}

TEST(AnyNumber, MakesArraysAtFileScopePointers) {
  EXPECT_EQ(rewritten("#define N 4\nint done[N];"), "           \nint *done  ;");
  EXPECT_EQ(rewritten("#define N 4\nint a, b[2 * N], c[3];"), "           \nint a, *b      , c[3];");
  EXPECT_EQ(rewritten("#define N 4\nstruct s { int i; } t[N] = {0};"), "           \nstruct s { int i; } *t        ;");
  EXPECT_EQ(rewritten("#define N 4\nvoid f(int a[N]) { int b[N]; }"), "           \nvoid f(int a[N]) { int b[N]; }");
}

TEST(AnyNumber, RefusesWhatItCannotStandFor) {
  EXPECT_NE(refusal("int x;"), "taken");
  EXPECT_NE(refusal("#define N f(4)\n"), "taken");
  EXPECT_NE(refusal("#define N(x) 4\n"), "taken");
  EXPECT_NE(refusal("#define N 4\n#if N > 3\n#endif\n"), "taken");
  EXPECT_NE(refusal("#define N 4\n#undef N\n"), "taken");
  EXPECT_NE(refusal("#define N 4\nint a[N] = {1, 2, 3, 4};"), "taken");
  EXPECT_NE(refusal("#define N 4\nint a[N][2];"), "taken");
  EXPECT_NE(refusal("#define N 4\nint a[N];\nint main(void) { return sizeof(a); }"), "taken");
  EXPECT_NE(refusal("#define N 4\nint a[N];\nint main(void) { return sizeof a; }"), "taken");
  EXPECT_NE(refusal("#define N 4\nint a[N];\nvoid *f(void) { return &a; }"), "taken");
  EXPECT_NE(refusal("#define N 4\nint a[N];\n#define LENGTH (sizeof(a) / 4)\n"), "taken");
  EXPECT_NE(refusal("#define N 4\n#define LENGTH(x) sizeof(x)\nint a[N];\nint f(void) { return LENGTH(a); }"), "taken");
  EXPECT_EQ(refusal("#define N 4\nint a[N], *b;\nvoid *f(void) { b = a; if (*a) return a; return &a[1]; }"), "taken");
  EXPECT_EQ(refusal("#define N 4\nint a[N];\nvoid f(struct s *p) { int a; p->a[0].a = 1; }"), "taken");
  EXPECT_NE(refusal("enum { N = 4, M };"), "taken");
  EXPECT_NE(refusal("const unsigned N = 4;"), "taken") << "it would be an int";
  EXPECT_NE(refusal("const int N = 4;\n#ifdef N\n#endif\n"), "taken");
  EXPECT_NE(refusal("#define N 5000000000\n"), "taken");
  EXPECT_NE(refusal("#define N 4\ntypedef int row[N];"), "taken");
}

TEST(AnyNumber, TakesSeveralFiles) {
  const auto file = [](const std::string& text) { return std::make_shared<const SourceFile>("test.c", text); };
  const auto first = file("#define N 4\nint a[N];");
  EXPECT_EQ(with_any_number({first, file("#define N 4\nextern int a[N];")}, "N").files.size(), 2U);
  EXPECT_THROW(with_any_number({first, file("extern int a[];")}, "N"), InputError);
  EXPECT_THROW(with_any_number({file("const int N = 4;"), file("#ifdef N\n#endif")}, "N"), InputError);
}

const std::string head = R"(
typedef unsigned long pthread_t;
typedef struct { int x; } pthread_attr_t;
typedef struct { int x; } pthread_mutex_t;
int pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
int pthread_mutex_lock(pthread_mutex_t *);
int pthread_mutex_unlock(pthread_mutex_t *);
void assert(int);
)";

model::Program read(const std::string& source) {
  Options options;
  options.any_number = "N";
  return load({std::make_shared<const SourceFile>("test.c", head + source)}, options);
}

Verdict verdict(const std::string& source) {
  Env env;
  env.limits.set_time_limit(60);
  return strategy::verify(env, read(source), {}).result.verdict;
}

TEST(AnyNumber, IsAnyFromOneOn) {
  const std::string main = "#define N 4\nint main(void) { ";
  EXPECT_EQ(verdict(main + "assert(N >= 1); }"), Verdict::Safe);
  EXPECT_EQ(verdict(main + "assert(N == 4); }"), Verdict::Unsafe);
  EXPECT_EQ(verdict(main + "int before = N; assert(before == N); }"), Verdict::Safe) << "it is one number";
  EXPECT_EQ(model::any_numbers(read(main + "}")), std::vector<std::string>{"N"});
}

TEST(AnyNumber, WhatCNeedsAConstantForIsAnError) {
  EXPECT_THROW(read("#define N 4\nint x = N;\nint main(void) { }"), InputError);
  EXPECT_THROW(read("#define N 4\nstruct s { int a[N]; } x;\nint main(void) { }"), InputError);
  EXPECT_THROW(read("#define N 4\nint main(int c, char **v) { switch (c) { case N: return 1; } }"), InputError);
  EXPECT_THROW(read("#define N 4\nint main(void) { static int a[N]; }"), InputError);
  EXPECT_THROW(read("#define N 4\nenum { M = 2 * N };\nint main(void) { }"), InputError);
}

TEST(AnyNumber, ProvesALockForEveryNumberOfThreads) {
  const std::string source = R"(
#define N 4
pthread_mutex_t m;
int inside;
void *w(void *p) {
  LOCK
  inside++;
  assert(inside == 1);
  inside--;
  UNLOCK
  return 0;
}
pthread_t t[N];
int main(void) {
  for (int i = 0; i < N; i++) pthread_create(&t[i], 0, w, 0);
  for (int i = 0; i < N; i++) pthread_join(t[i], 0);
  return 0;
}
)";
  EXPECT_EQ(verdict("#define LOCK pthread_mutex_lock(&m);\n#define UNLOCK pthread_mutex_unlock(&m);\n" + source),
            Verdict::Safe);
  EXPECT_EQ(verdict("#define LOCK\n#define UNLOCK\n" + source), Verdict::Unsafe);
}

}  // namespace
}  // namespace cohort::frontend::c
