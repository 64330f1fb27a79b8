// The engines for any number of threads against each other, their checkers and brute force.
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "engine/cutoff.hpp"
#include "engine/unbounded/backward_engine.hpp"
#include "engine/unbounded/karp_miller_engine.hpp"
#include "frontend/spec/spec.hpp"
#include "frontend/tts/tts.hpp"
#include "result/replay.hpp"
#include "support/benchmarks.hpp"
#include "support/diagnostics.hpp"
#include "support/explore.hpp"
#include "support/random_program.hpp"
#include "support/tiny_programs.hpp"
#include "support/unbounded.hpp"

namespace cohort::test {
namespace {

using result::Verdict;

model::Program tts(const std::string& text, const std::string& init, const std::string& target) {
  return frontend::tts::load(text_file("random.tts", text), {.init = init, .target = target, .property = {}});
}

// COHORT_SEED starts the campaigns elsewhere, for longer ones by hand.
std::uint64_t first_seed() {
  const char* text = std::getenv("COHORT_SEED");
  return text != nullptr ? std::strtoull(text, nullptr, 10) : 0;
}

TEST(Unbounded, AgreesWithBruteForceOnEveryTinySystem) {
  // Two shared and two local states, two transitions of the forms `->` and `+>`, all of them; the target is the last
  // thread state.
  const auto state = [](int i) { return std::to_string(i / 2) + " " + std::to_string(i % 2); };
  int checked = 0;
  for (int first = 0; first < 32; ++first) {
    for (int second = first; second < 32; ++second) {
      std::string text = "2 2\n";
      for (const int letter : {first, second}) {
        text += state(letter / 4 % 4) + (letter >= 16 ? " +> " : " -> ") + state(letter % 4) + "\n";
      }
      for (const char* init : {"0/0", "0|0", "0|0,0", "0|1/0"}) {
        for (const char* target : {"1|1", "0|1,1", "1|"}) {
          ASSERT_EQ(compare_unbounded(tts(text, init, target), 2), "") << text << init << " " << target;
          ++checked;
        }
      }
    }
  }
  EXPECT_EQ(checked, 528 * 12);
}

TEST(Unbounded, AgreesWithBruteForceOnRandomSystems) {
  const std::uint64_t first = first_seed();
  for (std::uint64_t seed = first; seed < first + 2000; ++seed) {
    const std::string text = random_tts(seed, 3, 4, 7, false);
    for (const char* init : {"0/0", "0|0", "0|1/0"}) {
      ASSERT_EQ(compare_unbounded(tts(text, init, "2|3,3"), 3), "") << "seed " << seed << "\n" << text << init;
    }
  }
}

TEST(Unbounded, AgreesWithBruteForceOnRandomBroadcasts) {
  const std::uint64_t first = first_seed();
  for (std::uint64_t seed = first; seed < first + 2000; ++seed) {
    const std::string text = random_tts(seed, 2, 4, 6, true);
    for (const char* init : {"0/0", "0|0,1"}) {
      ASSERT_EQ(compare_unbounded(tts(text, init, "1|3,3"), 3), "") << "seed " << seed << "\n" << text << init;
    }
  }
}

TEST(Unbounded, AgreesWithBruteForceOnRandomNets) {
  const std::uint64_t first = first_seed();
  int compared = 0;
  for (std::uint64_t seed = first; seed < first + 1000; ++seed) {
    const std::string text = random_net(seed, 4, 5, seed % 2 == 1);
    ASSERT_EQ(compare_unbounded(frontend::spec::load(text_file("random.spec", text), {}), 3), "")
        << "seed " << seed << "\n"
        << text;
    ++compared;
  }
  EXPECT_EQ(compared, 1000);
}

TEST(Unbounded, AgreesWithBruteForceOnRandomPrograms) {
  RandomProgramOptions options;
  options.calls = false;
  options.any_number = true;
  options.cover = true;
  options.max_shared = 2;
  options.max_locals = 1;
  options.max_locations = 5;
  const std::uint64_t first = first_seed();
  for (std::uint64_t seed = first; seed < first + 600; ++seed) {
    ASSERT_EQ(compare_unbounded(random_program(seed, options), 2), "") << "seed " << seed;
  }
}

TEST(Unbounded, AgreesWithBruteForceOnRandomProgramsWithRendezvousAndBroadcasts) {
  RandomProgramOptions options;
  options.calls = false;
  options.any_number = true;
  options.takes = true;
  options.moves = true;
  options.broadcasts = true;
  options.max_shared = 2;
  options.max_locals = 1;
  options.max_locations = 4;
  const std::uint64_t first = first_seed();
  for (std::uint64_t seed = first; seed < first + 600; ++seed) {
    options.foreign = seed >= first + 300;
    ASSERT_EQ(compare_unbounded(random_program(seed, options), 2), "") << "seed " << seed;
  }
}

TEST(Unbounded, AgreesWithBruteForceOnTinyPrograms) {
  for (std::size_t first = 0; first < tiny_alphabet_size(); ++first) {
    for (std::size_t second = first; second < tiny_alphabet_size(); second += 3) {
      ASSERT_EQ(compare_unbounded(tiny_program({first, second}), 2), "") << first << " " << second;
    }
  }
}

bool violates_with(const model::Program& program, std::uint32_t threads) {
  for (std::uint32_t count = 0; count <= threads; ++count) {
    model::Program fixed = program;
    for (model::InitialThreads& group : fixed.initial) group.count = count;
    if (!explore(fixed, std::max(1U, threads)).violated.empty()) return true;
  }
  return false;
}

TEST(Unbounded, ViolatesWithTheFewestThreadsWhereNoneAreCreated) {
  int several = 0;
  for (std::uint64_t seed = 0; seed < 6000; ++seed) {
    const std::string text = random_tts(seed, 3, 4, 7, false);
    if (text.find("+>") != std::string::npos) continue;
    const model::Program program = tts(text, "0/0", "2|3,3");
    for (const char* name : {"karp-miller", "backward"}) {
      Env env;
      const result::Result answer = engine::find_engine(name)->check(env, {program, std::nullopt, {}});
      if (answer.verdict != Verdict::Unsafe) continue;
      ASSERT_TRUE(violates_with(program, *answer.sufficient_threads)) << name << " seed " << seed;
      ASSERT_FALSE(violates_with(program, *answer.sufficient_threads - 1)) << name << " seed " << seed;
      several += *answer.sufficient_threads > 2 ? 1 : 0;
    }
  }
  EXPECT_GT(several, 20);
}

TEST(Unbounded, SafeSaysAsManyThreadsAsTheCutoff) {
  int compared = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const model::Program program = tts(random_tts(seed, 3, 4, 7, false), "0/0", "2|3,3,3,3,3");
    Env env;
    const result::Result answer = engine::find_engine("karp-miller")->check(env, {program, std::nullopt, {}});
    if (answer.verdict != Verdict::Safe) continue;
    ASSERT_TRUE(answer.sufficient_threads.has_value()) << "seed " << seed;
    EXPECT_EQ(*answer.sufficient_threads, engine::reachability_cutoff(env, program).threads) << "seed " << seed;
    ++compared;
  }
  EXPECT_GT(compared, 50);
}

// A net that counts to `limit` in one place before another may move, and needs exactly that many tokens.
std::string counting_net(int limit) {
  return "vars pool a b\nrules\npool>=1 -> pool'=pool-1, a'=a+1;\na>=" + std::to_string(limit) + " -> a'=a-" +
         std::to_string(limit) + ", b'=b+1;\ninit pool>=0, a=0, b=0\ntarget b>=1\n";
}

TEST(Unbounded, FindsAllTheThreadsThatAViolationNeeds) {
  for (const int limit : {1, 7, 40}) {
    const model::Program program = frontend::spec::load(text_file("count.spec", counting_net(limit)), {});
    for (const engine::Engine* engine : std::initializer_list<const engine::Engine*>{
             new engine::unbounded::KarpMillerEngine, new engine::unbounded::BackwardEngine}) {
      Env env;
      const result::Result answer = engine->check(env, {program, std::nullopt, {}});
      ASSERT_EQ(answer.verdict, Verdict::Unsafe) << engine->name();
      EXPECT_EQ(answer.sufficient_threads, static_cast<std::uint32_t>(limit + 1)) << "the tokens and the thread net";
      EXPECT_EQ(answer.run->steps.size(), static_cast<std::size_t>(limit + 1));
      EXPECT_TRUE(result::replay(program, std::nullopt, *answer.run).succeeded);
      delete engine;
    }
  }
}

// The manifest's verdict for every small system of the benchmark folder.
TEST(Unbounded, AgreesWithTheManifestOnSmallBenchmarks) {
  COHORT_NEED_BENCHMARKS(folder);
  int decided = 0;
  std::ifstream manifest(*folder / "tts/manifest.csv");
  std::string line;
  std::getline(manifest, line);
  while (std::getline(manifest, line)) {
    const std::size_t comma = line.find(',');
    const std::filesystem::path path = *folder / "tts" / line.substr(0, comma);
    if (std::filesystem::file_size(path) > 20'000 || line.find(",0/0,") == std::string::npos) continue;
    const Verdict expected = line.compare(comma + 1, 4, "safe") == 0 ? Verdict::Safe : Verdict::Unsafe;
    const model::Program program = frontend::tts::load(read_source_file(path.string()), {});
    for (const engine::Engine* engine : {engine::find_engine("karp-miller"), engine::find_engine("backward")}) {
      if (engine->refuses({program, std::nullopt, {}})) continue;
      Env env;
      env.limits.set_time_limit(2);
      const result::Result answer = engine->check(env, {program, std::nullopt, {}});
      if (answer.verdict == Verdict::Unknown) continue;
      EXPECT_EQ(answer.verdict, expected) << path << " " << engine->name();
      ++decided;
    }
  }
  EXPECT_GE(decided, 50);
}

}  // namespace
}  // namespace cohort::test
