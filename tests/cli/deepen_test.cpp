// Bounds of front ends raise themselves until no execution asks for more.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cli/run_program.hpp"

namespace cohort::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr int safe = 0;
constexpr int unsafe = 10;
constexpr int unknown = 5;

const std::string head = "#include <assert.h>\n#include <stdlib.h>\n#include <pthread.h>\nint nondet_int(void);\n";

class Deepen : public ::testing::Test {
 protected:
  Outcome verify(const std::string& text, std::vector<std::string> options = {}) const {
    options.insert(options.begin(), {"verify", scratch_.write("a.c", head + text)});
    return run_program(options);
  }

  Scratch scratch_;
};

std::string nodes(int result) {
  return "int main(void) { int *p = 0; for (int i = 0; i < 9; i++) { p = malloc(4); *p = i; } assert(*p == " +
         std::to_string(result) + "); return 0; }\n";
}

TEST_F(Deepen, ObjectsOfOneAllocation) {
  const Outcome proved = verify(nodes(8));
  EXPECT_EQ(proved.exit_code, safe) << proved.out;
  EXPECT_THAT(proved.out, HasSubstr("raised: --heap-pool to 16, since 8 was not enough at "));
  EXPECT_THAT(proved.out, Not(HasSubstr("--heap-pool to 8,"))) << "the last value is enough to know";
  EXPECT_EQ(verify(nodes(7)).exit_code, unsafe);
}

TEST_F(Deepen, WhatWasGivenStays) {
  const Outcome outcome = verify(nodes(8), {"--heap-pool", "4"});
  EXPECT_EQ(outcome.exit_code, unknown);
  EXPECT_THAT(outcome.out, HasSubstr("more than 4 objects allocated here (--heap-pool 4); no violation before that"));
  EXPECT_EQ(verify(nodes(8), {"--heap-pool", "9"}).exit_code, safe);
}

TEST_F(Deepen, NestedCalls) {
  const std::string text = "int f(int n) { return n == 0 ? 0 : 1 + f(n - 1); }\n";
  const std::string main = "int main(void) { int n = nondet_int(); if (n < 0 || n > 12) return 0; assert(f(n) ";
  const Outcome proved = verify(text + main + "== n); return 0; }\n");
  EXPECT_EQ(proved.exit_code, safe) << proved.out;
  EXPECT_THAT(proved.out, HasSubstr("raised: --recursion to "));
  EXPECT_EQ(verify(text + main + "< 12); return 0; }\n").exit_code, unsafe);
}

const std::string section =
    "decl busy;\n"
    "void main() begin busy := 0; start_thread section(); section(); end\n"
    "void section() begin busy := 1 constrain !busy; work(); assert(busy); busy := 0; end\n"
    "void work() begin\n  if * then work(); fi;\n  assert(busy);\nend\n";

class DeepenBoolean : public ::testing::Test {
 protected:
  Outcome run(const std::string& command, const std::string& text, std::vector<std::string> options = {}) const {
    options.insert(options.begin(), {command, scratch_.write("a.bp", text)});
    return run_program(options);
  }

  Scratch scratch_;
};

TEST_F(DeepenBoolean, RecursionWithoutEndIsProvedByASummary) {
  const Outcome proved = run("verify", section);
  EXPECT_EQ(proved.exit_code, safe) << proved.out;
  EXPECT_THAT(proved.out, HasSubstr("raised: --beyond-recursion summary, since --recursion 8 was not enough at "));
  EXPECT_THAT(proved.out, HasSubstr("a.bp:5:13"));
  const Outcome asked = run("verify", section, {"--beyond-recursion", "summary", "--recursion", "1"});
  EXPECT_EQ(asked.exit_code, safe) << asked.out;
  EXPECT_THAT(asked.out, Not(HasSubstr("raised")));
}

TEST_F(DeepenBoolean, WithoutASummaryRecursionIsCut) {
  const Outcome cut = run("verify", section, {"--beyond-recursion", "cut", "--recursion", "3"});
  EXPECT_EQ(cut.exit_code, unknown);
  EXPECT_THAT(cut.out, HasSubstr("a recursion of work of more than 3 calls (--recursion 3); no violation before that"));
}

TEST_F(DeepenBoolean, CertificatesSayThatCallsAreSummarised) {
  const std::string certificate = scratch_.path("c.json");
  ASSERT_EQ(run("verify", section, {"--certificate", certificate}).exit_code, safe);
  const Outcome checked = run("check-certificate", section, {certificate, "--beyond-recursion", "summary"});
  EXPECT_EQ(checked.exit_code, safe) << checked.err;
  const Outcome other = run("check-certificate", section, {certificate});
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_THAT(other.err, HasSubstr("beyond_recursion"));
}

// Nobody comes out of f after an odd number of calls with another value than it has: a summary does not know that.
TEST_F(DeepenBoolean, WhatASummaryViolatesIsNotTold) {
  const std::string parity =
      "void main() begin decl r; r := f(0); assert(r = 0); end\n"
      "bool f(p) begin decl r; if * then return p; fi; r := f(!p); return !r; end\n";
  const Outcome outcome = run("verify", parity, {"--recursion", "3"});
  EXPECT_EQ(outcome.exit_code, unknown) << outcome.out;
  EXPECT_EQ(run("verify", parity, {"--beyond-recursion", "summary"}).exit_code, unknown);
}

TEST_F(DeepenBoolean, ViolationsBelowTheBoundAreFound) {
  const std::string deep =
      "decl a, b, c, d;\nvoid main() begin a, b, c, d := 0, 0, 0, 0; f(); end\n"
      "void f() begin\n"
      "  if !a then a := 1; elsif !b then a, b := 0, 1; elsif !c then a, b, c := 0, 0, 1;\n"
      "  elsif !d then a, b, c, d := 0, 0, 0, 1; fi;\n"
      "  assert(!(b & d));\n  f();\nend\n";
  const Outcome outcome = run("verify", deep);
  EXPECT_EQ(outcome.exit_code, unsafe) << outcome.out;
  EXPECT_THAT(outcome.out, HasSubstr("raised: --recursion to 16"));
  ASSERT_EQ(run("verify", deep, {"--format", "json", "--beyond-recursion", "summary", "--recursion", "12"}).exit_code,
            unsafe);
  const Outcome json = run("verify", deep, {"--format", "json"});
  const Outcome replayed = run_program({"replay", scratch_.path("a.bp"), scratch_.write("trace.json", json.out)});
  EXPECT_EQ(replayed.exit_code, unsafe) << replayed.err;
}

// What lies behind a cut would be missing.
TEST_F(DeepenBoolean, OtherCommandsTellNothingOfAPartOnly) {
  for (const char* command : {"reach", "cover", "cutoff"}) {
    const Outcome outcome = run(command, section);
    EXPECT_EQ(outcome.exit_code, unknown) << command << outcome.out;
    EXPECT_THAT(outcome.err, HasSubstr("a recursion of work of more than 8 calls")) << command;
    EXPECT_EQ(run(command, section, {"--beyond-recursion", "summary"}).exit_code, 1) << command;
  }
  const std::string twice =
      "decl n, m;\nvoid main() begin n, m := 0, 0; f(); end\n"
      "void f() begin if n & m then return; fi; n, m := !n, n ^ m; f(); end\n";
  for (const std::string out : {"o.tts", "o.bp", "o.spec"}) {
    const Outcome outcome = run("convert", section, {"-o", scratch_.path(out)});
    EXPECT_EQ(outcome.exit_code, unknown) << out << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr("a recursion of work of more than 8 calls")) << out;
  }
  EXPECT_EQ(run("invariants", section).exit_code, unknown) << "facts that hold before the cut only";
  EXPECT_EQ(run("invariants", twice).exit_code, safe);
  EXPECT_EQ(run("convert", section, {"-o", scratch_.path("o.pml"), "--threads", "2"}).exit_code, unknown);
  EXPECT_EQ(run("convert", section, {"-o", scratch_.path("o.dot")}).exit_code, safe) << "calls are shown as they are";
  for (const char* command : {"reach", "cover", "cutoff"}) {
    EXPECT_EQ(run(command, twice).exit_code, safe) << command << " with recursion that ends";
  }
  EXPECT_EQ(run("convert", twice, {"-o", scratch_.path("o.tts")}).exit_code, safe);
}

TEST_F(Deepen, ElementsOfAnAllocation) {
  const std::string text =
      "int main(void) { int n = nondet_int(); if (n < 1 || n > 20) return 0; char *a = malloc(n);\n"
      "  a[n - 1] = 1; assert(a[n - 1] == 1 && n ";
  const Outcome proved = verify(text + "< 21); return 0; }\n");
  EXPECT_EQ(proved.exit_code, safe) << proved.out;
  EXPECT_THAT(proved.out, HasSubstr("raised: --heap-array to 32"));
  EXPECT_EQ(verify(text + "!= 20); return 0; }\n").exit_code, unsafe);
}

TEST_F(Deepen, ThreadsThatAreToldApart) {
  const std::string text =
      "pthread_t t; int c; void *work(void *a) { c++; return 0; }\n"
      "int main(void) { for (int i = 0; i < 20; i++) { pthread_create(&t, 0, work, 0); pthread_join(t, 0); }\n"
      "  assert(c == ";
  const Outcome proved = verify(text + "20); return 0; }\n");
  EXPECT_EQ(proved.exit_code, safe) << proved.out;
  EXPECT_THAT(proved.out, HasSubstr("raised: --told-apart to 32"));
  EXPECT_EQ(verify(text + "19); return 0; }\n").exit_code, unsafe);
}

// A program that never has enough ends all the same, and its answer names the bound.
TEST_F(Deepen, EndsWhereNothingIsEnough) {
  const std::string text = "int main(void) { for (;;) { int *p = malloc(4); *p = 1; assert(*p == 1); } return 0; }\n";
  const Outcome outcome = verify(text, {"--time-limit", "20"});
  EXPECT_EQ(outcome.exit_code, unknown) << outcome.out;
  EXPECT_THAT(outcome.out, HasSubstr("objects allocated here (--heap-pool "));
}

// The run belongs to the program with the bounds as they were in the end.
TEST_F(Deepen, TracesCarryTheBounds) {
  const Outcome found = verify(nodes(7), {"--format", "json"});
  ASSERT_EQ(found.exit_code, unsafe);
  const auto document = nlohmann::json::parse(found.out);
  EXPECT_EQ(document["task"]["c"]["heap_pool"], 16);
  EXPECT_EQ(document["raised"].size(), 1U);
  const std::string program = scratch_.write("a.c", head + nodes(7));
  EXPECT_EQ(run_program({"replay", program, scratch_.write("trace.json", found.out)}).exit_code, unsafe);
}

}  // namespace
}  // namespace cohort::test
