// Deadlocks: found, replayed and certified absent, and told apart from executions that were given up.
#include <gtest/gtest.h>

#include <random>

#include <nlohmann/json.hpp>

#include "engine/explicit/explicit_engine.hpp"
#include "model/passes/merge.hpp"
#include "model/passes/simplify.hpp"
#include "model/waiting.hpp"
#include "result/certificate.hpp"
#include "result/replay.hpp"
#include "support/build.hpp"

namespace cohort::engine::explicit_ {
namespace {

using model::ExprId;
using model::LocId;
using model::Program;
using model::Property;
using model::TemplateId;
using model::Type;
using model::VarId;
using result::Verdict;

// Takes a lock: waits until it is free.  Gives it back without waiting.
void add_lock(Program& program, model::Template& templ, std::size_t from, VarId lock) {
  model::Action action = test::assign_action(test::to_shared(lock), program.exprs.truth());
  action.guard = program.exprs.negate(program.exprs.shared(lock, Type::boolean()));
  test::add_edge(templ, from, from + 1, action);
  templ.locations[from].waits = true;
}

void add_unlock(Program& program, model::Template& templ, std::size_t from, VarId lock) {
  test::add_edge(templ, from, from + 1, test::assign_action(test::to_shared(lock), program.exprs.falsity()));
}

void add_worker(Program& program, VarId first, VarId second) {
  model::Template templ = test::template_with("worker", 6);
  add_lock(program, templ, 0, first);
  add_lock(program, templ, 1, second);
  add_unlock(program, templ, 2, second);
  add_unlock(program, templ, 3, first);
  test::add_edge(templ, 4, 5, test::end_action());
  const TemplateId id = program.add_template(templ);
  program.initial.push_back({.templ = id, .location = LocId(0)});
}

Program two_locks(bool same_order) {
  Program program;
  const VarId left = program.add_shared(test::bool_var("left", {0}));
  const VarId right = program.add_shared(test::bool_var("right", {0}));
  add_worker(program, left, right);
  same_order ? add_worker(program, left, right) : add_worker(program, right, left);
  program.add_property({.kind = Property::Kind::Deadlock, .text = "deadlock"});
  return program;
}

class Deadlock : public testing::TestWithParam<bool> {};

TEST_P(Deadlock, OfTwoLocksIsFoundAndReplayed) {
  const Program program = two_locks(false);
  Env env;
  const auto answer = ExplicitEngine().check(env, {program, 2, {.symmetry = GetParam()}});
  ASSERT_EQ(answer.verdict, Verdict::Unsafe);
  EXPECT_EQ(answer.run->steps.size(), 2U);
  const auto replay = result::replay(program, 2, *answer.run);
  EXPECT_TRUE(replay.succeeded) << replay.message;
  EXPECT_EQ(replay.violated, answer.property);
}

TEST_P(Deadlock, IsAbsentWhenLocksAreOrdered) {
  Env env;
  EXPECT_EQ(ExplicitEngine().check(env, {two_locks(true), 2, {.symmetry = GetParam()}}).verdict, Verdict::Safe);
}

// A thread that goes round for ever.
void add_server(Program& program) {
  const VarId served = program.add_shared(test::bool_var("served", {0}));
  model::Template templ = test::template_with("server", 2);
  test::add_edge(templ, 0, 1, test::assign_action(test::to_shared(served), program.exprs.truth()));
  test::add_edge(templ, 1, 0, test::assign_action(test::to_shared(served), program.exprs.falsity()));
  program.initial.push_back({.templ = program.add_template(templ), .location = LocId(0)});
}

TEST_P(Deadlock, OfTwoThreadsIsFoundWhileAThirdGoesOn) {
  Program program = two_locks(false);
  add_server(program);
  Env env;
  const auto answer = ExplicitEngine().check(env, {program, 3, {.symmetry = GetParam()}});
  ASSERT_EQ(answer.verdict, Verdict::Unsafe);
  const auto replay = result::replay(program, 3, *answer.run);
  EXPECT_TRUE(replay.succeeded) << replay.message;
  EXPECT_EQ(replay.violated, answer.property);
}

TEST_P(Deadlock, IsAbsentWhenLocksAreOrderedAndAThirdGoesOn) {
  Program program = two_locks(true);
  add_server(program);
  Env env;
  EXPECT_EQ(ExplicitEngine().check(env, {program, 3, {.symmetry = GetParam()}}).verdict, Verdict::Safe);
}

// Two places that a thread goes between until `flag` is set, which nobody does.
Program spinning(bool waits) {
  Program program;
  const VarId flag = program.add_shared(test::bool_var("flag", {0}));
  const ExprId is_set = program.exprs.shared(flag, Type::boolean());
  model::Template templ = test::template_with("spins", 3);
  test::add_edge(templ, 0, 1, test::guard_action(program.exprs.negate(is_set)));
  test::add_edge(templ, 1, 0);
  test::add_edge(templ, 0, 2, test::guard_action(is_set));
  test::add_edge(templ, 2, 2, test::end_action());
  templ.locations[0].waits = templ.locations[1].waits = waits;
  program.initial.push_back({.templ = program.add_template(templ), .location = LocId(0)});
  program.add_property({.kind = Property::Kind::Deadlock, .text = "deadlock"});
  return program;
}

TEST_P(Deadlock, IsAThreadThatWaitsInALoop) {
  const auto verdict = [&](const Program& program) {
    Env env;
    return ExplicitEngine().check(env, {program, 2, {.symmetry = GetParam()}}).verdict;
  };
  EXPECT_EQ(verdict(spinning(true)), Verdict::Unsafe);
  EXPECT_EQ(verdict(spinning(false)), Verdict::Safe) << "it runs, and nobody says that it waits";
}

// Random programs of three threads: the engine finds a deadlock exactly where the interpreter, trying all executions,
// does.
TEST_P(Deadlock, IsWhatTheInterpreterSays) {
  std::mt19937 random(7);
  const auto chance = [&](unsigned of) { return random() % of == 0; };
  std::size_t found = 0;
  for (int round = 0; round < 400; ++round) {
    Program program;
    std::vector<VarId> shared;
    for (const char* name : {"a", "b"}) shared.push_back(program.add_shared(test::bool_var(name, {0})));
    for (int kind = 0; kind < 2; ++kind) {
      model::Template templ = test::template_with(kind == 0 ? "p" : "q", 4);
      for (std::size_t i = 0; i < 6; ++i) {
        model::Action action;
        if (chance(2))
          action = test::assign_action(test::to_shared(shared[random() % 2]),
                                       chance(2) ? program.exprs.truth() : program.exprs.falsity());
        const ExprId read = program.exprs.shared(shared[random() % 2], Type::boolean());
        if (!chance(3)) action.guard = chance(2) ? read : program.exprs.negate(read);
        if (chance(10)) action = test::end_action();
        test::add_edge(templ, random() % 4, random() % 4, action);
      }
      for (model::Location& location : templ.locations) location.waits = chance(2);
      const TemplateId id = program.add_template(templ);
      program.initial.push_back({.templ = id, .location = LocId(0), .count = kind == 0 ? 2U : 1U});
    }
    program.add_property({.kind = Property::Kind::Deadlock, .text = "deadlock"});
    Env env;
    const auto answer = ExplicitEngine().check(env, {program, 3, {.symmetry = GetParam()}});
    const model::Interpreter interpreter(program, 3);
    const auto waiting = model::waits_for_ever(interpreter, interpreter.initial_states().front(), 100'000);
    ASSERT_NE(waiting, model::Waiting::Undecided);
    EXPECT_EQ(answer.verdict, waiting == model::Waiting::ForEver ? Verdict::Unsafe : Verdict::Safe)
        << "round " << round;
    found += answer.verdict == Verdict::Unsafe ? 1 : 0;
    if (!answer.run) continue;
    EXPECT_TRUE(result::replay(program, 3, *answer.run).succeeded) << "round " << round;
  }
  EXPECT_GT(found, 50U);
  EXPECT_LT(found, 350U);
}

// A random program whose threads have atomic sections of one or two places, which they may give up in; with `traps`,
// they may also wait there, or go round in circles.  Some threads create others, some end.
Program random_sections(std::mt19937& random, bool traps) {
  const auto chance = [&](unsigned of) { return random() % of == 0; };
  Program program;
  std::vector<VarId> shared;
  for (const char* name : {"a", "b", "c"}) shared.push_back(program.add_shared(test::bool_var(name, {0})));
  const auto some_action = [&] {
    model::Action action;
    if (!chance(3)) {
      action = test::assign_action(test::to_shared(shared[random() % 3]),
                                   chance(2) ? program.exprs.truth() : program.exprs.falsity());
    }
    const ExprId read = program.exprs.shared(shared[random() % 3], Type::boolean());
    if (!chance(3)) action.guard = chance(2) ? read : program.exprs.negate(read);
    return action;
  };
  for (std::size_t kind = 0; kind < 3; ++kind) {
    model::Template templ = test::template_with("t" + std::to_string(kind), 6);
    for (std::size_t i = 0; i < 5; ++i) {
      model::Action action = some_action();
      if (chance(9)) action = test::end_action();
      if (kind == 1 && chance(5)) action.spawns.push_back({.templ = TemplateId(0), .location = LocId(3)});
      test::add_edge(templ, random() % 4, random() % 4, action);
    }
    // Places 4 and 5 are inside.
    if (chance(2)) {
      const auto change = [&](model::AtomicChange to) {
        model::Action action = some_action();
        action.atomic = to;
        return action;
      };
      test::add_edge(templ, random() % 4, 4, change(model::AtomicChange::Enter));
      if (chance(2)) test::add_edge(templ, 4, 5, some_action());
      for (const std::size_t inside : {4U, 5U})
        test::add_edge(templ, inside, random() % 4, change(model::AtomicChange::Exit));
      if (traps && chance(2)) test::add_edge(templ, 5, 4);
    }
    for (std::size_t at = 0; at < (traps ? 6U : 4U); ++at) templ.locations[at].waits = chance(2);
    program.initial.push_back({.templ = program.add_template(templ), .location = LocId(0)});
  }
  program.add_property({.kind = Property::Kind::Deadlock, .text = "deadlock"});
  return program;
}

// Stubborn sets keep who waits for ever, and who does not.
TEST(DeadlockReduced, IsWhatTheInterpreterSays) {
  std::mt19937 random(11);
  std::size_t found = 0;
  std::size_t absent = 0;
  std::size_t reduced = 0;
  for (int round = 0; round < 1500; ++round) {
    const Program program = random_sections(random, round % 3 == 0);
    const std::uint32_t bound = 3 + random() % 2;
    const model::Interpreter interpreter(program, bound);
    const auto waiting = model::waits_for_ever(interpreter, interpreter.initial_states().front(), 100'000);
    ASSERT_NE(waiting, model::Waiting::Undecided);
    const Verdict expected = waiting == model::Waiting::ForEver ? Verdict::Unsafe : Verdict::Safe;
    (expected == Verdict::Safe ? absent : found) += 1;
    const auto explore = [&](EngineOptions options) {
      Env env;
      const auto answer = ExplicitEngine().check(env, {program, bound, options});
      EXPECT_EQ(answer.verdict, expected) << "round " << round;
      if (answer.run) {
        EXPECT_TRUE(result::replay(program, bound, *answer.run).succeeded) << "round " << round;
      }
      return std::pair(std::get<std::uint64_t>(*env.statistics.find("states")), answer.holds_without_bound);
    };
    const auto full = explore({.all_orders = true});
    const auto some = explore({});
    explore({.partial_order = true, .order = SearchOrder::DepthFirst});
    explore({.workers = 2});
    const auto simplified = model::simplify(program);
    Env env;
    EXPECT_EQ(ExplicitEngine().check(env, {simplified.program, bound, {}}).verdict, expected) << "round " << round;
    if (expected == Verdict::Unsafe) continue;
    EXPECT_EQ(some.second, full.second) << "round " << round;
    reduced += some.first < full.first ? 1 : 0;
  }
  EXPECT_GT(found, 300U);
  EXPECT_GT(absent, 300U);
  EXPECT_GT(reduced, 60U) << "the reduction does something";
}

// One thread waits for what nobody gives while another is about to enter an atomic section that it never leaves.
// Had the third one moved first, the two would not have been told to wait: it runs on, or gives up.
TEST(DeadlockReduced, SectionsThatNobodyLeavesStopEverybody) {
  Program program;
  const VarId x = program.add_shared(test::bool_var("x", {0}));
  const VarId never = program.add_shared(test::bool_var("never", {0}));
  const ExprId given = program.exprs.shared(never, Type::boolean());
  model::Template enters = test::template_with("enters", 3);
  test::add_edge(enters, 0, 1, test::atomic_action(model::AtomicChange::Enter));
  test::add_edge(enters, 1, 2, test::guard_action(given));
  enters.locations[1].waits = true;
  model::Template writes = test::template_with("writes", 2);
  test::add_edge(writes, 0, 1, test::assign_action(test::to_shared(x), program.exprs.truth()));
  writes.locations[0].waits = true;
  for (const model::Template& templ : {enters, writes})
    program.initial.push_back({.templ = program.add_template(templ), .location = LocId(0)});
  program.add_property({.kind = Property::Kind::Deadlock, .text = "deadlock"});
  Env env;
  EXPECT_EQ(ExplicitEngine().check(env, {program, 2, {}}).verdict, Verdict::Unsafe);
}

INSTANTIATE_TEST_SUITE_P(WithAndWithoutSymmetry, Deadlock, testing::Bool());

TEST(DeadlockCertificate, HoldsForOrderedLocksOnly) {
  Env env;
  const Program ordered = two_locks(true);
  const auto answer = ExplicitEngine().check(env, {ordered, 2, {.certificate = true}});
  ASSERT_NE(answer.certificate, nullptr);
  nlohmann::json certificate = answer.certificate->to_json(ordered);
  EXPECT_TRUE(result::check_certificate(env, ordered, 2, certificate).valid);
  // All but the deadlock itself: closed under steps it is not, and with it it violates.
  EXPECT_FALSE(result::check_certificate(env, two_locks(false), 2, certificate).valid);
}

TEST(DeadlockAndPasses, SimplifyingKeepsIt) {
  for (const bool same_order : {false, true}) {
    const auto simplified = model::simplify(two_locks(same_order));
    Env env;
    const auto answer = ExplicitEngine().check(env, {simplified.program, 2, {}});
    EXPECT_EQ(answer.verdict, same_order ? Verdict::Safe : Verdict::Unsafe);
  }
}

// Threads that take two locks in any order, work in between, wait for a flag, end or begin again.
Program random_locks(std::mt19937& random) {
  const auto chance = [&](unsigned of) { return random() % of == 0; };
  Program program;
  std::vector<VarId> locks;
  for (const char* name : {"m", "l"}) locks.push_back(program.add_shared(test::bool_var(name, {0})));
  const VarId data = program.add_shared(test::bool_var("data", {0}));
  const VarId flag = program.add_shared(test::bool_var("flag", {0}));
  for (const char* name : {"p", "q"}) {
    model::Template templ = test::template_with(name, 9);
    std::vector<bool> holds(2, false);
    for (std::size_t at = 0; at < 8; ++at) {
      const std::size_t lock = random() % 2;
      if (holds[lock] && chance(2)) {
        add_unlock(program, templ, at, locks[lock]);
        holds[lock] = false;
      } else if (!holds[lock] && chance(2)) {
        add_lock(program, templ, at, locks[lock]);
        holds[lock] = true;
      } else {
        const ExprId change = program.exprs.negate(program.exprs.shared(data, Type::boolean()));
        model::Action action = test::assign_action(test::to_shared(data), change);
        if (chance(4)) action = test::assign_action(test::to_shared(flag), program.exprs.truth());
        if (chance(5)) action = test::guard_action(program.exprs.shared(chance(2) ? flag : data, Type::boolean()));
        templ.locations[at].waits = action.guard && chance(2);
        test::add_edge(templ, at, at + 1, action);
      }
    }
    chance(3) ? test::add_edge(templ, 8, random() % 8, {}) : test::add_edge(templ, 8, 8, test::end_action());
    program.initial.push_back({.templ = program.add_template(templ), .location = LocId(0), .count = 1 + random() % 2});
  }
  program.add_property({.kind = Property::Kind::Deadlock, .text = "deadlock"});
  return program;
}

TEST(DeadlockAndPasses, SimplifyingRandomLocksKeepsIt) {
  std::mt19937 random(5);
  std::size_t found = 0;
  std::size_t merged = 0;
  constexpr int rounds = 500;
  for (int round = 0; round < rounds; ++round) {
    const Program program = random_locks(random);
    const model::Interpreter interpreter(program, 4);
    const auto waiting = model::waits_for_ever(interpreter, interpreter.initial_states().front(), 100'000);
    ASSERT_NE(waiting, model::Waiting::Undecided);
    const auto simplified = model::simplify(program);
    Env env;
    const auto answer = ExplicitEngine().check(env, {simplified.program, 4, {}});
    ASSERT_EQ(answer.verdict, waiting == model::Waiting::ForEver ? Verdict::Unsafe : Verdict::Safe) << round;
    found += answer.verdict == Verdict::Unsafe ? 1 : 0;
    const auto edges = [](const Program& of) { return of.templates[0].edges.size() + of.templates[1].edges.size(); };
    merged += edges(model::merge_steps(program)) < edges(model::merge_steps(program, {.locks = false})) ? 1 : 0;
  }
  EXPECT_GT(found, 50U);
  EXPECT_LT(found, rounds - 50U);
  EXPECT_GT(merged, 50U) << "critical sections become shorter";
}

// A thread goes round through an atomic section that begins and ends where it waits: it runs.
TEST(DeadlockAndPasses, SectionsBetweenPlacesThatWaitAreLeft) {
  Program program;
  model::Template templ = test::template_with("runs", 2);
  test::add_edge(templ, 0, 1, test::atomic_action(model::AtomicChange::Enter));
  test::add_edge(templ, 1, 0, test::atomic_action(model::AtomicChange::Exit));
  templ.locations[0].waits = true;
  program.initial.push_back({.templ = program.add_template(templ), .location = LocId(0)});
  program.add_property({.kind = Property::Kind::Deadlock, .text = "deadlock"});
  for (const bool simplify : {false, true}) {
    Env env;
    const Program asked = simplify ? model::simplify(program).program : program;
    EXPECT_EQ(ExplicitEngine().check(env, {asked, 1, {}}).verdict, Verdict::Safe) << simplify;
  }
}

TEST(DeadlockDefinition, AThreadThatGaveUpDoesNotWait) {
  Program program = two_locks(false);
  for (model::Template& templ : program.templates) templ.locations[1].waits = false;
  Env env;
  EXPECT_EQ(ExplicitEngine().check(env, {program, 2, {}}).verdict, Verdict::Safe);
}

// main starts a thread and waits until it has set `done`.
Program waits_for_child() {
  Program program;
  const VarId done = program.add_shared(test::bool_var("done", {0}));
  model::Template child = test::template_with("child", 3);
  test::add_edge(child, 0, 1, test::assign_action(test::to_shared(done), program.exprs.truth()));
  test::add_edge(child, 1, 2, test::end_action());
  const TemplateId child_id = program.add_template(child);
  model::Template parent = test::template_with("main", 4);
  model::Action spawn;
  spawn.spawns.push_back({.templ = child_id, .location = LocId(0)});
  test::add_edge(parent, 0, 1, spawn);
  test::add_edge(parent, 1, 2, test::guard_action(program.exprs.shared(done, Type::boolean())));
  parent.locations[1].waits = true;
  test::add_edge(parent, 2, 3, test::end_action());
  program.initial.push_back({.templ = program.add_template(parent), .location = LocId(0)});
  program.add_property({.kind = Property::Kind::Deadlock, .text = "deadlock"});
  return program;
}

TEST(DeadlockDefinition, AThreadBeyondTheBoundIsNotWaitedFor) {
  const Program program = waits_for_child();
  for (const bool symmetry : {true, false}) {
    for (const std::uint32_t bound : {1U, 2U}) {
      Env env;
      EXPECT_EQ(ExplicitEngine().check(env, {program, bound, {.symmetry = symmetry}}).verdict, Verdict::Safe);
    }
  }
}

TEST(DeadlockDefinition, TheInterpreterJudgesStates) {
  const Program program = two_locks(false);
  const model::Interpreter interpreter(program, 2);
  model::State state = interpreter.initial_states().front();
  EXPECT_EQ(interpreter.violated(state), std::nullopt);
  state.shared = {1, 1};
  EXPECT_EQ(interpreter.violated(state), model::PropertyId(0));
  state.threads[1]->location = LocId(4);
  EXPECT_EQ(interpreter.violated(state), std::nullopt);
}

}  // namespace
}  // namespace cohort::engine::explicit_
