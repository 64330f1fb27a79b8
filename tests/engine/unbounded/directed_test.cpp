// The directed search and the reductions: shortest executions are shortest, reduced nets answer the same question.
#include <random>
#include <set>

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "engine/unbounded/backward.hpp"
#include "engine/unbounded/directed.hpp"
#include "engine/unbounded/directed_engine.hpp"
#include "engine/unbounded/marking_equation.hpp"
#include "engine/unbounded/realize.hpp"
#include "engine/unbounded/reduce.hpp"
#include "frontend/spec/spec.hpp"
#include "frontend/tts/tts.hpp"
#include "result/replay.hpp"
#include "support/diagnostics.hpp"
#include "support/explore.hpp"
#include "support/unbounded.hpp"

namespace cohort::engine::unbounded {
namespace {

model::Program tts(const std::string& text, const std::string& init, const std::string& target) {
  return frontend::tts::load(test::text_file("a.tts", text), {.init = init, .target = target, .property = {}});
}

model::Program spec(const std::string& text) {
  return frontend::spec::load(test::text_file("a.spec", text), {});
}

// A random net: few places, transitions that consume and produce up to two tokens each.
std::string random_net(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto below = [&](unsigned bound) { return static_cast<unsigned>(random() % bound); };
  constexpr unsigned places = 6;
  std::string text = "vars p0 p1 p2 p3 p4 p5\nrules\n";
  for (unsigned i = 0; i < 7; ++i) {
    int change[places] = {};
    unsigned needs[places] = {};
    for (unsigned token = 0; token <= below(2); ++token) {
      const unsigned place = below(places);
      ++needs[place];
      --change[place];
    }
    for (unsigned token = 0; token < below(3); ++token) ++change[below(places)];
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
  return text + "init p0" + (seed % 2 == 0 ? ">=0" : "=2") + ", p1=1, p2=0, p3=0, p4=0, p5=0\ntarget p4>=1, p5>=2\n";
}

// The fewest steps to a violation, by breadth-first search with the interpreter; none within `most`.
std::optional<std::size_t> fewest_steps(const model::Program& program, std::uint32_t threads, std::size_t most) {
  const model::Interpreter interpreter(program, threads);
  std::vector<model::State> layer = interpreter.initial_states();
  std::set<model::State> seen(layer.begin(), layer.end());
  for (std::size_t depth = 0; depth <= most; ++depth) {
    std::vector<model::State> next;
    for (const model::State& state : layer) {
      if (interpreter.violated(state)) return depth;
      for (const model::Transition& step : interpreter.successors(state)) {
        if (seen.insert(step.target).second) next.push_back(step.target);
      }
    }
    layer = std::move(next);
  }
  return std::nullopt;
}

TEST(Directed, FindsShortestExecutions) {
  int compared = 0;
  for (std::uint64_t seed = 0; seed < 400 && compared < 40; ++seed) {
    const model::Program program = tts(test::random_tts(seed, 3, 4, 9, false), "0|0,0,1", "2|3,3");
    Env env;
    if (find_engine("backward")->check(env, {program, std::nullopt, {}}).verdict != result::Verdict::Unsafe) continue;
    EngineOptions options;
    options.order = SearchOrder::BreadthFirst;
    const result::Result answer = DirectedEngine().check(env, {program, std::nullopt, options});
    if (answer.verdict != result::Verdict::Unsafe) continue;
    if (answer.run->steps.size() > 5 || *answer.sufficient_threads > 5) continue;
    EXPECT_EQ(fewest_steps(program, 5, 5), answer.run->steps.size()) << "seed " << seed;
    ++compared;
  }
  EXPECT_GE(compared, 20);
}

// All searches on the whole net and on the reduced one, and every execution replays.
// One linear program is enough where its solution can be fired in some order.
std::uint64_t steps_after_one_distance(const model::Program& program) {
  Env env;
  CounterSystem system(program);
  const Possible possible(env, system);
  const Net net(system, possible);
  Directed directed(env, net, Directed::Order::Greedy);
  if (directed.run(1) != Directed::Outcome::Violation) return 0;
  const model::Run run = realize(system, directed.execution()).value();
  return result::replay(program, std::nullopt, run).succeeded ? run.steps.size() : 0;
}

TEST(Directed, FiresWhatTheSolutionFires) {
  // Everybody takes the left fork.
  constexpr int philosophers = 60;
  std::string vars = "vars";
  std::string rules;
  std::string init;
  std::string target;
  for (int i = 0; i < philosophers; ++i) {
    const int next = (i + 1) % philosophers;
    vars += fmt::format(" fork{0} thinks{0} waits{0} eats{0}", i);
    rules += fmt::format(
        "thinks{0}>=1, fork{0}>=1 -> thinks{0}'=thinks{0}-1, fork{0}'=fork{0}-1, waits{0}'=waits{0}+1;\n"
        "waits{0}>=1, fork{1}>=1 -> waits{0}'=waits{0}-1, fork{1}'=fork{1}-1, eats{0}'=eats{0}+1;\n"
        "eats{0}>=1 -> eats{0}'=eats{0}-1, fork{0}'=fork{0}+1, fork{1}'=fork{1}+1, thinks{0}'=thinks{0}+1;\n",
        i, next);
    init += fmt::format("{1}fork{0}=1, thinks{0}=1, waits{0}=0, eats{0}=0", i, i == 0 ? "" : ", ");
    target += fmt::format("{1}waits{0}>=1", i, i == 0 ? "" : ", ");
  }
  EXPECT_EQ(steps_after_one_distance(spec(vars + "\nrules\n" + rules + "init " + init + "\ntarget " + target + "\n")),
            philosophers);
}

TEST(Directed, RepeatsWhatIsPossibleBeforeItLeaves) {
  // Each stage doubles the tokens of the one before, and is left for good.
  const std::string text =
      "vars g0 g1 g2 g3 a0 a1 a2 a3\nrules\n"
      "g0>=1 -> g0'=g0-1, g1'=g1+1;\ng0>=1, a0>=1 -> a0'=a0-1, a1'=a1+2;\n"
      "g1>=1 -> g1'=g1-1, g2'=g2+1;\ng1>=1, a1>=1 -> a1'=a1-1, a2'=a2+2;\n"
      "g2>=1 -> g2'=g2-1, g3'=g3+1;\ng2>=1, a2>=1 -> a2'=a2-1, a3'=a3+2;\n"
      "init g0=1, a0=3, g1=0, g2=0, g3=0, a1=0, a2=0, a3=0\ntarget a3>=24, g3>=1\n";
  EXPECT_EQ(steps_after_one_distance(spec(text)), 3 + 6 + 12 + 3);
}

TEST(Reduce, KeepsTheAnswerOnRandomNets) {
  int unsafe = 0;
  int proved = 0;
  std::size_t removed = 0;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    const model::Program program = spec(random_net(seed));
    Env env;
    CounterSystem system(program);
    const Possible possible(env, system);
    const Net net(system, possible);
    Reduction reduction;
    const Net reduced = *reduce(env, net, reduction);
    removed += reduction.transitions_before - reduction.transitions_after;
    Backward whole_search(env, net);
    Backward search(env, reduced);
    const auto outcome = whole_search.run(50'000);
    if (outcome == Backward::Outcome::Paused) continue;
    ASSERT_EQ(search.run(), outcome) << "seed " << seed;
    MarkingEquation equation(env, reduced);
    const bool refuted = equation.refute_targets(10);
    ASSERT_FALSE(refuted && outcome == Backward::Outcome::Violation) << "seed " << seed;
    proved += refuted ? 1 : 0;
    if (outcome != Backward::Outcome::Violation) continue;
    ++unsafe;
    Directed directed(env, reduced, Directed::Order::Greedy);
    ASSERT_EQ(directed.run(20'000), Directed::Outcome::Violation) << "seed " << seed;
    for (const Execution& execution : {search.execution(), directed.execution()}) {
      EXPECT_TRUE(result::replay(program, std::nullopt, realize(system, execution).value()).succeeded)
          << "seed " << seed;
    }
  }
  EXPECT_GT(unsafe, 100);
  EXPECT_GT(proved, 100);
  EXPECT_GT(removed, 1000u);
}

TEST(Reduce, JoinsChainsOfSharedStates) {
  // What a converter makes of `0 -> 3` in a net: shared states 1 and 2 are passed through.
  const model::Program program = tts("4 4\n0 0 -> 1 1\n1 0 -> 2 2\n2 0 -> 0 3\n0 1 -> 3 1\n", "0/0", "3|1,2,3");
  Env env;
  CounterSystem system(program);
  const Possible possible(env, system);
  Reduction reduction;
  const Net reduced = *reduce(env, Net(system, possible), reduction);
  ASSERT_EQ(reduced.transitions().size(), 2u);
  EXPECT_EQ(reduction.controls_merged, 2u);
  EXPECT_TRUE(std::any_of(reduced.transitions().begin(), reduced.transitions().end(),
                          [](const Transition& transition) { return transition.rules.size() == 3; }));
  Backward search(env, reduced);
  ASSERT_EQ(search.run(), Backward::Outcome::Violation);
  EXPECT_EQ(search.execution().rules.size(), 4u);
}

}  // namespace
}  // namespace cohort::engine::unbounded
