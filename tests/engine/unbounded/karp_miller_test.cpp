#include "engine/unbounded/karp_miller.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/unbounded/karp_miller_engine.hpp"
#include "engine/unbounded/realize.hpp"
#include "engine/unbounded/thread_states.hpp"
#include "engine/unbounded/unroll.hpp"
#include "frontend/tts/tts.hpp"
#include "result/replay.hpp"
#include "support/diagnostics.hpp"
#include "support/unbounded.hpp"

namespace cohort::engine::unbounded {
namespace {

model::Program tts(const std::string& text, const std::string& init, const std::string& target) {
  return frontend::tts::load(test::text_file("a.tts", text), {.init = init, .target = target, .property = {}});
}

// The execution that the tree itself gives, without the search for a smaller one.
TEST(KarpMiller, UnrollsItsAccelerationsToRunsThatReplay) {
  int accelerated = 0;
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    for (const char* init : {"0/0", "0|0"}) {
      const model::Program program = tts(test::random_tts(seed, 3, 4, 8, false), init, "2|3,3,3");
      Env env;
      CounterSystem system(program);
      KarpMiller tree(env, system, {});
      if (tree.run() != KarpMiller::Outcome::Violation) continue;
      const std::uint32_t node = tree.bad_node();
      const Tokens wanted = violating_part(system, tree.nodes()[node].control, tree.tokens(node), *tree.bad_property());
      const auto execution = unroll(tree, node, wanted, 100'000);
      ASSERT_TRUE(execution.has_value());
      const result::Replay replay = result::replay(program, std::nullopt, realize(system, *execution).value());
      ASSERT_TRUE(replay.succeeded) << "seed " << seed << ": " << replay.message;
      for (std::uint32_t i = 0; i < tree.nodes().size(); ++i) accelerated += tree.accelerations(i).empty() ? 0 : 1;
    }
  }
  EXPECT_GT(accelerated, 100);
}

TEST(KarpMiller, ClassicConstructionGivesTheSameVerdicts) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const model::Program program = tts(test::random_tts(seed, 2, 3, 4, false), "0|0", "1|2,2");
    Env env;
    env.limits.set_time_limit(2);
    CounterSystem system(program);
    KarpMiller improved(env, system, {});
    KarpMiller classic(env, system, {.classic = true});
    const auto outcome = classic.run();
    if (outcome == KarpMiller::Outcome::Stopped) continue;
    EXPECT_EQ(improved.run(), outcome) << "seed " << seed;
  }
}

// Each improvement, switched off, and each order of the search changes the work and not the result.
TEST(KarpMiller, ReachesTheSameThreadStatesWithoutAnyOfItsImprovements) {
  using Switch = bool KarpMillerImprovements::*;
  const auto reached = [](const model::Program& program, const KarpMillerOptions& options) {
    Env env;
    CounterSystem system(program);
    KarpMiller tree(env, system, options);
    EXPECT_EQ(tree.run(), KarpMiller::Outcome::Covered);
    EXPECT_TRUE(!options.improvements.coverage || tree.is_closed());
    std::set<std::pair<model::Valuation, model::ThreadState>> states;
    for (const ThreadStateKey key : reachable_thread_states(tree)) {
      states.emplace(model::Valuation{static_cast<model::Value>(key.shared)}, system.thread_state(key.local));
    }
    return states;
  };
  int violated = 0;
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    const model::Program program = tts(test::random_tts(seed, 3, 3, 6, false), seed % 2 == 0 ? "0|0" : "0/0", "2|2,2");
    const KarpMillerOptions whole{.stop_at_violation = false};
    const auto expected = reached(program, whole);
    for (const Switch off :
         {&KarpMillerImprovements::shared_first, &KarpMillerImprovements::minimal_chains,
          &KarpMillerImprovements::subtrees, &KarpMillerImprovements::index, &KarpMillerImprovements::coverage}) {
      KarpMillerOptions options = whole;
      options.improvements.*off = false;
      EXPECT_EQ(reached(program, options), expected) << "seed " << seed;
    }
    for (const SearchOrder order : {SearchOrder::BreadthFirst, SearchOrder::DepthFirst}) {
      KarpMillerOptions options = whole;
      options.order = order;
      EXPECT_EQ(reached(program, options), expected) << "seed " << seed;
    }
    Env env;
    CounterSystem system(program);
    KarpMiller tree(env, system, whole);
    tree.run();
    violated += tree.bad_node() != none ? 1 : 0;
  }
  EXPECT_GT(violated, 10) << "the construction goes on after a violation";
}

TEST(KarpMiller, GoesOnAfterAPause) {
  const model::Program program = tts(test::random_tts(5, 3, 4, 8, false), "0/0", "2|3,3");
  Env env;
  CounterSystem system(program);
  KarpMiller at_once(env, system, {});
  KarpMiller by_turns(env, system, {});
  auto outcome = KarpMiller::Outcome::Paused;
  while (outcome == KarpMiller::Outcome::Paused) outcome = by_turns.run(1);
  EXPECT_EQ(outcome, at_once.run());
  EXPECT_EQ(by_turns.nodes().size(), at_once.nodes().size());
}

// A lock: at most one thread in local state 1.
constexpr const char* lock = "2 2\n0 0 -> 1 1\n1 1 -> 0 0\n";

nlohmann::json certificate_of_lock(const model::Program& program) {
  Env env;
  EngineOptions options;
  options.certificate = true;
  const result::Result answer = KarpMillerEngine().check(env, {program, std::nullopt, options});
  EXPECT_EQ(answer.verdict, result::Verdict::Safe);
  return answer.certificate->to_json(program);
}

std::string refutation(const model::Program& program, const nlohmann::json& certificate) {
  Env env;
  const auto check = result::check_certificate(env, program, std::nullopt, certificate);
  return check.valid ? "valid" : check.message;
}

TEST(OmegaCertificate, IsAcceptedAsItIsAndRefutedWhenDamaged) {
  const model::Program program = tts(lock, "0/0", "1|1,1");
  const nlohmann::json certificate = certificate_of_lock(program);
  EXPECT_EQ(refutation(program, certificate), "valid");
  ASSERT_EQ(certificate["configurations"].size(), 2u) << "free and taken";
  for (std::size_t i = 0; i < 2; ++i) {
    nlohmann::json fewer = certificate;
    fewer["configurations"].erase(i);
    EXPECT_THAT(refutation(program, fewer), testing::HasSubstr("is not covered by the set"));
    for (std::size_t cell = 0; cell < certificate["configurations"][i]["threads"].size(); ++cell) {
      nlohmann::json smaller = certificate;
      auto& threads = smaller["configurations"][i]["threads"];
      if (threads[cell][1].is_string()) {
        threads[cell][1] = 3;
      } else {
        threads.erase(cell);
      }
      EXPECT_THAT(refutation(program, smaller), testing::HasSubstr("is not covered by the set")) << smaller;
    }
  }
}

TEST(OmegaCertificate, IsRefutedForAnotherProgram) {
  const nlohmann::json certificate = certificate_of_lock(tts(lock, "0/0", "1|1,1"));
  EXPECT_THAT(refutation(tts(lock, "0/0", "1|1"), certificate), testing::HasSubstr("covers the target '1|1'"));
  EXPECT_THAT(refutation(tts(std::string(lock) + "1 0 -> 1 1\n", "0/0", "1|1,1"), certificate),
              testing::HasSubstr("a successor of a configuration is not covered"));
  EXPECT_THAT(refutation(tts(lock, "1/0", "1|1,1"), certificate), testing::HasSubstr("valid"))
      << "the taken lock with any number of waiting threads is below the set";
  EXPECT_THAT(refutation(tts(lock, "1|1,1", "0|1,1"), certificate),
              testing::HasSubstr("an initial configuration is not covered"));
  EXPECT_THAT(refutation(tts(std::string(lock) + "0 0 -> 0 0 1 ~> 0\n", "0/0", "1|1,1"), certificate),
              testing::HasSubstr("broadcasts"));
}

}  // namespace
}  // namespace cohort::engine::unbounded
