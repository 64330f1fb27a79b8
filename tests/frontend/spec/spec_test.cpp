#include "frontend/spec/spec.hpp"

#include <map>
#include <random>
#include <set>

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "model/interpreter.hpp"
#include "support/benchmarks.hpp"
#include "support/diagnostics.hpp"
#include "support/mutate.hpp"

namespace cohort::frontend::spec {
namespace {

using test::diagnostic;
using test::text_file;

model::Program parse(const std::string& text, Options options = {}) {
  return load(text_file("a.spec", text), options);
}
std::string error(const std::string& text, Options options = {}) {
  return diagnostic([&] { parse(text, options); });
}

std::string show(const model::Program& program, const model::State& state) {
  std::map<std::string, int> counts;
  for (const auto& thread : state.threads) {
    if (!thread || program.templ(thread->templ).name != "token") continue;
    ++counts[program.templ(thread->templ).locations[thread->location.value].label];
  }
  counts.erase("(discarded)");
  std::string text;
  for (const auto& [name, count] : counts) text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, count);
  return text;
}

using Shown = std::set<std::string>;

// The markings one step after the start of the net with this rule and start.
Shown successors(const std::string& rule, const std::string& init) {
  const model::Program program = parse("vars x y z\nrules " + rule + "\ninit " + init + "\ntarget x >= 1\n");
  const model::Interpreter interpreter(program, std::nullopt);
  Shown shown;
  for (const model::State& state : interpreter.initial_states()) {
    for (const model::Transition& step : interpreter.successors(state)) shown.insert(show(program, step.target));
  }
  return shown;
}

std::string with_rule(const std::string& rule) {
  return "vars x y z\nrules\n" + rule + "\ninit x = 0\ntarget x >= 1\n";
}

TEST(Spec, ConsumesAndProduces) {
  EXPECT_EQ(successors("x>=2, y>=1 -> x'=x-2, z'=z+3;", "x=2, y=1, z=0"), (Shown{"y=1 z=3"}));
  EXPECT_EQ(successors("x>=2, y>=1 -> x'=x-2, z'=z+3;", "x=2, y=0, z=0"), Shown{});
}

TEST(Spec, AGuardAboveWhatIsRemovedIsTested) {
  EXPECT_EQ(successors("x>=3 -> x'=x-1;", "x=3, y=0, z=0"), (Shown{"x=2"}));
  EXPECT_EQ(successors("x>=3 -> x'=x-1;", "x=2, y=0, z=0"), Shown{});
}

TEST(Spec, RemovingWithoutAGuardNeedsWhatItRemoves) {
  EXPECT_EQ(successors("y>=0 -> x'=x-2;", "x=1, y=0, z=0"), Shown{});
  EXPECT_EQ(successors("y>=0 -> x'=x-2;", "x=3, y=0, z=0"), (Shown{"x=1"}));
}

TEST(Spec, TrueIsAGuard) {
  EXPECT_EQ(successors("true -> x'=x+1;", "x=0, y=0, z=0"), (Shown{"x=1"}));
}

TEST(Spec, TransfersContents) {
  EXPECT_EQ(successors("x>=1 -> x'=x+y+z-1, y'=0, z'=0;", "x=1, y=2, z=1"), (Shown{"x=3"}));
  EXPECT_EQ(successors("y>=1 -> x'=x+y+0, y'=1;", "x=1, y=2, z=0"), (Shown{"x=3 y=1"}));
}

TEST(Spec, AMovedVariableIsEmptiedWithoutSayingSo) {
  EXPECT_EQ(successors("x>=0 -> x'=x+y;", "x=1, y=2, z=0"), (Shown{"x=3"}));
}

TEST(Spec, AGuardedTokenMovesWithTheOthers) {
  EXPECT_EQ(successors("y>=2 -> x'=x+y, y'=z, z'=0;", "x=0, y=3, z=1"), (Shown{"x=3 y=1"}));
}

TEST(Spec, ContentsCanBeSwapped) {
  EXPECT_EQ(successors("x>=1, y>=1 -> x'=y, y'=x;", "x=1, y=2, z=0"), (Shown{"x=2 y=1"}));
}

TEST(Spec, AssigningAConstantResets) {
  EXPECT_EQ(successors("x>=1 -> x'=0;", "x=3, y=0, z=0"), (Shown{""}));
  EXPECT_EQ(successors("x>=1 -> x'=2;", "x=3, y=0, z=0"), (Shown{"x=2"}));
}

TEST(Spec, AHabitualZeroBesideASumHasNoEffect) {
  EXPECT_EQ(successors("x>=1 -> x'=x+y+0, x'=0;", "x=1, y=2, z=0"), (Shown{"x=3"}));
  EXPECT_EQ(successors("x>=1 -> x'=0, x'=x+y+0;", "x=1, y=2, z=0"), (Shown{"x=3"}));
  EXPECT_NE(error(with_rule("x>=1 -> x'=0, x'=0;")), "accepted");
}

TEST(Spec, ReadsTheStart) {
  const model::Program program =
      parse("vars a b c d\nrules\ninit a = 2, b >= 1, c = 0\ntarget a >= 1, b >= 2\n c >= 1");
  ASSERT_EQ(program.initial.size(), 5u) << "net, a, b, more of b, and any number of d";
  EXPECT_EQ(program.initial[1].count, 2u);
  EXPECT_EQ(program.initial[2].count, 1u);
  EXPECT_FALSE(program.initial[3].count);
  EXPECT_FALSE(program.initial[4].count);
  ASSERT_EQ(program.properties.size(), 2u) << "no comma begins a new target";
  EXPECT_EQ(program.properties[0].threads.size(), 3u);
}

TEST(Spec, AnIntervalAtTheStartIsAChoice) {
  const model::Program program = parse("vars x y\nrules\ninit x in [1,3], y in [0,1]\ntarget x >= 3, y >= 1");
  const model::Interpreter interpreter(program, std::nullopt);
  Shown shown;
  ASSERT_EQ(interpreter.initial_states().size(), 1u);
  for (const model::Transition& first : interpreter.successors(interpreter.initial_states()[0])) {
    for (const model::Transition& second : interpreter.successors(first.target))
      shown.insert(show(program, second.target));
  }
  EXPECT_EQ(shown, (Shown{"x=1", "x=2", "x=3", "x=1 y=1", "x=2 y=1", "x=3 y=1"}));
  EXPECT_EQ(program.properties[0].threads.size(), 5u) << "the thread net must have chosen";
}

TEST(Spec, TakesInvariantsAndComments) {
  EXPECT_EQ(error("#c\nvars x\n y # z\nrules\ninit x=1,y=0\ntarget x>=1 y>=1\ninvariants x=1, y=1 x=2\n"), "accepted");
}

TEST(Spec, ReplacesTheTarget) {
  const model::Program program = parse("vars x y\nrules\ninit x=0\ntarget x = 1", {.target = "x>=2, y"});
  ASSERT_EQ(program.properties.size(), 1u);
  EXPECT_EQ(program.properties[0].threads.size(), 3u);
}

TEST(Spec, RefusesWhatIsNoTransferNet) {
  EXPECT_EQ(error(with_rule("x = 1 -> x'=x+1;")),
            "a.spec:3:1: unsupported: the guard bounds 'x' from above (a zero test): such nets are not monotone, so "
            "that coverability is "
            "undecidable\n  x = 1 -> x'=x+1;\n  ^");
  EXPECT_EQ(error(with_rule("x in [0,2] -> x'=x+1;")).substr(0, 26), "a.spec:3:1: unsupported: t");
  EXPECT_EQ(
      error(with_rule("x>=1 -> y'=y+x, z'=z+x;")),
      "a.spec:3:22: unsupported: the contents of 'x' are used twice, which copies tokens\n  x>=1 -> y'=y+x, z'=z+x;\n"
      "                       ^");
  EXPECT_EQ(error(with_rule("x>=1 -> x'=y-1;")).substr(0, 75),
            "a.spec:3:9: unsupported: tokens are removed from what is moved into 'x'\n  x");
  EXPECT_EQ(error("vars x\nrules\ninit x=0\ntarget x=1\n").substr(0, 75),
            "a.spec:4:8: unsupported: the target bounds 'x' from above: that is reachabi");
  EXPECT_EQ(error(with_rule("x>=100001 -> ;")).substr(0, 48), "a.spec:3:1: unsupported: guards above 100000 are");
}

TEST(Spec, RefusesMalformedTextWithThePlace) {
  EXPECT_EQ(error("vars x x\n"), "a.spec:1:8: error: variable 'x' is declared twice\n  vars x x\n         ^");
  EXPECT_EQ(error("rules\n"), "a.spec:1:1: error: expected 'vars', found 'rules'\n  rules\n  ^");
  EXPECT_EQ(error(with_rule("w>=1 -> x'=x+1;")),
            "a.spec:3:1: error: variable 'w' is not declared\n  w>=1 -> x'=x+1;\n  ^");
  EXPECT_EQ(error(with_rule("x>=1, x>=2 -> ;")),
            "a.spec:3:7: error: variable 'x' is constrained twice\n  x>=1, x>=2 -> ;\n        ^");
  EXPECT_EQ(error(with_rule("x>=1 -> y'=y+1, y'=y+1;")),
            "a.spec:3:17: error: variable 'y' is assigned twice\n  x>=1 -> y'=y+1, y'=y+1;\n                  ^");
  EXPECT_EQ(
      error(with_rule("x>=1 -> x'=x-2;")),
      "a.spec:3:9: error: 2 tokens are removed from 'x', but its guard ensures only 1\n  x>=1 -> x'=x-2;\n          ^");
  EXPECT_EQ(error(with_rule("x>=1 -> x'=x+1")).substr(0, 41), "a.spec:4:1: error: expected ',', found 'i");
  EXPECT_EQ(error(with_rule("x<1 -> ;")).substr(0, 46), "a.spec:3:2: error: '<' has no meaning here\n  x");
  EXPECT_EQ(error("vars x\nrules\ninit x=1\n").substr(0, 55),
            "a.spec:4:1: error: expected 'target', found the end of ");
  EXPECT_EQ(error("vars x\nrules\ninit x in [3,1]\ntarget x>=1").substr(0, 42),
            "a.spec:3:14: error: the interval is empty\n");
  EXPECT_EQ(error("vars x\nrules\ninit x=1\ntarget x>=1\ninvariants x>=1").substr(0, 43),
            "a.spec:5:13: error: expected '=', found '>=");
  EXPECT_EQ(error("vars x\nrules\ninit x=1\ntarget x>=1", {.target = "y"}),
            "--target:1:1: error: variable 'y' is not declared\n  y\n  ^");
  EXPECT_EQ(error("vars x\nrules\ninit x=1\ntarget x>=1", {.target = "x>=1,"}),
            "--target:1:6: error: expected a place, found the end of the text\n  x>=1,\n       ^");
}

TEST(Spec, SurvivesDamagedText) {
  const std::string seed =
      "vars x y z\nrules\nx>=1, y >= 2 -> x'=x-1, z'=z+y+1, y'=0;\ntrue -> x'=x+1;\ninit x=1,y>=0,z in [0,2]\n"
      "target x>=2, y>=1\nz>=1\ninvariants x=1,y=2\n";
  std::mt19937_64 random(11);
  int accepted = 0;
  int refused = 0;
  for (int i = 0; i < 20000; ++i) {
    const std::string verdict = error(test::mutate(seed, random));
    (verdict == "accepted" ? accepted : refused) += 1;
  }
  EXPECT_GT(accepted, 200);
  EXPECT_GT(refused, 500);
}

TEST(Spec, ReadsEveryBenchmark) {
  COHORT_NEED_BENCHMARKS(folder);
  std::size_t count = 0;
  for (const auto& path : test::files_below(*folder, ".spec")) {
    EXPECT_FALSE(load(read_source_file(path.string()), {}).properties.empty()) << path;
    ++count;
  }
  EXPECT_GE(count, 80u);
}

}  // namespace
}  // namespace cohort::frontend::spec
