// Bounds of the C front end raise themselves until no execution asks for more.
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
