#include "load/target.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/source.hpp"
#include "frontend/bp/bp.hpp"
#include "frontend/pbmc/pbmc.hpp"
#include "model/interpreter.hpp"
#include "model/passes/inline.hpp"
#include "model/validate.hpp"
#include "support/diagnostics.hpp"
#include "support/explore.hpp"

namespace cohort::load {
namespace {

using ::testing::HasSubstr;

model::Program program_of(const std::string& text) {
  return model::inline_calls(frontend::bp::load(test::text_file("a.bp", text), {}));
}

constexpr const char* two_bits = R"(decl s := 0;
void main() begin
  decl l := 0;
  start_thread w();
HERE: l := 1;
  assume(s);
THERE: skip;
end
void w() begin
  decl k := 0;
  k := 1;
  s := 1;
  assert(0);
end
)";

// Is the target reached with two threads?
bool reached(const std::string& target) {
  const model::Program asking = asking_for(program_of(two_bits), target);
  model::validate(asking);
  const model::Interpreter interpreter(asking, 2);
  for (const model::State& state : test::explore(asking, 2).states) {
    if (interpreter.violated(state)) return true;
  }
  return false;
}

TEST(Target, AsksForAThreadByValues) {
  EXPECT_TRUE(reached("l == 1 && s == 1"));
  EXPECT_TRUE(reached("l == 0 && s"));
  EXPECT_TRUE(reached("at THERE"));
  EXPECT_FALSE(reached("at THERE && s == 0"));
  EXPECT_FALSE(reached("l == 1 && at HERE"));
  EXPECT_TRUE(reached("k == 1 && s != 1"));
  EXPECT_FALSE(reached("k == 0 && s == true"));
  EXPECT_FALSE(reached("!(k || !s) && true"));
  EXPECT_TRUE(reached("  (k == 0) && !s || false"));
}

TEST(Target, AsksNothingElse) {
  const model::Program asking = asking_for(program_of(two_bits), "l == 1 && l == 0");
  ASSERT_EQ(asking.properties.size(), 1U);
  const model::Interpreter interpreter(asking, 2);
  for (const model::State& state : test::explore(asking, 2).states) EXPECT_FALSE(interpreter.violated(state));
}

TEST(Target, ComparesNumbersAndElements) {
  const model::Program program = frontend::pbmc::load(test::text_file("a.pbmc", R"(int x = 3;
int a[2] = 0;
processes 1;
process P[i] {
  x = x + 1;
}
)"),
                                                      {});
  for (const char* target : {"x == 4", "x > 3 && x <= 4", "a[1] >= 0", "x != -1"}) {
    const model::Program asking = asking_for(program, target);
    model::validate(asking);
  }
}

std::string refusal(const std::string& target, bool only_read = false) {
  try {
    asking_for(program_of(two_bits), target, only_read);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Target, SaysWhatIsWrongWithIt) {
  EXPECT_THAT(refusal("nobody == 1"), HasSubstr("no variable is called nobody"));
  EXPECT_THAT(refusal("at NOWHERE"), HasSubstr("no location is called NOWHERE"));
  EXPECT_THAT(refusal("l == 1 && k == 1"), HasSubstr("no variable is called k")) << "no thread has both";
  EXPECT_THAT(refusal("l == 7"), HasSubstr("truth value"));
  EXPECT_THAT(refusal("l < 1"), HasSubstr("== and != only"));
  EXPECT_THAT(refusal("l[0] == 1"), HasSubstr("no array"));
  EXPECT_THAT(refusal("l =="), HasSubstr("expected"));
  EXPECT_THAT(refusal("(l == 1"), HasSubstr("')'"));
  EXPECT_THAT(refusal("l == 1 s"), HasSubstr("expected"));
  EXPECT_THAT(refusal(""), HasSubstr("expected"));
  EXPECT_THAT(refusal(std::string(100'000, '(')), HasSubstr("nested too deeply"));
  EXPECT_THAT(refusal(std::string(100'000, '!') + "l"), HasSubstr("nested too deeply"));
  EXPECT_THAT(refusal("k == 1", true), HasSubstr("nothing in the program reads k"));
  EXPECT_EQ(refusal("s == 1", true), "");
  EXPECT_THAT(refusal("99999999999999999999 == l"), HasSubstr("number"));
}

}  // namespace
}  // namespace cohort::load
