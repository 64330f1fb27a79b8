// Views of a few processes, against all states of small numbers of them: what is seen of a reachable state is a view,
// what is proved for any number is right for each, and orders are taken from the operations that keep them, and from no
// others.
#include <deque>
#include <random>
#include <set>

#include <gtest/gtest.h>

#include "base/source.hpp"
#include "engine/pointer/any_number_engine.hpp"
#include "engine/pointer/closed_views.hpp"
#include "engine/pointer/pointer_engine.hpp"
#include "engine/pointer/random_pointer.hpp"
#include "frontend/red/red.hpp"
#include "model/interpreter.hpp"
#include "model/passes/simplify.hpp"
#include "result/replay.hpp"

namespace cohort::engine::pointer {
namespace {

using model::Program;
using model::State;
using result::Verdict;

Program load(const std::string& text, frontend::red::Faults faults = frontend::red::Faults::Report) {
  return frontend::red::load(std::make_shared<SourceFile>("test.red", text),
                             {.processes = {}, .any_number = true, .faults = faults});
}

Program with_processes(Program program, std::uint32_t count) {
  program.initial.front().count = count;
  return program;
}

// Algorithms that put processes into a queue and follow the pointers between them.
class RandomQueue {
 public:
  explicit RandomQueue(std::uint64_t seed) : random_(seed) {}

  std::string text() {
    const std::size_t modes = 3 + below(2);
    std::string result = "global pointer g; local pointer p, q; local discrete x;\n";
    for (std::size_t mode = 0; mode < modes; ++mode) {
      result += "mode m" + std::to_string(mode) + " true {\n";
      for (std::size_t i = 0, count = 1 + below(2); i < count; ++i) {
        result += "  when " +
                  one_of({"true", "true", "p == NULL", "p != NULL", "g == P", "g != P", "g == p", "q == NULL", "x == 0",
                          "p != NULL && p->x == 0", "q != NULL && q->x == 1", "p != NULL && p->q == P",
                          "p != NULL && p == q", "p != NULL && (p->p == NULL || p->p->x == 0)"}) +
                  " may ";
        for (std::size_t j = 0, steps = below(3); j < steps; ++j) {
          result +=
              one_of({"p = g; g = P;", "p = g; g = P;", "g = NULL;", "p->q = P;", "q = NULL;", "q->x = 0;", "x = 1;",
                      "x = 0;", "p = NULL;", "g = P;", "p->x = 1;", "q = p;", below(4) == 0 ? "p = q;" : ""}) +
              " ";
        }
        result += "goto m" + std::to_string(below(modes)) + ";\n";
      }
      result += "}\n";
    }
    result += "initially (forall i: m0[i] and p[i] == NULL and q[i] == NULL and x[i] == 0) and g == NULL;\n";
    return result + "risk " +
           one_of({"exists i, j: i != j and m1[i] and m1[j]", "exists i, j: i != j and p[i] != NULL and p[i] == p[j]",
                   "exists i, j: i != j and p[i] == j and p[j] == i", "exists i: m2[i] and x[i] == 1",
                   "exists i: m2[i] and g == i and q[i] != NULL",
                   "exists i: m1[i] && (forall j: x[j] == 0 || p[j] == i)"}) +
           ";\n";
  }

 private:
  std::size_t below(std::size_t limit) { return std::uniform_int_distribution<std::size_t>(0, limit - 1)(random_); }
  std::string one_of(const std::vector<std::string>& choices) { return choices[below(choices.size())]; }

  std::mt19937_64 random_;
};

// None: too many.
std::optional<std::set<State>> reachable(const Program& program, std::size_t most) {
  const model::Interpreter interpreter(program, program.initial.front().count);
  std::set<State> seen;
  std::deque<State> open;
  const auto reach = [&](State state) {
    if (seen.insert(state).second) open.push_back(std::move(state));
  };
  for (State& state : interpreter.initial_states()) reach(std::move(state));
  while (!open.empty()) {
    if (seen.size() > most) return std::nullopt;
    const State state = std::move(open.front());
    open.pop_front();
    for (model::Transition& step : interpreter.successors(state)) {
      if (!step.fault) reach(std::move(step.target));
    }
  }
  return seen;
}

struct Figures {
  std::size_t compared = 0;
  std::size_t ranked = 0;
};

// Everything that k processes see of reachable states of k + 1 and k + 2 processes.
void expect_covered(const Program& original, std::size_t k, bool forgets, Figures& figures) {
  Program program = original;
  program.properties.clear();
  const Program small = with_processes(program, static_cast<std::uint32_t>(k) + 1);
  if (refuses_program(small, k + 1) || refuses_parts(small)) return;
  Env env;
  env.limits.set_time_limit(5);
  const Layout layout(small);
  ClosedViews views(env, layout, k, forgets);
  if (views.run() != ClosedViews::Outcome::Safe) return;
  for (const std::uint32_t processes : {static_cast<std::uint32_t>(k) + 1, static_cast<std::uint32_t>(k) + 2}) {
    const auto states = reachable(with_processes(program, processes), processes == k + 1 ? 1500 : 4000);
    if (!states) continue;
    std::set<std::vector<std::uint32_t>> choices;
    for (std::uint32_t first = 0; first < processes; ++first) {
      if (k == 1) choices.insert({first});
      for (std::uint32_t second = first + 1; k == 2 && second < processes; ++second) choices.insert({first, second});
    }
    std::size_t looked_at = 0;
    for (const State& state : *states) {
      if (++looked_at % 7 != 0 && states->size() > 300) continue;
      for (const auto& chosen : choices) {
        ASSERT_TRUE(views.contains(state, chosen)) << processes << " processes, k = " << k;
      }
    }
    ++figures.compared;
    figures.ranked += views.uses_ranks() ? 1 : 0;
  }
}

// SAFE is right for each small number of processes, and UNSAFE has a run.
void expect_right(const Program& program, std::size_t& safe, std::size_t& unsafe) {
  const AnyNumberEngine engine;
  const Task task{program, std::nullopt, {}};
  if (engine.refuses(task)) return;
  Env env;
  env.limits.set_time_limit(1);
  const result::Result found = engine.check(env, task);
  if (found.verdict == Verdict::Unsafe) {
    ++unsafe;
    EXPECT_TRUE(result::replay(program, std::nullopt, *found.run).succeeded);
  }
  if (found.verdict != Verdict::Safe) return;
  ++safe;
  EXPECT_TRUE(found.holds_without_bound);
  for (const std::uint32_t processes : {3U, 4U, 5U}) {
    Env search;
    search.limits.set_time_limit(1);
    const Program few = with_processes(program, processes);
    EXPECT_NE(PointerEngine().check(search, {few, processes, {}}).verdict, Verdict::Unsafe) << processes;
  }
}

TEST(ClosedViews, HoldWhatIsSeenOfReachableStates) {
  Figures figures;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const std::string text = RandomQueue(seed).text();
    SCOPED_TRACE(text);
    const Program program = load(text, frontend::red::Faults::Ignore);
    expect_covered(program, 1 + seed % 2, seed % 3 != 0, figures);
    if (testing::Test::HasFailure()) return;
  }
  EXPECT_GT(figures.compared, 60U);
  EXPECT_GT(figures.ranked, 20U);
}

TEST(ClosedViews, HoldWhatIsSeenOfStatesOfAnyAlgorithm) {
  Figures figures;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const std::string text = RandomAlgorithm(seed).text(2);
    SCOPED_TRACE(text);
    try {
      expect_covered(load(text, frontend::red::Faults::Ignore), 1 + seed % 2, seed % 3 != 0, figures);
    } catch (const InputError&) {
      continue;  // it names processes
    }
    if (testing::Test::HasFailure()) return;
  }
  EXPECT_GT(figures.compared, 10U);
}

TEST(ClosedViews, ProveNothingWrong) {
  std::size_t safe = 0;
  std::size_t unsafe = 0;
  for (std::uint64_t seed = 1000; seed < 1100; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const std::string text = RandomQueue(seed).text();
    SCOPED_TRACE(text);
    const auto faults = seed % 2 == 0 ? frontend::red::Faults::Report : frontend::red::Faults::Ignore;
    const Program program = load(text, faults);
    expect_right(seed % 4 < 2 ? program : model::simplify(program).program, safe, unsafe);
    if (testing::Test::HasFailure()) return;
  }
  EXPECT_GT(safe, 10U);
  EXPECT_GT(unsafe, 10U);
}

TEST(ClosedViews, ProveNothingWrongOfAnyAlgorithm) {
  std::size_t safe = 0;
  std::size_t unsafe = 0;
  for (std::uint64_t seed = 1; seed < 150; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const std::string text = RandomAlgorithm(seed).text(2);
    SCOPED_TRACE(text);
    try {
      expect_right(load(text, seed % 2 == 0 ? frontend::red::Faults::Report : frontend::red::Faults::Ignore), safe,
                   unsafe);
    } catch (const InputError&) {
      continue;
    }
    if (testing::Test::HasFailure()) return;
  }
  EXPECT_GT(unsafe, 10U);
}

std::size_t predecessors(const std::string& steps, const std::string& more = "") {
  const std::string text = "global pointer g; local pointer p, q; mode a true { when true may " + steps +
                           " goto b; } mode b true { when p != NULL may " + more +
                           " goto a; } initially (forall i: a[i] and p[i] == NULL and q[i] == NULL) and g == NULL;";
  const Program program = with_processes(load(text), 2);
  const Layout layout(program);
  const std::vector<Queue> queues = find_queues(layout);
  return queues.empty() ? 99 : queues[0].predecessors.size();
}

TEST(Queues, AreFoundInTheOperationsThatKeepThem) {
  EXPECT_EQ(predecessors("p = g; g = P;"), 1U);
  EXPECT_EQ(predecessors("p = g; g = P;", "p = NULL;"), 1U);
  EXPECT_EQ(predecessors("p = g; g = P;", "g = NULL;"), 1U);
  EXPECT_EQ(predecessors("p = g; q = g; g = P;"), 2U);
}

TEST(Queues, AreNotSeenWhereSomethingElseIsStored) {
  EXPECT_EQ(predecessors("g = P; p = g;"), 0U) << "the process itself";
  EXPECT_EQ(predecessors("p = g; g = P;", "p = q;"), 0U);
  EXPECT_EQ(predecessors("p = g; g = P;", "q->p = P;"), 0U) << "by others";
  EXPECT_EQ(predecessors("p = g; g = P;", "p = g;"), 0U) << "without entering";
  EXPECT_EQ(predecessors("p = g; g = P;", "g = P;"), 0U) << "entering again, the old predecessor is stale";
  EXPECT_EQ(predecessors("p = g; g = NULL; g = P;"), 0U);
  EXPECT_EQ(predecessors("p = g; g = P;", "g = p;"), 99U) << "the tail goes back";
}

}  // namespace
}  // namespace cohort::engine::pointer
