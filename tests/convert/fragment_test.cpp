#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "convert/bp.hpp"
#include "convert/murphi.hpp"
#include "convert/promela.hpp"
#include "support/build.hpp"
#include "support/diagnostics.hpp"
#include "support/example.hpp"

namespace cohort::convert {
namespace {

using model::Type;
using model::VarId;
using testing::HasSubstr;

// One thread with a loop that does nothing, and room for one more edge.
model::Program idle_program() {
  model::Program program;
  program.name = "idle";
  model::Template templ = test::template_with("main", 2);
  test::add_edge(templ, 0, 1);
  program.initial.push_back({program.add_template(std::move(templ)), model::LocId(0), 1});
  return program;
}

std::string refusal(const model::Program& program) {
  const std::string murphi = test::diagnostic([&] { to_murphi(program, 2); });
  EXPECT_NE(murphi, "accepted");
  EXPECT_NE(test::diagnostic([&] { to_promela(program, 2); }), "accepted");
  EXPECT_NE(test::diagnostic([&] { to_bp(program); }), "accepted");
  return murphi;
}

TEST(Fragment, TakesThePlainProgram) {
  EXPECT_EQ(test::diagnostic([] {
              to_murphi(idle_program(), 2);
              to_promela(idle_program(), 2);
              to_bp(idle_program());
            }),
            "accepted");
}

TEST(Fragment, RefusesThreadReferencesByName) {
  model::Program program = idle_program();
  program.add_shared(test::var_of("last", Type::thread_ref(), {0}));
  EXPECT_THAT(refusal(program), HasSubstr("a thread reference cannot be converted to Murphi"));
}

TEST(Fragment, RefusesUnboundedIntegersAndArraysByName) {
  model::Program unbounded = idle_program();
  unbounded.add_shared(test::var_of("n", Type::integer(), {0}));
  EXPECT_THAT(refusal(unbounded), HasSubstr("an unbounded integer"));
  model::Program array = idle_program();
  array.add_shared(test::var_of("a", Type::boolean().array_of(3), {0}));
  EXPECT_THAT(refusal(array), HasSubstr("an array"));
}

TEST(Fragment, RefusesArithmeticByName) {
  model::Program program = idle_program();
  const Type range = Type::range(0, 3);
  const VarId x = program.add_shared(test::var_of("x", range, {0}));
  const auto sum =
      program.exprs.binary(model::Op::Add, program.exprs.shared(x, range), program.exprs.constant(1, range), range);
  test::add_edge(program.templates[0], 1, 0, test::assign_action(test::to_shared(x), sum));
  EXPECT_THAT(refusal(program), HasSubstr("integer arithmetic"));
}

TEST(Fragment, RefusesRendezvousAndMovesByName) {
  model::Program program = idle_program();
  model::Action take;
  take.takes.push_back({model::TemplateId(0), model::LocId(0), model::LocId(1)});
  test::add_edge(program.templates[0], 1, 0, take);
  EXPECT_THAT(refusal(program), HasSubstr("a rendezvous of threads"));
  model::Program moving = idle_program();
  model::Action move;
  move.moves.push_back({model::TemplateId(0), model::LocId(0), model::LocId(1)});
  test::add_edge(moving.templates[0], 1, 0, move);
  EXPECT_THAT(refusal(moving), HasSubstr("a broadcast that moves threads"));
}

TEST(Fragment, RefusesConditionsByName) {
  model::Program start = idle_program();
  start.initial_condition = start.exprs.truth();
  EXPECT_THAT(refusal(start), HasSubstr("a condition on the initial states"));
  model::Program bad = idle_program();
  bad.add_property({.kind = model::Property::Kind::Condition, .text = "bad", .condition = bad.exprs.truth()});
  EXPECT_THAT(refusal(bad), HasSubstr("a condition on global states"));
}

TEST(Fragment, IntegersWithoutArithmeticAreForMurphiAndPromela) {
  model::Program program = idle_program();
  const Type range = Type::range(2, 5);
  const VarId x = program.add_shared(test::var_of("x", range, {2}));
  test::add_edge(program.templates[0], 1, 0, test::assign_action(test::to_shared(x), program.exprs.nondet(range)));
  EXPECT_THAT(to_murphi(program, 2), HasSubstr("x: 2 .. 5;"));
  EXPECT_THAT(to_promela(program, 2), HasSubstr(":: x = 5"));
  EXPECT_THAT(test::diagnostic([&] { to_bp(program); }), HasSubstr("an integer variable"));
}

TEST(Fragment, PassiveChoicesAreRefusedWithTheirPlace) {
  const model::Program program = test::load_flat(test::example("broadcast_leader"));
  const std::string murphi = test::diagnostic([&] { to_murphi(program, 2); });
  EXPECT_THAT(murphi, HasSubstr("a broadcast that leaves the passive threads a choice cannot be converted to Murphi"));
  EXPECT_THAT(murphi, HasSubstr("broadcast_leader.bp:14:7"));
  EXPECT_THAT(test::diagnostic([&] { to_promela(program, 2); }), HasSubstr("cannot be converted to Promela"));
  EXPECT_EQ(test::diagnostic([&] { to_bp(program); }), "accepted");
}

TEST(Fragment, MoreThreadsAtTheStartThanTheBoundAreRefused) {
  model::Program program = idle_program();
  program.initial.front().count = 3;
  EXPECT_THAT(refusal(program), HasSubstr("starts with 3 threads"));
}

}  // namespace
}  // namespace cohort::convert
