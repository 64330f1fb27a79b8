// Stubborn sets: the verdicts of the full search on random programs, and the interleavings that they are meant to
// spare.
#include <string>

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "engine/explicit/explicit_engine.hpp"
#include "model/passes/inline.hpp"
#include "model/program.hpp"
#include "support/random_program.hpp"

namespace cohort::engine {
namespace {

using model::ExprId;
using model::LocId;
using model::Type;
using model::VarId;
using result::Verdict;

struct Outcome {
  Verdict verdict = Verdict::Unknown;
  std::uint64_t states = 0;
  bool holds_without_bound = false;
};

Outcome explore(const model::Program& program, std::uint32_t bound, bool reduce,
                SearchOrder order = SearchOrder::BreadthFirst) {
  Env env;
  EngineOptions options;
  options.partial_order = reduce;
  options.order = order;
  const result::Result result = explicit_::ExplicitEngine().check(env, {program, bound, options});
  return {result.verdict, std::get<std::uint64_t>(*env.statistics.find("states")), result.holds_without_bound};
}

TEST(Persistent, AgreesWithTheFullSearchOnRandomPrograms) {
  std::size_t reduced = 0;
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    test::RandomProgramOptions options;
    options.numbers = seed % 2 == 0;
    options.cover = seed % 3 == 0;
    const model::Program program = model::inline_calls(test::random_program(seed, options));
    for (const std::uint32_t bound : {2U, 3U}) {
      const Outcome full = explore(program, bound, false);
      for (const SearchOrder order : {SearchOrder::BreadthFirst, SearchOrder::DepthFirst}) {
        const Outcome some = explore(program, bound, true, order);
        ASSERT_EQ(some.verdict, full.verdict) << "seed " << seed << " bound " << bound;
        if (full.verdict != Verdict::Safe) continue;
        ASSERT_EQ(some.holds_without_bound, full.holds_without_bound) << "seed " << seed << " bound " << bound;
        reduced += some.states < full.states ? 1 : 0;
      }
    }
  }
  EXPECT_GT(reduced, 20U) << "the reduction does something";
}

// main creates `count` threads, each of which writes its own element of an array, and waits for them one by one.  With
// `shift`, the last one writes the element of the first.
model::Program slots(std::uint32_t count, std::uint32_t shift) {
  model::Program program;
  auto& exprs = program.exprs;
  const Type number = Type::fixed(8, false);
  const Type array = number.array_of(count);
  const VarId data = program.add_shared({.name = "data", .type = array, .initial = {0}});
  const VarId done = program.add_shared({.name = "done", .type = array, .initial = {0}});
  const auto constant = [&](model::Value value) { return exprs.constant(value, number); };
  const auto element = [&](VarId var, ExprId index) { return exprs.element(model::Op::SharedVar, var, array, index); };
  const auto shared = [&](VarId var, ExprId index) {
    return model::LValue{.kind = model::LValue::Kind::Shared, .var = var, .index = index};
  };

  model::Template worker{.name = "worker"};
  const VarId own = worker.add_local({.name = "own", .type = number, .initial = {0}});
  const VarId slot = worker.add_local({.name = "slot", .type = number, .initial = {0}});
  const ExprId own_value = exprs.local(own, number);
  const ExprId slot_value = exprs.local(slot, number);
  std::vector<LocId> at;
  for (int i = 0; i < 4; ++i) at.push_back(worker.add_location({}));
  worker.entry = at[0];
  const ExprId last = exprs.binary(model::Op::Eq, own_value, constant(count - 1), Type::boolean());
  const ExprId target = exprs.ite(last, constant((count - 1 + shift) % count), own_value);
  model::Action choose;
  choose.assigns = {{{.kind = model::LValue::Kind::Local, .var = slot}, target}};
  model::Action first;
  first.assigns = {{shared(data, slot_value), constant(1)}};
  model::Action second;
  second.assigns = {
      {shared(data, slot_value), exprs.binary(model::Op::Add, element(data, slot_value), constant(1), number)}};
  model::Action end;
  end.assigns = {{shared(done, own_value), constant(1)}};
  end.ends_thread = true;
  worker.edges = {{at[0], at[1], {choose}}, {at[1], at[2], {first}}, {at[2], at[3], {second}}, {at[3], at[3], {end}}};

  model::Template main{.name = "main"};
  const VarId index = main.add_local({.name = "i", .type = number, .initial = {0}});
  const ExprId i = exprs.local(index, number);
  std::vector<LocId> in;
  for (int k = 0; k < 4; ++k) in.push_back(main.add_location({}));
  main.entry = in[0];
  const auto property = program.add_property({.kind = model::Property::Kind::Assertion, .text = "both writes"});
  const LocId bad = main.add_location({.error = property});
  const auto less = [&](bool holds) {
    return exprs.binary(holds ? model::Op::Lt : model::Op::Ge, i, constant(count), Type::boolean());
  };
  const auto set_index = [&](ExprId value) {
    return model::Assign{{.kind = model::LValue::Kind::Local, .var = index}, value};
  };
  const ExprId next = exprs.binary(model::Op::Add, i, constant(1), number);
  model::Action create{.guard = less(true)};
  create.spawns = {{.templ = model::TemplateId(1), .location = at[0]}};
  create.spawns[0].locals = {{{.kind = model::LValue::Kind::Local, .var = own}, i}};
  model::Action count_up;
  count_up.assigns = {set_index(next)};
  model::Action begin{.guard = less(false)};
  begin.assigns = {set_index(constant(0))};
  const ExprId finished = exprs.binary(model::Op::Eq, element(done, i), constant(1), Type::boolean());
  model::Action wait{.guard = exprs.conj(less(true), finished)};
  const auto check = [&](model::Op op) {
    return model::Action{.guard = exprs.binary(op, element(data, i), constant(2), Type::boolean())};
  };
  model::Action right = check(model::Op::Eq);
  right.assigns = {set_index(next)};
  main.edges = {{in[0], in[1], {create}}, {in[1], in[0], {count_up}}, {in[0], in[2], {begin}},
                {in[2], in[3], {wait}},   {in[3], in[2], {right}},    {in[3], bad, {check(model::Op::Ne)}}};
  program.initial = {{program.add_template(std::move(main)), in[0], 1}};
  program.add_template(std::move(worker));
  return program;
}

TEST(Persistent, ThreadsWithSlotsOfTheirOwnRunOneAfterTheOther) {
  const Outcome few = explore(slots(3, 0), 4, true);
  EXPECT_EQ(few.verdict, Verdict::Safe);
  EXPECT_TRUE(few.holds_without_bound);
  EXPECT_LT(few.states * 4, explore(slots(3, 0), 4, false).states);
  const Outcome more = explore(slots(12, 0), 13, true);
  EXPECT_EQ(more.verdict, Verdict::Safe);
  EXPECT_LT(more.states, few.states * 12 / 3 + 20) << "states grow with the number of threads, not with its power";
}

TEST(Persistent, IsUsualWhereNobodyAsksForAnOrder) {
  const auto states = [](const EngineOptions& options) {
    const model::Program program = slots(3, 0);
    Env env;
    EXPECT_EQ(explicit_::ExplicitEngine().check(env, {program, 4, options}).verdict, Verdict::Safe);
    return std::get<std::uint64_t>(*env.statistics.find("states"));
  };
  const std::uint64_t full = explore(slots(3, 0), 4, false).states;
  EXPECT_EQ(states({}), explore(slots(3, 0), 4, true).states);
  EngineOptions all_orders;
  all_orders.all_orders = true;
  EXPECT_EQ(states(all_orders), full);
  EngineOptions certificate;
  certificate.certificate = true;
  EXPECT_EQ(states(certificate), full);
}

// Two threads at one place that differ in an array which they only test: one writes x, the other ends.  Where the
// future of the second were taken for that of both, the reader would not wait for the writer.
TEST(Persistent, FuturesThatDependOnArraysAreKeptApart) {
  model::Program program;
  auto& exprs = program.exprs;
  const Type number = Type::fixed(8, false);
  const Type array = number.array_of(2);
  const VarId x = program.add_shared({.name = "x", .type = number, .initial = {0}});
  const auto constant = [&](model::Value value) { return exprs.constant(value, number); };
  const auto local = [](VarId var) { return model::LValue{.kind = model::LValue::Kind::Local, .var = var}; };
  const ExprId x_value = exprs.shared(x, number);

  model::Template worker{.name = "worker"};
  const VarId kinds = worker.add_local({.name = "kinds", .type = array, .initial = {0}});
  const VarId round = worker.add_local({.name = "round", .type = number, .initial = {0}});
  const ExprId kind = exprs.element(model::Op::LocalVar, kinds, array, constant(0));
  std::vector<LocId> at;
  for (int i = 0; i < 5; ++i) at.push_back(worker.add_location({}));
  worker.entry = at[0];
  model::LValue first = local(kinds);
  first.index = constant(0);
  const auto become = [&](model::Value value) {
    model::Action action;
    action.assigns = {{first, constant(value)}};
    return action;
  };
  model::Action pause;
  pause.assigns = {{local(round), constant(1)}};
  model::Action write{.guard = exprs.binary(model::Op::Lt, constant(0), kind, Type::boolean())};
  write.assigns = {{{.kind = model::LValue::Kind::Shared, .var = x}, constant(1)}};
  worker.edges = {
      {at[0], at[1], {become(0)}}, {at[0], at[1], {become(1)}}, {at[1], at[2], {pause}}, {at[2], at[3], {write}}};

  model::Template reader{.name = "reader"};
  const LocId begin = reader.add_location({});
  const LocId end = reader.add_location({});
  const auto property = program.add_property({.kind = model::Property::Kind::Assertion, .text = "x is 0"});
  const LocId bad = reader.add_location({.error = property});
  reader.entry = begin;
  const auto test = [&](model::Op op) {
    return model::Action{.guard = exprs.binary(op, x_value, constant(0), Type::boolean())};
  };
  reader.edges = {{begin, end, {test(model::Op::Eq)}}, {begin, bad, {test(model::Op::Ne)}}};
  program.initial = {{program.add_template(std::move(worker)), at[0], 1},
                     {program.add_template(std::move(reader)), begin, 1}};
  EXPECT_EQ(explore(program, 2, false).verdict, Verdict::Unsafe);
  EXPECT_EQ(explore(program, 2, true).verdict, Verdict::Unsafe);
  EXPECT_EQ(explore(program, 2, true, SearchOrder::DepthFirst).verdict, Verdict::Unsafe);
}

TEST(Persistent, OverlappingSlotsAreSeen) {
  EXPECT_EQ(explore(slots(3, 1), 4, true).verdict, Verdict::Unsafe);
  EXPECT_EQ(explore(slots(12, 1), 13, true).verdict, Verdict::Unsafe);
}

}  // namespace
}  // namespace cohort::engine
