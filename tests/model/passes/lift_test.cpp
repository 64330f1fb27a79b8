#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "base/contract.hpp"
#include "model/passes/inline.hpp"
#include "model/passes/pass_oracle.hpp"
#include "model/passes/simplify.hpp"
#include "model/passes/unreachable.hpp"
#include "model/print.hpp"
#include "support/build.hpp"

namespace cohort::model {
namespace {

using namespace cohort::test;

Run random_walk(const Program& program, std::uint32_t bound, std::uint64_t seed, std::size_t length) {
  std::mt19937_64 random(seed);
  const Interpreter interpreter(program, bound);
  const auto starts = interpreter.initial_states();
  model::Run run{starts[random() % starts.size()], {}};
  while (run.steps.size() < length) {
    auto steps = interpreter.successors(run.last());
    if (steps.empty()) break;
    Transition& step = steps[random() % steps.size()];
    const bool stop = step.fault.has_value();
    run.steps.push_back(std::move(step));
    if (stop) break;
  }
  return run;
}

// Is it a run of the program?
testing::AssertionResult is_run(const Program& program, std::uint32_t bound, const Run& run) {
  const Interpreter interpreter(program, bound);
  if (!interpreter.is_initial(run.initial)) return testing::AssertionFailure() << "the start is no initial state";
  State state = run.initial;
  for (std::size_t i = 0; i < run.steps.size(); ++i) {
    const auto steps = interpreter.successors(state, run.steps[i].thread, run.steps[i].edge);
    if (std::find(steps.begin(), steps.end(), run.steps[i]) == steps.end()) {
      return testing::AssertionFailure() << "the program does not have step " << i;
    }
    state = run.steps[i].target;
  }
  return testing::AssertionSuccess();
}

TEST(Lift, RandomWalksOfSimplifiedProgramsAreRunsOfTheFlatProgram) {
  std::size_t longer = 0;
  std::size_t faults = 0;
  for (std::uint64_t seed = 0; seed < 1200; ++seed) {
    RandomProgramOptions options = options_for(seed / 2);
    options.any_number = false;
    options.numbers = seed % 3 == 0;
    const Program flat = inline_calls(random_program(seed / 2, options));
    const Simplified simplified = simplify(flat);
    const std::uint32_t bound = 2 + seed % 2;
    const model::Run run = random_walk(simplified.program, bound, seed, 20);
    const model::Run lifted = lift(flat, bound, simplified, run);
    ASSERT_TRUE(is_run(flat, bound, lifted)) << "seed " << seed << "\n" << to_string(flat);
    longer += lifted.steps.size() > run.steps.size() ? 1 : 0;
    if (!run.steps.empty() && run.steps.back().fault) {
      ++faults;
      EXPECT_EQ(lifted.steps.back().fault, run.steps.back().fault);
    } else {
      const Agreement on(simplified.live, simplified.relevant);
      EXPECT_EQ(essence(flat, on, lifted.last()), essence(flat, on, run.last()));
    }
  }
  EXPECT_GT(longer, 200U);
  EXPECT_GT(faults, 10U);
}

TEST(Lift, ChoosesWhatTheSimplifiedStateSays) {
  // x := *; s := x through an eliminated location: the flat run must choose x as s turns out.
  Program flat;
  const VarId s = flat.add_shared(bool_var("s", {0}));
  Template main = template_with("main", 3);
  const VarId x = main.add_local(bool_var("x", {1}));
  add_edge(main, 0, 1, assign_action(to_local(x), flat.exprs.nondet(Type::boolean())));
  add_edge(main, 1, 2, assign_action(to_shared(s), flat.exprs.local(x, Type::boolean())));
  flat.add_template(main);
  flat.initial.push_back({TemplateId(0), LocId(0), 1});
  const Simplified simplified = simplify(flat, {.fix_irrelevant = false});
  ASSERT_EQ(simplified.program.templates[0].edges.size(), 1U);
  const Interpreter interpreter(simplified.program, 1);
  const State start = interpreter.initial_states().at(0);
  EXPECT_EQ(start.threads[0]->locals[0], 0) << "x is dead at the start and has its default";
  const auto steps = interpreter.successors(start);
  ASSERT_EQ(steps.size(), 2U);
  for (const Transition& step : steps) {
    const model::Run lifted = lift(flat, 1, simplified, {start, {step}});
    ASSERT_EQ(lifted.steps.size(), 2U);
    EXPECT_EQ(lifted.initial.threads[0]->locals[0], 1) << "the flat program declares x = 1";
    EXPECT_EQ(lifted.steps[0].target.threads[0]->locals[0], step.target.shared[0]);
    EXPECT_EQ(lifted.last().shared, step.target.shared);
  }
}

TEST(Lift, RefusesARunThatTheFlatProgramDoesNotHave) {
  Program flat;
  const VarId s = flat.add_shared(bool_var("s", {0}));
  Template main = template_with("main", 2);
  add_edge(main, 0, 1, assign_action(to_shared(s), flat.exprs.truth()));
  flat.add_template(main);
  flat.initial.push_back({TemplateId(0), LocId(0), 1});
  const Simplified simplified = simplify(flat, {.fix_irrelevant = false});
  const Interpreter interpreter(simplified.program, 1);
  model::Run run{interpreter.initial_states().at(0), {}};
  run.steps = interpreter.successors(run.initial);
  ASSERT_EQ(run.steps.size(), 1U);
  EXPECT_NO_THROW(lift(flat, 1, simplified, run));
  run.steps[0].target.shared[0] = 0;
  EXPECT_THROW(lift(flat, 1, simplified, run), InternalError);
}

TEST(Lift, TakesNothingAwayWithoutPasses) {
  const Program flat = inline_calls(random_program(3));
  const Simplified plain = simplify(flat, {.merge = false, .reset_dead = false, .fix_irrelevant = false});
  EXPECT_EQ(to_string(plain.program), to_string(remove_unreachable(flat)));
}

}  // namespace
}  // namespace cohort::model
