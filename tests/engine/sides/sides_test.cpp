// The two sides of the engine `coverability` at work at the same time.  Their turns are of a step or two here, so that
// they exchange what they know on systems of any size; the thread sanitizer runs these tests (make sanitize-threads).
#include <atomic>
#include <map>
#include <random>
#include <thread>

#include <fmt/core.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/unbounded/backward_engine.hpp"
#include "engine/unbounded/coverability_engine.hpp"
#include "engine/unbounded/realize.hpp"
#include "engine/unbounded/sides.hpp"
#include "frontend/spec/spec.hpp"
#include "frontend/tts/tts.hpp"
#include "result/certificate.hpp"
#include "result/replay.hpp"
#include "support/diagnostics.hpp"
#include "support/random_program.hpp"
#include "support/unbounded.hpp"

namespace cohort::engine::unbounded {
namespace {

using result::Verdict;

constexpr Turns at_once{.first_steps = 1, .in_one_thread = 0, .always_two_threads = true};
constexpr Turns in_step{.first_steps = 1, .in_one_thread = 0, .always_two_threads = true, .in_step = true};

model::Program tts(const std::string& text, const std::string& init, const std::string& target) {
  return frontend::tts::load(test::text_file("a.tts", text), {.init = init, .target = target, .property = {}});
}

// A random net in which a transition takes and gives up to three tokens, so that searches are longer than a turn.
std::string random_net(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto below = [&](unsigned bound) { return static_cast<unsigned>(random() % bound); };
  constexpr unsigned places = 8;
  std::string text = "vars p0 p1 p2 p3 p4 p5 p6 p7\nrules\n";
  for (unsigned i = 0; i < 11; ++i) {
    int change[places] = {};
    unsigned needs[places] = {};
    for (unsigned token = 0; token <= below(3); ++token) {
      const unsigned place = below(places);
      ++needs[place];
      --change[place];
    }
    for (unsigned token = 0; token <= below(3); ++token) ++change[below(places)];
    std::string guards;
    std::string effects;
    for (unsigned place = 0; place < places; ++place) {
      if (needs[place] > 0) guards += fmt::format("{}p{}>={}", guards.empty() ? "" : ", ", place, needs[place]);
      if (change[place] == 0) continue;
      effects += fmt::format("{}p{}'=p{}{}{}", effects.empty() ? "" : ", ", place, place, change[place] > 0 ? "+" : "-",
                             std::abs(change[place]));
    }
    text += guards + " -> " + effects + ";\n";
  }
  return text + "init p0" + (seed % 2 == 0 ? ">=0" : "=3") +
         ", p1=1, p2=1, p3=0, p4=0, p5=0, p6=0, p7=0\ntarget p5>=1, p6>=2, p7>=2\n";
}

struct Tally {
  int together = 0;  // answers that both sides at once came to
  int safe = 0;
  int unsafe = 0;
  std::map<std::string, int> by_method;
};

std::string text_of(const Env& env, const char* name) {
  const Statistics::Value* const value = env.statistics.find(name);
  return value != nullptr ? to_string(*value) : "";
}

// Verdict, run and certificate against a search backwards alone; counts what both sides came to together.
void compare(const model::Program& program, const std::string& what, Tally& tally) {
  EngineOptions options;
  options.certificate = true;
  const Task task{program, std::nullopt, options};
  Env env;
  env.self_check = true;
  env.limits.set_time_limit(20);
  const result::Result answer = CoverabilityEngine(at_once).check(env, task);
  Env alone;
  alone.limits.set_time_limit(20);
  const result::Result expected = BackwardEngine().check(alone, task);
  if (answer.verdict == Verdict::Unknown || expected.verdict == Verdict::Unknown) return;
  ASSERT_EQ(answer.verdict, expected.verdict) << what;
  if (answer.verdict == Verdict::Unsafe) {
    const result::Replay replay = result::replay(program, std::nullopt, *answer.run);
    ASSERT_TRUE(replay.succeeded) << what << ": " << replay.message;
  } else {
    ASSERT_NE(answer.certificate, nullptr) << what;
    const auto check = result::check_certificate(env, program, std::nullopt, answer.certificate->to_json(program));
    ASSERT_TRUE(check.valid) << what << ": " << check.message;
  }
  if (text_of(env, "sides") != "2") return;
  ++tally.together;
  ++(answer.verdict == Verdict::Safe ? tally.safe : tally.unsafe);
  ++tally.by_method[text_of(env, "decided_by")];
}

std::string words(const Tally& tally) {
  std::string text = fmt::format("{} together, {} safe, {} unsafe:", tally.together, tally.safe, tally.unsafe);
  for (const auto& [method, count] : tally.by_method) text += fmt::format(" {} {};", method, count);
  return text;
}

TEST(Sides, AgreeWithOneMethodOnRandomNets) {
  Tally tally;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const model::Program program = frontend::spec::load(test::text_file("a.spec", random_net(seed)), {});
    compare(program, fmt::format("seed {}", seed), tally);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(tally.safe, 5) << words(tally);
  EXPECT_GT(tally.unsafe, 20) << words(tally);
  EXPECT_GT(tally.together, 300) << words(tally);
}

TEST(Sides, AgreeWithOneMethodOnRandomTransitionSystems) {
  Tally tally;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const model::Program program = tts(test::random_tts(seed, 4, 6, 14, false), "0/0", "3|5,4,5");
    compare(program, fmt::format("seed {}", seed), tally);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(tally.together, 50) << words(tally);
}

// Programs with data: the counter system is made on demand, and only read from the moment when both sides work.
TEST(Sides, AgreeWithOneMethodOnRandomPrograms) {
  test::RandomProgramOptions options;
  options.calls = false;
  options.any_number = true;
  options.cover = true;
  options.max_shared = 2;
  options.max_locals = 1;
  options.max_locations = 5;
  Tally tally;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const model::Program program = test::random_program(seed, options);
    if (CoverabilityEngine().refuses({program, std::nullopt, {}})) continue;
    compare(program, fmt::format("seed {}", seed), tally);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(tally.together, 20) << words(tally);
}

// The net counts down from `threads`, one token in each step, and nothing short decides it.
model::Program long_way(int threads) {
  const std::string text = fmt::format(
      "vars a b c d\nrules\na>=1 -> a'=a-1, b'=b+1;\nb>=2 -> b'=b-2, c'=c+1;\nc>=1 -> c'=c-1, a'=a+1;\n"
      "c>={} -> d'=d+1;\ninit a={}, b=0, c=0, d=0\ntarget d>=1\n",
      threads, 2 * threads);
  return frontend::spec::load(test::text_file("a.spec", text), {});
}

TEST(Sides, MeetInTheMiddle) {
  // Where a goal of the backward search is reached forwards first, the execution is made of both parts.
  int met = 0;
  int told = 0;
  for (const int threads : {4, 6, 8, 10, 12}) {
    for (int attempt = 0; attempt < 20; ++attempt) {
      const model::Program program = long_way(threads);
      Env env;
      const result::Result answer = CoverabilityEngine(in_step).check(env, {program, std::nullopt, {}});
      ASSERT_EQ(answer.verdict, Verdict::Unsafe);
      ASSERT_TRUE(result::replay(program, std::nullopt, *answer.run).succeeded);
      told += text_of(env, "ways_told").empty() || text_of(env, "reached_told").empty() ? 0 : 1;
      met += text_of(env, "decided_by") == "directed and backward search" ? 1 : 0;
    }
  }
  EXPECT_EQ(told, 100) << "both sides have heard of each other";
  // Which side is first is for the scheduler to say.
  RecordProperty("met", met);
}

// What is told is what the other side takes, once.
TEST(Board, HandsOverEachOnce) {
  Board board;
  constexpr std::uint32_t count = 2'000;
  std::thread teller([&] {
    for (std::uint32_t i = 0; i < count; ++i) {
      board.tell_coverable({{i, {{i, 1}}}});
      board.tell_ways({{{i, {}}, {i}, 0}});
    }
  });
  std::vector<std::uint32_t> reached;
  std::vector<std::uint32_t> ways;
  while (reached.size() < count || ways.size() < count) {
    for (const Configuration& one : board.take_coverable()) reached.push_back(one.control);
    for (const Directed::Goal& one : board.take_ways()) ways.push_back(one.least.control);
  }
  teller.join();
  for (std::uint32_t i = 0; i < count; ++i) {
    ASSERT_EQ(reached[i], i);
    ASSERT_EQ(ways[i], i);
  }
  EXPECT_TRUE(board.take_coverable().empty());
  EXPECT_TRUE(board.take_ways().empty());
}

// Each stage needs a key that is given back, so that no solution of the marking equation says that somebody must make
// it: what such a solution fires is possible from none of the stages.
model::Program stages_with_keys(int stages) {
  std::string text = "vars x0";
  for (int i = 0; i < stages; ++i) text += fmt::format(" k{} x{}", i, i + 1);
  text += "\nrules\n";
  for (int i = 0; i < stages; ++i) {
    text += fmt::format("x{0}>=1 -> k{0}'=k{0}+1;\nx{0}>=1, k{0}>=1 -> x{0}'=x{0}-1, x{1}'=x{1}+1;\n", i, i + 1);
  }
  text += "init x0=1";
  for (int i = 0; i < stages; ++i) text += fmt::format(", k{}=0, x{}=0", i, i + 1);
  return frontend::spec::load(test::text_file("a.spec", fmt::format("{}\ntarget x{}>=1\n", text, stages)), {});
}

// A way that the backward search told is as good as a target, and the execution goes on along it.
TEST(Directed, GoesOnFromAGoal) {
  const model::Program program = stages_with_keys(6);
  Env env;
  CounterSystem system(program);
  const Possible possible(env, system);
  const Net net(system, possible);
  Backward backward(env, net);
  ASSERT_EQ(backward.run(3), Backward::Outcome::Paused);
  Directed directed(env, net, Directed::Order::Greedy);
  for (std::uint32_t i = 0; i < backward.elements().size(); ++i) directed.add_goal(backward.way_from(i));
  ASSERT_EQ(directed.run(), Directed::Outcome::Violation);
  EXPECT_TRUE(directed.met());
  const Execution execution = directed.execution();
  EXPECT_TRUE(result::replay(program, std::nullopt, realize(system, execution).value()).succeeded);
}

// Each stopping point that a side passes ends the whole run, and the reason names it.  In step: where one side has to
// wait for a processor, the other one would find the violation meanwhile.
TEST(Sides, StopWhereOneOfThemMust) {
  for (const char* point : {"backward", "karp-miller", "directed", "linear-program", "coverability"}) {
    const model::Program program = long_way(40);
    Env env;
    env.stop_at(point);
    const result::Result answer = CoverabilityEngine(in_step).check(env, {program, std::nullopt, {}});
    ASSERT_EQ(answer.verdict, Verdict::Unknown) << point;
    EXPECT_NE(answer.reason.find(point), std::string::npos) << answer.reason;
    EXPECT_EQ(text_of(env, "sides"), "2") << point;
  }
}

TEST(Sides, StopWhenInterrupted) {
  // Too long a way to be found before somebody looks at the progress.
  std::atomic<bool> flag = false;
  const model::Program program = long_way(4'000);
  Env env;
  env.limits.set_interrupt_flag(&flag);
  env.set_progress([&](std::string_view) { flag = true; });
  const result::Result answer = CoverabilityEngine(at_once).check(env, {program, std::nullopt, {}});
  ASSERT_EQ(answer.verdict, Verdict::Unknown);
  EXPECT_NE(answer.reason.find("interrupted"), std::string::npos) << answer.reason;
}

}  // namespace
}  // namespace cohort::engine::unbounded
