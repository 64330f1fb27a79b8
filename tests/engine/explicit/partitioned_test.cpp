// The search that is divided among workers who send each other messages: the same verdicts, numbers of states, numbers
// of transitions and lengths of runs whatever the number of workers, and as for one alone; limits and failures of one
// worker end it for all.
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <string>

#include <fmt/core.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/contract.hpp"
#include "engine/explicit/checkpoint.hpp"
#include "engine/explicit/explicit_engine.hpp"
#include "engine/explicit/sent_filter.hpp"
#include "engine/explicit/wire.hpp"
#include "exchange/threads.hpp"
#include "model/interpreter.hpp"
#include "model/passes/inline.hpp"
#include "result/certificate.hpp"
#include "result/replay.hpp"
#include "support/random_program.hpp"

namespace cohort::engine {
namespace {

using result::Verdict;

struct Outcome {
  Verdict verdict = Verdict::Unknown;
  std::uint64_t states = 0;
  std::uint64_t transitions = 0;
  std::size_t steps = 0;
  bool holds_without_bound = false;
};

result::Result check(Env& env, const model::Program& program, std::uint32_t bound, EngineOptions options) {
  options.all_orders = true;
  return explicit_::ExplicitEngine().check(env, {program, bound, options});
}

// A folder that is gone when the test is over.
struct TemporaryFolder {
  TemporaryFolder() : path(testing::TempDir() + fmt::format("cohort-checkpoint-{}", getpid())) {
    std::filesystem::remove_all(path);
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path); }

  // That of the only question.
  std::filesystem::path question() const { return std::filesystem::directory_iterator(path)->path(); }

  std::string path;
};

Outcome explore(const model::Program& program, std::uint32_t bound, std::uint32_t workers, bool symmetry) {
  Env env;
  EngineOptions options;
  options.workers = workers;
  options.symmetry = symmetry;
  // Threads that keep checkpoints send messages.
  const TemporaryFolder folder;
  if (workers > 1) options.checkpoint = {.folder = folder.path, .seconds = 86'400};
  const result::Result result = check(env, program, bound, options);
  Outcome outcome{result.verdict, std::get<std::uint64_t>(*env.statistics.find("states")),
                  std::get<std::uint64_t>(*env.statistics.find("transitions")), 0, result.holds_without_bound};
  if (result.run) outcome.steps = result.run->steps.size();
  return outcome;
}

TEST(PartitionedSearch, FindsWhatOneWorkerFindsOnRandomPrograms) {
  std::size_t unsafe = 0;
  std::size_t safe = 0;
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    test::RandomProgramOptions options;
    options.numbers = seed % 2 == 0;
    options.cover = seed % 3 == 0;
    options.broadcasts = seed % 5 == 0;
    options.takes = seed % 7 == 0;
    options.any_number = seed % 4 == 0;
    const model::Program program = model::inline_calls(test::random_program(seed, options));
    for (const bool symmetry : {true, false}) {
      const Outcome alone = explore(program, 3, 1, symmetry);
      for (const std::uint32_t workers : {2U, 3U, 8U}) {
        const std::string where = fmt::format("seed {}, {} workers, symmetry {}", seed, workers, symmetry);
        const Outcome divided = explore(program, 3, workers, symmetry);
        ASSERT_EQ(divided.verdict, alone.verdict) << where;
        ASSERT_EQ(divided.steps, alone.steps) << where;
        if (alone.verdict != Verdict::Safe) continue;
        ASSERT_EQ(divided.states, alone.states) << where;
        ASSERT_EQ(divided.transitions, alone.transitions) << where;
        ASSERT_EQ(divided.holds_without_bound, alone.holds_without_bound) << where;
      }
      (alone.verdict == Verdict::Safe ? safe : unsafe) += 1;
    }
  }
  EXPECT_GT(safe, 50U);
  EXPECT_GT(unsafe, 50U);
}

TEST(PartitionedSearch, CertificatesOfAllWorkersTogetherAreAccepted) {
  std::size_t certified = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const model::Program program = model::inline_calls(test::random_program(seed));
    Env env;
    EngineOptions options;
    options.workers = 3;
    options.certificate = true;
    const TemporaryFolder folder;
    options.checkpoint = {.folder = folder.path, .seconds = 86'400};
    const result::Result result = check(env, program, 2, options);
    if (result.verdict != Verdict::Safe) continue;
    ASSERT_NE(result.certificate, nullptr);
    const auto checked = result::check_certificate(env, program, 2, result.certificate->to_json(program));
    EXPECT_TRUE(checked.complete && checked.valid) << checked.message;
    ++certified;
  }
  EXPECT_GT(certified, 5U);
}

result::Result check_saving(Env& env, const model::Program& program, std::uint32_t workers,
                            const TemporaryFolder& folder) {
  EngineOptions options;
  options.workers = workers;
  options.checkpoint.folder = folder.path;
  options.checkpoint.seconds = 0;  // at every level
  return check(env, program, 3, options);
}

// As if the search had been killed after its first `keep` checkpoints.
bool forget_generations(const std::filesystem::path& folder, std::size_t keep) {
  std::ifstream in(folder / "manifest.json");
  auto manifest = nlohmann::ordered_json::parse(in);
  auto& generations = manifest["generations"];
  if (generations.size() <= keep) return false;
  generations.erase(generations.begin() + static_cast<std::ptrdiff_t>(keep), generations.end());
  manifest["transitions"] = 0;
  std::ofstream(folder / "manifest.json") << manifest;
  return true;
}

TEST(Checkpoint, IsTakenUpByAnyNumberOfWorkersAfterEachLevel) {
  std::size_t resumed = 0;
  std::size_t unsafe = 0;
  for (std::uint64_t seed = 0; seed < 15; ++seed) {
    test::RandomProgramOptions random;
    random.numbers = seed % 2 == 0;
    const model::Program program = model::inline_calls(test::random_program(seed, random));
    const Outcome alone = explore(program, 3, 1, true);
    for (const auto& [before, after] : {std::pair{2U, 3U}, std::pair{3U, 1U}, std::pair{1U, 2U}}) {
      for (const std::size_t keep : {std::size_t{1}, std::size_t{3}}) {
        const TemporaryFolder folder;
        Env first;
        check_saving(first, program, before, folder);
        if (!std::filesystem::exists(folder.question() / "manifest.json")) continue;
        if (!forget_generations(folder.question(), keep)) continue;
        Env second;
        const result::Result again = check_saving(second, program, after, folder);
        const std::string where = fmt::format("seed {}, {} and {} workers, {} kept", seed, before, after, keep);
        ASSERT_EQ(again.verdict, alone.verdict) << where << ": " << again.reason;
        if (alone.verdict == Verdict::Safe) {
          ASSERT_EQ(std::get<std::uint64_t>(*second.statistics.find("states")), alone.states) << where;
          ASSERT_EQ(again.holds_without_bound, alone.holds_without_bound) << where;
        } else {
          ASSERT_EQ(again.run->steps.size(), alone.steps) << where;
          ++unsafe;
        }
        ++resumed;
      }
    }
  }
  EXPECT_GT(resumed, 10U);
  EXPECT_GT(unsafe, 2U);
}

TEST(Checkpoint, DamageIsRefused) {
  std::uint64_t seed = 0;
  model::Program program;
  const TemporaryFolder folder;
  // One that has at least two levels.
  for (bool saved = false; !saved; ++seed) {
    std::filesystem::remove_all(folder.path);
    program = model::inline_calls(test::random_program(seed));
    Env env;
    check_saving(env, program, 2, folder);
    saved = std::filesystem::exists(folder.question() / "manifest.json");
  }
  // A limit while a checkpoint is read is a limit.
  Env hurried;
  hurried.stop_at("partitioned-search");
  const result::Result stopped = check_saving(hurried, program, 2, folder);
  EXPECT_EQ(stopped.verdict, Verdict::Unknown);
  EXPECT_NE(stopped.reason.find("stopped at the point"), std::string::npos) << stopped.reason;
  const std::filesystem::path part = folder.question() / "generation-0.0";
  const auto size = std::filesystem::file_size(part);
  std::fstream(part, std::ios::in | std::ios::out | std::ios::binary).put('\x7f');
  Env env;
  const result::Result damaged = check_saving(env, program, 2, folder);
  EXPECT_EQ(damaged.verdict, Verdict::Unknown);
  EXPECT_NE(damaged.reason.find("is damaged"), std::string::npos) << damaged.reason;
  std::filesystem::resize_file(part, size - 1);
  EXPECT_EQ(check_saving(env, program, 2, folder).verdict, Verdict::Unknown);
  std::filesystem::remove(part);
  EXPECT_EQ(check_saving(env, program, 2, folder).verdict, Verdict::Unknown);
  std::ofstream(folder.question() / "manifest.json") << "{\"version\": 1}";
  const result::Result manifest = check_saving(env, program, 2, folder);
  EXPECT_NE(manifest.reason.find("cannot be resumed"), std::string::npos) << manifest.reason;
}

// /dev/full has no room for anything.
TEST(Checkpoint, AFullDiskIsSaid) {
  explicit_::PartWriter writer("/dev/full");
  exchange::Bytes bytes(10, 1);
  writer.write(bytes);
  try {
    writer.finish();
    FAIL() << "there was room";
  } catch (const explicit_::CheckpointError& error) {
    EXPECT_NE(std::string(error.what()).find("No space left"), std::string::npos) << error.what();
  }
}

TEST(PartitionedSearch, ALimitEndsItForAll) {
  const model::Program program = model::inline_calls(test::random_program(1));
  Env env;
  env.stop_at("partitioned-search");
  EngineOptions options;
  options.workers = 4;
  const TemporaryFolder folder;
  options.checkpoint = {.folder = folder.path, .seconds = 86'400};
  const result::Result result = check(env, program, 3, options);
  EXPECT_EQ(result.verdict, Verdict::Unknown);
  EXPECT_NE(result.reason.find("stopped at the point 'partitioned-search'"), std::string::npos) << result.reason;
}

TEST(PartitionedSearch, RefusesWhatCannotBeDivided) {
  const model::Program program = model::inline_calls(test::random_program(1));
  EngineOptions options;
  options.workers = 2;
  const TemporaryFolder folder;
  options.checkpoint = {.folder = folder.path, .seconds = 86'400};
  options.order = SearchOrder::DepthFirst;
  EXPECT_TRUE(explicit_::ExplicitEngine().refuses({program, 2, options}));
  options.order = SearchOrder::BreadthFirst;
  EXPECT_FALSE(explicit_::ExplicitEngine().refuses({program, 2, options}));
  options.partial_order = true;
  EXPECT_TRUE(explicit_::ExplicitEngine().refuses({program, 2, options}));
}

TEST(Exchange, KeepsTheOrderOfMessagesAndHandsOnWhatIsThrown) {
  std::atomic<std::uint32_t> right = 0;
  exchange::run_in_threads(3, [&](exchange::Exchange& exchange) {
    for (std::uint8_t i = 0; i < 100; ++i) {
      for (std::uint32_t to = 0; to < 3; ++to) {
        if (to != exchange.self()) exchange.send(to, {i});
      }
    }
    std::vector<std::uint8_t> expected(3, 0);
    for (int taken = 0; taken < 200;) {
      const auto message = exchange.receive();
      if (!message) {
        exchange.wait();
        continue;
      }
      right += message->bytes == exchange::Bytes{expected[message->from]++} ? 1 : 0;
      ++taken;
    }
  });
  EXPECT_EQ(right, 600U);
  EXPECT_THROW(exchange::run_in_threads(2,
                                        [](exchange::Exchange& exchange) {
                                          if (exchange.self() == 1) throw InternalError("planted");
                                        }),
               InternalError);
}

TEST(Wire, CarriesEveryValue) {
  for (const std::int64_t value : {std::int64_t{0}, std::int64_t{-1}, std::int64_t{1}, std::int64_t{300}, INT64_MIN,
                                   INT64_MAX, std::int64_t{-64}}) {
    exchange::Bytes bytes;
    explicit_::put_value(bytes, value);
    explicit_::WireReader in(bytes);
    EXPECT_EQ(in.value(), value);
    EXPECT_TRUE(in.at_end());
  }
  const exchange::Bytes cut = {0x80};
  explicit_::WireReader in(cut);
  EXPECT_THROW(in.number(), InternalError);
}

TEST(SentFilter, HoldsBackOnlyWhatWasSent) {
  explicit_::SentFilter filter;
  const exchange::Bytes word = {1, 2, 3};
  const exchange::Bytes longer = {1, 2, 3, 4};
  EXPECT_FALSE(filter.was_sent(word));
  EXPECT_TRUE(filter.was_sent(word));
  EXPECT_FALSE(filter.was_sent(longer));
  const exchange::Bytes long_word(100, 7);
  EXPECT_FALSE(filter.was_sent(long_word));
  EXPECT_FALSE(filter.was_sent(long_word)) << "too long to be remembered";
}

}  // namespace
}  // namespace cohort::engine
