// Steps that change other threads, references to threads and deadlocks, compared with exhaustive search depth by depth.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "engine/bmc/compare.hpp"
#include "model/validate.hpp"
#include "support/build.hpp"

namespace cohort::engine::bmc {

using namespace cohort::test;
using namespace test;

namespace {

// Some edges get the actions of one that follows them, as passes do: an edge may have one action that involves others.
void lengthen(Program& program, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto involves_others = [&](const Edge& edge) {
    return std::any_of(edge.actions.begin(), edge.actions.end(), [&](const Action& action) {
      return !action.spawns.empty() || !action.takes.empty() || action.ends_thread ||
             is_broadcast(program.exprs, action);
    });
  };
  for (Template& templ : program.templates) {
    const std::vector<Edge> edges = templ.edges;
    for (std::size_t i = 0; i < edges.size(); ++i) {
      const Edge& next = edges[random() % edges.size()];
      if (next.source != edges[i].target || &next == &edges[i] || edges[i].actions.back().ends_thread) continue;
      if (involves_others(edges[i]) && involves_others(next)) continue;
      templ.edges[i].target = next.target;
      templ.edges[i].actions.insert(templ.edges[i].actions.end(), next.actions.begin(), next.actions.end());
    }
  }
  validate(program);
}

// Several threads at the start, under a bound that leaves room for one more or for none.
std::uint32_t replicate(Program& program, std::uint64_t seed) {
  program.initial[0].count = 1 + static_cast<std::uint32_t>(seed % 3);
  std::uint32_t threads = 0;
  for (const InitialThreads& group : program.initial) threads += *group.count;
  return std::max<std::uint32_t>(threads + (seed % 5 == 0 ? 1 : 0), 2);
}

// Threads of one template with three places that do little but push each other around: nearly every step matters.
Program crowd(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto below = [&](std::size_t limit) { return static_cast<std::size_t>(random() % limit); };
  Program program;
  ExprPool& exprs = program.exprs;
  const VarId shared = program.add_shared(bool_var("s", {0}));
  const PropertyId property = program.add_property({.kind = Property::Kind::ErrorLabel, .text = "ERROR"});
  Template templ = template_with("main", 4);
  templ.locations[3].error = property;
  const VarId local = templ.add_local(bool_var("l", below(4) == 0 ? std::vector<Value>{} : std::vector<Value>{0}));
  const ExprId s = exprs.shared(shared, Type::boolean());
  const ExprId l = exprs.local(local, Type::boolean());
  const ExprId other = exprs.passive(local, Type::boolean());
  const auto place = [&] { return LocId(below(3)); };
  const auto literal = [&] {
    const ExprId value = below(2) == 0 ? s : l;
    return below(2) == 0 ? value : exprs.negate(value);
  };
  for (std::size_t i = 3 + below(2); i > 0; --i) {
    Action action;
    if (below(3) == 0) action.guard = literal();
    for (std::size_t effects = 1 + below(2); effects > 0; --effects) {
      switch (below(9)) {
        case 0: action.takes.push_back({TemplateId(0), place(), place()}); break;
        case 1: action.takes.push_back({TemplateId(0), place(), std::nullopt}); break;
        case 2:
        case 3: action.moves.push_back({TemplateId(0), place(), place()}); break;
        case 4:
          if (action.assigns.empty()) action.assigns.push_back({to_passive(local), below(2) == 0 ? exprs.truth() : s});
          break;
        case 5:
          if (action.assigns.empty()) action.assigns.push_back({to_passive(local), exprs.negate(other)});
          break;
        case 6: action.constraint.push_back(below(2) == 0 ? other : exprs.negate(other)); break;
        case 7:
          if (action.assigns.empty()) action.assigns.push_back({to_shared(shared), exprs.negate(s)});
          break;
        default:
          if (action.assigns.empty()) {
            action.assigns.push_back({to_local(local), exprs.truth()});
          } else if (action.assigns[0].target.kind != LValue::Kind::Local && below(2) == 0) {
            action.spawns.push_back({TemplateId(0), place(), true, {}});
          }
      }
    }
    add_edge(templ, place().value, place().value, std::move(action));
  }
  // Nobody can violate at once: it takes a step that sets a variable or brings a thread to the last place.
  switch (below(3)) {
    case 0: add_edge(templ, place().value, 3, guard_action(l)); break;
    case 1: add_edge(templ, place().value, 3, guard_action(s)); break;
    default: add_edge(templ, 2, 3, below(2) == 0 ? Action{} : guard_action(literal()));
  }
  program.add_template(std::move(templ));
  program.initial = {{TemplateId(0), LocId(0), 1 + static_cast<std::uint32_t>(below(3))}};
  if (below(2) == 0) program.initial.push_back({TemplateId(0), LocId(1), 1});
  if (below(4) == 0) {
    program.add_property({.kind = Property::Kind::Cover,
                          .text = "cover",
                          .span = {},
                          .condition = {},
                          .threads = {{TemplateId(0), place()}, {TemplateId(0), place()}}});
  } else if (below(6) == 0) {
    for (Location& location : program.templates[0].locations) location.waits = below(5) != 0;
    program.add_property(
        {.kind = Property::Kind::Deadlock, .text = "deadlock", .span = {}, .condition = {}, .threads = {}});
  }
  validate(program);
  return program;
}

// Every combination of reductions finds the violation, at the right depth and no earlier.
void expect_agreement(const Program& program, std::uint32_t bound, std::size_t depth) {
  validate(program);
  const Levels levels = search_levels(program, bound, depth);
  ASSERT_TRUE(levels.violated[depth]) << "the program is made to violate";
  ASSERT_FALSE(levels.violated[depth - 1]);
  for (const Variant& variant : all_variants()) EXPECT_EQ(compare(program, bound, depth, variant), "");
}

PropertyId add_error(Program& program) {
  return program.add_property({.kind = Property::Kind::ErrorLabel, .text = "ERROR"});
}

void add_deadlock(Program& program) {
  program.add_property(
      {.kind = Property::Kind::Deadlock, .text = "deadlock", .span = {}, .condition = {}, .threads = {}});
}

Action move_action(std::size_t templ, std::size_t from, std::size_t to) {
  Action action;
  action.moves.push_back({TemplateId(templ), LocId(from), LocId(to)});
  return action;
}

Action take_action(std::size_t templ, std::size_t from, std::optional<LocId> to) {
  Action action;
  action.takes.push_back({TemplateId(templ), LocId(from), to});
  return action;
}

}  // namespace

// The step before the violation influences it only through the place of another thread.
TEST(BmcOthers, AThreadGoesOnFromWhereItWasBrought) {
  for (const bool takes : {false, true}) {
    Program program;
    Template pusher = template_with("pusher", 2);
    add_edge(pusher, 0, 1, takes ? take_action(1, 0, LocId(1)) : move_action(1, 0, 1));
    Template pushed = template_with("pushed", 3);
    pushed.locations[2].error = add_error(program);
    add_edge(pushed, 1, 2);
    program.add_template(std::move(pusher));
    program.add_template(std::move(pushed));
    program.initial = {{TemplateId(0), LocId(0), 1}, {TemplateId(1), LocId(0), 2}};
    expect_agreement(program, 3, 2);
  }
}

// And the other way round: a thread's own step matters to the one that takes it from there.
TEST(BmcOthers, AThreadIsTakenFromWhereItWent) {
  for (const bool takes : {false, true}) {
    Program program;
    Template pusher = template_with("pusher", 2);
    add_edge(pusher, 0, 1, takes ? take_action(1, 1, LocId(2)) : move_action(1, 1, 2));
    Template pushed = template_with("pushed", 3);
    pushed.locations[2].error = add_error(program);
    add_edge(pushed, 0, 1);
    program.add_template(std::move(pusher));
    program.add_template(std::move(pushed));
    program.initial = {{TemplateId(0), LocId(0), 1}, {TemplateId(1), LocId(0), 2}};
    expect_agreement(program, 3, 2);
  }
}

// The one that objects has to go first.
TEST(BmcOthers, AThreadThatEndsNoLongerObjects) {
  Program program;
  ExprPool& exprs = program.exprs;
  Template templ = template_with("main", 3);
  const VarId local = templ.add_local(bool_var("objects", {1}));
  templ.locations[2].error = add_error(program);
  Action asks;
  asks.constraint.push_back(exprs.negate(exprs.passive(local, Type::boolean())));
  add_edge(templ, 0, 2, std::move(asks));
  add_edge(templ, 1, 1, end_action());
  program.add_template(std::move(templ));
  program.initial = {{TemplateId(0), LocId(0), 1}, {TemplateId(0), LocId(1), 1}};
  expect_agreement(program, 2, 2);
}

// Without others its control flow ends after one step.
TEST(BmcOthers, AThreadThatIsBroughtBackRunsAgain) {
  Program program;
  ExprPool& exprs = program.exprs;
  const Type type = Type::range(0, 3);
  const VarId count = program.add_shared(var_of("count", type, {0}));
  const ExprId value = exprs.shared(count, type);
  Template pusher = template_with("pusher", 1);
  add_edge(pusher, 0, 0, move_action(1, 1, 0));
  Template counter = template_with("counter", 2);
  Action counts = assign_action(to_shared(count), exprs.binary(Op::Add, value, exprs.constant(1, type), type));
  counts.guard = exprs.binary(Op::Lt, value, exprs.constant(3, type), Type::boolean());
  add_edge(counter, 0, 1, counts);
  program.add_template(std::move(pusher));
  program.add_template(std::move(counter));
  program.initial = {{TemplateId(0), LocId(0), 1}, {TemplateId(1), LocId(0), 1}};
  program.add_property({.kind = Property::Kind::Condition,
                        .text = "three",
                        .span = {},
                        .condition = exprs.binary(Op::Eq, value, exprs.constant(3, type), Type::boolean()),
                        .threads = {}});
  expect_agreement(program, 2, 5);
}

TEST(BmcOthers, AThreadThatIsBroughtBackCreatesAnother) {
  Program program;
  Template pusher = template_with("pusher", 1);
  add_edge(pusher, 0, 0, move_action(1, 1, 0));
  Template parent = template_with("parent", 2);
  add_edge(parent, 0, 1, spawn_action(2, 0));
  program.add_template(std::move(pusher));
  program.add_template(std::move(parent));
  program.add_template(template_with("child", 1));
  program.initial = {{TemplateId(0), LocId(0), 1}, {TemplateId(1), LocId(0), 1}};
  program.add_property({.kind = Property::Kind::Cover,
                        .text = "two children",
                        .span = {},
                        .condition = {},
                        .threads = {{TemplateId(2), LocId(0)}, {TemplateId(2), LocId(0)}}});
  expect_agreement(program, 5, 3);
}

TEST(BmcOthers, ANewThreadCopiesWhatABroadcastWrote) {
  Program program;
  ExprPool& exprs = program.exprs;
  Template templ = template_with("main", 5);
  const VarId local = templ.add_local(bool_var("l", {0}));
  templ.locations[4].error = add_error(program);
  add_edge(templ, 0, 4, assign_action(to_passive(local), exprs.truth()));
  templ.edges.back().target = LocId(2);
  add_edge(templ, 1, 2, spawn_action(0, 3, true));
  add_edge(templ, 3, 4, guard_action(exprs.local(local, Type::boolean())));
  program.add_template(std::move(templ));
  program.initial = {{TemplateId(0), LocId(0), 1}, {TemplateId(0), LocId(1), 1}};
  expect_agreement(program, 3, 3);
}

// At the bound, a step that ends one thread and creates another in a loop.
TEST(BmcOthers, ANewThreadHasTheSlotOfOneThatWasTaken) {
  Program program;
  Template templ = template_with("main", 4);
  templ.locations[3].error = add_error(program);
  Action replaces = take_action(0, 1, std::nullopt);
  replaces.spawns.push_back({TemplateId(0), LocId(2), true, {}});
  add_edge(templ, 0, 0, std::move(replaces));
  add_edge(templ, 2, 3);
  program.add_template(std::move(templ));
  program.initial = {{TemplateId(0), LocId(0), 1}, {TemplateId(0), LocId(1), 1}};
  expect_agreement(program, 2, 2);
}

// A thread that is taken along is not asked for its consent.
TEST(BmcOthers, AThreadThatIsTakenIsNotPassive) {
  Program program;
  ExprPool& exprs = program.exprs;
  Template templ = template_with("main", 4);
  const VarId local = templ.add_local(bool_var("l", {}));
  templ.locations[3].error = add_error(program);
  add_edge(templ, 0, 1, assign_action(to_local(local), exprs.truth()));
  Action takes = take_action(0, 1, LocId(2));
  takes.constraint.push_back(exprs.negate(exprs.passive(local, Type::boolean())));
  takes.assigns.push_back({to_passive(local), exprs.truth()});
  add_edge(templ, 0, 3, std::move(takes));
  program.add_template(std::move(templ));
  program.initial = {{TemplateId(0), LocId(0), 3}};
  expect_agreement(program, 3, 2);
}

// Stuck in an atomic section: the others, which could go on, may not.
TEST(BmcOthers, DeadlockInAnAtomicSection) {
  Program program;
  ExprPool& exprs = program.exprs;
  const VarId open = program.add_shared(bool_var("open", {0}));
  Template enters = template_with("enters", 3);
  enters.locations[1].waits = true;
  add_edge(enters, 0, 1, atomic_action(AtomicChange::Enter));
  add_edge(enters, 1, 2, guard_action(exprs.shared(open, Type::boolean())));
  Template opens = template_with("opens", 2);
  opens.locations[0].waits = true;
  opens.locations[1].waits = true;
  add_edge(opens, 0, 1, assign_action(to_shared(open), exprs.truth()));
  program.add_template(std::move(enters));
  program.add_template(std::move(opens));
  program.initial = {{TemplateId(0), LocId(0), 1}, {TemplateId(1), LocId(0), 1}};
  add_deadlock(program);
  expect_agreement(program, 2, 1);
}

// A thread is stuck only if no way to choose lets it go on: here it goes on with 2, and once x is 3 with nothing.
TEST(BmcOthers, DeadlockWhateverIsChosen) {
  Program program;
  ExprPool& exprs = program.exprs;
  const Type type = Type::range(0, 3);
  const VarId x = program.add_shared(var_of("x", type, {1}));
  const ExprId value = exprs.shared(x, type);
  Template templ = template_with("main", 1);
  templ.locations[0].waits = true;
  const ExprId choice = exprs.nondet(type);
  Action chooses = assign_action(to_shared(x), choice);
  chooses.guard = exprs.binary(Op::Eq, choice, exprs.binary(Op::Add, value, exprs.constant(1, type), Type::integer()),
                               Type::boolean());
  add_edge(templ, 0, 0, std::move(chooses));
  program.add_template(std::move(templ));
  program.initial = {{TemplateId(0), LocId(0), 2}};
  add_deadlock(program);
  expect_agreement(program, 2, 2);
}

// A fault is a way to go on.
TEST(BmcOthers, AThreadThatFaultsIsNotStuck) {
  for (const FaultPolicy policy : {FaultPolicy::Violation, FaultPolicy::Drop}) {
    Program program;
    program.faults = policy;
    ExprPool& exprs = program.exprs;
    const Type type = Type::range(0, 1);
    const VarId x = program.add_shared(var_of("x", type, {1}));
    const ExprId value = exprs.shared(x, type);
    Template templ = template_with("main", 2);
    templ.locations[1].waits = true;
    add_edge(templ, 0, 1, assign_action(to_shared(x), exprs.constant(0, type)));
    add_edge(templ, 1, 1, assign_action(to_shared(x), exprs.binary(Op::Div, value, value, Type::integer())));
    program.add_template(std::move(templ));
    program.initial = {{TemplateId(0), LocId(0), 1}};
    add_deadlock(program);
    program.add_property({.kind = Property::Kind::Fault, .text = "fault"});
    expect_agreement(program, 1, policy == FaultPolicy::Violation ? 2 : 1);
  }
}

// Where deadlocks are looked for, a spawn at the bound waits for a thread to end.
TEST(BmcOthers, DeadlockAtTheBound) {
  Program program;
  Template templ = template_with("main", 1);
  templ.locations[0].waits = true;
  add_edge(templ, 0, 0, spawn_action(0, 0, true));
  program.add_template(std::move(templ));
  program.initial = {{TemplateId(0), LocId(0), 1}};
  add_deadlock(program);
  expect_agreement(program, 3, 2);
}

// A reference may be to a thread only as long as one is alive there or behind it: the others have left before the
// choice.
TEST(BmcOthers, ChosenReferencesAreToThreadsThatExist) {
  for (const Value name : {1, 3}) {
    Program program;
    ExprPool& exprs = program.exprs;
    const Type type = Type::thread_ref();
    const VarId p = program.add_shared(var_of("p", type, {0}));
    const ExprId stays = exprs.at_location(exprs.bound_thread(0), TemplateId(1), LocId(0));
    Template chooser = template_with("chooser", 3);
    add_edge(chooser, 0, 1, guard_action(exprs.negate(exprs.quantified(Op::ExistsThread, stays))));
    add_edge(chooser, 1, 2, assign_action(to_shared(p), exprs.nondet(type)));
    Template leaver = template_with("leaver", 1);
    add_edge(leaver, 0, 0, end_action());
    program.add_template(std::move(chooser));
    program.add_template(std::move(leaver));
    program.initial = {{TemplateId(0), LocId(0), 1}, {TemplateId(1), LocId(0), 2}};
    const ExprId named = exprs.binary(Op::Eq, exprs.shared(p, type), exprs.constant(name, type), Type::boolean());
    program.add_property(
        {.kind = Property::Kind::Condition, .text = "named", .span = {}, .condition = named, .threads = {}});
    validate(program);
    EXPECT_EQ(search_levels(program, 3, 4).violated[4], name == 1);
    for (const Variant& variant : all_variants()) EXPECT_EQ(compare(program, 3, 4, variant), "") << name;
  }
}

// That there is a third thread matters to a step that chooses it.
TEST(BmcOthers, AReferenceIsChosenToANewThread) {
  Program program;
  ExprPool& exprs = program.exprs;
  const Type type = Type::thread_ref();
  const VarId p = program.add_shared(var_of("p", type, {0}));
  Template parent = template_with("parent", 2);
  add_edge(parent, 0, 1, spawn_action(2, 0));
  Template chooser = template_with("chooser", 2);
  add_edge(chooser, 0, 1, assign_action(to_shared(p), exprs.nondet(type)));
  program.add_template(std::move(parent));
  program.add_template(std::move(chooser));
  program.add_template(template_with("child", 1));
  program.initial = {{TemplateId(0), LocId(0), 1}, {TemplateId(1), LocId(0), 1}};
  const ExprId third = exprs.binary(Op::Eq, exprs.shared(p, type), exprs.constant(3, type), Type::boolean());
  program.add_property(
      {.kind = Property::Kind::Condition, .text = "third", .span = {}, .condition = third, .threads = {}});
  expect_agreement(program, 3, 2);
}

// A later action of an edge sees what an earlier one wrote to another thread and, through a reference, to its own.
TEST(BmcOthers, ActionsSeeWhatEarlierOnesWrote) {
  for (const bool own : {false, true}) {
    Program program;
    ExprPool& exprs = program.exprs;
    Template templ = template_with("main", 2);
    const VarId local = templ.add_local(bool_var("l", {0}));
    templ.locations[1].error = add_error(program);
    const ExprId thread =
        own ? exprs.self() : exprs.unary(Op::Cast, exprs.constant(2, Type::integer()), Type::thread_ref());
    LValue target{.kind = LValue::Kind::Remote, .var = local};
    target.ref = thread;
    target.templ = TemplateId(0);
    const auto edge = add_edge(
        templ, 0, 1, own ? assign_action(to_local(local), exprs.truth()) : assign_action(target, exprs.truth()));
    templ.edges[edge].actions.push_back(guard_action(exprs.remote(thread, TemplateId(0), local, Type::boolean())));
    program.add_template(std::move(templ));
    program.initial = {{TemplateId(0), LocId(0), 2}};
    expect_agreement(program, 2, 1);
  }
}

// Where threads have names it matters which of two in the same state is taken: the first.
TEST(BmcOthers, TheFirstOfTwoNamedThreadsIsTaken) {
  for (const Value name : {2, 3}) {
    Program program;
    ExprPool& exprs = program.exprs;
    Template taker = template_with("taker", 2);
    add_edge(taker, 0, 1, take_action(1, 0, LocId(1)));
    program.add_template(std::move(taker));
    program.add_template(template_with("taken", 2));
    program.initial = {{TemplateId(0), LocId(0), 1}, {TemplateId(1), LocId(0), 2}};
    const ExprId thread = exprs.unary(Op::Cast, exprs.constant(name, Type::integer()), Type::thread_ref());
    program.add_property({.kind = Property::Kind::Condition,
                          .text = "taken",
                          .span = {},
                          .condition = exprs.at_location(thread, TemplateId(1), LocId(1)),
                          .threads = {}});
    validate(program);
    EXPECT_EQ(search_levels(program, 3, 2).violated[2], name == 2);
    for (const Variant& variant : all_variants()) EXPECT_EQ(compare(program, 3, 2, variant), "") << name;
  }
}

// A bad condition that faults counts as holding where faults are violations.
TEST(BmcOthers, ABadConditionThatFaults) {
  for (const FaultPolicy policy : {FaultPolicy::Violation, FaultPolicy::Drop}) {
    Program program;
    program.faults = policy;
    ExprPool& exprs = program.exprs;
    const VarId p = program.add_shared(var_of("p", Type::thread_ref(), {1}));
    Template templ = template_with("main", 2);
    add_edge(templ, 0, 1, assign_action(to_shared(p), exprs.constant(0, Type::thread_ref())));
    program.add_template(std::move(templ));
    program.initial = {{TemplateId(0), LocId(0), 1}};
    const ExprId there = exprs.at_location(exprs.shared(p, Type::thread_ref()), TemplateId(0), LocId(1));
    program.add_property(
        {.kind = Property::Kind::Condition, .text = "there", .span = {}, .condition = there, .threads = {}});
    for (const Variant& variant : all_variants()) EXPECT_EQ(compare(program, 1, 2, variant), "");
    EXPECT_EQ(search_levels(program, 1, 2).violated[2], policy == FaultPolicy::Violation);
  }
}

TEST(BmcOthers, Crowds) {
  const auto variants = all_variants();
  for (std::uint64_t seed = 0; seed < rounds(60); ++seed) {
    const Program program = crowd(seed);
    std::uint32_t threads = 0;
    for (const InitialThreads& group : program.initial) threads += *group.count;
    ASSERT_EQ(compare(program, threads + seed % 2, 5, variants[seed % 8]), "") << "seed " << seed;
  }
}

TEST(BmcOthers, Broadcasts) {
  const auto variants = all_variants();
  for (std::uint64_t seed = 0; seed < rounds(40); ++seed) {
    Program program = random_flat(seed, {.calls = seed % 4 == 0,
                                         .spawns = seed % 3 == 0,
                                         .broadcasts = true,
                                         .moves = seed % 2 == 0,
                                         .mixed = seed % 5 == 0,
                                         .numbers = seed % 7 == 0,
                                         .cover = seed % 3 == 1});
    if (seed % 3 == 1) lengthen(program, seed);
    const std::uint32_t bound = replicate(program, seed);
    ASSERT_EQ(compare(program, bound, 5, variants[seed % 16]), "") << "seed " << seed;
  }
}

TEST(BmcOthers, PassiveThreadsOfOtherTemplatesAndTies) {
  const auto variants = all_variants();
  for (std::uint64_t seed = 0; seed < rounds(40); ++seed) {
    Program program = random_flat(seed, {.calls = false,
                                         .spawns = seed % 3 == 0,
                                         .broadcasts = true,
                                         .foreign = seed % 4 != 0,
                                         .ties = seed % 2 == 0,
                                         .moves = seed % 2 == 0,
                                         .takes = seed % 5 == 0,
                                         .mixed = seed % 5 == 0,
                                         .cover = seed % 3 == 1});
    const std::uint32_t bound = replicate(program, seed);
    ASSERT_EQ(compare(program, bound + seed % 2, 5, variants[seed % 16]), "") << "seed " << seed;
  }
}

TEST(BmcOthers, TakenThreads) {
  const auto variants = all_variants();
  for (std::uint64_t seed = 0; seed < rounds(40); ++seed) {
    Program program = random_flat(seed, {.calls = seed % 4 == 0,
                                         .spawns = seed % 3 == 0,
                                         .broadcasts = seed % 4 == 1,
                                         .moves = seed % 4 == 1,
                                         .takes = true,
                                         .mixed = seed % 3 != 2,
                                         .cover = seed % 2 == 0});
    if (seed % 3 == 1) lengthen(program, seed);
    const std::uint32_t bound = replicate(program, seed);
    ASSERT_EQ(compare(program, bound, 5, variants[seed % 16]), "") << "seed " << seed;
  }
}

// Groups without a count share the threads under the bound in every way.
TEST(BmcOthers, SeveralGroupsOfAnySize) {
  const auto variants = all_variants();
  for (std::uint64_t seed = 0; seed < rounds(30); ++seed) {
    Program program;
    if (seed % 2 == 0) {
      program = random_flat(seed, {.spawns = seed % 3 == 0, .takes = true, .any_number = true, .cover = true});
    } else {
      program = crowd(seed);
      if (program.initial.size() == 1) program.initial.push_back({TemplateId(0), LocId(1), 1});
      program.initial.push_back({TemplateId(0), LocId(2), std::nullopt});
    }
    program.initial[0].count.reset();
    ASSERT_EQ(compare(program, 3, 4, variants[seed % 16]), "") << "seed " << seed;
  }
}

TEST(BmcOthers, Deadlocks) {
  const auto variants = all_variants();
  for (std::uint64_t seed = 0; seed < rounds(40); ++seed) {
    Program program = random_flat(seed, {.calls = seed % 4 == 0,
                                         .spawns = seed % 2 == 0,
                                         .broadcasts = seed % 3 == 0,
                                         .moves = seed % 6 == 0,
                                         .takes = seed % 5 == 0,
                                         .mixed = seed % 2 == 0,
                                         .deadlock = true,
                                         .numbers = seed % 7 == 0});
    if (seed % 3 == 1) lengthen(program, seed);
    const std::uint32_t bound = replicate(program, seed);
    ASSERT_EQ(compare(program, bound, 5, variants[seed % 16]), "") << "seed " << seed;
  }
}

TEST(BmcOthers, References) {
  const auto variants = all_variants();
  for (std::uint64_t seed = 0; seed < rounds(40); ++seed) {
    Program program = random_flat(seed, {.calls = false,
                                         .spawns = seed % 3 == 0,
                                         .broadcasts = seed % 5 == 0,
                                         .moves = seed % 5 == 0,
                                         .takes = seed % 4 == 0,
                                         .mixed = seed % 2 == 0,
                                         .references = true,
                                         .deadlock = seed % 6 == 0,
                                         .numbers = seed % 7 == 0});
    if (seed % 2 == 1) lengthen(program, seed);
    const std::uint32_t bound = replicate(program, seed);
    ASSERT_EQ(compare(program, bound, 4, variants[seed % 16]), "") << "seed " << seed;
  }
}

}  // namespace cohort::engine::bmc
