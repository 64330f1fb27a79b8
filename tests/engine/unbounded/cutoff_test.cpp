#include "engine/cutoff.hpp"

#include <map>
#include <set>

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "engine/unbounded/bounded_search.hpp"
#include "engine/unbounded/thread_states.hpp"
#include "engine/unbounded/view_levels.hpp"
#include "frontend/bp/bp.hpp"
#include "frontend/tts/tts.hpp"
#include "model/passes/inline.hpp"
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

// In how many steps `threads` threads reach each thread state.
std::map<unbounded::ThreadStateKey, std::uint32_t> depths(const model::Program& program, std::uint32_t threads) {
  std::map<unbounded::ThreadStateKey, std::uint32_t> first;
  Env env;
  unbounded::CounterSystem system(program);
  unbounded::BoundedSearch search(env, system, threads, SIZE_MAX);
  search.run([&](unbounded::ControlId control, unbounded::TokenView tokens, std::uint32_t depth) {
    unbounded::for_each_thread_state(system, control, tokens,
                                     [&](unbounded::ThreadStateKey key) { first.try_emplace(key, depth); });
    return false;
  });
  return first;
}

TEST(Cutoff, UniformIsTheFirstNumberThatNoOtherBeats) {
  int above_two = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const std::string text = test::random_tts(seed, 3, 3, 7, false);
    for (const char* init : {"0/0", "0|0"}) {
      const model::Program program = tts(text, init);
      Env env;
      const Cutoff uniform = uniform_cutoff(env, program);
      ASSERT_EQ(uniform.unknown, "");
      if (uniform.threads > 5) continue;
      const auto enough = depths(program, uniform.threads);
      EXPECT_EQ(enough, depths(program, uniform.threads + 1)) << text << init;
      EXPECT_EQ(enough, depths(program, uniform.threads + 2)) << text << init;
      if (uniform.threads < 2) continue;
      EXPECT_NE(enough, depths(program, uniform.threads - 1)) << text << init;
      above_two += uniform.threads > 2 ? 1 : 0;
    }
  }
  EXPECT_GT(above_two, 20);
}

TEST(Cutoff, ViewsNeverPromiseMoreStepsThanThereAre) {
  std::uint64_t exact = 0;
  std::uint64_t states = 0;
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    const std::string text = test::random_tts(seed, 3, 4, 9, false);
    for (const char* init : {"0/0", "0|0"}) {
      const model::Program program = tts(text, init);
      Env env;
      unbounded::CounterSystem system(program);
      const unbounded::Possible possible(env, system);
      const unbounded::Net net(system, possible);
      std::map<std::pair<unbounded::ControlId, unbounded::Place>, std::uint32_t> first;
      unbounded::BoundedSearch search(env, system, 5, SIZE_MAX);
      search.run([&](unbounded::ControlId control, unbounded::TokenView tokens, std::uint32_t depth) {
        first.try_emplace({control, unbounded::none}, depth);
        for (const unbounded::Token& token : tokens) first.try_emplace({control, token.place}, depth);
        return false;
      });
      for (const std::size_t width : {2U, 3U}) {
        ASSERT_TRUE(unbounded::ViewLevels::takes(net, width));
        unbounded::ViewLevels levels(env, net, width);
        ASSERT_TRUE(levels.run(SIZE_MAX));
        for (const auto& [where, depth] : first) {
          EXPECT_LE(levels.level(where.first, where.second), depth) << text << init;
          exact += levels.level(where.first, where.second) == depth ? 1 : 0;
          ++states;
        }
      }
    }
  }
  EXPECT_GT(exact, states * 9 / 10) << "mostly they are exact";
}

// There was no answer within 20 s before it was seen that there are never more than two threads.
TEST(Cutoff, UniformOfABarrier) {
  const SourceFilePtr file = read_source_file(COHORT_SOURCE_DIR "/examples/bp/barrier.bp");
  Env env;
  const Cutoff barrier = uniform_cutoff(env, model::inline_calls(frontend::bp::load(file, {})));
  EXPECT_EQ(barrier.unknown, "");
  EXPECT_EQ(barrier.threads, 2U);
}

}  // namespace
}  // namespace cohort::engine
