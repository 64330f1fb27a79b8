// Invariants of random programs hold in every state that exhaustive search with few threads reaches, and what is proved
// is not refuted by it: for each level and each part of the grammar on its own.
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "lemma/explore.hpp"
#include "lemma/houdini.hpp"
#include "model/passes/inline.hpp"
#include "smt/linear.hpp"
#include "support/random_program.hpp"

namespace cohort::lemma {

using namespace model;
using namespace test;

namespace {

// What the invariant forbids of a state, in words; empty: nothing.  The views of a state that are certain are looked
// at: of threads that are alive, and of absent ones where there is no limit.
std::string forbidden(const State& state, const Alphabet& alphabet, const Atoms& atoms, const Invariant& invariant) {
  std::vector<SpotId> spots;
  std::vector<Valuation> locals;
  for (const auto& thread : state.threads) {
    const auto place = alphabet.commands().find({thread->templ, thread->location, thread->atomic});
    if (!place) return "a place that is reached has no number";
    spots.push_back(alphabet.at(*place));
    locals.push_back(thread->locals);
  }
  for (SpotId id = 0; id < alphabet.spots().size(); ++id) {
    const Spot& spot = alphabet.spot(id);
    if (spot.place || alphabet.limit(spot.templ)) continue;
    for (std::uint32_t i = 0; i < alphabet.options().threads; ++i) {
      spots.push_back(id);
      locals.emplace_back(alphabet.commands().program().templ(spot.templ).local_slots(), 0);
    }
  }
  for (const auto& members : views_among(alphabet, spots)) {
    const View view = view_of(spots, members);
    const auto it = invariant.facts.find(view);
    if (it == invariant.facts.end()) return "a reachable view is taken for unreachable: " + alphabet.name(view);
    std::vector<TemplateId> templates;
    for (const SpotId spot : view) templates.push_back(alphabet.spot(spot).templ);
    for (const auto& order : arrangements(view)) {
      Sample sample{state.shared, {}};
      for (const std::uint32_t position : order) sample.locals.push_back(locals[members[position]]);
      for (const Atom& atom : it->second) {
        if (!atoms.holds(atom, sample, templates)) return atoms.text(atom, templates) + " at " + alphabet.name(view);
      }
    }
  }
  return {};
}

struct Figures {
  std::size_t programs = 0;
  std::size_t proved = 0;
  std::size_t violated = 0;
  std::size_t facts = 0;
};

Figures compare(const RandomProgramOptions& options, std::uint64_t first, std::uint64_t count) {
  Figures figures;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    const Program program = random_program(seed, options);
    if (Commands::refuses(program) || unseen_property(program)) continue;
    const Reachable reachable = explore(program);
    ++figures.programs;
    figures.violated += reachable.violated ? 1 : 0;
    const Commands commands(program);
    const bool more = seed % 2 == 1;
    for (const std::uint32_t threads : {1U, 2U}) {
      const bool singles = seed % 4 >= 2;
      Env env;
      Houdini houdini(
          env, commands,
          {.views = {threads, singles},
           .grammar = {.implications = more, .sums = more, .equations = seed % 7 != 0, .crossed = seed % 5 != 0},
           .stop_at_errors = false,
           .random_steps = seed % 3 == 0 ? 0U : 120U});
      const HoudiniResult found = houdini.run();
      EXPECT_NE(found.outcome, HoudiniResult::Outcome::Stopped);
      EXPECT_TRUE(found.inductive);
      const bool proved = found.outcome == HoudiniResult::Outcome::Proved;
      EXPECT_FALSE(proved && reachable.violated) << "wrong SAFE, seed " << seed << ", threads " << threads;
      for (const auto& [view, facts] : found.invariant.facts) figures.facts += facts.size();
      figures.proved += proved ? 1 : 0;
      for (const State& state : reachable.states) {
        const std::string wrong = forbidden(state, houdini.alphabet(), houdini.atoms(), found.invariant);
        if (!wrong.empty()) {
          ADD_FAILURE() << "seed " << seed << ", " << threads << " threads in view, singles " << singles << ": "
                        << wrong;
          return figures;
        }
      }
    }
  }
  return figures;
}

void expect_figures(const Figures& figures) {
  EXPECT_GT(figures.programs, 0U);
  EXPECT_GT(figures.proved, 0U);
  EXPECT_GT(figures.violated, 0U);
  EXPECT_GT(figures.facts, 100U);
}

RandomProgramOptions small() {
  RandomProgramOptions options;
  options.max_shared = 2;
  options.max_locals = 1;
  options.max_locations = 4;
  options.calls = false;
  return options;
}

TEST(RandomInvariants, HoldWithNumbers) {
  RandomProgramOptions options = small();
  options.numbers = true;
  options.any_number = true;
  options.spawns = false;
  expect_figures(compare(options, 1, 20));
}

// The strongest invariant does not depend on how the questions are asked: of bits or of integers.  Equations can be
// written in several ways, so with them the answers are compared.
TEST(RandomInvariants, AreTheSameOfBitsAndOfIntegers) {
  RandomProgramOptions options = small();
  options.numbers = true;
  options.any_number = true;
  std::size_t compared = 0;
  std::size_t proved = 0;
  for (std::uint64_t seed = 700; seed < 760 && compared < 16; ++seed) {
    const Program program = random_program(seed, options);
    if (Commands::refuses(program) || unseen_property(program)) continue;
    const Commands commands(program);
    if (!smt::is_linear(commands)) continue;
    ++compared;
    for (const bool equations : {false, true}) {
      std::vector<HoudiniResult> found;
      for (const smt::Logic logic : {smt::Logic::Bits, smt::Logic::Integers}) {
        Env env;
        Houdini houdini(env, commands,
                        {.views = {1U + static_cast<std::uint32_t>(seed % 2), false},
                         .grammar = {.sums = seed % 3 == 0, .equations = equations},
                         .stop_at_errors = false,
                         .random_steps = seed % 2 == 0 ? 0U : 120U,
                         .logic = logic});
        found.push_back(houdini.run());
        ASSERT_TRUE(found.back().inductive) << "seed " << seed << ": " << found.back().reason;
      }
      EXPECT_EQ(found[0].outcome, found[1].outcome) << "seed " << seed;
      if (!equations) {
        EXPECT_EQ(found[0].invariant.facts, found[1].invariant.facts) << "seed " << seed;
      }
      proved += found[0].outcome == HoudiniResult::Outcome::Proved ? 1 : 0;
    }
  }
  EXPECT_GE(compared, 10U);
  EXPECT_GT(proved, 0U);
}

TEST(Houdini, EndsWhenItsProcessorTimeIsUsedUp) {
  RandomProgramOptions options = small();
  options.numbers = true;
  const Program program = random_program(1, options);
  const Commands commands(program);
  Env env;
  Houdini houdini(env, commands, {.views = {2, false}, .random_steps = 0, .processor_seconds = 0.0});
  const HoudiniResult found = houdini.run();
  EXPECT_EQ(found.outcome, HoudiniResult::Outcome::Stopped);
  EXPECT_FALSE(found.inductive);
  EXPECT_NE(found.reason.find("used up"), std::string::npos) << found.reason;
  EXPECT_EQ(env.stop_reason(), StopReason::None);
}

TEST(RandomInvariants, HoldWithSpawnsAndEnds) {
  RandomProgramOptions options = small();
  options.any_number = true;
  expect_figures(compare(options, 100, 24));
}

TEST(RandomInvariants, HoldWithFixedNumbersOfThreads) {
  expect_figures(compare(small(), 200, 24));
}

TEST(RandomInvariants, HoldWithBroadcastsAndMoves) {
  RandomProgramOptions options = small();
  options.broadcasts = true;
  options.moves = true;
  options.any_number = true;
  options.max_shared = 1;
  expect_figures(compare(options, 300, 20));
}

TEST(RandomInvariants, HoldWithTakesAndMixedSteps) {
  RandomProgramOptions options = small();
  options.takes = true;
  options.mixed = true;
  options.broadcasts = true;
  options.moves = true;
  options.any_number = true;
  options.cover = true;
  options.max_shared = 1;
  expect_figures(compare(options, 400, 20));
}

// Any weights, and not only those that explain a variable: what a ghost is said to be at most and at least must hold.
Ghost random_ghost(const Program& program, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  Ghost ghost;
  ghost.counter = VarId(std::size_t{0});
  ghost.initial = static_cast<Value>(random() % 3) - 1;
  for (const Template& templ : program.templates) {
    auto& weights = ghost.weights.emplace_back();
    for (std::size_t i = 0; i < templ.locations.size(); ++i) weights.push_back(static_cast<Value>(random() % 4) - 1);
  }
  for (const InitialThreads& group : program.initial) ghost.weights[group.templ.value][group.location.value] = 0;
  return ghost;
}

struct Counted {
  std::size_t programs = 0;
  std::size_t wrong = 0;   // invariants that forbid a reachable state
  std::size_t proved = 0;  // of programs without a violation
  std::string what;
};

// With ghosts that are told how many threads are alive at most.
Counted count_threads(std::uint64_t told, std::uint64_t first, std::uint64_t count) {
  RandomProgramOptions options = small();
  options.takes = true;
  options.max_shared = 1;
  Counted result;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    options.any_number = seed % 2 == 0;
    const Program program = random_program(seed, options);
    if (Commands::refuses(program) || unseen_property(program)) continue;
    const Instrumented instrumented = instrument(program, {random_ghost(program, seed), random_ghost(program, ~seed)});
    const Reachable reachable = explore(instrumented.program);
    const Commands commands(instrumented.program);
    Env env;
    const std::uint32_t threads = 1 + static_cast<std::uint32_t>(seed % 2);
    Houdini houdini(env, commands,
                    {.views = {threads, seed % 4 >= 2},
                     .stop_at_errors = false,
                     .random_steps = 0,
                     .census = {instrumented.ghosts, told}});
    const HoudiniResult found = houdini.run();
    EXPECT_TRUE(found.inductive) << seed;
    ++result.programs;
    bool wrong = found.outcome == HoudiniResult::Outcome::Proved && reachable.violated;
    for (const State& state : reachable.states) {
      const std::string forbids = forbidden(state, houdini.alphabet(), houdini.atoms(), found.invariant);
      if (forbids.empty()) continue;
      wrong = true;
      result.what = "seed " + std::to_string(seed) + ": " + forbids;
    }
    result.wrong += wrong ? 1 : 0;
    result.proved += found.outcome == HoudiniResult::Outcome::Proved ? 1 : 0;
  }
  return result;
}

TEST(RandomInvariants, HoldWithGhosts) {
  const Counted told = count_threads(most_alive, 500, 24);
  EXPECT_EQ(told.wrong, 0U) << told.what;
  EXPECT_GT(told.programs, 12U);
  EXPECT_GT(told.proved, 0U);
}

// The same comparison sees it when the axiom is too strong.
TEST(RandomInvariants, AreWrongWhereGhostsAreToldOfTooFewThreads) {
  EXPECT_GT(count_threads(1, 500, 24).wrong, 0U);
}

}  // namespace

}  // namespace cohort::lemma
