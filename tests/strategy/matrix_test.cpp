// Every example program, for every bound that its header speaks of, through
// every engine that takes it, with each reduction on and off: all must give the
// verdict of the header.  UNSAFE is replayed by verify() itself; SAFE is
// certified where the engine can, and its engine has looked at its own
// expensive invariants.  A test for each engine.
#include <algorithm>

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
  std::size_t safe = 0;  // answers with --self-check
  std::size_t checked_themselves = 0;
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
  // It looks at a few steps only, so it may leave the question open; more would
  // take long, and longer for every setting.
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
  // What is counted up to the bound is a proof to its checker only if it is told of the bound, as a certificate is.
  const bool counts_to_bound = bound && env.statistics.find("ghost counters") != nullptr;
  if (env.self_check && !setting.options.partial_order && !counts_to_bound && answer.result.verdict == Verdict::Safe) {
    ++runs.safe;
    runs.checked_themselves += env.statistics.find("self_checks") != nullptr ? 1 : 0;
  }
  if (wanted != Verdict::Safe || answer.result.verdict != Verdict::Safe || setting.simplify) return;
  // Their certificates speak of any number of threads and are refused under a
  // bound; their own tests check them.
  if (abstract || engine.name() == "marking-equation") return;
  options.engine_options.certificate = true;
  const result::Answer certified = strategy::verify(env, program, options);
  if (certified.engine.empty()) return;
  expect_certificate_holds(env, program, certified, where);
  ++runs.certified;
}

class Matrix : public testing::TestWithParam<std::string> {
 protected:
  void run(const model::Program& program, std::optional<std::uint32_t> bound, Verdict wanted, const std::string& what) {
    const engine::Engine* engine = engine::find_engine(GetParam());
    ASSERT_NE(engine, nullptr);
    for (const Setting& setting : settings()) expect_verdict(program, *engine, setting, bound, wanted, what, runs_);
  }

  void TearDown() override {
    // Whoever found something safe has looked at more than it must; what cegar proves by counting the threads that
    // there are, and a search with the partial-order reduction, is judged by the checker of certificates only.
    if (GetParam() != "cegar") {
      EXPECT_EQ(runs_.checked_themselves, runs_.safe);
    }
    RecordProperty("runs", static_cast<int>(runs_.count));
    RecordProperty("certified", static_cast<int>(runs_.certified));
  }

  Runs runs_;
};

TEST_P(Matrix, BooleanProgramsMeetTheExpectations) {
  for (const Example& example : examples()) {
    const model::Program program = load_flat(example);
    const std::uint32_t most = std::min(example.most_threads, 4U);
    // Its invariants speak of any number of threads: one bound tells as much as all.
    const std::uint32_t first =
        GetParam() == "modular" ? std::max(most, example.first_threads()) : example.first_threads();
    for (std::uint32_t threads = first; threads <= most; ++threads) {
      const Verdict wanted = example.is_unsafe_with(threads) ? Verdict::Unsafe : Verdict::Safe;
      run(program, threads, wanted, example.name() + " with " + std::to_string(threads) + " threads");
    }
  }
  const std::string& name = GetParam();
  if (name == "explicit" || name == "symbolic") {
    EXPECT_GT(runs_.count, 200U);
    EXPECT_GT(runs_.certified, 10U);
  }
}

TEST_P(Matrix, ProcessProgramsMeetTheExpectations) {
  for (const Example& example : process_examples()) {
    const model::Program program = load_flat(example);
    run(program, example.most_threads, example.unsafe ? Verdict::Unsafe : Verdict::Safe, example.name());
  }
  if (GetParam() == "explicit") {
    EXPECT_GT(runs_.count, process_examples().size());
  }
}

// With the cutoff's number of threads every thread state is reached, so the
// verdict there is the one for any number.
TEST_P(Matrix, TheVerdictAtTheCutoffIsTheOneForAnyNumber) {
  for (const Example& example : examples()) {
    if (!example.cutoff) continue;
    const Verdict wanted = example.is_unsafe_with(*example.cutoff) ? Verdict::Unsafe : Verdict::Safe;
    run(load_flat(example), std::nullopt, wanted, example.name() + " with any number of threads");
  }
  const std::string& name = GetParam();
  if (name == "karp-miller" || name == "backward" || name == "coverability") {
    EXPECT_GE(runs_.count, 10U);
  }
}

std::vector<std::string> engine_names() {
  std::vector<std::string> names;
  for (const auto& engine : engine::engines()) names.emplace_back(engine->name());
  return names;
}

INSTANTIATE_TEST_SUITE_P(Engines, Matrix, testing::ValuesIn(engine_names()), [](const auto& tested) {
  std::string name = tested.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

}  // namespace
}  // namespace cohort::test
