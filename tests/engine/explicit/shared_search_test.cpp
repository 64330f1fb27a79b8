// The search of several threads in one store: the same verdicts, numbers of states, numbers of transitions and lengths
// of runs for any number of threads, and as for one alone; with the reduction the same verdicts and shortest runs.
#include <algorithm>
#include <atomic>
#include <deque>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <fmt/core.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/contract.hpp"
#include "engine/explicit/counter_space.hpp"
#include "engine/explicit/explicit_engine.hpp"
#include "engine/explicit/plain_space.hpp"
#include "engine/explicit/shared_search.hpp"
#include "engine/explicit/shared_store.hpp"
#include "exchange/threads.hpp"
#include "model/passes/inline.hpp"
#include "result/certificate.hpp"
#include "result/replay.hpp"
#include "support/build.hpp"
#include "support/random_program.hpp"

namespace cohort::engine::explicit_ {
namespace {

using result::Verdict;

constexpr auto thread_counts = {2U, 3U, 8U};

EngineOptions in_all_orders() {
  EngineOptions options;
  options.all_orders = true;
  return options;
}

struct Outcome {
  Verdict verdict = Verdict::Unknown;
  std::uint64_t states = 0;
  std::uint64_t transitions = 0;
  std::size_t steps = 0;
  bool holds_without_bound = false;
  std::string reason;
};

Outcome check(const model::Program& program, std::uint32_t workers, EngineOptions options, std::uint32_t bound = 3) {
  Env env;
  env.self_check = true;
  options.workers = workers;
  const result::Result result = ExplicitEngine().check(env, {program, bound, options});
  Outcome outcome{.verdict = result.verdict,
                  .states = std::get<std::uint64_t>(*env.statistics.find("states")),
                  .transitions = std::get<std::uint64_t>(*env.statistics.find("transitions")),
                  .holds_without_bound = result.holds_without_bound,
                  .reason = result.reason};
  if (!result.run) return outcome;
  outcome.steps = result.run->steps.size();
  const auto replay = result::replay(program, bound, *result.run);
  EXPECT_TRUE(replay.succeeded) << replay.message;
  return outcome;
}

void expect_same(const Outcome& together, const Outcome& alone, const std::string& where) {
  ASSERT_EQ(together.verdict, alone.verdict) << where << ": " << together.reason;
  ASSERT_EQ(together.steps, alone.steps) << where;
  if (alone.verdict != Verdict::Safe) return;
  ASSERT_EQ(together.holds_without_bound, alone.holds_without_bound) << where;
}

model::Program program_of(std::uint64_t seed, bool deadlock = false) {
  test::RandomProgramOptions options;
  options.numbers = seed % 2 == 0;
  options.cover = seed % 3 == 0;
  options.broadcasts = seed % 5 == 0;
  options.takes = seed % 7 == 0;
  options.any_number = seed % 4 == 0;
  options.deadlock = deadlock;
  return model::inline_calls(test::random_program(seed, options));
}

TEST(SharedSearch, FindsWhatOneThreadFindsOnRandomPrograms) {
  std::size_t unsafe = 0;
  for (std::uint64_t seed = 0; seed < 120; ++seed) {
    const model::Program program = program_of(seed);
    for (const bool symmetry : {true, false}) {
      EngineOptions options = in_all_orders();
      options.symmetry = symmetry;
      const Outcome alone = check(program, 1, options);
      for (const std::uint32_t threads : thread_counts) {
        const std::string where = fmt::format("seed {}, {} threads, symmetry {}", seed, threads, symmetry);
        const Outcome together = check(program, threads, options);
        expect_same(together, alone, where);
        unsafe += alone.verdict == Verdict::Unsafe ? 1 : 0;
        if (alone.verdict != Verdict::Safe) continue;
        ASSERT_EQ(together.states, alone.states) << where;
        ASSERT_EQ(together.transitions, alone.transitions) << where;
      }
    }
  }
  EXPECT_GT(unsafe, 150U);
}

template <class Space>
SearchOutcome share_all_levels(const Task& task, std::uint32_t threads, std::uint64_t& states) {
  std::vector<Env> envs(threads);
  std::vector<Env*> team;
  for (Env& env : envs) team.push_back(&env);
  SharedSearch<Space> search(team, task, false);
  search.share_levels_from(0);
  const SearchOutcome outcome = search.run();
  states = search.size();
  return outcome;
}

// Levels of small programs are usually left to one thread.
TEST(SharedSearch, SharesTheSmallestLevels) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const model::Program program = program_of(seed);
    for (const bool symmetry : {true, false}) {
      EngineOptions options = in_all_orders();
      options.symmetry = symmetry;
      const Outcome alone = check(program, 1, options);
      for (const std::uint32_t threads : {2U, 4U}) {
        const Task task{program, 3, options};
        std::uint64_t states = 0;
        const SearchOutcome together = symmetry ? share_all_levels<CounterSpace>(task, threads, states)
                                                : share_all_levels<PlainSpace>(task, threads, states);
        const std::string where = fmt::format("seed {}, {} threads, symmetry {}", seed, threads, symmetry);
        ASSERT_EQ(together.complete, alone.verdict == Verdict::Safe) << where;
        if (alone.verdict != Verdict::Safe) continue;
        ASSERT_EQ(states, alone.states) << where;
        ASSERT_EQ(together.transitions, alone.transitions) << where;
      }
    }
  }
}

TEST(SharedSearch, ReducesAndFindsDeadlocksAsOneThreadDoes) {
  std::size_t reduced = 0;
  std::size_t unsafe = 0;
  for (std::uint64_t seed = 0; seed < 120; ++seed) {
    for (const bool deadlock : {true, false}) {
      const model::Program program = program_of(seed, deadlock);
      const Outcome alone = check(program, 1, {});
      const Outcome in_full = check(program, 1, in_all_orders());
      for (const std::uint32_t threads : thread_counts) {
        const std::string where = fmt::format("seed {}, {} threads, deadlock {}", seed, threads, deadlock);
        const Outcome together = check(program, threads, {});
        if (deadlock) {
          // Which state of a component is told depends on the order in which they were found.
          ASSERT_EQ(together.verdict, alone.verdict) << where;
        } else {
          expect_same(together, alone, where);
        }
        if (alone.verdict == Verdict::Unsafe) ++unsafe;
        if (alone.verdict != Verdict::Safe) continue;
        ASSERT_LE(together.states, in_full.states) << where;
        if (together.states < in_full.states) ++reduced;
      }
    }
  }
  EXPECT_GT(reduced, 10U);
  EXPECT_GT(unsafe, 100U);
}

TEST(SharedSearch, CertificatesAreAcceptedWithAndWithoutReduction) {
  std::size_t certified = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const model::Program program = program_of(seed);
    for (const bool reduces : {true, false}) {
      Env env;
      EngineOptions options;
      options.partial_order = reduces;
      options.certificate = true;
      options.workers = 3;
      const result::Result result = ExplicitEngine().check(env, {program, 2, options});
      if (result.verdict != Verdict::Safe) continue;
      ASSERT_NE(result.certificate, nullptr);
      const auto checked = result::check_certificate(env, program, 2, result.certificate->to_json(program));
      EXPECT_TRUE(checked.complete && checked.valid) << checked.message;
      ++certified;
    }
  }
  EXPECT_GT(certified, 10U);
}

// Threads that count for themselves, and that meet when all are done: levels of many states.
model::Program counting_threads(std::uint32_t threads, model::Value most, bool asserts) {
  model::Program program;
  const model::VarId turn = program.add_shared({.name = "turn", .type = model::Type::range(0, 3), .initial = {0}});
  for (std::uint32_t i = 0; i < threads; ++i) {
    model::Template templ = test::template_with("thread", static_cast<std::size_t>(most) + 2);
    for (std::size_t from = 0; from + 1 < templ.locations.size(); ++from) {
      const model::Value value = static_cast<model::Value>((from + i) % 4);
      test::add_edge(
          templ, from, from + 1,
          test::assign_action(test::to_shared(turn), program.exprs.constant(value, model::Type::range(0, 3))));
    }
    if (asserts && i == 0) {
      const model::PropertyId property =
          program.add_property({.kind = model::Property::Kind::ErrorLabel, .text = "the end"});
      templ.locations.back().error = property;
    }
    const model::TemplateId id = program.add_template(templ);
    program.initial.push_back({.templ = id, .location = model::LocId(0)});
  }
  return program;
}

TEST(SharedSearch, SharesLargeLevels) {
  const model::Program safe = counting_threads(4, 14, false);
  const model::Program unsafe = counting_threads(4, 14, true);
  const EngineOptions options = in_all_orders();
  const Outcome alone = check(safe, 1, options, 4);
  ASSERT_EQ(alone.verdict, Verdict::Safe);
  EXPECT_GT(alone.states, 50'000U);
  for (const std::uint32_t threads : {2U, 4U, 20U}) {
    Env env;
    EngineOptions together = options;
    together.workers = threads;
    ASSERT_EQ(ExplicitEngine().check(env, {safe, 4, together}).verdict, Verdict::Safe);
    EXPECT_EQ(std::get<std::uint64_t>(*env.statistics.find("states")), alone.states);
    EXPECT_EQ(std::get<std::uint64_t>(*env.statistics.find("transitions")), alone.transitions);
    EXPECT_GT(std::get<std::uint64_t>(*env.statistics.find("shared_levels")), 5U);
    EXPECT_EQ(check(unsafe, threads, options, 4).steps, 15U);
  }
}

TEST(SharedSearch, ALimitEndsItForAll) {
  for (const bool large : {false, true}) {
    const model::Program program = large ? counting_threads(4, 14, false) : program_of(1);
    EngineOptions options = in_all_orders();
    options.workers = 4;
    Env env;
    if (large) {
      env.limits.set_time_limit(0.02);
    } else {
      env.stop_at("explicit-search");
    }
    const result::Result result = ExplicitEngine().check(env, {program, large ? 4U : 3U, options});
    EXPECT_EQ(result.verdict, Verdict::Unknown);
    EXPECT_NE(result.reason.find(large ? "time limit" : "stopped at the point 'explicit-search'"), std::string::npos)
        << result.reason;
  }
}

TEST(SharedSearch, RefusesOtherOrders) {
  const model::Program program = program_of(1);
  EngineOptions options;
  options.workers = 2;
  for (const SearchOrder order : {SearchOrder::DepthFirst, SearchOrder::FewestDeviations, SearchOrder::Random}) {
    options.order = order;
    EXPECT_TRUE(ExplicitEngine().refuses({program, 2, options}));
  }
  options.order = SearchOrder::BreadthFirst;
  options.partial_order = true;
  EXPECT_FALSE(ExplicitEngine().refuses({program, 2, options}));
}

// Words of different lengths, none of which begins another: as many bytes as the first one says.
std::vector<std::uint8_t> word_of(std::uint32_t number) {
  std::vector<std::uint8_t> word(5 + number % 9);
  word[0] = static_cast<std::uint8_t>(word.size());
  for (std::size_t i = 0; i < 4; ++i) word[1 + i] = static_cast<std::uint8_t>(number >> (8 * i));
  return word;
}

TEST(SharedStore, TakesEachWordOnceWhoeverComesFirst) {
  constexpr std::uint32_t words = 150'000;  // the index grows a few times
  constexpr std::uint32_t threads = 4;
  SharedStore store;
  std::deque<SharedStore::Writer> writers;
  std::vector<SharedStore::Writer*> all;
  for (std::uint32_t i = 0; i < threads; ++i) all.push_back(&writers.emplace_back(store));
  std::uint64_t before = 0;
  // Everybody inserts everything, each in an order of its own; half of it in a first level.
  for (const std::uint32_t end : {words / 2, words}) {
    store.expect(threads);
    exchange::run_in_threads(threads, [&](exchange::Exchange& exchange) {
      const SharedStore::Presence presence(store);
      std::vector<std::uint32_t> numbers(end);
      for (std::uint32_t i = 0; i < end; ++i) numbers[i] = i;
      std::shuffle(numbers.begin(), numbers.end(), std::mt19937(exchange.self()));
      for (const std::uint32_t number : numbers) {
        const auto [ref, fresh] = all[exchange.self()]->insert(word_of(number), number);
        if (!std::ranges::equal(word_of(number), std::span(store.bytes(ref), word_of(number).size())) ||
            store.is_new(ref) != (number >= before))
          throw InternalError("the store has another word");
      }
    });
    std::set<std::uint32_t> seen;
    for (const SharedStore::Run& run : store.begin_level(all)) {
      for (SharedStore::Ref ref = run.begin; ref != run.end;) {
        EXPECT_TRUE(seen.insert(store.parent(ref)).second);
        EXPECT_FALSE(store.is_new(ref));
        ref = SharedStore::next(ref, store.bytes(ref)[0]);
      }
    }
    EXPECT_EQ(seen.size(), end - before);
    EXPECT_EQ(*seen.begin(), before);
    before = end;
  }
}

TEST(SharedStore, WhoCannotGrowStopsAll) {
  Env env;
  env.limits.set_memory_limit(1);
  SharedStore store;
  std::deque<SharedStore::Writer> writers;
  for (int i = 0; i < 2; ++i) writers.emplace_back(store, &env);
  store.expect(2);
  std::atomic<int> stopped = 0;
  exchange::run_in_threads(2, [&](exchange::Exchange& exchange) {
    const SharedStore::Presence presence(store);
    try {
      for (std::uint32_t i = 0; i < 1'000'000; ++i) {
        writers[exchange.self()].insert(word_of(2 * i + exchange.self()), SharedStore::none);
      }
    } catch (const Stopped&) {
      ++stopped;
    }
  });
  EXPECT_EQ(stopped, 2);
}

}  // namespace
}  // namespace cohort::engine::explicit_
