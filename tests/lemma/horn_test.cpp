// What Spacer finds is a guess: on random programs what is proved with it is never refuted by exhaustive search, and on
// programs that simple candidates do not prove it is what was missing.
#include "lemma/horn.hpp"

#include <gtest/gtest.h>

#include "frontend/scpl/scpl.hpp"
#include "lemma/explore.hpp"
#include "model/passes/simplify.hpp"
#include "support/random_program.hpp"

namespace cohort::lemma {

using namespace model;
using namespace test;

namespace {

struct Tried {
  HoudiniResult::Outcome before = HoudiniResult::Outcome::Stopped;
  smt::Answer spacer = smt::Answer::Unknown;
  HoudiniResult::Outcome after = HoudiniResult::Outcome::Stopped;
};

Tried attempt(const Commands& commands, std::uint32_t threads, bool facts, const smt::HornSettings& settings) {
  Env env;
  Tried tried;
  HoudiniOptions options{.views = {threads, false}, .random_steps = 0};
  Houdini houdini(env, commands, options);
  tried.before = houdini.run().outcome;
  if (tried.before != HoudiniResult::Outcome::NotProved) return tried;
  const HoudiniResult known = houdini.go_on();
  EXPECT_TRUE(known.inductive) << known.reason;
  HornRules rules(env, {houdini.alphabet(), houdini.atoms(), known.invariant}, options.census, facts);
  EXPECT_TRUE(rules.complete());
  tried.spacer = rules.solve(settings, 5);
  if (tried.spacer != smt::Answer::Satisfiable) return tried;
  options.candidates = std::make_shared<const std::map<View, std::vector<Atom>>>(rules.candidates());
  tried.after = Houdini(env, commands, options).run().outcome;
  return tried;
}

TEST(HornRules, NeverProveWhatExhaustiveSearchRefutes) {
  RandomProgramOptions options;
  options.max_shared = 2;
  options.max_locals = 1;
  options.max_locations = 4;
  options.calls = false;
  options.numbers = true;
  std::size_t proved = 0;
  std::size_t refuted = 0;
  for (std::uint64_t seed = 700; seed < 730; ++seed) {
    options.any_number = seed % 2 == 0;
    options.spawns = seed % 3 == 0;
    const Program program = random_program(seed, options);
    if (Commands::refuses(program) || unseen_property(program)) continue;
    const Commands commands(program);
    const bool violated = explore(program).violated;
    const Tried tried =
        attempt(commands, 1 + static_cast<std::uint32_t>(seed % 2), seed % 4 < 2, {.inline_rules = seed % 5 == 0});
    const bool safe = tried.before == HoudiniResult::Outcome::Proved || tried.after == HoudiniResult::Outcome::Proved;
    EXPECT_FALSE(safe && violated) << "wrong SAFE, seed " << seed;
    proved += safe ? 1 : 0;
    refuted += violated ? 1 : 0;
  }
  EXPECT_GT(proved, 0U);
  EXPECT_GT(refuted, 0U);
}

Program load(const std::string& text) {
  return simplify(frontend::scpl::load(std::make_shared<const SourceFile>("horn.scpl", text))).program;
}

// That put - taken is items, where they are bounded, is a sum of three.
TEST(HornRules, FindWhatTheGrammarDoesNotHave) {
  const Program program = load(
      "shared unsigned put = 0, taken = 0, items = 0;\n"
      "thread producer {\n"
      "again:\n"
      "  when (items < 8 && put < 4294967295) put, items = put + 1, items + 1;\n"
      "  goto again;\n"
      "}\n"
      "thread consumer {\n"
      "again:\n"
      "  when (items > 0) taken, items = taken + 1, items - 1;\n"
      "  assert taken <= put;\n"
      "  goto again;\n"
      "}\n");
  const Tried tried = attempt(Commands(program), 1, true, {.propagate_equalities = false, .inline_rules = false});
  EXPECT_EQ(tried.before, HoudiniResult::Outcome::NotProved);
  EXPECT_EQ(tried.spacer, smt::Answer::Satisfiable);
  EXPECT_EQ(tried.after, HoudiniResult::Outcome::Proved);
}

// As mathematical integers x is never negative.  Spacer believes it; the program with its 32 bits does not.
TEST(HornRules, DoNotProveWhatWrapAroundBreaks) {
  const Program program = load(
      "shared int x = 0, y = 0;\n"
      "again:\n"
      "  x, y = x + 2, y + 1;\n"
      "  assert x + y >= 0;\n"
      "  goto again;\n");
  const Tried tried = attempt(Commands(program), 1, true, {.inline_rules = false});
  EXPECT_EQ(tried.before, HoudiniResult::Outcome::NotProved);
  EXPECT_EQ(tried.spacer, smt::Answer::Satisfiable);
  EXPECT_EQ(tried.after, HoudiniResult::Outcome::NotProved);
}

}  // namespace

}  // namespace cohort::lemma
