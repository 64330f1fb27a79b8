#include "model/validate.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "base/contract.hpp"
#include "support/build.hpp"
#include "support/random_program.hpp"

namespace cohort::model {
namespace {

using namespace cohort::test;

// Two templates: `main` (0) with a Boolean local x and a number n, `proc` (1) with one parameter and one result.
Program sample() {
  Program program;
  program.name = "sample";
  program.add_shared(bool_var("s", {0}));
  program.add_shared(var_of("a", Type::fixed(8, false).array_of(3), {0}));
  program.add_property({.kind = Property::Kind::Assertion, .text = "p", .span = {}, .condition = {}, .threads = {}});
  Template main = template_with("main", 3);
  main.add_local(bool_var("x"));
  main.add_local(var_of("n", Type::range(0, 3), {0}));
  main.locations[2].error = PropertyId(0);
  program.add_template(std::move(main));
  Template proc = template_with("proc", 2);
  proc.add_local(bool_var("p"));
  proc.params = {VarId(0)};
  proc.result_count = 1;
  program.add_template(std::move(proc));
  ExprPool& exprs = program.exprs;
  add_edge(program.templates[0], 0, 1, assign_action(to_local(VarId(0)), exprs.nondet(Type::boolean())));
  add_edge(program.templates[0], 1, 0, call_action(1, {exprs.truth()}, {to_shared(VarId(0))}));
  add_edge(program.templates[1], 0, 1, return_action({exprs.local(VarId(0), Type::boolean())}));
  program.initial.push_back({TemplateId(0), LocId(0), 1});
  return program;
}

ExprId x_of(Program& program, bool primed = false) {
  return program.exprs.local(VarId(0), Type::boolean(), primed);
}

struct Breach {
  std::string rule;  // a part of the sentence
  std::function<void(Program&)> plant;
};

void expect_refused(const Breach& breach) {
  Program program = sample();
  breach.plant(program);
  try {
    validate(program);
    ADD_FAILURE() << "accepted, against the rule: " << breach.rule;
  } catch (const InternalError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr(breach.rule));
  }
}

TEST(Validate, AcceptsTheSample) {
  EXPECT_NO_THROW(validate(sample()));
}

TEST(Validate, RefusesBreachesOfStructure) {
  const std::vector<Breach> breaches = {
      {"source and target", [](Program& p) { p.templates[0].edges[0].target = LocId(9); }},
      {"source and target", [](Program& p) { p.templates[0].edges[0].source = LocId(9); }},
      {"at least one action", [](Program& p) { p.templates[0].edges[0].actions.clear(); }},
      {"entry location", [](Program& p) { p.templates[0].entry = LocId(7); }},
      {"parameter is a local", [](Program& p) { p.templates[1].params = {VarId(5)}; }},
      {"two parameters",
       [](Program& p) {
         p.templates[1].params = {VarId(0), VarId(0)};
       }},
      {"property of an error location exists", [](Program& p) { p.templates[0].locations[0].error = PropertyId(4); }},
      {"location 8", [](Program& p) { p.initial[0].location = LocId(8); }},
      {"template 5", [](Program& p) { p.initial[0].templ = TemplateId(5); }},
      {"slots", [](Program& p) { p.shared[1].slot = 5; }},
      {"initial value", [](Program& p) { p.shared[0].initial = {2}; }},
      {"as many arguments", [](Program& p) { p.templates[0].edges[1].actions[0].call->args.clear(); }},
      {"as many results", [](Program& p) { p.templates[0].edges[1].actions[0].call->results.clear(); }},
      {"as many values", [](Program& p) { p.templates[1].edges[0].actions[0].ret->values.clear(); }},
      {"does nothing else", [](Program& p) { p.templates[0].edges[1].actions[0].ends_thread = true; }},
      {"alone on its edge", [](Program& p) { p.templates[0].edges[1].actions.emplace_back(); }},
      {"nothing follows the end",
       [](Program& p) {
         p.templates[0].edges[0].actions[0] = end_action();
         p.templates[0].edges[0].actions.emplace_back();
       }},
      {"at most one action of an edge",
       [](Program& p) {
         p.templates[0].edges[0].actions = {spawn_action(0, 0), spawn_action(0, 0)};
       }},
      {"shared by two actions",
       [](Program& p) {
         Edge& edge = p.templates[0].edges[0];
         edge.actions.push_back(edge.actions[0]);
       }},
      {"spawns assigns no locals",
       [](Program& p) {
         p.templates[0].edges[0].actions[0].spawns.push_back({TemplateId(0), LocId(0), false, {}});
       }},
      {"copies its creator's locals",
       [](Program& p) { p.templates[0].edges[0].actions[0] = spawn_action(1, 0, true); }},
  };
  for (const Breach& breach : breaches) expect_refused(breach);
}

TEST(Validate, RefusesBreachesOfScopeAndType) {
  const auto set_guard = [](Program& p, ExprId guard) { p.templates[0].edges[0].actions[0].guard = guard; };
  const auto set_value = [](Program& p, ExprId value) { p.templates[0].edges[0].actions[0].assigns[0].value = value; };
  const std::vector<Breach> breaches = {
      {"primed", [&](Program& p) { set_guard(p, x_of(p, true)); }},
      {"primed", [&](Program& p) { set_value(p, x_of(p, true)); }},
      {"passive variable stands only", [&](Program& p) { set_guard(p, p.exprs.passive(VarId(0), Type::boolean())); }},
      {"passive variable stands only", [&](Program& p) { set_value(p, p.exprs.passive(VarId(0), Type::boolean())); }},
      {"a guard has the type", [&](Program& p) { set_guard(p, p.exprs.constant(1, Type::integer())); }},
      {"value that is assigned", [&](Program& p) { set_value(p, p.exprs.constant(1, Type::integer())); }},
      {"assigned twice",
       [](Program& p) {
         auto& assigns = p.templates[0].edges[0].actions[0].assigns;
         assigns.push_back({to_local(VarId(0)), p.exprs.truth()});
       }},
      {"variable that is read exists", [&](Program& p) { set_value(p, p.exprs.local(VarId(6), Type::boolean())); }},
      {"variable that is assigned exists",
       [](Program& p) { p.templates[0].edges[0].actions[0].assigns[0].target = to_local(VarId(6)); }},
      {"read with its own type", [&](Program& p) { set_value(p, p.exprs.local(VarId(1), Type::boolean())); }},
      {"arrays, and only arrays, are indexed",
       [](Program& p) {
         p.templates[0].edges[0].actions[0] = assign_action(to_shared(VarId(1)), p.exprs.constant(1, Type::integer()));
       }},
      {"operands fit",
       [&](Program& p) {
         set_guard(p, p.exprs.binary(Op::And, x_of(p), p.exprs.constant(1, Type::integer()), Type::boolean()));
       }},
      {"of one kind",
       [&](Program& p) {
         set_guard(p, p.exprs.binary(Op::Eq, x_of(p), p.exprs.constant(1, Type::integer()), Type::boolean()));
       }},
      {"has its quantifier",
       [&](Program& p) { set_guard(p, p.exprs.at_location(p.exprs.bound_thread(0), TemplateId(0), LocId(0))); }},
      {"location 9", [&](Program& p) { set_guard(p, p.exprs.at_location(p.exprs.self(), TemplateId(0), LocId(9))); }},
      {"where steps are described", [](Program& p) { p.initial_condition = p.exprs.nondet(Type::boolean()); }},
      {"read by a thread", [](Program& p) { p.initial_condition = x_of(p); }},
  };
  for (const Breach& breach : breaches) expect_refused(breach);
}

TEST(Validate, AcceptsPrimedAndPassiveInConstraints) {
  Program program = sample();
  Action& action = program.templates[0].edges[0].actions[0];
  action.constraint.push_back(x_of(program, true));
  action.constraint.push_back(program.exprs.passive(VarId(0), Type::boolean(), true));
  action.assigns.push_back(
      {to_passive(VarId(0)), program.exprs.negate(program.exprs.passive(VarId(0), Type::boolean()))});
  EXPECT_NO_THROW(validate(program));
}

TEST(Validate, AcceptsNestedQuantifiers) {
  Program program = sample();
  ExprPool& exprs = program.exprs;
  const ExprId body = exprs.conj(exprs.at_location(exprs.bound_thread(0), TemplateId(0), LocId(0)),
                                 exprs.binary(Op::Ne, exprs.bound_thread(0), exprs.bound_thread(1), Type::boolean()));
  program.initial_condition = exprs.quantified(Op::ForallThread, exprs.quantified(Op::ExistsThread, body));
  EXPECT_NO_THROW(validate(program));
}

TEST(Validate, AcceptsRandomPrograms) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    RandomProgramOptions options;
    options.broadcasts = seed % 2 == 0;
    options.foreign = seed % 4 == 0;
    options.ties = seed % 8 == 0;
    options.moves = options.takes = seed % 3 == 0;
    options.numbers = seed % 5 == 0;
    options.cover = seed % 7 == 0;
    EXPECT_NO_THROW(validate(random_program(seed, options))) << "seed " << seed;
  }
}

}  // namespace
}  // namespace cohort::model
