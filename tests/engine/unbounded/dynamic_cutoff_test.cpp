// Proofs from few threads, guesses that are vetoed, and cutoffs with broadcasts, against other engines and brute force.
#include <set>

#include <fmt/core.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/cutoff.hpp"
#include "engine/unbounded/backward.hpp"
#include "engine/unbounded/bounded_search.hpp"
#include "engine/unbounded/dynamic_cutoff.hpp"
#include "engine/unbounded/dynamic_cutoff_engine.hpp"
#include "engine/unbounded/lift.hpp"
#include "engine/unbounded/realize.hpp"
#include "engine/unbounded/reduce.hpp"
#include "engine/unbounded/widening.hpp"
#include "engine/unbounded/widening_engine.hpp"
#include "frontend/spec/spec.hpp"
#include "frontend/tts/tts.hpp"
#include "result/replay.hpp"
#include "support/diagnostics.hpp"
#include "support/explore.hpp"
#include "support/unbounded.hpp"

namespace cohort::engine::unbounded {
namespace {

model::Program tts(const std::string& text, const std::string& init, std::optional<std::string> target = {}) {
  return frontend::tts::load(test::text_file("a.tts", text), {.init = init, .target = target, .property = {}});
}

using ThreadStates = std::set<std::pair<model::Valuation, model::ThreadState>>;

ThreadStates reached_with(const model::Program& program, std::uint32_t threads) {
  ThreadStates reached;
  for (std::uint32_t size = 0; size <= threads; ++size) {
    model::Program fixed = program;
    for (model::InitialThreads& group : fixed.initial) {
      if (!group.count) group.count = size;
    }
    for (const model::State& state : test::explore(fixed, std::max(1U, threads)).states) {
      for (const auto& thread : state.threads) {
        if (thread) reached.emplace(state.shared, *thread);
      }
    }
  }
  return reached;
}

TEST(DynamicCutoff, SaysTheSameNumberAsTheTree) {
  int compared = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const model::Program program = tts(test::random_tts(seed, 3, 4, 7, false), "0/0", "2|3,3,3,3,3");
    Env env;
    const result::Result tree = find_engine("karp-miller")->check(env, {program, std::nullopt, {}});
    const result::Result few = DynamicCutoffEngine().check(env, {program, std::nullopt, {}});
    ASSERT_EQ(few.verdict, tree.verdict) << "seed " << seed;
    if (tree.verdict != result::Verdict::Safe) continue;
    EXPECT_EQ(few.sufficient_threads, tree.sufficient_threads) << "seed " << seed;
    ++compared;
  }
  EXPECT_GT(compared, 50);
}

TEST(DynamicCutoff, KnowsCutoffsWithBroadcasts) {
  int several = 0;
  for (std::uint64_t seed = 0; seed < 1500; ++seed) {
    const model::Program program = tts(test::random_tts(seed, 3, 4, 7, true), "0/0");
    // A transfer without a thread is a step of one more thread, which is not counted among thread states.
    if (CounterSystem(program).has_single()) continue;
    Env env;
    const Cutoff cutoff = reachability_cutoff(env, program);
    ASSERT_EQ(cutoff.unknown, "") << "seed " << seed;
    if (cutoff.threads > 3) continue;
    const ThreadStates all = reached_with(program, cutoff.threads);
    EXPECT_EQ(all.size(), cutoff.thread_states) << "seed " << seed;
    EXPECT_EQ(reached_with(program, cutoff.threads + 1), all) << "seed " << seed;
    if (cutoff.threads < 2) continue;
    EXPECT_LT(reached_with(program, cutoff.threads - 1).size(), all.size()) << "seed " << seed;
    ++several;
  }
  EXPECT_GT(several, 50);
}

// A barrier that two threads pass together by a broadcast, and a third can never join in the middle.
constexpr const char* barrier = "3 4\n0 0 -> 1 1\n1 0 -> 2 1\n2 1 -> 0 2 1 ~> 2\n0 2 -> 0 0\n";

TEST(DynamicCutoff, CertifiesWithBroadcasts) {
  const model::Program program = tts(barrier, "0/0", "1|2,1,1");
  EngineOptions options;
  options.certificate = true;
  Env env;
  const result::Result answer = DynamicCutoffEngine().check(env, {program, std::nullopt, options});
  ASSERT_EQ(answer.verdict, result::Verdict::Safe);
  const auto check = result::check_certificate(env, program, std::nullopt, answer.certificate->to_json(program));
  EXPECT_TRUE(check.valid) << check.message;
  ASSERT_TRUE(answer.sufficient_threads.has_value());
  EXPECT_EQ(reached_with(program, *answer.sufficient_threads), reached_with(program, *answer.sufficient_threads + 1));
}

TEST(BoundedSearch, TakesBroadcastsAsTheInterpreterDoes) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    const model::Program program = tts(test::random_tts(seed, 2, 4, 6, true), "0|0,1,1");
    Env env;
    CounterSystem system(program);
    if (system.has_single()) continue;
    BoundedSearch search(env, system, 3, SIZE_MAX);
    ThreadStates reached;
    search.run([&](ControlId control, TokenView tokens, std::uint32_t) {
      for (const Token& token : tokens) reached.emplace(system.shared_state(control), system.thread_state(token.place));
      return false;
    });
    ThreadStates expected;
    for (const model::State& state : test::explore(program, 3).states) {
      for (const auto& thread : state.threads) {
        if (thread) expected.emplace(state.shared, *thread);
      }
    }
    ASSERT_EQ(reached, expected) << "seed " << seed;
  }
}

struct Prepared {
  explicit Prepared(model::Program given)
      : program(std::move(given)), system(program), possible(env, system), whole(system, possible) {}

  model::Program program;
  Env env;
  CounterSystem system;
  Possible possible;
  Net whole;
};

TEST(Widening, AWrongGuessIsLearnedAndARightOneProves) {
  // Two threads are never at 2 together; at 1, where a guess looks first, any number can be.
  Prepared net(tts("2 3\n0 0 -> 0 1\n0 1 -> 1 2\n1 2 -> 0 0\n", "0/0", "1|1,2,2"));
  Coverable coverable;
  Widening search(net.env, net.whole, coverable);
  EXPECT_EQ(search.run(), Widening::Outcome::Unreachable);
  EXPECT_GT(search.wrong_guesses(), 0u);
  EXPECT_TRUE(coverable.covers(1, Tokens{{1, 1}}) || coverable.covers(0, Tokens{{1, 1}}));
}

TEST(Widening, WhatIsKnownToBeReachedIsNotGuessed) {
  Prepared net(tts("2 3\n0 0 -> 0 1\n0 1 -> 1 2\n1 2 -> 0 0\n", "0/0", "1|1,2,2"));
  Coverable coverable;
  const Possible& possible = net.possible;
  for (ControlId control = 0; control < net.system.control_count(); ++control) {
    for (const Place one : possible.places(control)) {
      for (const Place other : possible.places(control)) {
        Tokens pair;
        add(pair, one, 1);
        add(pair, other, 1);
        Backward search(net.env, net.whole);
        search.forbid({control, pair});
        if (search.run() == Backward::Outcome::Violation) coverable.learn(control, pair);
      }
    }
  }
  Widening search(net.env, net.whole, coverable);
  EXPECT_EQ(search.run(), Widening::Outcome::Unreachable);
  EXPECT_EQ(search.wrong_guesses(), 0u);
}

TEST(Reduce, KeepsTheAnswerWithBroadcasts) {
  int unsafe = 0;
  int proved = 0;
  std::size_t removed = 0;
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    const char* init = seed % 2 == 0 ? "0/0" : "0|1/0";
    Prepared net(tts(test::random_tts(seed, 4, 5, 9, true), init, seed % 3 == 0 ? "1|3,4" : "2|4"));
    Reduction reduction;
    const Net reduced = *reduce(net.env, net.whole, reduction);
    removed += reduction.transitions_before - reduction.transitions_after;
    Backward whole_search(net.env, net.whole);
    Backward search(net.env, reduced);
    const auto outcome = whole_search.run(50'000);
    if (outcome == Backward::Outcome::Paused) continue;
    ASSERT_EQ(search.run(), outcome) << "seed " << seed;
    if (outcome == Backward::Outcome::Violation) {
      ++unsafe;
      const model::Run run = realize(net.system, search.execution(), search.goals()).value();
      ASSERT_TRUE(result::replay(net.program, std::nullopt, run).succeeded) << "seed " << seed;
    } else {
      ++proved;
      const auto certificate = lift(net.env, net.whole, &search, 10);
      ASSERT_NE(certificate, nullptr) << "seed " << seed;
      const auto check =
          result::check_certificate(net.env, net.program, std::nullopt, certificate->to_json(net.program));
      ASSERT_TRUE(check.valid) << "seed " << seed << ": " << check.message;
    }
  }
  EXPECT_GT(unsafe, 300);
  EXPECT_GT(proved, 300);
  EXPECT_GT(removed, 2'000u);
}

TEST(Reduce, JoinsChainsBesideBroadcasts) {
  // The chain 0 -> 1 -> 2 -> 0 is passed without a broadcast; the last line broadcasts.
  Prepared net(tts("4 5\n0 0 -> 1 1\n1 0 -> 2 2\n2 0 -> 0 3\n0 1 -> 3 1 3 ~> 4\n", "0/0", "3|1,2,4"));
  Reduction reduction;
  const Net reduced = *reduce(net.env, net.whole, reduction);
  EXPECT_EQ(reduction.controls_merged, 2u);
  EXPECT_EQ(reduced.transitions().size(), 2u);
  Backward search(net.env, reduced);
  ASSERT_EQ(search.run(), Backward::Outcome::Violation);
  const model::Run run = realize(net.system, search.execution(), search.goals()).value();
  EXPECT_TRUE(result::replay(net.program, std::nullopt, run).succeeded);
}

TEST(Lift, ProofsAboutReducedNetsHoldForTheWholeNet) {
  int lifted = 0;
  for (std::uint64_t seed = 0; seed < 1500; ++seed) {
    Prepared net(tts(test::random_tts(seed, 5, 5, 9, false), "0/0", "4|4,3"));
    Reduction reduction;
    const Net reduced = *reduce(net.env, net.whole, reduction);
    if (reduction.transitions_before == reduction.transitions_after) continue;
    Backward search(net.env, reduced);
    if (search.run(50'000) != Backward::Outcome::Unreachable) continue;
    const auto certificate = lift(net.env, net.whole, &search, 10);
    ASSERT_NE(certificate, nullptr) << "seed " << seed;
    const auto check = result::check_certificate(net.env, net.program, std::nullopt, certificate->to_json(net.program));
    ASSERT_TRUE(check.valid) << "seed " << seed << ": " << check.message;
    ++lifted;
  }
  EXPECT_GT(lifted, 100);
}

}  // namespace
}  // namespace cohort::engine::unbounded
