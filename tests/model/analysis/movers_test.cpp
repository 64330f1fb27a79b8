// Critical sections become single steps, and nothing is lost by it: random programs with locks, used well and badly,
// violate the same assertions before and after merging.
#include "model/analysis/movers.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "model/analysis/solitude.hpp"
#include "model/passes/merge.hpp"
#include "model/print.hpp"
#include "model/validate.hpp"
#include "support/build.hpp"
#include "support/explore.hpp"

namespace cohort::model {
namespace {

using namespace cohort::test;

const Type number = Type::fixed(2, false);

// Two locks, two numbers, and flags that tell the end of threads; a thread has one local number `v`, and those that are
// created have a number `n`.
class LockProgram {
 public:
  LockProgram() {
    program.faults = FaultPolicy::Drop;
    for (const char* name : {"left", "right"}) locks_.push_back(program.add_shared(bool_var(name, {0})));
    for (const char* name : {"x", "y"}) numbers_.push_back(program.add_shared(var_of(name, number, {0})));
    flags_ = program.add_shared(var_of("finished", Type::boolean().array_of(4), {0}));
  }

  static Template thread(std::string name) {
    Template templ = template_with(std::move(name), 1);
    templ.add_local(var_of("v", number, {0}));
    templ.add_local(var_of("n", number, {0}));
    return templ;
  }

  void acquire(Template& templ, std::size_t lock) {
    Action action = assign_action(to_shared(locks_[lock]), program.exprs.truth());
    action.guard = program.exprs.negate(program.exprs.shared(locks_[lock], Type::boolean()));
    step(templ, action);
  }
  void release(Template& templ, std::size_t lock) {
    step(templ, assign_action(to_shared(locks_[lock]), program.exprs.falsity()));
  }
  void load(Template& templ, std::size_t var) {
    step(templ, assign_action(to_local(VarId(0)), program.exprs.shared(numbers_[var], number)));
  }
  void store(Template& templ, std::size_t var) {
    const ExprId sum = program.exprs.binary(Op::Add, program.exprs.local(VarId(0), number), one(), number);
    step(templ, assign_action(to_shared(numbers_[var]), sum));
  }
  void set(Template& templ, std::size_t var, Value value) {
    step(templ, assign_action(to_shared(numbers_[var]), constant(value)));
  }
  void divide(Template& templ, std::size_t var) {
    const ExprId quotient = program.exprs.binary(Op::Div, one(), program.exprs.shared(numbers_[var], number), number);
    step(templ, assign_action(to_local(VarId(0)), quotient));
  }
  void enter(Template& templ) { step(templ, atomic_action(AtomicChange::Enter)); }
  void leave(Template& templ) { step(templ, atomic_action(AtomicChange::Exit)); }
  // Goes on if `var` is not `value`; the other way is a violation.
  void check(Template& templ, std::size_t var, Value value) {
    const auto property = program.add_property({.text = "check"});
    const ExprId equal = program.exprs.binary(Op::Eq, program.exprs.shared(numbers_[var], number),
                                              program.exprs.constant(value, number), Type::boolean());
    const LocId error = templ.add_location({.label = "error", .error = property});
    add_edge(templ, here_of(templ), error.value, guard_action(equal));
    step(templ, guard_action(program.exprs.negate(equal)));
  }
  void test_lock(Template& templ, std::size_t lock) {
    step(templ, guard_action(program.exprs.shared(locks_[lock], Type::boolean())));
  }
  void repeat(Template& templ) { add_edge(templ, here_of(templ), 0, Action{}); }
  void create(Template& templ, TemplateId child, Value n) {
    Action action;
    action.spawns.push_back({.templ = child, .location = LocId(0), .locals = {{to_local(VarId(1)), constant(n)}}});
    step(templ, action);
  }
  void join(Template& templ, Value n) {
    const Type flags = Type::boolean().array_of(4);
    step(templ, guard_action(program.exprs.element(Op::SharedVar, flags_, flags, constant(n))));
  }
  void end(Template& templ) {
    LValue target = to_shared(flags_);
    target.index = program.exprs.local(VarId(1), number);
    Action action = assign_action(target, program.exprs.truth());
    action.ends_thread = true;
    step(templ, action);
  }

  Program program;

 private:
  ExprId constant(Value value) { return program.exprs.constant(value, number); }
  ExprId one() { return constant(1); }
  // The location that the last step led to; error locations are never left.
  static std::size_t here_of(const Template& templ) {
    for (std::size_t i = templ.locations.size(); i-- > 0;) {
      if (!templ.locations[i].error) return i;
    }
    return 0;
  }
  static void step(Template& templ, Action action) {
    const std::size_t from = here_of(templ);
    const LocId to = templ.add_location({.label = "L"});
    add_edge(templ, from, to.value, std::move(action));
  }

  std::vector<VarId> locks_;
  std::vector<VarId> numbers_;
  VarId flags_;
};

void add_random_steps(LockProgram& made, Template& templ, std::mt19937_64& random, std::size_t count,
                      bool in_section = false) {
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t which = random() % 2;
    switch (random() % 10) {
      case 0:
      case 1: {
        made.acquire(templ, which);
        add_random_steps(made, templ, random, random() % 3, in_section);
        if (random() % 8 != 0) made.release(templ, which);
        break;
      }
      case 2: made.check(templ, which, static_cast<Value>(1 + random() % 3)); break;
      case 3:
        if (random() % 6 == 0) made.release(templ, which);
        break;
      case 4:
        if (random() % 6 == 0) made.test_lock(templ, which);
        break;
      case 5: made.load(templ, which); break;
      case 6:
        if (random() % 3 == 0) made.divide(templ, which);
        break;
      case 7:
        if (in_section) break;
        made.enter(templ);
        add_random_steps(made, templ, random, 1 + random() % 3, true);
        made.leave(templ);
        break;
      default: made.store(templ, which); break;
    }
  }
}

Program random_lock_program(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  LockProgram made;
  made.program.faults = seed % 2 == 0 ? FaultPolicy::Violation : FaultPolicy::Drop;
  Template main = LockProgram::thread("main");
  add_random_steps(made, main, random, random() % 2);
  made.create(main, TemplateId(1), 1);
  const bool same = random() % 2 == 0;
  made.create(main, TemplateId(same ? 1 : 2), random() % 8 == 0 ? 1 : 2);
  add_random_steps(made, main, random, random() % 2);
  if (random() % 3 != 0) made.join(main, 1);
  if (random() % 3 != 0) made.join(main, 2);
  add_random_steps(made, main, random, 1 + random() % 2);
  std::vector<Template> workers;
  for (const char* name : {"worker", "other"}) {
    Template worker = LockProgram::thread(name);
    add_random_steps(made, worker, random, 2 + random() % 2);
    if (random() % 5 == 0) made.repeat(worker);
    made.end(worker);
    workers.push_back(std::move(worker));
  }
  made.program.initial.push_back({.templ = made.program.add_template(main), .location = LocId(0)});
  for (Template& worker : workers) made.program.add_template(std::move(worker));
  return made.program;
}

std::size_t edges_of(const Program& program) {
  std::size_t count = 0;
  for (const Template& templ : program.templates) count += templ.edges.size();
  return count;
}

TEST(Movers, KeepEveryViolationOfRandomProgramsWithLocks) {
  std::size_t reduced = 0;
  std::size_t violated = 0;
  std::size_t compared = 0;
  for (std::uint64_t seed = 0; seed < 1500; ++seed) {
    const Program program = random_lock_program(seed);
    const Program plain = merge_steps(program, {.locks = false});
    const Program merged = merge_steps(program);
    validate(merged);
    const Exploration before = explore(program, 3, 6000);
    if (!before.complete) continue;
    const Exploration after = explore(merged, 3, 6000);
    ASSERT_TRUE(after.complete);
    ASSERT_EQ(before.violated, after.violated) << "seed " << seed << "\n" << to_string(program) << to_string(merged);
    ASSERT_EQ(before.faults, after.faults) << "seed " << seed << "\n" << to_string(program) << to_string(merged);
    ++compared;
    violated += before.violated.empty() ? 0 : 1;
    reduced += edges_of(merged) < edges_of(plain) ? 1 : 0;
  }
  EXPECT_GT(compared, 1000U);
  EXPECT_GT(violated, compared / 10);
  EXPECT_GT(reduced, compared / 5);
}

// Two workers add one to x, each under the lock, and main looks at x when both have ended.
TEST(Movers, ACriticalSectionIsOneStep) {
  LockProgram made;
  Template main = LockProgram::thread("main");
  made.store(main, 1);
  made.create(main, TemplateId(1), 1);
  made.create(main, TemplateId(1), 2);
  made.join(main, 1);
  made.join(main, 2);
  made.check(main, 0, 1);
  Template worker = LockProgram::thread("worker");
  made.acquire(worker, 0);
  made.load(worker, 0);
  made.store(worker, 0);
  made.release(worker, 0);
  made.end(worker);
  made.program.initial.push_back({.templ = made.program.add_template(main), .location = LocId(0)});
  made.program.add_template(worker);
  const Solitude solitude(made.program);
  EXPECT_TRUE(solitude.alone(TemplateId(0), LocId(0)));
  EXPECT_TRUE(solitude.alone(TemplateId(0), LocId(1)));
  EXPECT_FALSE(solitude.alone(TemplateId(0), LocId(2)));
  EXPECT_FALSE(solitude.alone(TemplateId(0), LocId(4)));
  EXPECT_TRUE(solitude.alone(TemplateId(0), LocId(5)));
  EXPECT_FALSE(solitude.alone(TemplateId(1), LocId(0)));
  const Program merged = merge_steps(made.program);
  EXPECT_EQ(merged.templates[1].edges.size(), 2U) << to_string(merged);
  EXPECT_EQ(merge_steps(made.program, {.locks = false}).templates[1].edges.size(), 5U);
}

// Thread 3 sets flag 1, if the first bit is all that is left of its number.
TEST(Movers, ANumberThatIsCutOffTellsNothing) {
  for (const unsigned width : {1U, 64U}) {
    LockProgram made;
    Template main = LockProgram::thread("main");
    made.create(main, TemplateId(1), 1);
    made.create(main, TemplateId(1), 3);
    made.join(main, 1);
    made.join(main, 3);
    Template worker = LockProgram::thread("worker");
    made.end(worker);
    LValue& flag = worker.edges.back().actions.back().assigns[0].target;
    flag.index = made.program.exprs.unary(Op::Cast, *flag.index, Type::fixed(width, width == 64));
    made.program.initial.push_back({.templ = made.program.add_template(main), .location = LocId(0)});
    made.program.add_template(worker);
    EXPECT_EQ(Solitude(made.program).alone(TemplateId(0), LocId(4)), width == 64);
  }
}

// One worker stores 0 and then 1 under the lock; the other divides, and takes the lock in the same atomic section.  The
// division does not wait for the lock.
TEST(Movers, AFaultBeforeTheLockIsTakenIsSeen) {
  LockProgram made;
  made.program.faults = FaultPolicy::Violation;
  Template main = LockProgram::thread("main");
  made.store(main, 0);
  made.create(main, TemplateId(1), 1);
  made.create(main, TemplateId(2), 2);
  Template writer = LockProgram::thread("writer");
  made.acquire(writer, 0);
  made.set(writer, 0, 0);
  made.set(writer, 0, 1);
  made.release(writer, 0);
  Template divider = LockProgram::thread("divider");
  made.enter(divider);
  made.divide(divider, 0);
  made.acquire(divider, 0);
  made.leave(divider);
  made.release(divider, 0);
  made.program.initial.push_back({.templ = made.program.add_template(main), .location = LocId(0)});
  made.program.add_template(writer);
  made.program.add_template(divider);
  EXPECT_TRUE(explore(made.program, 3).faults.contains(FaultKind::DivisionByZero));
  EXPECT_TRUE(explore(merge_steps(made.program), 3).faults.contains(FaultKind::DivisionByZero));
}

// With an access that does not hold the lock, or a release by somebody else, nothing is protected.
TEST(Movers, WithoutDisciplineNothingMoves) {
  for (const bool foreign_release : {false, true}) {
    LockProgram made;
    Template main = LockProgram::thread("main");
    made.create(main, TemplateId(1), 1);
    foreign_release ? made.release(main, 0) : made.load(main, 0);
    Template worker = LockProgram::thread("worker");
    made.acquire(worker, 0);
    made.load(worker, 0);
    made.store(worker, 0);
    made.release(worker, 0);
    made.program.initial.push_back({.templ = made.program.add_template(main), .location = LocId(0)});
    made.program.add_template(worker);
    const Movers movers(made.program);
    EXPECT_FALSE(movers.right({TemplateId(1), 1})) << foreign_release;
    EXPECT_FALSE(movers.left({TemplateId(1), 2})) << foreign_release;
    EXPECT_EQ(movers.right({TemplateId(1), 0}), !foreign_release);
    EXPECT_EQ(movers.left({TemplateId(1), 3}), !foreign_release);
  }
}

}  // namespace
}  // namespace cohort::model
