#include "frontend/c/parse/parse.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/diagnostics.hpp"

namespace cohort::frontend::c::parse {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string ir(const std::string& text, const Options& options = {}, const std::string& name = "a.c") {
  return to_string(parse({{test::text_file(name, text)}}, options));
}

// The nodes of the last function of the text.
std::string body(const std::string& text) {
  const std::string all = ir(text);
  std::size_t at = all.find('\n', all.rfind(" entry ")) + 1;
  std::string nodes;
  while (all.compare(at, 2, "  ") == 0) {
    const std::size_t end = all.find('\n', at) + 1;
    nodes += all.substr(at, end - at);
    at = end;
  }
  return nodes;
}

// With the smallest of libraries.
std::string linked(const std::string& library, const std::string& text) {
  return to_string(parse({{test::text_file("library", library), true}, {test::text_file("a.c", text)}}, {}));
}

TEST(Parse, PromotesAndConverts) {
  EXPECT_EQ(body("unsigned char c; short s; void f(void) { c = c + s; }"),
            "  0: c := (u8)((i32)c + (i32)s) -> 1\n  1: return\n");
  EXPECT_EQ(body("unsigned u; long l; void f(void) { l = u + 1; l = l + u; }"),
            "  0: l := (i64)(u + 1) -> 1\n  1: l := (l + (i64)u) -> 2\n  2: return\n");
  EXPECT_EQ(body("_Bool b; int *p; void f(int x) { b = x; b = p; }"),
            "  0: b := (bool)x -> 1\n  1: b := (bool)p -> 2\n  2: return\n");
  EXPECT_EQ(body("enum e { A, B = 7 } v; void f(void) { v = B; }"), "  0: v := 7 -> 1\n  1: return\n");
}

TEST(Parse, LaysOutTypesAsTheTargetDoes) {
  EXPECT_THAT(ir("struct s { char c; long l; struct s *next; int a[2]; } g;"),
              HasSubstr("struct s 32 bytes; i8 c @0; i64 l @8; s* next @16; i32[2] a @24"));
  EXPECT_THAT(ir("struct s { char c; long l; struct s *next; int a[2]; } g;", {.pointer_width = 32}),
              HasSubstr("struct s 20 bytes; i8 c @0; i32 l @4; s* next @8; i32[2] a @12"));
  EXPECT_EQ(body("int f(void) { return sizeof(long) + sizeof(char *); }"), "  0: return 16\n");
}

TEST(Parse, InitialisesStaticObjects) {
  const std::string all = ir(
      "int x = 3, y; static int a[4] = {1, [2] = -5}; struct { int u; struct { char c[3]; } v; } s = {1, {\"ab\"}};\n"
      "int *p = &a[2]; char *t = \"hi\"; int f(void); int (*q)(void) = f; _Thread_local int n = 9; extern int e;\n"
      "int use(void) { return e; }");
  EXPECT_THAT(all, HasSubstr("object i32 x;  = 3\n"));
  EXPECT_THAT(all, HasSubstr("object i32 y\n"));
  EXPECT_THAT(all, HasSubstr("static object i32[4] a; .0 = 1; .2 = -5\n"));
  EXPECT_THAT(all, HasSubstr("s; .0 = 1; .1.0.0 = 97; .1.0.1 = 98\n"));
  EXPECT_THAT(all, HasSubstr("object i32* p;  = &a[2]\n"));
  EXPECT_THAT(all, HasSubstr("object i8* t;  = &string@2[0]\n"));
  EXPECT_THAT(all, HasSubstr("q;  = &f\n"));
  EXPECT_THAT(all, HasSubstr("thread i32 n;  = 9\n"));
  EXPECT_THAT(all, HasSubstr("extern object i32 e\n"));
}

TEST(Parse, InitialisesAutomaticObjectsByCode) {
  EXPECT_EQ(body("void f(void) { struct { int a, b[2]; } s = {.b = {7}}; int n; }"),
            "  0: declare unnamed s -> 1\n  1: s.a := 0 -> 2\n  2: s.b[0] := 7 -> 3\n  3: s.b[1] := 0 -> 4\n"
            "  4: declare i32 n -> 5\n  5: return\n");
  EXPECT_EQ(body("void f(void) { char c[3] = \"a\"; }"),
            "  0: declare i8[3] c -> 1\n  1: c[0] := 97 -> 2\n  2: c[1] := 0 -> 3\n  3: c[2] := 0 -> 4\n"
            "  4: return\n");
}

TEST(Parse, OrdersSideEffects) {
  EXPECT_EQ(body("int x, y; void f(void) { y = x++ + ++x; }"),
            "  0: $2 := x -> 1\n  1: x := ($2 + 1) -> 2\n  2: $3 := (x + 1) -> 3\n  3: x := $3 -> 4\n"
            "  4: y := ($2 + $3) -> 5\n  5: return\n");
  // The left operand is read before the call, which may change it.
  EXPECT_EQ(body("int g(void); int x; int f(void) { return x + g(); }"),
            "  0: $1 := x -> 1\n  1: $2 := g() -> 2\n  2: return ($1 + $2)\n");
  // What a pointer points to is looked up once.
  EXPECT_EQ(body("int *p; void f(void) { *p += 2; }"),
            "  0: $1 := p -> 1\n  1: (*$1) := ((*$1) + 2) -> 2\n  2: return\n");
  EXPECT_EQ(body("int x, y; int f(void) { return x = y = 3, x; }"),
            "  0: y := 3 -> 1\n  1: x := 3 -> 2\n  2: return x\n");
}

TEST(Parse, TakesShortCircuitsApart) {
  EXPECT_EQ(body("int x, *p; int f(void) { return p && *p; }"),
            "  0: branch p -> 1 3\n  1: branch (*p) -> 2 3\n  2: $2 := 1 -> 4\n  3: $2 := 0 -> 4\n  4: return $2\n");
  EXPECT_EQ(body("int x; int f(int a, int b) { return a && b == 1; }"), "  0: return (a && (b == 1))\n");
  EXPECT_EQ(body("int x, y; int f(int a) { return a ? x : y; }"),
            "  0: branch a -> 1 2\n  1: $3 := x -> 3\n  2: $3 := y -> 3\n  3: return $3\n");
  EXPECT_EQ(body("int f(int a) { return a ? 2 : 3; }"), "  0: return (a ? 2 : 3)\n");
  EXPECT_EQ(body("int x; int f(int a) { return x ?: a; }"),
            "  0: $2 := x -> 1\n  1: branch $2 -> 2 3\n  2: $3 := $2 -> 4\n  3: $3 := a -> 4\n  4: return $3\n");
  EXPECT_EQ(body("int x; int f(int a) { return a && 8 / a; }"),
            "  0: branch a -> 1 3\n  1: branch (8 / a) -> 2 3\n  2: $2 := 1 -> 4\n  3: $2 := 0 -> 4\n  4: return $2\n");
}

TEST(Parse, BuildsLoopsAndJumps) {
  EXPECT_EQ(body("int x; void f(void) { while (x) { if (x == 1) continue; if (x == 2) break; x--; } }"),
            "  0: branch x -> 1 4\n  1: branch (x == 1) -> 0 2\n  2: branch (x == 2) -> 4 3\n  3: x := (x - 1) -> 0\n"
            "  4: return\n");
  EXPECT_EQ(body("int x; void f(void) { for (int i = 0; i < 3; i++) x = i; }"),
            "  0: i := 0 -> 1\n  1: branch (i < 3) -> 2 4\n  2: x := i -> 3\n  3: i := (i + 1) -> 1\n  4: return\n");
  EXPECT_EQ(body("int x; void f(void) { do x++; while (x < 3); }"),
            "  0: x := (x + 1) -> 1\n  1: branch (x < 3) -> 0 2\n  2: return\n");
  EXPECT_EQ(body("int x; void f(void) { again: x++; goto again; }"), "  0: x := (x + 1) -> 0\n");
  EXPECT_EQ(body("void f(void) { while (1) ; }"), "  0: skip -> 0\n");
  EXPECT_EQ(body("int x; void f(void) { switch (x) { case 1: x = 5; break; case 3 ... 4: x = 6; default: x = 7; } }"),
            "  0: $1 := x -> 1\n  1: branch ($1 == 1) -> 3 2\n  2: branch (($1 >= 3) && ($1 <= 4)) -> 4 5\n"
            "  3: x := 5 -> 6\n  4: x := 6 -> 5\n  5: x := 7 -> 6\n  6: return\n");
}

TEST(Parse, FollowsPointersAndMembers) {
  EXPECT_EQ(body("struct s { int a; struct s *n; } *p; int f(int i, int *q) { return p->n->a + q[i] + *(q + 1); }"),
            "  0: return (((*(*p).n).a + (*(q +p i))) + (*(q +p 1)))\n");
  EXPECT_EQ(body("int a[3][2]; int *f(int i) { a[i][1] = 4; return a[i]; }"),
            "  0: a[i][1] := 4 -> 1\n  1: return &a[i][0]\n");
  EXPECT_EQ(body("struct s { int a, b; } x, y; void f(struct s *p) { x = y; *p = x; x = *&*p; }"),
            "  0: x := y -> 1\n  1: (*p) := x -> 2\n  2: x := (*p) -> 3\n  3: return\n");
  EXPECT_EQ(body("long f(char *p, char *q) { p++; return p - q; }"), "  0: p := (p +p 1) -> 1\n  1: return (p -p q)\n");
}

TEST(Parse, KeepsBitFieldsInTheirWidth) {
  EXPECT_EQ(body("struct { unsigned u : 3; int i : 5; } s; void f(int x) { s.u = x; s.i = x; }"),
            "  0: s.u := ((u8)(u32)x & 7) -> 1\n  1: s.i := ((i8)((u8)(i8)x << 3) >> 3) -> 2\n  2: return\n");
  EXPECT_THAT(ir("struct { unsigned a : 3, b : 4; int c; } s;"), HasSubstr("u8 a @0; u8 b @1; i32 c @4"))
      << "no two share a byte, though in C they do";
}

TEST(Parse, MakesAtomicOperationsOneStep) {
  EXPECT_EQ(body("_Atomic int x; void f(void) { x++; x = 2; }"),
            "  0: x := (x + 1) [atomic 1] -> 1\n  1: x := 2 -> 2\n  2: return\n");
  EXPECT_EQ(body("int x; int f(void) { return __sync_fetch_and_add(&x, 2); }"),
            "  0: $1 := x [atomic 1] -> 1\n  1: $2 := ($1 + 2) [atomic 1] -> 2\n  2: x := $2 [atomic 1] -> 3\n"
            "  3: return $1\n");
  EXPECT_EQ(body("int x; int f(void) { return __sync_bool_compare_and_swap(&x, 1, 2); }"),
            "  0: $1 := x [atomic 1] -> 1\n  1: x := (($1 == 1) ? 2 : $1) [atomic 1] -> 2\n"
            "  2: return (i32)(bool)($1 == 1)\n");
  EXPECT_THAT(body("int x; int f(void) { return __atomic_load_n(&x, __ATOMIC_RELAXED); }"),
              HasSubstr("__cohort_note(\"memory orders weaker"));
  EXPECT_THAT(body("int x; int f(void) { return __atomic_load_n(&x, __ATOMIC_SEQ_CST); }"),
              Not(HasSubstr("__cohort_note")));
}

TEST(Parse, BeginsThreadsAtLabelsOfCprover) {
  EXPECT_EQ(body("int x; void f(void) { __CPROVER_ASYNC_1: x = 1; __CPROVER_ASYNC_1: x = 2; x = 3; }"),
            "  0: async -> 3 1\n  1: x := 1 -> 2\n  2: end async\n  3: async -> 6 4\n  4: x := 2 -> 5\n"
            "  5: end async\n  6: x := 3 -> 7\n  7: return\n");
}

TEST(Parse, ReplacesTypesOfTheThreadLibrary) {
  const std::string library = "struct cohort_pthread_mutex_t { int kind; int owner; };";
  const std::string all = linked(library,
                                 "#include <pthread.h>\n"
                                 "pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;\n"
                                 "struct s { int x; pthread_mutex_t m[2]; } s;\n"
                                 "pthread_mutex_t *f(struct s *p) { return &p->m[1]; }\n");
  EXPECT_THAT(all, HasSubstr("object cohort_pthread_mutex_t a\n"));
  EXPECT_THAT(all, HasSubstr("cohort_pthread_mutex_t[2] m @8"));
  EXPECT_THAT(all, HasSubstr("return &(*p).m[1]"));
  EXPECT_THAT(linked(library,
                     "#define _GNU_SOURCE\n#include <pthread.h>\n"
                     "pthread_mutex_t a = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;"),
              HasSubstr("object cohort_pthread_mutex_t a; .0 = 1\n"));
  // A type of the same name that the program itself made stays what it is.
  EXPECT_THAT(linked(library,
                     "typedef struct { int held; } pthread_mutex_t; pthread_mutex_t a;\n"
                     "void pthread_mutex_lock(pthread_mutex_t *m) { m->held = 1; }"),
              HasSubstr("object pthread_mutex_t a\n"));
  EXPECT_THAT(linked(library, "typedef struct { int x; } pthread_mutex_t; pthread_mutex_t a;"),
              HasSubstr("object cohort_pthread_mutex_t a\n"))
      << "a stand-in";
}

TEST(Parse, LinksFilesByName) {
  const std::string all =
      to_string(parse({{test::text_file("library", "void go(void) {} int twice(int x) { return x + x; }"), true},
                       {test::text_file("a.c",
                                        "extern int x; static int h(void) { return 1; } int twice(int);\n"
                                        "int f(void) { return h() + x + twice(2); }")},
                       {test::text_file("b.c", "int x = 5; static int h(void) { return 2; } void go(void) { h(); }")}},
                      {}));
  EXPECT_THAT(all, HasSubstr("object i32 x;  = 5\n")) << "the definition is found";
  EXPECT_THAT(all, HasSubstr("void go() entry 0\n  0: h() -> 1\n")) << "the program's own function wins";
  EXPECT_THAT(all, HasSubstr("return (x + x)")) << "the library's is there for the rest";
  EXPECT_THAT(test::diagnostic([] {
                return parse({{test::text_file("a.c", "int f(void) { return 1; }")},
                              {test::text_file("b.c", "int f(void) { return 2; }")}},
                             {});
              }),
              HasSubstr("b.c:1:5: error: 'f' is defined in two files"));
}

TEST(Parse, AcceptsOldC) {
  EXPECT_EQ(body("x; f() { g(1); return x; }"), "  0: g(1) -> 1\n  1: return x\n");
  EXPECT_EQ(body("void *f(void *) { }"), "  0: return\n");
  EXPECT_THAT(ir("# 1 \"some/where.c\"\nint x = 4;", {}, "a.i"), HasSubstr("object i32 x;  = 4\n"));
}

TEST(Parse, ObeysDefinesAndIncludes) {
  EXPECT_THAT(ir("int x = N; int32_t y = 1;", {.defines = {"N=6"}, .includes = {"stdint.h"}}),
              HasSubstr("object i32 x;  = 6\n"));
  EXPECT_THAT(ir("int x = ANSWER;", {.prelude = "#define ANSWER 42\n"}), HasSubstr("x;  = 42\n"));
}

TEST(Parse, SaysWhatIsNoC) {
  EXPECT_EQ(test::diagnostic([] { return ir("int x;\nint f(void) { return y; }\n"); }),
            "a.c:2:22: error: use of undeclared identifier 'y'\n  int f(void) { return y; }\n                       ^");
  EXPECT_THAT(test::diagnostic([] { return ir("#include \"no_such_header.h\"\n"); }),
              HasSubstr("a.c:1:10: error: 'no_such_header.h' file not found"));
}

TEST(Parse, RefusesWhereItStands) {
  EXPECT_EQ(body("int x; void f(double d) { x = 1; x = d; x = 2; }"),
            "  0: x := 1 -> 1\n  1: $2 := d -> 2\n"
            "  2: unsupported: something that depends on the value of a floating-point number\n");
  EXPECT_EQ(body("void f(void) { __asm__(\"hlt\"); }"), "  0: unsupported: inline assembly \"hlt\"\n");
  EXPECT_EQ(body("void f(void) { __asm__ volatile(\"\" ::: \"memory\"); }"), "  0: return\n");
  EXPECT_EQ(body("void f(void) { __asm__ volatile(\"pause\"); }"), "  0: return\n");
  EXPECT_THAT(body("void f(int n, ...) { __builtin_va_list l; __builtin_va_start(l, n); }"),
              HasSubstr("l[0].gp_offset := __cohort_first_argument()"));
}

}  // namespace
}  // namespace cohort::frontend::c::parse
