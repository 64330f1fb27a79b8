#include "engine/cutoff.hpp"

#include <map>
#include <set>

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "frontend/tts/tts.hpp"
#include "support/diagnostics.hpp"
#include "support/explore.hpp"
#include "support/unbounded.hpp"

namespace cohort::engine {
namespace {

model::Program tts(const std::string& text, const std::string& init) {
  return frontend::tts::load(test::text_file("a.tts", text), {.init = init, .target = {}, .property = {}});
}

// The paper's example (section 4.2): a counter that `count` threads must raise before anyone sees it full.
std::string counting(int count) {
  std::string text = std::to_string(count + 1) + " 3\n";
  for (int i = 0; i < count; ++i) text += fmt::format("{} 0 -> {} 1\n", i, i + 1);
  return text + fmt::format("{} 1 -> {} 2\n", count, count);
}

TEST(Cutoff, IsExactlyTheNumberThatMustCount) {
  for (const int count : {1, 2, 5}) {
    Env env;
    const Cutoff cutoff = reachability_cutoff(env, tts(counting(count), "0/0"));
    ASSERT_EQ(cutoff.unknown, "");
    EXPECT_EQ(cutoff.threads, static_cast<std::uint32_t>(count == 1 ? 2 : count + 1))
        << "one more is idle while the counter is full";
    EXPECT_EQ(cutoff.witness_shared, model::Valuation{count});
  }
}

using ThreadStates = std::set<std::pair<model::Valuation, model::ThreadState>>;

// The thread states that the interpreter reaches with at most `threads` threads, from every number of initial ones.
ThreadStates brute_force(const model::Program& program, std::uint32_t threads) {
  ThreadStates reached;
  for (std::uint32_t size = 0; size <= threads; ++size) {
    model::Program fixed = program;
    std::uint32_t total = 0;
    for (model::InitialThreads& group : fixed.initial) {
      if (!group.count) group.count = size;
      total += *group.count;
    }
    if (total > threads) continue;
    for (const model::State& state : test::explore(fixed, threads).states) {
      for (const auto& thread : state.threads) {
        if (thread) reached.emplace(state.shared, *thread);
      }
    }
  }
  return reached;
}

TEST(Cutoff, AgreesWithBruteForceOnRandomSystems) {
  int above_one = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const std::string text = test::random_tts(seed, 3, 3, 6, false);
    for (const char* init : {"0/0", "0|0"}) {
      const model::Program program = tts(text, init);
      Env env;
      const Cutoff cutoff = reachability_cutoff(env, program);
      ASSERT_EQ(cutoff.unknown, "");
      if (cutoff.threads > 4) continue;
      const ThreadStates enough = brute_force(program, cutoff.threads);
      EXPECT_EQ(enough.size(), cutoff.thread_states) << text << init;
      EXPECT_EQ(brute_force(program, cutoff.threads + 1).size(), cutoff.thread_states) << text << init;
      EXPECT_TRUE(enough.contains({cutoff.witness_shared, cutoff.witness})) << text << init;
      if (cutoff.threads < 2) continue;
      EXPECT_FALSE(brute_force(program, cutoff.threads - 1).contains({cutoff.witness_shared, cutoff.witness}))
          << text << init;
      ++above_one;
    }
  }
  EXPECT_GT(above_one, 50);
}

TEST(Cutoff, UniformIsNeverBelow) {
  int greater = 0;
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    const model::Program program = tts(test::random_tts(seed, 3, 3, 6, false), "0/0");
    Env env;
    const Cutoff plain = reachability_cutoff(env, program);
    const Cutoff uniform = uniform_cutoff(env, program);
    ASSERT_EQ(uniform.unknown, "");
    EXPECT_EQ(uniform.thread_states, plain.thread_states);
    EXPECT_GE(uniform.threads, plain.threads) << "seed " << seed;
    greater += uniform.threads > plain.threads ? 1 : 0;
  }
  EXPECT_GT(greater, 0) << "some systems need more threads to be as quick";
}

}  // namespace
}  // namespace cohort::engine
