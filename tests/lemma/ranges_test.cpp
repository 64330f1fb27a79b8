// Ranges of random programs hold every state that exhaustive search with few threads reaches; what they prove it does
// not refute, and what they take away as dead code nobody misses.
#include "lemma/ranges.hpp"

#include <gtest/gtest.h>

#include <string>

#include "frontend/scpl/scpl.hpp"
#include "lemma/explore.hpp"
#include "lemma/houdini.hpp"
#include "model/passes/simplify.hpp"
#include "model/validate.hpp"
#include "support/random_program.hpp"

namespace cohort::lemma {

using namespace model;
using namespace test;

namespace {

// What the ranges forbid of a state, in words; empty: nothing.
std::string forbidden(const State& state, const Commands& commands, const Ranges& ranges) {
  const Program& program = commands.program();
  const auto outside = [](const std::vector<Variable>& variables, const Valuation& values,
                          const std::vector<Range>& cells) -> std::string {
    std::size_t cell = 0;
    for (const Variable& variable : variables) {
      for (std::uint32_t i = 0; i < variable.type.slots(); ++i, ++cell) {
        if (!cells[cell].contains(values[variable.slot + i])) return variable.name;
      }
    }
    return {};
  };
  for (const auto& thread : state.threads) {
    if (!thread) continue;
    const auto place = commands.find({thread->templ, thread->location, thread->atomic});
    if (!place) return "a place that is reached has no number";
    const auto& box = ranges.at(*place);
    if (!box) return "a place that is reached has no box: " + commands.name(*place);
    std::string wrong = outside(program.shared, state.shared, box->shared);
    if (wrong.empty()) wrong = outside(program.templ(thread->templ).locals, thread->locals, box->locals);
    if (!wrong.empty()) return wrong + " at " + commands.name(*place);
    std::vector<Value> values(state.shared.begin(), state.shared.end());
    values.insert(values.end(), thread->locals.begin(), thread->locals.end());
    for (std::size_t cell = 0; cell < box->same.size(); ++cell) {
      if (values[cell] != values[box->same[cell]]) return "an equality at " + commands.name(*place);
    }
  }
  return {};
}

struct Figures {
  std::size_t programs = 0;
  std::size_t proved = 0;
  std::size_t violated = 0;
  std::size_t dead = 0;
};

Figures compare(const RandomProgramOptions& options, std::uint64_t first, std::uint64_t count) {
  Figures figures;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    const Program program = random_program(seed, options);
    if (Commands::refuses(program) || unseen_property(program)) continue;
    const Reachable reachable = explore(program);
    const Commands commands(program);
    Env env;
    const Ranges ranges(env, commands);
    EXPECT_TRUE(ranges.complete()) << seed;
    ++figures.programs;
    const bool proved = !ranges.allowed_violation();
    figures.proved += proved ? 1 : 0;
    figures.violated += reachable.violated ? 1 : 0;
    EXPECT_FALSE(proved && reachable.violated) << "wrong SAFE, seed " << seed;
    for (const State& state : reachable.states) {
      const std::string wrong = forbidden(state, commands, ranges);
      if (!wrong.empty()) {
        ADD_FAILURE() << "seed " << seed << ": " << wrong;
        return figures;
      }
    }
    for (std::size_t i = 0; i < commands.all().size(); ++i) figures.dead += ranges.is_dead(i) ? 1 : 0;
    const Program smaller = without_dead_code(commands, ranges);
    validate(smaller);
    const Reachable without = explore(smaller);
    if (reachable.complete && without.complete) {
      EXPECT_EQ(reachable.states, without.states) << "seed " << seed;
      EXPECT_EQ(reachable.violated, without.violated) << "seed " << seed;
    }
  }
  EXPECT_GT(figures.programs, 0U);
  EXPECT_GT(figures.violated, 0U);
  return figures;
}

RandomProgramOptions small() {
  RandomProgramOptions options;
  options.max_shared = 2;
  options.max_locals = 1;
  options.max_locations = 4;
  options.calls = false;
  return options;
}

TEST(RandomRanges, HoldWithNumbers) {
  RandomProgramOptions options = small();
  options.numbers = true;
  options.any_number = true;
  const Figures figures = compare(options, 1, 150);
  EXPECT_GT(figures.proved, 0U);
  EXPECT_GT(figures.dead, 0U);
}

TEST(RandomRanges, HoldWithFixedNumbersOfThreads) {
  RandomProgramOptions options = small();
  options.numbers = true;
  EXPECT_GT(compare(options, 1000, 150).proved, 0U);
}

TEST(RandomRanges, HoldOfBooleans) {
  RandomProgramOptions options = small();
  options.any_number = true;
  EXPECT_GT(compare(options, 2000, 150).proved, 0U);
}

TEST(RandomRanges, HoldWithBroadcastsTakesAndMoves) {
  RandomProgramOptions options = small();
  options.numbers = true;
  options.takes = true;
  options.mixed = true;
  options.broadcasts = true;
  options.moves = true;
  options.any_number = true;
  options.cover = true;
  EXPECT_GT(compare(options, 3000, 200).proved, 0U);
}

Commands commands_of(const std::string& text) {
  return Commands(simplify(frontend::scpl::load(std::make_shared<const SourceFile>("test.scpl", text))).program);
}

bool proves(const std::string& text) {
  const Commands commands = commands_of(text);
  Env env;
  const Ranges ranges(env, commands);
  EXPECT_TRUE(ranges.complete());
  const bool proved = !ranges.allowed_violation();
  // What is proved is also an invariant to a solver.
  if (proved) {
    HoudiniOptions options{.views = {1, false}, .random_steps = 0};
    options.candidates =
        std::make_shared<const std::map<View, std::vector<Atom>>>(ranges.facts(Alphabet(commands, options.views)));
    EXPECT_EQ(Houdini(env, commands, options).run().outcome, HoudiniResult::Outcome::Proved) << text;
  }
  return proved;
}

TEST(Ranges, ProveBoundsOfGuardedCounters) {
  const std::string loop = "shared int x = 0; thread t { again: when (x < 10) x = x + 1; assert x BOUND; goto again; }";
  const auto with = [&](const std::string& bound) { return std::string(loop).replace(loop.find("BOUND"), 5, bound); };
  EXPECT_TRUE(proves(with("<= 10")));
  EXPECT_TRUE(proves(with(">= 1")));
  EXPECT_FALSE(proves(with("<= 9")));
}

TEST(Ranges, KnowRemainders) {
  EXPECT_TRUE(proves("shared int x = 0; thread t { again: when (x < 1000) x = x + 4; assert x != 6; goto again; }"));
  EXPECT_FALSE(proves("shared int x = 0; thread t { again: when (x < 1000) x = x + 3; assert x != 6; goto again; }"));
}

TEST(Ranges, KnowThatCountersWrapAround) {
  EXPECT_FALSE(proves("shared int x = 0; thread t { again: x = x + 1; assert x >= 0; goto again; }"));
  EXPECT_TRUE(proves("shared int x = 0; thread t { again: x = x + 4; assert x != 6; goto again; }"))
      << "4 divides the size of the ring";
  EXPECT_FALSE(proves("shared int x = 0; thread t { again: x = x + 3; assert x != 5; goto again; }")) << "3 does not";
}

TEST(Ranges, KnowThatOthersInterfere) {
  const std::string other = " thread other { x = 2; }";
  const std::string own = "shared int x = 0; thread t[1] { x = 1; assert x == 1; }";
  EXPECT_TRUE(proves(own));
  EXPECT_FALSE(proves(own + other));
  EXPECT_TRUE(proves("shared int x = 0; thread t[1] { atomic { x = 1; assert x == 1; } }" + other));
}

TEST(Ranges, KeepEqualitiesThatNobodyBreaks) {
  EXPECT_TRUE(
      proves("shared int x = 0; thread t { local int a = 0, b = 0; again: a, b = a + 1, b + 1; "
             "assert a == b; goto again; }"));
  EXPECT_FALSE(
      proves("shared int x = 0; thread t { local int a = 0; again: a = x; assert a == x; x = x + 1; goto again; }"));
}

TEST(Ranges, FindDeadCode) {
  const Commands commands =
      commands_of("shared int x = 0; thread t { again: when (x < 4) x = x + 2; when (x == 3) x = 7; goto again; }");
  Env env;
  const Ranges ranges(env, commands);
  ASSERT_TRUE(ranges.complete());
  const Program smaller = without_dead_code(commands, ranges);
  EXPECT_LT(smaller.templates[0].edges.size(), commands.program().templates[0].edges.size());
}

}  // namespace

}  // namespace cohort::lemma
