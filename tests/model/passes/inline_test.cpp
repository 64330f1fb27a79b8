#include "model/passes/inline.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <set>
#include <string>

#include "base/source.hpp"
#include "model/passes/cuts.hpp"
#include "model/print.hpp"
#include "model/validate.hpp"
#include "support/build.hpp"
#include "support/explore.hpp"
#include "support/random_program.hpp"
#include "support/stack_machine.hpp"

namespace cohort::model {
namespace {

using namespace cohort::test;

// main (0) calls inc (1) twice; inc has a parameter p and another local t.
Program two_calls() {
  Program program;
  program.name = "two calls";
  const VarId s = program.add_shared(bool_var("s", {0}));
  ExprPool& exprs = program.exprs;
  Template main = template_with("main", 3);
  const VarId x = main.add_local(bool_var("x"));
  add_edge(main, 0, 1, call_action(1, {exprs.local(x, Type::boolean())}, {to_local(x)}));
  add_edge(main, 1, 2, call_action(1, {exprs.truth()}, {std::nullopt}));
  add_edge(main, 2, 2, return_action());
  program.add_template(main);
  Template inc = template_with("inc", 2);
  const VarId p = inc.add_local(bool_var("p"));
  inc.add_local(bool_var("t"));
  inc.add_local(bool_var("u", {1}));
  inc.params = {p};
  inc.result_count = 1;
  add_edge(inc, 0, 1, assign_action(to_shared(s), exprs.local(p, Type::boolean())));
  add_edge(inc, 1, 1, return_action({exprs.negate(exprs.local(p, Type::boolean()))}));
  program.add_template(inc);
  program.initial.push_back({TemplateId(0), LocId(0), 1});
  return program;
}

SourceSpan span_at(std::uint32_t line) {
  return {std::make_shared<SourceFile>("input.bp", "first\nsecond\nthird\n"), line, 1};
}

template <class Run>
std::string refusal(Run&& run, std::uint32_t line) {
  try {
    run();
  } catch (const InputError& error) {
    EXPECT_EQ(error.kind(), InputError::Kind::Unsupported);
    EXPECT_EQ(error.span().line, line);
    return error.what();
  }
  return "nothing was refused";
}

TEST(Inline, CopiesTheCalleeForEachCallSite) {
  const Program flat = inline_calls(two_calls());
  validate(flat);
  EXPECT_EQ(to_string(flat),
            "program two calls\n"
            "shared s: bool = 0\n"
            "initially 1 main 0:L0\n"
            "template main() entry 0:L0\n"
            "  local x: bool\n"
            "  local inc.p: bool = 0\n"
            "  local inc.t: bool = 0\n"
            "  local inc.u: bool = 0\n"
            "  local inc#2.p: bool = 0\n"
            "  local inc#2.t: bool = 0\n"
            "  local inc#2.u: bool = 0\n"
            "  0:L0 -> 3:inc.L0: inc.p, inc.t, inc.u := x, *, true\n"
            "  3:inc.L0 -> 4:inc.L1: s := inc.p\n"
            "  4:inc.L1 -> 1:L1: x := !inc.p\n"
            "  1:L1 -> 5:inc#2.L0: inc#2.p, inc#2.t, inc#2.u := true, *, true\n"
            "  5:inc#2.L0 -> 6:inc#2.L1: s := inc#2.p\n"
            "  6:inc#2.L1 -> 2:L2: skip\n"
            "  2:L2 -> 2:L2: end_thread\n");
  EXPECT_EQ(flat.templates[0].edges[1].actions[0].origin, (EdgeRef{TemplateId(1), 0}));
  EXPECT_EQ(flat.templates[0].edges[3].actions[0].origin, (EdgeRef{TemplateId(0), 1}));
}

TEST(Inline, RenumbersTheTemplatesThatStay) {
  Program program = two_calls();
  std::swap(program.templates[0], program.templates[1]);
  program.templates[1].edges[0].actions[0].call->callee = TemplateId(0);
  program.templates[1].edges[1].actions[0].call->callee = TemplateId(0);
  program.initial[0].templ = TemplateId(1);
  Property cover;
  cover.kind = Property::Kind::Cover;
  cover.threads = {{TemplateId(1), LocId(2)}};
  program.add_property(cover);
  add_edge(program.templates[1], 2, 0, spawn_action(1, 0));
  const Program flat = inline_calls(program);
  validate(flat);
  ASSERT_EQ(flat.templates.size(), 1U);
  EXPECT_EQ(flat.initial[0].templ, TemplateId(0));
  EXPECT_EQ(flat.properties[0].threads[0].first, TemplateId(0));
  EXPECT_EQ(flat.templates[0].edges.back().actions[0].spawns[0].templ, TemplateId(0));
}

TEST(Inline, CloningInsideACallStaysInTheCopy) {
  Program program = two_calls();
  add_edge(program.templates[1], 1, 1, spawn_action(1, 0, true));
  const Program flat = inline_calls(program);
  validate(flat);
  EXPECT_THAT(to_string(flat), testing::HasSubstr("4:inc.L1 -> 4:inc.L1: spawn main 3:inc.L0 copy"));
  EXPECT_THAT(to_string(flat), testing::HasSubstr("6:inc#2.L1 -> 6:inc#2.L1: spawn main 5:inc#2.L0 copy"));
}

TEST(Inline, AProcedureThatIsCalledAndStartedIsBoth) {
  Program program = two_calls();
  add_edge(program.templates[0], 2, 2, spawn_action(1, 0));
  const Program flat = inline_calls(program);
  validate(flat);
  ASSERT_EQ(flat.templates.size(), 2U);
  EXPECT_EQ(flat.templates[1].name, "inc");
  EXPECT_TRUE(flat.templates[1].edges[1].actions[0].ends_thread);
}

TEST(Inline, MarksErrorsInEveryCopy) {
  Program program = two_calls();
  program.add_property({.kind = Property::Kind::Assertion, .text = "a", .span = {}, .condition = {}, .threads = {}});
  program.templates[1].locations[1].error = PropertyId(0);
  const Program flat = inline_calls(program);
  EXPECT_EQ(flat.templates[0].locations[4].error, PropertyId(0));
  EXPECT_EQ(flat.templates[0].locations[6].error, PropertyId(0));
}

// f (1) counts in a local, calls itself and, when it returns, gives its local to s.
Program calls_itself() {
  Program program;
  program.name = "calls itself";
  const VarId s = program.add_shared(bool_var("s", {0}));
  ExprPool& exprs = program.exprs;
  Template main = template_with("main", 2);
  main.add_local(bool_var("x", {1}));
  add_edge(main, 0, 1, call_action(1, {exprs.truth()}));
  program.add_template(main);
  Template f = template_with("f", 4);
  const VarId p = f.add_local(bool_var("p"));
  f.params = {p};
  add_edge(f, 0, 1, call_action(1, {exprs.negate(exprs.local(p, Type::boolean()))}));
  f.edges.back().actions[0].span = span_at(2);
  add_edge(f, 0, 1);
  add_edge(f, 1, 2, assign_action(to_shared(s), exprs.local(p, Type::boolean())));
  add_edge(f, 2, 3, return_action());
  program.add_template(f);
  program.initial.push_back({TemplateId(0), LocId(0), 1});
  return program;
}

TEST(Inline, CutsRecursionAtTheBound) {
  const Program flat = inline_calls(calls_itself(), {.recursion = 1});
  validate(flat);
  ASSERT_EQ(flat.properties.size(), 1U);
  const auto bound = exceeded_bound(flat.properties[0]);
  ASSERT_TRUE(bound.has_value());
  EXPECT_EQ(bound->option, "--recursion");
  EXPECT_EQ(bound->value, 1U);
  EXPECT_EQ(flat.properties[0].span.line, 2U);
  EXPECT_EQ(flat.properties[0].text, "a recursion of f of more than 1 calls (--recursion 1)");
  EXPECT_THAT(to_string(flat), testing::HasSubstr("6:f#2.L0 -> 10:f#2.L0 (too deep)"));
}

TEST(Inline, CutsRecursionThatMakesTooManyCopies) {
  const Program flat = inline_calls(calls_itself(), {.recursion = 50, .max_recursive_size = 40});
  validate(flat);
  ASSERT_EQ(flat.properties.size(), 1U);
  EXPECT_EQ(flat.properties[0].text, "so many calls of f from itself");
  EXPECT_FALSE(exceeded_bound(flat.properties[0]).has_value());
}

// The call takes the copy that waits; behind it nothing is known of that copy's locals, and all of main's.
TEST(Inline, SummarisesRecursionBeyondTheBound) {
  const Program flat = inline_calls(calls_itself(), {.recursion = 0, .beyond = BeyondRecursion::Summary});
  validate(flat);
  EXPECT_EQ(to_string(flat),
            "program calls itself\n"
            "shared s: bool = 0\n"
            "initially 1 main 0:L0\n"
            "template main() entry 0:L0\n"
            "  local x: bool = 1\n"
            "  local f.p: bool = 0\n"
            "  0:L0 -> 2:f.L0: f.p := true\n"
            "  2:f.L0 -> 2:f.L0: f.p := !f.p\n"
            "  2:f.L0 -> 3:f.L1: skip\n"
            "  3:f.L1 -> 4:f.L2: s := f.p\n"
            "  4:f.L2 -> 1:L1: skip\n"
            "  4:f.L2 -> 3:f.L1: f.p := *\n");
}

TEST(Inline, SummarisesNoReturnThatDoesMore) {
  Program program = calls_itself();
  program.templates[1].edges.back().actions[0].assigns.push_back({to_shared(VarId(0)), program.exprs.truth()});
  program.templates[1].edges.back().actions[0].span = span_at(3);
  EXPECT_THAT(refusal([&] { inline_calls(program, {.beyond = BeyondRecursion::Summary}); }, 3),
              testing::HasSubstr("does more than to return"));
  validate(inline_calls(program));
}

TEST(Inline, RefusesPassiveVariablesOfACalledProcedure) {
  Program program = two_calls();
  Action& action = program.templates[1].edges[0].actions[0];
  action.assigns.push_back({to_passive(VarId(1)), program.exprs.falsity()});
  action.span = span_at(3);
  EXPECT_THAT(refusal([&] { inline_calls(program); }, 3), testing::HasSubstr("t$"));
}

TEST(Inline, RefusesNamesOfACalledProcedureFromOutside) {
  Program program = two_calls();
  Property cover;
  cover.kind = Property::Kind::Cover;
  cover.threads = {{TemplateId(1), LocId(1)}};
  program.add_property(cover);
  program.templates[1].span = span_at(1);
  EXPECT_THAT(refusal([&] { inline_calls(program); }, 1), testing::HasSubstr("inc is called"));
}

TEST(Inline, StopsAtItsLimit) {
  // A chain of procedures, each calling the next twice: 2^30 copies.
  Program program;
  program.name = "deep";
  for (std::size_t i = 0; i < 30; ++i) {
    Template templ = template_with("p" + std::to_string(i), 3);
    if (i + 1 < 30) {
      add_edge(templ, 0, 1, call_action(i + 1));
      add_edge(templ, 1, 2, call_action(i + 1));
    }
    add_edge(templ, 2, 2, return_action());
    program.add_template(std::move(templ));
  }
  program.initial.push_back({TemplateId(0), LocId(0), 1});
  EXPECT_THAT(refusal([&] { inline_calls(program, {.max_size = 10'000}); }, 0), testing::HasSubstr("more than 10000"));
}

TEST(Inline, IsIdempotentOnFlatPrograms) {
  const Program flat = inline_calls(two_calls());
  EXPECT_EQ(to_string(inline_calls(flat)), to_string(flat));
}

// The reachable states of the flat program, seen without the copies, are those of a machine that really keeps stacks.
TEST(Inline, AgreesWithAStackMachineOnRandomPrograms) {
  std::size_t compared = 0;
  std::size_t with_calls = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const Program program = random_program(seed, {.max_shared = 2, .max_locations = 4});
    const Program flat = inline_calls(program);
    validate(flat);
    for (std::uint32_t bound = 1; bound <= 2; ++bound) {
      if (bound < program.initial.size()) continue;
      const StackExploration expected = explore_with_stacks(program, bound, 3000);
      const Exploration actual = explore(flat, bound, 3000);
      if (!expected.complete || !actual.complete) continue;
      std::set<StateView> views;
      for (const State& state : actual.states) views.insert(view_of(flat, state));
      ASSERT_EQ(views, expected.states) << "seed " << seed << ", bound " << bound << "\n" << to_string(program);
      ++compared;
      with_calls += is_flat(program) ? 0 : 1;
    }
  }
  EXPECT_GT(compared, 300U);
  EXPECT_GT(with_calls, 100U);
}

bool is_at_cut(const Program& flat, const State& state) {
  return std::any_of(state.threads.begin(), state.threads.end(), [&](const auto& thread) {
    if (!thread) return false;
    const auto error = flat.templ(thread->templ).locations[thread->location.value].error;
    return error && flat.properties[error->value].kind == Property::Kind::Cut;
  });
}

bool has_cut(const Program& flat) {
  return std::any_of(flat.properties.begin(), flat.properties.end(),
                     [](const Property& property) { return property.kind == Property::Kind::Cut; });
}

std::set<StateView> views_of(const Program& flat, const std::set<State>& states) {
  std::set<StateView> views;
  for (const State& state : states) {
    if (!is_at_cut(flat, state)) views.insert(view_of(flat, state));
  }
  return views;
}

// To the bound, recursion is what it is on a machine whose stacks are bounded alike; with summaries, what any stacks
// reach is reached.
TEST(Inline, AgreesWithAStackMachineOnRandomRecursion) {
  std::size_t exact = 0;
  std::size_t summarised = 0;
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    const Program program =
        random_program(seed, {.max_shared = 2, .max_locals = 1, .max_locations = 4, .recursion = true});
    const auto bound = static_cast<std::uint32_t>(std::max<std::size_t>(program.initial.size(), 1 + seed % 2));
    const auto recursion = static_cast<std::uint32_t>(seed / 2 % 3);
    const auto text = [&] {
      return "seed " + std::to_string(seed) + ", recursion " + std::to_string(recursion) + "\n" + to_string(program);
    };
    const Program cut = inline_calls(program, {.recursion = recursion});
    validate(cut);
    if (!has_cut(cut)) continue;
    const StackExploration bounded = explore_with_stacks(program, bound, 2000, recursion);
    const Exploration followed = explore(cut, bound, 5000);
    if (bounded.complete && followed.complete) {
      ASSERT_EQ(views_of(cut, followed.states), bounded.states) << text();
      ++exact;
    }
    const Program more = inline_calls(program, {.recursion = recursion, .beyond = BeyondRecursion::Summary});
    validate(more);
    EXPECT_FALSE(has_cut(more));
    const Exploration all = explore(more, bound, 5000);
    if (!all.complete) continue;
    const std::set<StateView> seen = views_of(more, all.states);
    const StackExploration real = explore_with_stacks(program, bound, 2000);
    for (const StateView& state : real.states) ASSERT_TRUE(seen.contains(state)) << text();
    ++summarised;
  }
  EXPECT_GT(exact, 40U);
  EXPECT_GT(summarised, 40U);
}

}  // namespace
}  // namespace cohort::model
