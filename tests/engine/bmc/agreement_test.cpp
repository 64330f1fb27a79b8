// Random and tiny programs, and theorem 1 of the paper, compared with exhaustive search depth by depth.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "engine/bmc/compare.hpp"
#include "engine/bmc/unrolling.hpp"
#include "support/build.hpp"
#include "support/tiny_programs.hpp"

namespace cohort::engine::bmc {

using namespace cohort::test;
using namespace test;

TEST(BmcAgreement, RandomBooleanPrograms) {
  const auto variants = all_variants();
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const Program program = random_flat(seed, {.cover = seed % 3 == 0});
    const auto bound = static_cast<std::uint32_t>(2 + seed % 2);
    ASSERT_EQ(compare(program, bound, 6, variants[seed % 8]), "") << "seed " << seed;
  }
}

TEST(BmcAgreement, RandomProgramsWithNumbers) {
  const auto variants = all_variants();
  for (std::uint64_t seed = 0; seed < 32; ++seed) {
    const Program program = random_flat(seed, {.calls = false, .numbers = true, .cover = seed % 4 == 0});
    ASSERT_EQ(compare(program, 2, 5, variants[seed % 16]), "") << "seed " << seed;
  }
}

TEST(BmcAgreement, ReplicatedThreads) {
  const auto variants = all_variants();
  for (std::uint64_t seed = 100; seed < 124; ++seed) {
    const Program program = random_flat(seed, {.spawns = seed % 2 == 0, .cover = true});
    Program replicated = program;
    replicated.initial.resize(1);
    replicated.initial[0].count = 3;
    ASSERT_EQ(compare(replicated, 3, 5, variants[seed % 8]), "") << "seed " << seed;
  }
}

// Every program with two edges of the alphabet of tiny programs, sampled evenly; all combinations in turn.
TEST(BmcAgreement, TinyPrograms) {
  const auto variants = all_variants();
  std::size_t count = 0;
  for (std::size_t first = 0; first < tiny_alphabet_size(); first += 13) {
    for (std::size_t second = first % 11; second < tiny_alphabet_size(); second += 23) {
      const Program program = tiny_program({first, second});
      ASSERT_EQ(compare(program, 2, 4, variants[count++ % 8]), "") << first << " " << second;
    }
  }
}

// Theorem 1 of the PBMC paper: the values of the property's variables that executions reach are those that projections
// reach.  Each combination of values is asked for as a property of its own.
TEST(BmcAgreement, ProjectionsReachTheSameValues) {
  const auto variants = all_variants();
  for (std::uint64_t seed = 200; seed < 212; ++seed) {
    Program program = random_flat(seed, {.max_shared = 2, .calls = false});
    program.properties.clear();
    for (Template& templ : program.templates) {
      for (Location& location : templ.locations) location.error.reset();
    }
    const std::size_t variables = program.shared.size();
    for (std::size_t combination = 0; combination < (std::size_t{1} << variables); ++combination) {
      Program asked = program;
      ExprId condition = asked.exprs.truth();
      for (std::size_t i = 0; i < variables; ++i) {
        const ExprId value = asked.exprs.shared(VarId(i), Type::boolean());
        const bool wanted = ((combination >> i) & 1U) != 0;
        condition = asked.exprs.conj(condition, wanted ? value : asked.exprs.negate(value));
      }
      asked.add_property(
          {.kind = Property::Kind::Condition, .text = "values", .span = {}, .condition = condition, .threads = {}});
      ASSERT_EQ(compare(asked, 3, 4, variants[(seed + combination) % 8]), "")
          << "seed " << seed << " values " << combination;
    }
  }
}

// With a bound on the contexts exactly the executions with so few stretches are searched.
TEST(Bmc, ContextsAreCounted) {
  // Two threads take turns: each needs the other's last step, so the third turn is the third context.
  Program program;
  const VarId turn = program.add_shared(var_of("turn", Type::range(0, 3), {0}));
  const PropertyId property = program.add_property({.kind = Property::Kind::ErrorLabel, .text = "end"});
  const auto step = [&](Value from) {
    ExprPool& exprs = program.exprs;
    const ExprId here = exprs.shared(turn, program.shared[0].type);
    Action action = assign_action(to_shared(turn), exprs.constant(from + 1, Type::integer()));
    action.guard = exprs.binary(Op::Eq, here, exprs.constant(from, Type::integer()), Type::boolean());
    return action;
  };
  Template first = template_with("first", 3);
  first.locations[2].error = property;
  add_edge(first, 0, 1, step(0));
  add_edge(first, 1, 2, step(2));
  Template second = template_with("second", 2);
  add_edge(second, 0, 1, step(1));
  program.add_template(std::move(first));
  program.add_template(std::move(second));
  program.initial = {{TemplateId(0), LocId(0), 1}, {TemplateId(1), LocId(0), 1}};
  for (std::uint32_t contexts = 1; contexts <= 4; ++contexts) {
    EngineOptions options;
    options.bmc.depths.first = options.bmc.depths.last = 5;
    options.bmc.contexts = contexts;
    Env env;
    const result::Result result = BmcEngine().check(env, {program, 2, options});
    EXPECT_EQ(result.verdict == Verdict::Unsafe, contexts >= 3) << contexts;
  }
  EngineOptions growing;
  growing.bmc.depths.first = growing.bmc.depths.last = 5;
  growing.bmc.growing_contexts = true;
  Env env;
  EXPECT_EQ(BmcEngine().check(env, {program, 2, growing}).verdict, Verdict::Unsafe);
  ASSERT_NE(env.statistics.find("contexts"), nullptr);
  EXPECT_EQ(to_string(*env.statistics.find("contexts")), "3") << "the fewest that suffice";
}

// Few contexts are where to look first, not where to stop: beyond the last number that is tried by itself.
TEST(Bmc, ContextsThatGrowEndWithAnyNumber) {
  Program program;
  const Value turns = most_growing_contexts + 2;
  const VarId turn = program.add_shared(var_of("turn", Type::range(0, turns), {0}));
  ExprPool& exprs = program.exprs;
  const ExprId here = exprs.shared(turn, program.shared[0].type);
  const PropertyId property = program.add_property({.kind = Property::Kind::ErrorLabel, .text = "end"});
  for (const Value parity : {0, 1}) {
    Template templ = template_with(parity == 0 ? "even" : "odd", 2);
    for (Value from = parity; from < turns; from += 2) {
      Action action = assign_action(to_shared(turn), exprs.constant(from + 1, Type::integer()));
      action.guard = exprs.binary(Op::Eq, here, exprs.constant(from, Type::integer()), Type::boolean());
      add_edge(templ, 0, 0, std::move(action));
    }
    const ExprId over = exprs.binary(Op::Eq, here, exprs.constant(turns, Type::integer()), Type::boolean());
    if (parity == 0) add_edge(templ, 0, 1, guard_action(over));
    if (parity == 0) templ.locations[1].error = property;
    program.initial.push_back({program.add_template(std::move(templ)), LocId(0), 1});
  }
  EngineOptions options;
  options.bmc.depths.first = options.bmc.depths.last = static_cast<std::uint32_t>(turns) + 1;
  options.bmc.growing_contexts = true;
  Env env;
  EXPECT_EQ(BmcEngine().check(env, {program, 2, options}).verdict, Verdict::Unsafe);
  EXPECT_EQ(env.statistics.find("contexts"), nullptr);
}

// A projection holds no step that does not matter: the other thread's loop is left out, and so is a value that is
// overwritten unread.
TEST(Bmc, RunsAreProjections) {
  Program program;
  const VarId x = program.add_shared(var_of("x", Type::fixed(32, true), {0}));
  const VarId y = program.add_shared(var_of("y", Type::fixed(32, true), {0}));
  ExprPool& exprs = program.exprs;
  const Type type = program.shared[0].type;
  const ExprId is_seven = exprs.binary(Op::Eq, exprs.shared(x, type), exprs.constant(7, type), Type::boolean());
  program.add_property(
      {.kind = Property::Kind::Condition, .text = "x is 7", .span = {}, .condition = is_seven, .threads = {}});
  Template other = template_with("other", 1);
  add_edge(other, 0, 0,
           assign_action(to_shared(y), exprs.binary(Op::Add, exprs.shared(y, type), exprs.constant(1, type), type)));
  Template early = template_with("early", 2);
  add_edge(early, 0, 1, assign_action(to_shared(x), exprs.constant(3, type)));
  Template late = template_with("late", 2);
  add_edge(late, 0, 1, assign_action(to_shared(x), exprs.nondet(type)));
  for (Template* templ : {&other, &early, &late}) program.add_template(std::move(*templ));
  for (std::size_t i = 0; i < 3; ++i) program.initial.push_back({TemplateId(i), LocId(0), 1});
  EngineOptions options;
  options.bmc.depths.first = options.bmc.depths.last = 6;
  // Found among projections, or made one afterwards.
  for (const unsigned conflicts : {0U, 2000U}) {
    Env env;
    const result::Result result = BmcEngine(conflicts).check(env, {program, 3, options});
    ASSERT_EQ(result.verdict, Verdict::Unsafe);
    ASSERT_EQ(result.run->steps.size(), 1U);
    EXPECT_EQ(result.run->steps[0].thread, 2U);
    // The interpreter cannot enumerate the choice; the run says which value it took.
    EXPECT_TRUE(result::replay(program, 3, *result.run).succeeded);
  }
}

// Two edges that share a choice, which is the second of one guard and the first of the other, are not taken together.
TEST(Bmc, OneEdgeIsTakenAtATime) {
  Program program;
  const VarId x = program.add_shared(bool_var("x", {0}));
  const VarId y = program.add_shared(bool_var("y", {0}));
  ExprPool& exprs = program.exprs;
  const Type type = Type::boolean();
  const ExprId is_x = exprs.shared(x, type);
  const ExprId choice = exprs.nondet(type);
  const ExprId both = exprs.conj(is_x, exprs.shared(y, type));
  program.add_property(
      {.kind = Property::Kind::Condition, .text = "both", .span = {}, .condition = both, .threads = {}});
  Template templ = template_with("main", 2);
  Action sets_x = assign_action(to_shared(x), exprs.truth());
  sets_x.guard = exprs.conj(exprs.disj(exprs.nondet(type), exprs.negate(is_x)), choice);
  Action sets_y = assign_action(to_shared(y), exprs.truth());
  sets_y.guard = exprs.negate(choice);
  add_edge(templ, 0, 1, std::move(sets_x));
  add_edge(templ, 0, 1, std::move(sets_y));
  program.add_template(std::move(templ));
  program.initial = {{TemplateId(0), LocId(0), 1}};
  for (const Variant& variant : all_variants()) EXPECT_EQ(compare(program, 1, 2, variant), "");
}

TEST(Bmc, NamesWhatItDoesNotTake) {
  Program program = random_program(1, {.calls = false, .any_number = true});
  program.initial = {{TemplateId(0), LocId(0), std::nullopt}};
  const auto refusal = BmcEngine().refuses({program, std::nullopt, {}});
  ASSERT_TRUE(refusal.has_value());
  EXPECT_NE(refusal->find("needs a bound"), std::string::npos) << *refusal;
  EngineOptions both;
  both.bmc.normal_form = true;
  both.bmc.contexts = 2;
  EXPECT_TRUE(BmcEngine().refuses({program, 2, both}).has_value());
  both.bmc.normal_form = false;
  EXPECT_FALSE(BmcEngine().refuses({program, 2, both}).has_value());
  both.bmc.growing_contexts = true;
  EXPECT_TRUE(BmcEngine().refuses({program, 2, both}).has_value());
}

}  // namespace cohort::engine::bmc
