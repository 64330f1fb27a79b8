// Hiding variables loses no state and no violation: on random programs every reachable state, with what is hidden at
// its fixed value, is reachable in the result.
#include "model/passes/hide.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include "model/analysis/visit.hpp"
#include "model/passes/inline.hpp"
#include "model/passes/pass_oracle.hpp"
#include "model/print.hpp"
#include "model/validate.hpp"
#include "support/build.hpp"
#include "support/explore.hpp"
#include "support/random_program.hpp"

namespace cohort::model {
namespace {

using namespace cohort::test;

constexpr std::size_t max_states = 1500;

VariableSet random_set(const Program& program, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  VariableSet set = VariableSet::of(program, false);
  for (std::size_t i = 0; i < set.shared.size(); ++i) set.shared[i] = random() % 2 == 0;
  for (auto& locals : set.locals) {
    for (std::size_t i = 0; i < locals.size(); ++i) locals[i] = random() % 2 == 0;
  }
  return set;
}

void fix(Valuation& values, const std::vector<Variable>& variables, const std::vector<bool>& hidden) {
  for (std::size_t i = 0; i < variables.size(); ++i) {
    if (!hidden[i]) continue;
    const auto begin = values.begin() + variables[i].slot;
    std::fill_n(begin, variables[i].type.slots(), variables[i].type.element().default_value());
  }
}

State image(const Program& program, const VariableSet& hidden, State state) {
  fix(state.shared, program.shared, hidden.shared);
  for (auto& thread : state.threads) {
    if (thread) fix(thread->locals, program.templ(thread->templ).locals, hidden.locals[thread->templ.value]);
  }
  return canonical(std::move(state));
}

// Returns whether the two were compared.
bool expect_covered(const Program& program, const VariableSet& hidden, const Program& after, std::uint32_t bound) {
  const Exploration original = explore(program, bound, max_states);
  const Exploration abstract = explore(after, bound, 8 * max_states);
  if (!original.complete || !abstract.complete) return false;
  for (const State& state : original.states) {
    EXPECT_TRUE(abstract.states.contains(image(program, hidden, state))) << "bound " << bound << to_string(program);
  }
  for (const PropertyId property : original.violated) EXPECT_TRUE(abstract.violated.contains(property));
  return true;
}

TEST(Hide, CoversEveryStateOfRandomPrograms) {
  std::size_t compared = 0;
  std::size_t safe_kept = 0;
  RandomProgramOptions options;
  options.numbers = options.takes = options.cover = true;
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    Program program = inline_calls(random_program(seed, options));
    program.faults = FaultPolicy::Drop;
    std::erase_if(program.properties, [](const Property& p) { return p.kind == Property::Kind::Fault; });
    if (!can_hide(program)) continue;
    const VariableSet hidden = close_hidden(program, random_set(program, seed));
    const auto after = hide(program, hidden);
    if (!after) continue;
    validate(*after);
    for (std::uint32_t bound = 2; bound <= 3; ++bound) {
      if (!expect_covered(program, hidden, *after, bound)) continue;
      ++compared;
      safe_kept += explore(*after, bound, 8 * max_states).violated.empty() ? 1 : 0;
    }
    if (HasFailure()) return;
  }
  EXPECT_GT(compared, 300U);
  EXPECT_GT(safe_kept, 20U);
}

// s := t; assume (s & t) | u, with t hidden.
TEST(Hide, WeakensNoMoreThanNeeded) {
  Program program;
  program.faults = FaultPolicy::Drop;
  const VarId s = program.add_shared(bool_var("s", {0}));
  const VarId t = program.add_shared(bool_var("t", {0}));
  const VarId u = program.add_shared(bool_var("u", {0}));
  ExprPool& exprs = program.exprs;
  const auto read = [&](VarId var) { return exprs.shared(var, Type::boolean()); };
  Template templ = template_with("main", 4);
  add_edge(templ, 0, 1, assign_action(to_shared(s), read(t)));
  add_edge(templ, 1, 2, guard_action(exprs.disj(exprs.conj(read(s), read(t)), read(u))));
  add_edge(templ, 2, 3, guard_action(exprs.negate(exprs.disj(read(s), read(t)))));
  program.initial.push_back({.templ = program.add_template(templ), .location = LocId(0)});
  VariableSet hidden = VariableSet::of(program, false);
  hidden.shared[t.value] = true;
  EXPECT_EQ(close_hidden(program, hidden), hidden);
  const auto after = hide(program, hidden);
  ASSERT_TRUE(after);
  const auto& edges = after->templates[0].edges;
  EXPECT_EQ(after->exprs[edges[0].actions[0].assigns[0].value].op, Op::Nondet);
  EXPECT_EQ(to_string(*after, nullptr, *edges[1].actions[0].guard), "s || u");
  EXPECT_EQ(to_string(*after, nullptr, *edges[2].actions[0].guard), "!s");
}

// A guard and a value of 200 levels, each of which has the one below it twice: as trees they have 2^200 nodes.
TEST(Hide, TakesSharedPartsOnce) {
  Program program;
  program.faults = FaultPolicy::Drop;
  const VarId s = program.add_shared(bool_var("s", {0}));
  const VarId t = program.add_shared(bool_var("t", {0}));
  const VarId u = program.add_shared(bool_var("u", {0}));
  ExprPool& exprs = program.exprs;
  const auto read = [&](VarId var) { return exprs.shared(var, Type::boolean()); };
  ExprId guard = read(t);
  for (int level = 0; level < 200; ++level) {
    guard = exprs.conj(exprs.disj(guard, read(s)), exprs.disj(exprs.negate(guard), read(u)));
  }
  Template templ = template_with("main", 3);
  add_edge(templ, 0, 1, guard_action(guard));
  add_edge(templ, 1, 2, assign_action(to_shared(s), guard));
  program.initial.push_back({.templ = program.add_template(templ), .location = LocId(0)});
  VariableSet hidden = VariableSet::of(program, false);
  hidden.shared[t.value] = true;
  hidden = close_hidden(program, hidden);
  const auto after = hide(program, hidden);
  ASSERT_TRUE(after);
  const auto& edges = after->templates[0].edges;
  for (const ExprId root : {*edges[0].actions[0].guard, edges[1].actions[0].assigns[0].value}) {
    for_each_node(after->exprs, root,
                  [&](const Expr& node, ExprId) { EXPECT_FALSE(node.op == Op::SharedVar && node.var == t); });
  }
}

TEST(Hide, HidesWhatIsComputedFromWideHiddenValues) {
  Program program;
  program.faults = FaultPolicy::Drop;
  const Type wide = Type::fixed(32, true);
  const VarId a = program.add_shared(var_of("a", wide, {0}));
  const VarId b = program.add_shared(var_of("b", wide, {0}));
  const VarId c = program.add_shared(var_of("c", wide, {0}));
  ExprPool& exprs = program.exprs;
  Template templ = template_with("main", 4);
  add_edge(templ, 0, 1, assign_action(to_shared(b), exprs.shared(a, wide)));
  add_edge(templ, 1, 2, assign_action(to_shared(c), exprs.constant(3, wide)));
  add_edge(templ, 2, 3, assign_action(to_shared(a), exprs.nondet(wide)));
  program.initial.push_back({.templ = program.add_template(templ), .location = LocId(0)});
  const VariableSet hidden = close_hidden(program, VariableSet::of(program, false));
  EXPECT_EQ(hidden.shared, (std::vector<bool>{true, true, false}));
  EXPECT_TRUE(hide(program, hidden));
}

// b := (int)(a < 3), with a hidden, is 0 or 1.
TEST(Hide, KeepsNumbersThatAreComputedFromTruthValues) {
  Program program;
  program.faults = FaultPolicy::Drop;
  const Type wide = Type::fixed(32, true);
  const VarId a = program.add_shared(var_of("a", wide, {0}));
  const VarId b = program.add_shared(var_of("b", wide, {0}));
  ExprPool& exprs = program.exprs;
  const ExprId small = exprs.binary(Op::Lt, exprs.shared(a, wide), exprs.constant(3, wide), Type::boolean());
  Template templ = template_with("main", 2);
  add_edge(templ, 0, 1, assign_action(to_shared(b), exprs.unary(Op::Cast, small, wide)));
  program.initial.push_back({.templ = program.add_template(templ), .location = LocId(0)});
  VariableSet hidden = VariableSet::of(program, false);
  hidden.shared[a.value] = true;
  EXPECT_EQ(close_hidden(program, hidden), hidden);
  const auto after = hide(program, hidden);
  ASSERT_TRUE(after);
  EXPECT_EQ(explore(*after, 1).states.size(), 3U);
}

// A choice that is left alone is no hidden value; one choice stays one choice where an action sees it twice.
TEST(Hide, LeavesChoicesAloneOutOfReach) {
  Program program;
  program.faults = FaultPolicy::Drop;
  const Type byte = Type::fixed(8, false);
  const VarId a = program.add_shared(var_of("a", byte, {0}));
  ExprPool& exprs = program.exprs;
  const ExprId choice = exprs.nondet(byte);
  Template templ = template_with("main", 2);
  Action action = assign_action(to_shared(a), choice);
  action.guard = exprs.binary(Op::Lt, choice, exprs.constant(3, byte), Type::boolean());
  add_edge(templ, 0, 1, action);
  program.initial.push_back({.templ = program.add_template(templ), .location = LocId(0)});
  VariableSet hidden = VariableSet::of(program, false);
  hidden.left_alone.insert(choice);
  EXPECT_EQ(close_hidden(program, hidden), hidden);
  const auto after = hide(program, hidden);
  ASSERT_TRUE(after);
  EXPECT_THROW(explore(*after, 1), InputError);
  const Action& made = after->templates[0].edges[0].actions[0];
  std::set<ExprId> choices;
  for_each_node(after->exprs, made, [&](const Expr& node, ExprId id) {
    if (node.op == Op::Nondet) choices.insert(id);
  });
  EXPECT_EQ(choices.size(), 1U);
  hidden.left_alone.clear();
  EXPECT_TRUE(close_hidden(program, hidden).shared[a.value]);
}

TEST(Hide, RefusesWhereAViolationCouldBeLost) {
  Program program;
  Template templ = template_with("main", 1);
  program.initial.push_back({.templ = program.add_template(templ), .location = LocId(0)});
  EXPECT_FALSE(can_hide(program));
  program.faults = FaultPolicy::Drop;
  EXPECT_TRUE(can_hide(program));
  program.add_property({.kind = Property::Kind::Deadlock, .text = "deadlock"});
  EXPECT_FALSE(can_hide(program));
}

}  // namespace
}  // namespace cohort::model
