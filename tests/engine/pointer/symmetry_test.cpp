#include "engine/pointer/symmetry.hpp"

#include <gtest/gtest.h>

#include "engine/pointer/canonical.hpp"
#include "engine/pointer/initial.hpp"
#include "engine/pointer/oracle.hpp"
#include "engine/pointer/pointer_engine.hpp"
#include "engine/pointer/pointer_example.hpp"

namespace cohort::engine::pointer {
namespace {

model::Program program_of(const std::string& text) {
  return frontend::red::load(std::make_shared<SourceFile>("test.red", text));
}

std::vector<std::uint32_t> classes_of(const std::string& text) {
  const model::Program program = program_of(text);
  return find_symmetry(Layout(program)).classes;
}

const std::string three = "process count = 3; global pointer g; local pointer p; local discrete x: 0..3;\n";
using Classes = std::vector<std::uint32_t>;

TEST(Symmetry, ProcessesNamedInStepsStayWhereTheyAre) {
  EXPECT_EQ(classes_of(three + "mode a true { when true may p = P; }"), (Classes{0, 0, 0}));
  EXPECT_EQ(classes_of(three + "mode a true { when p == 2 may ; }"), (Classes{0, 1, 0}));
  EXPECT_EQ(classes_of(three + "mode a true { when p > P may ; }"), (Classes{0, 1, 2}));
  EXPECT_EQ(classes_of(three + "mode a true { when true may g = P + 1; }"), (Classes{0, 1, 2}));
}

TEST(Symmetry, ProcessesNamedInConditionsMayBeExchangedWhereTheSyntaxAllowsIt) {
  const std::string step = three + "mode a true { when true may p = P; } mode b true { }\n";
  EXPECT_EQ(classes_of(step + "initially a[1] and a[2] and a[3];"), (Classes{0, 0, 0}));
  EXPECT_EQ(classes_of(step + "initially a[1] and b[2] and a[3];"), (Classes{0, 1, 0}));
  EXPECT_EQ(classes_of(step + "initially g == 3;"), (Classes{0, 0, 1}));
  EXPECT_EQ(classes_of(step + "risk (b[1] and x[1] == 1) or (x[2] == 1 and b[2]);"), (Classes{0, 0, 1}));
  EXPECT_EQ(classes_of(step + "risk p[1] == 2 and p[2] == 1;"), (Classes{0, 0, 1}));
  EXPECT_EQ(classes_of(step + "risk p[1] == 2 and p[2] == 3;"), (Classes{0, 1, 2}));
  // Where operands can fault, their order matters.
  EXPECT_EQ(classes_of(step + "risk p[1]->x == 1 || p[2]->x == 1;"), (Classes{0, 1, 2}));
}

TEST(Symmetry, TheRingOfFigureTwoCanBeRotatedAndNotReflected) {
  const model::Program program = test::load_pointer("static_ring", 3);
  const Layout layout(program);
  const Symmetry symmetry = find_symmetry(layout);
  EXPECT_EQ(symmetry.classes, (Classes{0, 1, 2}));
  EXPECT_EQ(symmetry.listed.size(), 3U);
  EXPECT_FALSE(is_admissible(layout, {0, 1, 3, 2}));
  EXPECT_TRUE(is_admissible(layout, {0, 2, 3, 1}));
}

// With all permutations the canonical form of the ring could be the one of the other direction.
TEST(Symmetry, TheWrongReductionOfTheRingWouldGiveAWrongAnswer) {
  const model::Program program = test::load_pointer("static_ring", 3);
  const Layout layout(program);
  Canoniser wrong(layout, {{0, 0, 0}, {}});
  Canoniser right(layout, find_symmetry(layout));
  Compiled compiled(layout);
  const Activity activity(layout);
  Env env;
  bool wrong_goal = false;
  for_each_initial(env, compiled, activity, [&](const Cells& cells) {
    Cells image = cells;
    right(image);
    EXPECT_FALSE(compiled.violated(image));
    for (const Permutation& permutation : {Permutation{0, 1, 3, 2}, Permutation{0, 2, 1, 3}}) {
      image = layout.to_cells(permuted(layout, layout.to_state(cells), permutation));
      wrong_goal = wrong_goal || compiled.violated(image).has_value();
    }
    Cells one = cells;
    Cells other = image;
    wrong(one);
    wrong(other);
    EXPECT_EQ(one, other);
    return true;
  });
  EXPECT_TRUE(wrong_goal);
  EXPECT_EQ(compare(PointerEngine(), program, {}, std::nullopt, true), "");
}

TEST(Symmetry, EveryAdmissiblePermutationMapsRunsToRuns) {
  for (const std::string name : {"clh", "ring", "static_ring", "list", "forest"}) {
    const model::Program program = without_properties(test::load_pointer(name, 3));
    const model::Program whole = test::load_pointer(name, 3);
    const auto reached = brute_force(program).states;
    const Layout layout(whole);
    const model::Interpreter interpreter(whole, std::nullopt);
    for (const Permutation& permutation : admissible(layout)) {
      for (const model::State& state : reached) {
        const model::State image = permuted(layout, state, permutation);
        ASSERT_TRUE(reached.contains(image)) << name;
        ASSERT_EQ(interpreter.violated(state).has_value(), interpreter.violated(image).has_value()) << name;
      }
    }
  }
}

}  // namespace
}  // namespace cohort::engine::pointer
