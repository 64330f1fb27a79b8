// The Boolean broadcast program of small programs, as it is printed.
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "abstraction/boolean_program.hpp"
#include "frontend/scpl/scpl.hpp"
#include "support/diagnostics.hpp"

namespace cohort::abstraction {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// The predicates are the conditions of statements labelled p0, p1, ... in code that nobody reaches.
std::string printed(const std::string& text, std::uint32_t cubes) {
  const model::Program program = frontend::scpl::load(test::text_file("t.scpl", text));
  Env env;
  model::Commands commands(program);
  const model::LiveLocals live(program);
  Predicates predicates(commands, live);
  const model::Template& templ = program.templates[0];
  for (const model::Edge& edge : templ.edges) {
    const std::string& label = templ.locations[edge.source.value].label;
    if (label.size() == 2 && label[0] == 'p') predicates.add(*edge.actions[0].guard, model::TemplateId{0});
  }
  Oracle oracle(env, commands, predicates);
  Cartesian cartesian(oracle, predicates, cubes);
  std::vector<BroadcastStep> steps;
  for (std::uint32_t i = 0; i < commands.all().size(); ++i) steps.push_back(cartesian.step(i));
  return boolean_program(oracle, predicates, steps);
}

// The broadcast of section 2: a.b' & (a.b & p.b => p.b') & (one of the two => !p.b').
TEST(BooleanProgram, TheBroadcastOfThePaper) {
  const std::string text =
      printed("shared s = 0; local l = 0;\n0: s = l; 1: assume s == l; goto 0; p0: assume s == l;", 1);
  EXPECT_THAT(text, HasSubstr("local b0;  // mixed: s == l\n"));
  EXPECT_THAT(text, HasSubstr("start: a thread at L0 with b0 = 1\n"));
  EXPECT_THAT(text, HasSubstr("havoc {all(b0)} constrain forall != {a, p}. a.b0' & (a.b0 & p.b0 => p.b0') & "
                              "(a.b0 & !p.b0 => !p.b0') & (!a.b0 & p.b0 => !p.b0'); goto L1;  // s = l\n"));
  EXPECT_THAT(text, HasSubstr("havoc {} constrain forall != {a, p}. !(!a.b0); goto L2;  // assume s == l\n"));
}

TEST(BooleanProgram, LongerCubesSayMore) {
  const std::string program =
      "shared bool x = false, y = false, z = false;\n0: z = x && y; 1: x = *; 2: y = *; goto 0; p0: assume x; p1: "
      "assume y; p2: assume z;";
  EXPECT_THAT(printed(program, 1), Not(HasSubstr("(b0 & b1 => b2')")));
  EXPECT_THAT(printed(program, 2), HasSubstr("(b0 & b1 => b2')"));
  EXPECT_THAT(printed(program, 1), HasSubstr("(!b0 => !b2')"));
}

}  // namespace
}  // namespace cohort::abstraction
