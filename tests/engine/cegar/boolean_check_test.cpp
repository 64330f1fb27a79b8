// Boolean broadcast programs, checked by the symbolic engine: verdicts on examples in every configuration, transition
// refinement, new threads and several templates, and what is refused.
#include <optional>
#include <set>
#include <string>
#include <tuple>

#include <gtest/gtest.h>

#include "abstraction/cube_images.hpp"
#include "engine/cegar/cegar_engine.hpp"
#include "engine/symbolic/engine.hpp"
#include "frontend/scpl/scpl.hpp"
#include "model/passes/liveness.hpp"
#include "model/passes/simplify.hpp"
#include "result/replay.hpp"
#include "support/diagnostics.hpp"

namespace cohort::test {
namespace {

using engine::AbstractionMode;
using result::Verdict;

const AbstractionMode modes[] = {AbstractionMode::Cubes0, AbstractionMode::Cubes1, AbstractionMode::Cubes2};

model::Program example(const std::string& name) {
  const std::string path = std::string(COHORT_SOURCE_DIR) + "/examples/scpl/" + name + ".scpl";
  return model::simplify(frontend::scpl::load(read_source_file(path))).program;
}

result::Result check(Env& env, const model::Program& program, std::optional<std::uint32_t> threads,
                     AbstractionMode mode) {
  env.self_check = true;
  const engine::symbolic::SymbolicEngine checker;
  const engine::cegar::CegarEngine engine({}, &checker);
  engine::EngineOptions options;
  options.abstraction = mode;
  const engine::Task task{program, threads, options};
  EXPECT_EQ(engine.refuses(task), std::nullopt);
  result::Result result = engine.check(env, task);
  if (result.run) {
    EXPECT_TRUE(result::replay(program, threads, *result.run).succeeded);
  }
  return result;
}

void expect(const std::string& name, std::optional<std::uint32_t> threads, Verdict verdict) {
  const model::Program program = example(name);
  for (const AbstractionMode mode : modes) {
    SCOPED_TRACE(name + ", mode " + std::to_string(static_cast<int>(mode)));
    Env env;
    const result::Result result = check(env, program, threads, mode);
    EXPECT_EQ(static_cast<int>(result.verdict), static_cast<int>(verdict)) << result.reason;
  }
}

TEST(BooleanCheck, ProvesExamples) {
  for (const char* name : {"tas_lock", "max_cas", "unver"}) expect(name, 2, Verdict::Safe);
}

TEST(BooleanCheck, RefutesExamples) {
  expect("section2_local", 2, Verdict::Unsafe);
  expect("section2_shared", 2, Verdict::Unsafe);
  expect("count_to_three", 3, Verdict::Unsafe);
  expect("inc_wrap", 1, Verdict::Unsafe);
}

TEST(BooleanCheck, TakesNewThreads) {
  expect("workers", 3, Verdict::Safe);
  expect("workers_wrong", 3, Verdict::Unsafe);
}

TEST(BooleanCheck, TakesSeveralTemplates) {
  expect("rwlock_wrong", 3, Verdict::Unsafe);
  expect("time_varying_mutex", 2, Verdict::Safe);
}

// By images of the cubes, in views of two threads; the checker of certificates agrees (self_check).
TEST(BooleanCheck, DecidesForAnyNumberOfThreads) {
  for (const char* name : {"tas_lock", "max_cas", "unver", "inc_lock", "workers"}) {
    expect(name, std::nullopt, Verdict::Safe);
  }
  for (const char* name :
       {"section2_local", "section2_shared", "count_to_three", "third_thread", "naive", "workers_wrong"}) {
    expect(name, std::nullopt, Verdict::Unsafe);
  }
}

// The free values of c0 are cut back step by step.
TEST(BooleanCheck, RefinesTransitions) {
  Env env;
  const result::Result result = check(env, example("incdec_cas"), 2, AbstractionMode::Cubes0);
  EXPECT_EQ(static_cast<int>(result.verdict), static_cast<int>(Verdict::Safe)) << result.reason;
  const auto* refinements = env.statistics.find("transition_refinements");
  ASSERT_NE(refinements, nullptr);
  EXPECT_GT(std::get<std::uint64_t>(*refinements), 0U);
}

// Images by cubes contain the exact ones, and for commands that cubes describe exactly they are the same.
TEST(BooleanCheck, ImagesOfCubesContainTheExactOnes) {
  Env env;
  const model::Program program = example("inc_cas");
  model::Commands commands(program);
  const model::LiveLocals live(commands.program());
  abstraction::Predicates predicates(commands, live, true);
  model::ExprPool& pool = commands.exprs();
  const model::Type type = program.shared[0].type;
  const model::ExprId v = pool.shared(model::VarId(std::size_t{0}), type);
  const model::ExprId l = pool.local(model::VarId(std::size_t{0}), type);
  for (const auto& [left, right] : {std::pair(v, l), std::pair(l, v)}) {
    predicates.add(pool.binary(model::Op::Le, left, right, model::Type::boolean()), model::TemplateId(0));
  }
  predicates.add(pool.binary(model::Op::Eq, l, pool.constant(0, type), model::Type::boolean()), model::TemplateId(0));
  abstraction::CubeImages images(env, commands, predicates);
  abstraction::Oracle exact(env, commands, predicates);
  abstraction::Cartesian cartesian(exact, predicates, 2);
  std::vector<abstraction::BroadcastStep> steps;
  for (std::uint32_t i = 0; i < commands.all().size(); ++i) steps.push_back(cartesian.step(i));
  images.use_steps(&steps);
  std::size_t compared = 0;
  const auto thread = [](abstraction::Oracle& oracle, model::PlaceId place, const char* bits) {
    return oracle.states().thread(place, bits);
  };
  for (std::uint32_t i = 0; i < commands.all().size(); ++i) {
    const model::PlaceId from = commands.all()[i].from;
    for (const char* self : {"000", "010", "100", "110", "111", "101"}) {
      std::set<std::tuple<std::string, std::string>> wide;
      const auto of = [](abstraction::Oracle& oracle, const abstraction::Successor& one) {
        return std::tuple(oracle.states().bits(one.shared), oracle.states().bits(one.self));
      };
      for (const auto& one : images.post(i, images.states().shared(""), thread(images, from, self))) {
        wide.insert(of(images, one));
      }
      const auto narrow = exact.post(i, exact.states().shared(""), thread(exact, from, self));
      for (const auto& one : narrow) EXPECT_TRUE(wide.contains(of(exact, one))) << i << " " << self;
      compared += narrow.size();
    }
  }
  EXPECT_GT(compared, 20U);
}

TEST(BooleanCheck, NeedsACheckerForANumberOfThreads) {
  const model::Program program = example("tas_lock");
  const engine::symbolic::SymbolicEngine checker;
  engine::EngineOptions options;
  options.abstraction = AbstractionMode::Cubes1;
  const engine::cegar::CegarEngine engine({}, &checker);
  EXPECT_EQ(engine.refuses({program, std::nullopt, options}), std::nullopt);
  EXPECT_EQ(engine.refuses({program, 2, options}), std::nullopt);
  EXPECT_NE(engine::cegar::CegarEngine().refuses({program, 2, options}), std::nullopt);
}

}  // namespace
}  // namespace cohort::test
