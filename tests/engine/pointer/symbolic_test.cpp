// Sets of states against single ones: images, pre-images, exchanges and the IbSINC reduction.
#include <gtest/gtest.h>

#include "engine/pointer/exchange.hpp"
#include "engine/pointer/forgetting.hpp"
#include "engine/pointer/oracle.hpp"
#include "engine/pointer/pointer_example.hpp"
#include "engine/pointer/random_pointer.hpp"
#include "engine/pointer/steps.hpp"
#include "engine/pointer/symbolic_pointer_engine.hpp"
#include "engine/pointer/views.hpp"

namespace cohort::engine::pointer {
namespace {

const auto never = [] { return false; };

model::Program random_program(std::uint64_t seed, std::uint32_t processes) {
  return frontend::red::load(std::make_shared<SourceFile>("random.red", RandomAlgorithm(seed).text(processes)));
}

// Each 'stride'th reachable state.
std::vector<model::State> sample(const model::Program& program, std::size_t stride) {
  std::vector<model::State> result;
  std::size_t at = 0;
  for (const model::State& state : brute_force(program, 500).states) {
    if (at++ % stride == 0) result.push_back(state);
  }
  return result;
}

TEST(SymbolicSteps, ImagesAndPreimagesAreThoseOfTheInterpreter) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const model::Program program = random_program(seed, 2 + seed % 2);
    const Layout layout(program);
    const Encoding encoding(layout, never, 0);
    const Steps steps(encoding);
    const model::Interpreter interpreter(program, std::nullopt);
    for (const model::State& state : sample(program, 9)) {
      const dd::Bdd here = encoding.state(layout.to_cells(state));
      dd::Bdd expected;
      bool faults = false;
      for (const model::Transition& step : interpreter.successors(state)) {
        faults = faults || step.fault.has_value();
        if (step.fault) continue;
        const dd::Bdd target = encoding.state(layout.to_cells(step.target));
        expected |= target;
        ASSERT_TRUE(subset(here, steps.preimage(target))) << "seed " << seed;
      }
      ASSERT_TRUE(steps.image(here) == expected) << "seed " << seed;
      ASSERT_EQ(subset(here, steps.faulting()), faults) << "seed " << seed;
      // Nothing leads to `here` that does not: the pre-image goes into it.
      const dd::Bdd before = steps.preimage(here) & encoding.valid();
      if (!before.is_false()) {
        ASSERT_TRUE(subset(here, steps.image(encoding.state(encoding.pick(before))))) << "seed " << seed;
      }
    }
  }
}

TEST(Exchange, PermutesSetsLikeStates) {
  const model::Program program = test::load_pointer("mcs", 3);
  const Layout layout(program);
  const Encoding encoding(layout, never, 0);
  const Exchange exchange(encoding);
  Cells cells(layout.cells(), 0);
  std::uint32_t seed = 12345;
  for (int round = 0; round < 200; ++round) {
    for (std::size_t cell = 0; cell < cells.size(); ++cell) {
      seed = seed * 1664525U + 1013904223U;
      cells[cell] = static_cast<Cell>((seed >> 8U) % layout.type(cell).values);
    }
    for (std::uint32_t one = 0; one < 3; ++one) {
      for (std::uint32_t other = one + 1; other < 3; ++other) {
        Permutation permutation = identity(3);
        std::swap(permutation[one + 1], permutation[other + 1]);
        const Cells image = layout.to_cells(permuted(layout, layout.to_state(cells), permutation));
        ASSERT_TRUE(exchange.permute(encoding.state(cells), one, other) == encoding.state(image));
      }
    }
  }
}

TEST(Ibsinc, ReplacesStatesWithinTheirOrbitsAndCanBeUndone) {
  for (const std::string name : {"ring", "clh", "list"}) {
    const model::Program program = test::load_pointer(name, 3);
    const Layout layout(program);
    const Encoding encoding(layout, never, 0);
    const Symmetry symmetry = find_symmetry(layout);
    const Ibsinc ibsinc(encoding, symmetry.classes);
    const auto group = admissible(layout);
    dd::Bdd all;
    dd::Bdd representatives;
    for (const model::State& state : sample(program, 1)) {
      const dd::Bdd here = encoding.state(layout.to_cells(state));
      const dd::Bdd there = ibsinc.reduce(here);
      bool in_orbit = false;
      for (const Permutation& permutation : group) {
        in_orbit = in_orbit || encoding.state(layout.to_cells(permuted(layout, state, permutation))) == there;
      }
      ASSERT_TRUE(in_orbit) << name;
      ASSERT_TRUE(subset(here, ibsinc.unreduce(there))) << name;
      all |= here;
      representatives |= there;
    }
    EXPECT_TRUE(ibsinc.reduce(all) == representatives) << name;
    EXPECT_LT(encoding.count(representatives), encoding.count(all)) << name;
  }
}

TEST(Forgetting, ResetsAsTheExplicitEngineDoes) {
  const model::Program program = test::load_pointer("mcs", 2);
  const Layout layout(program);
  const Activity activity(layout);
  const Encoding encoding(layout, never, 0);
  const Forgetting forgetting(encoding, activity);
  for (const model::State& state : sample(program, 3)) {
    Cells cells = layout.to_cells(state);
    const dd::Bdd here = encoding.state(cells);
    activity.reset(cells);
    ASSERT_TRUE(forgetting.reset(here) == encoding.state(cells));
    ASSERT_TRUE(subset(here, forgetting.unreset(encoding.state(cells))));
  }
}

TEST(Views, HoldEveryReachableStateAndAreSymmetric) {
  for (const std::string name : {"ring", "clh", "list", "union_find_cycle"}) {
    const model::Program program = test::load_pointer(name, 3);
    const Layout layout(program);
    const Encoding encoding(layout, never, 0);
    const Steps steps(encoding);
    const Activity activity(layout);
    const Forgetting forgetting(encoding, activity);
    dd::Bdd initial;
    for (const model::State& state : model::Interpreter(program, std::nullopt).initial_states()) {
      initial |= encoding.state(layout.to_cells(state));
    }
    initial = forgetting.reset(initial);
    const dd::Bdd one = reachable_by_views(steps, forgetting, initial, encoding.valid(), 1);
    const dd::Bdd two = reachable_by_views(steps, forgetting, initial, one, 2);
    EXPECT_TRUE(subset(two, one)) << name;
    EXPECT_LT(encoding.count(two), encoding.count(encoding.valid())) << name;
    for (const model::State& state : sample(program, 1)) {
      Cells cells = layout.to_cells(state);
      activity.reset(cells);
      ASSERT_TRUE(subset(encoding.state(cells), two)) << name;
    }
    const Exchange exchange(encoding);
    const auto classes = find_symmetry(layout).classes;
    ASSERT_EQ(classes[1], classes[2]) << name;
    EXPECT_TRUE(exchange.permute(two, 1, 2) == two) << name;
  }
}

TEST(SymbolicPointer, FindsSymmetryThatTheSyntaxHides) {
  // x[1] + x[2] > 2 is the same after the exchange, but not written the same; process 3 is different.
  const std::string text =
      "process count = 3; local discrete x: 0..3; mode a true { when x < 3 may x = x + 1; }\n"
      "initially forall i: x[i] == 0; risk x[1] + x[2] > 8 and x[3] > 9;";
  const model::Program program = frontend::red::load(std::make_shared<SourceFile>("test.red", text));
  EXPECT_EQ(find_symmetry(Layout(program)).classes, (std::vector<std::uint32_t>{0, 1, 2}));
  Env env;
  const auto result = SymbolicPointerEngine().check(env, {program, 3, {}});
  EXPECT_EQ(static_cast<int>(result.verdict), static_cast<int>(result::Verdict::Safe));
  // No state is bad, so that all three can be exchanged.
  EXPECT_EQ(std::get<std::uint64_t>(*env.statistics.find("process_classes")), 1U);
}

TEST(SymbolicPointer, ExchangesNoTwoProcessesOfTheStaticRing) {
  const model::Program program = test::load_pointer("static_ring", 3);
  Env env;
  const auto result = SymbolicPointerEngine().check(env, {program, 3, {}});
  EXPECT_EQ(static_cast<int>(result.verdict), static_cast<int>(result::Verdict::Safe));
  EXPECT_EQ(std::get<std::uint64_t>(*env.statistics.find("process_classes")), 3U);
}

}  // namespace
}  // namespace cohort::engine::pointer
