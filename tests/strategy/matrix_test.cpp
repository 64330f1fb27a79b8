// Every example program, for every bound that its header speaks of, through every engine that takes it, with each
// reduction on and off: all must give the verdict of the header.  UNSAFE is replayed by verify() itself; SAFE is
// certified where the engine can.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/engine.hpp"
#include "result/certificate.hpp"
#include "strategy/verify.hpp"
#include "support/example.hpp"

namespace cohort::test {
namespace {

using engine::EngineOptions;
using result::Verdict;

struct Setting {
  const char* name;
  EngineOptions options;
  bool simplify = true;
};

std::vector<Setting> settings() {
  return {{"default", {}},
          {"unsimplified", {}, false},
          {"no-symmetry", {.symmetry = false}},
          {"por", {.partial_order = true}},
          {"unsimplified por", {.partial_order = true}, false},
          {"no-merging", {.merging = false}},
          {"dfs", {.order = engine::SearchOrder::DepthFirst}},
          {"deviations", {.order = engine::SearchOrder::FewestDeviations}},
          {"km-classic", {.karp_miller = {.variant = engine::KarpMillerVariant::Classic}}},
          {"plain", {.symmetry = false, .merging = false}, false},
          {"mpor", {.bmc = {.normal_form = true}}}};
}

struct Runs {
  std::size_t count = 0;
  std::size_t certified = 0;
};

void expect_certificate_holds(Env& env, const model::Program& program, const result::Answer& answer,
                              const std::string& what) {
  ASSERT_NE(answer.result.certificate, nullptr) << what;
  const auto check =
      result::check_certificate(env, program, answer.scope.bound, answer.result.certificate->to_json(program));
  EXPECT_TRUE(check.valid) << what << ": " << check.message;
}

// Runs one engine in one setting; nothing happens when it refuses.
void expect_verdict(const model::Program& program, const engine::Engine& engine, const Setting& setting,
                    std::optional<std::uint32_t> bound, Verdict wanted, const std::string& what, Runs& runs) {
  strategy::Options options{.engine = std::string(engine.name()),
                            .threads = {!bound.has_value(), bound},
                            .engine_options = setting.options,
                            .simplify = setting.simplify};
  // It looks at a few steps only, so it may leave the question open; more would take long, and longer for every
  // setting.
  const bool bounded = engine.name() == "bmc";
  // It looks for violations, for ever where there is none.
  if (engine.name() == "directed" && wanted == Verdict::Safe) return;
  const std::string_view name = setting.name;
  // What an engine does not know makes no difference to it.
  const option::Members known = engine.knows(setting.options);
  for (const option::Reference& option : option::options_of(setting.options)) {
    if (option.differs_from_usual() && !known.contain(option)) return;
  }
  // They may find no predicates, or no invariant; what they answer is right.
  const bool abstract = engine.name() == "cegar" || engine.name() == "modular";
  if (abstract && name != "default" && name != "unsimplified") return;
  if (name == "mpor" ? !bounded : bounded && name != "default") return;
  options.engine_options.bmc.depths.first = options.engine_options.bmc.depths.last = 6;
  Env env;
  env.self_check = !setting.simplify && setting.options.symmetry;
  // Whoever may leave a question open does so soon.
  env.limits.set_time_limit(abstract ? 3 : 60);
  const std::string where = what + " " + std::string(engine.name()) + " " + setting.name;
  const result::Answer answer = strategy::verify(env, program, options);
  if (answer.engine.empty()) return;
  if (bounded && answer.result.verdict == Verdict::Unknown) {
    EXPECT_EQ(answer.result.reason, "no violation up to depth 6") << where;
    return;
  }
  // It proves or it does not.
  if (engine.name() == "marking-equation" && answer.result.verdict == Verdict::Unknown) {
    EXPECT_EQ(answer.result.reason, "neither weights that no step increases nor traps exclude a violation") << where;
    return;
  }
  if (abstract && answer.result.verdict == Verdict::Unknown) return;
  EXPECT_EQ(static_cast<int>(answer.result.verdict), static_cast<int>(wanted)) << where << ": " << answer.result.reason;
  ++runs.count;
  if (wanted != Verdict::Safe || answer.result.verdict != Verdict::Safe || setting.simplify) return;
  // Their certificates speak of any number of threads and are refused under a bound; their own tests check them.
  if (abstract || engine.name() == "marking-equation") return;
  options.engine_options.certificate = true;
  const result::Answer certified = strategy::verify(env, program, options);
  if (certified.engine.empty()) return;
  expect_certificate_holds(env, program, certified, where);
  ++runs.certified;
}

TEST(Matrix, EveryEngineAndReductionMeetsTheExpectations) {
  Runs runs;
  for (const Example& example : examples()) {
    const model::Program program = load_flat(example);
    for (std::uint32_t threads = example.first_threads(); threads <= std::min(example.most_threads, 4U); ++threads) {
      const Verdict wanted = example.is_unsafe_with(threads) ? Verdict::Unsafe : Verdict::Safe;
      const std::string what = example.name() + " with " + std::to_string(threads) + " threads";
      for (const auto& engine : engine::engines()) {
        for (const Setting& setting : settings())
          expect_verdict(program, *engine, setting, threads, wanted, what, runs);
      }
    }
  }
  EXPECT_GT(runs.count, 500U);
  EXPECT_GT(runs.certified, 20U);
  RecordProperty("runs", static_cast<int>(runs.count));
  RecordProperty("certified", static_cast<int>(runs.certified));
}

TEST(Matrix, ProcessProgramsMeetTheExpectationsInEveryEngineThatTakesThem) {
  Runs runs;
  for (const Example& example : process_examples()) {
    const model::Program program = load_flat(example);
    const Verdict wanted = example.unsafe ? Verdict::Unsafe : Verdict::Safe;
    for (const auto& engine : engine::engines()) {
      for (const Setting& setting : settings()) {
        expect_verdict(program, *engine, setting, example.most_threads, wanted, example.name(), runs);
      }
    }
  }
  EXPECT_GT(runs.count, process_examples().size() * settings().size() / 2);
  RecordProperty("runs", static_cast<int>(runs.count));
}

// With the cutoff's number of threads every thread state is reached, so the verdict there is the one for any number.
TEST(Matrix, TheVerdictAtTheCutoffIsTheOneForAnyNumber) {
  Runs runs;
  for (const Example& example : examples()) {
    if (!example.cutoff) continue;
    const model::Program program = load_flat(example);
    const Verdict wanted = example.is_unsafe_with(*example.cutoff) ? Verdict::Unsafe : Verdict::Safe;
    for (const auto& engine : engine::engines()) {
      for (const Setting& setting : settings()) {
        expect_verdict(program, *engine, setting, std::nullopt, wanted, example.name() + " with any number of threads",
                       runs);
      }
    }
  }
  RecordProperty("runs", static_cast<int>(runs.count));
}

}  // namespace
}  // namespace cohort::test
