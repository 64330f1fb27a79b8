#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "engine/modular/modular_engine.hpp"
#include "model/commands.hpp"
#include "result/certificate.hpp"
#include "support/build.hpp"

namespace cohort::engine {

using namespace model;
using namespace test;
using result::Verdict;

namespace {

const Type number = Type::fixed(32, false);

// while (1) { l = v; if (v == l) v = l + 1 [at once]; ... } with assert(v > l) in between, unless it wraps around.
struct Builder {
  Program program;
  Template templ;

  explicit Builder(std::size_t locations) : templ(template_with("T", locations)) {}

  ExprId shared(VarId var) { return program.exprs.shared(var, program.shared[var.value].type); }
  ExprId local(VarId var) { return program.exprs.local(var, templ.local(var).type); }
  ExprId constant(Value value) { return program.exprs.constant(value, number); }
  ExprId compare(Op op, ExprId left, ExprId right) { return program.exprs.binary(op, left, right, Type::boolean()); }
  ExprId plus(ExprId left, Value value) { return program.exprs.binary(Op::Add, left, constant(value), number); }

  void error_at(std::size_t location) {
    const PropertyId property = program.add_property({.text = "assertion", .span = {}, .condition = {}});
    templ.locations[location].error = property;
  }

  Program finish(std::optional<std::uint32_t> threads = std::nullopt) {
    program.add_template(templ);
    program.initial.push_back({TemplateId(std::size_t{0}), LocId(std::size_t{0}), threads});
    return program;
  }
};

// Spacer may try for a few seconds in vain, so that what cannot be proved is soon left open.
constexpr double few_seconds = 4;

result::Result run(const Program& program, std::optional<std::uint32_t> bound = std::nullopt) {
  Env env;
  const modular::ModularEngine engine(few_seconds);
  EXPECT_FALSE(engine.refuses({program, bound, {}}));
  return engine.check(env, {program, bound, {}});
}

// A counter that is raised by compare-and-swap: l = v; then, if v is still l, v = l + 1; then assert(v > l).
Program counter_by_swap(bool limited, bool swaps) {
  Builder b(4);
  const VarId v = b.program.add_shared(var_of("v", number, {0}));
  const VarId l = b.templ.add_local(var_of("l", number, {0}));
  Action read = assign_action(to_local(l), b.shared(v));
  if (limited) read.guard = b.compare(Op::Lt, b.shared(v), b.constant(1000));
  add_edge(b.templ, 0, 1, read);
  Action swap = assign_action(to_shared(v), b.plus(b.local(l), 1));
  if (swaps) swap.guard = b.compare(Op::Eq, b.shared(v), b.local(l));
  add_edge(b.templ, 1, 2, swap);
  add_edge(b.templ, 1, 0, guard_action(b.compare(Op::Ne, b.shared(v), b.local(l))));
  add_edge(b.templ, 2, 0, guard_action(b.compare(Op::Gt, b.shared(v), b.local(l))));
  add_edge(b.templ, 2, 3, guard_action(b.compare(Op::Le, b.shared(v), b.local(l))));
  b.error_at(3);
  return b.finish();
}

TEST(ModularEngine, ProvesACounterByCompareAndSwap) {
  EXPECT_EQ(run(counter_by_swap(true, true)).verdict, Verdict::Safe);
}

// Without a limit the counter wraps around: 2^32 - 1 becomes 0, which is not greater.
TEST(ModularEngine, SeesWrapAround) {
  EXPECT_EQ(run(counter_by_swap(false, true)).verdict, Verdict::Unknown);
}

TEST(ModularEngine, DoesNotProveALostUpdate) {
  EXPECT_EQ(run(counter_by_swap(true, false)).verdict, Verdict::Unknown);
}

// x grows by 2 and y by `by`, in the same step, for ever or up to a limit; assert(3 * x == 2 * y), computed in 32 bits.
Program two_sums(unsigned width, Value by, bool limited) {
  const Type type = Type::fixed(width, false);
  Builder b(2);
  const VarId x = b.program.add_shared(var_of("x", type, {0}));
  const VarId y = b.program.add_shared(var_of("y", type, {0}));
  const auto grown = [&](VarId var, Value amount) {
    return b.program.exprs.binary(Op::Add, b.shared(var), b.program.exprs.constant(amount, type), type);
  };
  const auto times = [&](VarId var, Value factor) {
    const ExprId wide = b.program.exprs.unary(Op::Cast, b.shared(var), number);
    return b.program.exprs.binary(Op::Mul, b.constant(factor), wide, number);
  };
  Action grow = assign_action(to_shared(x), grown(x, 2));
  if (limited) grow.guard = b.compare(Op::Lt, b.program.exprs.unary(Op::Cast, b.shared(x), number), b.constant(100));
  grow.assigns.push_back({to_shared(y), grown(y, by)});
  add_edge(b.templ, 0, 0, grow);
  add_edge(b.templ, 0, 1, guard_action(b.compare(Op::Ne, times(x, 3), times(y, 2))));
  b.error_at(1);
  return b.finish();
}

// The equation is none of the program's comparisons of variables, and it survives the wrap-around of 32 bits; what 8
// bits are worth is not equal any more once they have wrapped around.
TEST(ModularEngine, FindsEquations) {
  EXPECT_EQ(run(two_sums(32, 3, true)).verdict, Verdict::Safe);
  EXPECT_EQ(run(two_sums(32, 3, false)).verdict, Verdict::Safe);
  EXPECT_EQ(run(two_sums(32, 5, true)).verdict, Verdict::Unknown);
  EXPECT_EQ(run(two_sums(8, 3, true)).verdict, Verdict::Safe);
  EXPECT_EQ(run(two_sums(8, 3, false)).verdict, Verdict::Unknown);
}

TEST(ModularEngine, CertifiesEquations) {
  const Program program = two_sums(8, 3, true);
  EngineOptions options;
  options.certificate = true;
  const Task task{program, std::nullopt, options};
  Env env;
  const result::Result found = modular::ModularEngine(few_seconds).check(env, task);
  ASSERT_EQ(found.verdict, Verdict::Safe);
  const nlohmann::json proof = found.certificate->to_json(program);
  env.limits.set_time_limit(60);
  EXPECT_TRUE(result::check_certificate(env, program, std::nullopt, proof).valid);
  EXPECT_FALSE(result::check_certificate(env, two_sums(8, 5, true), std::nullopt, proof).valid);
}

// A test-and-set lock around a counter of threads inside.
Program lock(bool tests, std::optional<std::uint32_t> threads = std::nullopt) {
  Builder b(4);
  const VarId m = b.program.add_shared(bool_var("m", {0}));
  const VarId c = b.program.add_shared(var_of("c", number, {0}));
  Action take = assign_action(to_shared(m), b.program.exprs.truth());
  if (tests) take.guard = b.program.exprs.negate(b.program.exprs.shared(m, Type::boolean()));
  add_edge(b.templ, 0, 1, take);
  add_edge(b.templ, 1, 2, assign_action(to_shared(c), b.plus(b.shared(c), 1)));
  add_edge(b.templ, 2, 3, guard_action(b.compare(Op::Ne, b.shared(c), b.constant(1))));
  Action release = assign_action(to_shared(c), b.constant(0));
  release.assigns.push_back({to_shared(m), b.program.exprs.falsity()});
  add_edge(b.templ, 2, 0, release);
  b.error_at(3);
  return b.finish(threads);
}

TEST(ModularEngine, ProvesMutualExclusion) {
  EXPECT_EQ(run(lock(true)).verdict, Verdict::Safe);
  EXPECT_EQ(run(lock(false)).verdict, Verdict::Unknown);
}

// What Spacer finds are relations between numbers.
TEST(ModularEngine, HandsNothingToSpacerWithoutNumbers) {
  for (const Type& type : {Type::boolean(), Type::fixed(1, false), Type::range(0, 1), number}) {
    Builder b(3);
    const VarId m = b.program.add_shared(var_of("m", type, {0}));
    const ExprId is_set = b.compare(Op::Ne, b.shared(m), b.program.exprs.constant(0, type));
    add_edge(b.templ, 0, 1, guard_action(b.program.exprs.negate(is_set)));
    add_edge(b.templ, 1, 0, assign_action(to_shared(m), b.program.exprs.constant(1, type)));
    add_edge(b.templ, 1, 2, guard_action(is_set));
    b.error_at(2);
    const Program program = b.finish();
    Env env;
    EXPECT_EQ(modular::ModularEngine(few_seconds).check(env, {program, std::nullopt, {}}).verdict, Verdict::Unknown);
    EXPECT_EQ(env.statistics.find("Horn systems") != nullptr, type == number) << to_string(type);
  }
}

// With one thread there is nobody to interfere.
TEST(ModularEngine, KnowsHowManyThreadsThereAre) {
  EXPECT_EQ(run(lock(false, 1)).verdict, Verdict::Safe);
  EXPECT_EQ(run(lock(false, 2)).verdict, Verdict::Unknown);
}

// Users raise a count while nobody has freed, and lower it when they are done; who finds the count 0 may free. `width`:
// bits of the count.
Program references(unsigned width, bool holds) {
  const Type count = Type::fixed(width, false);
  Builder b(4);
  ExprPool& exprs = b.program.exprs;
  const VarId refs = b.program.add_shared(var_of("refs", count, {0}));
  const VarId freed = b.program.add_shared(bool_var("freed", {0}));
  const ExprId read = exprs.shared(refs, count);
  const ExprId is_freed = exprs.shared(freed, Type::boolean());
  const ExprId one = exprs.constant(1, count);
  Action take = assign_action(to_shared(refs), exprs.binary(Op::Add, read, one, count));
  take.guard = exprs.negate(is_freed);
  add_edge(b.templ, 0, 1, take);
  add_edge(b.templ, holds ? 1 : 2, 3, guard_action(is_freed));
  add_edge(b.templ, 1, 2, assign_action(to_shared(refs), exprs.binary(Op::Sub, read, one, count)));
  add_edge(b.templ, 2, 0, guard_action(exprs.truth()));
  Action free = assign_action(to_shared(freed), exprs.truth());
  free.guard = exprs.binary(Op::Eq, read, exprs.constant(0, count), Type::boolean());
  add_edge(b.templ, 0, 0, free);
  b.error_at(3);
  return b.finish();
}

// That the count is the number of holders takes a ghost; that it does not overflow, fewer threads than it can count.
TEST(ModularEngine, ProvesAReferenceCount) {
  const result::Result any = run(references(32, true));
  EXPECT_EQ(any.verdict, Verdict::Safe);
  ASSERT_EQ(any.assumptions.size(), 1U);
  EXPECT_THAT(any.assumptions[0], testing::HasSubstr("at most 1073741824 threads"));
  const result::Result few = run(references(32, true), 100);
  EXPECT_EQ(few.verdict, Verdict::Safe);
  EXPECT_TRUE(few.assumptions.empty());
  EXPECT_FALSE(few.holds_without_bound);
}

// Who frees holds nothing, so that 256 threads never have 256 references at that time.
TEST(ModularEngine, SeesThatACountOfThreadsOverflows) {
  EXPECT_EQ(run(references(8, true)).verdict, Verdict::Unknown);
  EXPECT_EQ(run(references(8, true), 256).verdict, Verdict::Safe);
  EXPECT_EQ(run(references(8, true), 257).verdict, Verdict::Unknown);
}

TEST(ModularEngine, DoesNotProveAUseAfterTheCountIsLowered) {
  EXPECT_EQ(run(references(32, false)).verdict, Verdict::Unknown);
}

// main: x = 1; create; with the worker asserting x == 1, before or after the assignment.
Program creation(bool early) {
  Builder b(3);
  const VarId x = b.program.add_shared(var_of("x", number, {0}));
  const Action set = assign_action(to_shared(x), b.constant(1));
  Action create;
  create.spawns.push_back({TemplateId(std::size_t{1}), LocId(std::size_t{0}), false, {}});
  add_edge(b.templ, 0, 1, early ? create : set);
  add_edge(b.templ, 1, 2, early ? set : create);
  Template worker = template_with("W", 2);
  add_edge(worker, 0, 1, guard_action(b.compare(Op::Ne, b.shared(x), b.constant(1))));
  worker.locations[1].error = b.program.add_property({.text = "assertion", .span = {}, .condition = {}});
  Program program = b.finish(1);
  program.add_template(worker);
  return program;
}

TEST(ModularEngine, AThreadBeginsWhereItIsCreated) {
  EXPECT_EQ(run(creation(false)).verdict, Verdict::Safe);
  EXPECT_EQ(run(creation(true)).verdict, Verdict::Unknown);
}

// At a bound of one thread the creation does nothing, and main goes on alone.
TEST(ModularEngine, TakesBoundsThatStopCreations) {
  Builder b(3);
  const VarId x = b.program.add_shared(var_of("x", number, {0}));
  Action create;
  create.spawns.push_back({TemplateId(std::size_t{1}), LocId(std::size_t{0}), false, {}});
  add_edge(b.templ, 0, 1, create);
  Action check;
  check.takes.push_back({TemplateId(std::size_t{1}), LocId(std::size_t{0}), std::nullopt});
  add_edge(b.templ, 1, 2, check);
  const Program program = [&] {
    Program result = b.finish(1);
    result.add_template(template_with("W", 1));
    Property cover{.kind = Property::Kind::Cover, .text = "main between", .span = {}, .condition = {}};
    cover.condition =
        result.exprs.binary(Op::Eq, result.exprs.shared(x, number), result.exprs.constant(1, number), Type::boolean());
    cover.threads.emplace_back(TemplateId(std::size_t{0}), LocId(std::size_t{2}));
    result.add_property(cover);
    return result;
  }();
  EXPECT_EQ(run(program).verdict, Verdict::Safe);
  EXPECT_EQ(run(program, 1).verdict, Verdict::Safe);
}

TEST(ModularEngine, CountsFaultsAsViolations) {
  for (const bool zero : {false, true}) {
    Builder b(2);
    const VarId d = b.program.add_shared(var_of("d", number, {zero ? 0 : 2}));
    const VarId q = b.program.add_shared(var_of("q", number, {0}));
    const ExprId quotient = b.program.exprs.binary(Op::Div, b.constant(8), b.shared(d), number);
    add_edge(b.templ, 0, 1, assign_action(to_shared(q), quotient));
    const Program program = b.finish();
    EXPECT_EQ(run(program).verdict, zero ? Verdict::Unknown : Verdict::Safe);
  }
}

TEST(ModularEngine, RefusesByName) {
  Program program = lock(true);
  program.add_property({.kind = Property::Kind::Deadlock, .text = "deadlock", .span = {}, .condition = {}});
  EXPECT_THAT(find_engine("modular")->refuses({program, std::nullopt, {}}).value_or(""),
              testing::HasSubstr("'deadlock'"));
  program = lock(true);
  program.add_shared(var_of("r", Type::thread_ref(), {0}));
  EXPECT_EQ(find_engine("modular")->refuses({program, std::nullopt, {}}), "it takes no references to threads");
}

// A step that takes so many threads that a choice of them does not fit a machine word: 32 of them were once taken for
// none.
TEST(ModularEngine, IsNotDeceivedByStepsOfManyThreads) {
  for (const std::size_t taken : {3U, 18U, 31U, 32U, 63U, 64U}) {
    Program program;
    Template templ = template_with("T", 2);
    Action gather;
    gather.takes.assign(taken, {.templ = TemplateId(std::size_t{0}), .from = LocId(std::size_t{0}), .to = LocId(1)});
    add_edge(templ, 0, 1, gather);
    templ.locations[1].error = program.add_property({.text = "assertion", .span = {}, .condition = {}});
    program.add_template(templ);
    program.initial.push_back({TemplateId(std::size_t{0}), LocId(std::size_t{0}), std::nullopt});
    const auto refusal = find_engine("modular")->refuses({program, std::nullopt, {}});
    EXPECT_EQ(refusal.has_value(), taken + 1 > Commands::most_movers) << taken;
    if (taken == 3) {
      EXPECT_EQ(run(program).verdict, Verdict::Unknown);
    }
    // Nor is the checker: the threads that are taken are in a view that the certificate leaves out.
    using nlohmann::json;
    const json start{{"template", 0}, {"name", "T"}, {"location", 0}, {"atomic", false}};
    const json view{{"threads", json::array({start})}, {"invariant", "true"}};
    const json forged{{"kind", "modular"}, {"threads", 1}, {"singles", false}, {"views", json::array({view})}};
    Env env;
    EXPECT_FALSE(result::check_certificate(env, program, std::nullopt, forged).valid) << taken;
  }
}

TEST(ModularEngine, StopsAtLimits) {
  Env env;
  env.limits.set_time_limit(0);
  const Program program = lock(true);
  const auto result = find_engine("modular")->check(env, {program, std::nullopt, {}});
  EXPECT_EQ(result.verdict, Verdict::Unknown);
  EXPECT_NE(result.reason.find("time limit"), std::string::npos) << result.reason;
}

// Wherever the limit comes, it ends in an answer: a clause that was not asked yet is not taken back.
TEST(ModularEngine, StopsAnywhere) {
  const Program program = lock(true);
  for (int step = 1; step <= 20; ++step) {
    Env env;
    env.limits.set_time_limit(0.004 * step);
    const auto result = find_engine("modular")->check(env, {program, std::nullopt, {}});
    EXPECT_NE(result.verdict, Verdict::Unsafe);
  }
}

}  // namespace

}  // namespace cohort::engine
