// Bounded model checking against exhaustive search by the interpreter: for every depth, with every combination of
// reductions, the engine finds a violation exactly when some execution of at most that many steps has one.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "engine/bmc/bmc_engine.hpp"
#include "model/interpreter.hpp"
#include "model/passes/inline.hpp"
#include "result/replay.hpp"
#include "support/build.hpp"
#include "support/random_program.hpp"
#include "support/tiny_programs.hpp"

namespace cohort::engine::bmc {

using namespace model;
using namespace test;
using result::Verdict;

namespace {

constexpr std::size_t most_states = 3000;

// violated[k]: an execution of at most k steps violates; complete: no execution has more steps than were looked at.
struct Levels {
  std::vector<bool> violated;
  bool ends = false;  // no execution has as many steps
  bool over = false;  // no execution has more
  bool too_large = false;
};

Levels search_levels(const Program& program, std::uint32_t bound, std::size_t depth) {
  const Interpreter interpreter(program, bound);
  Levels levels;
  std::set<State> current;
  bool bad = false;
  for (State& state : interpreter.initial_states()) {
    bad = bad || interpreter.violated(state).has_value();
    current.insert(canonical(std::move(state)));
  }
  levels.violated.push_back(bad);
  for (std::size_t k = 1; k <= depth; ++k) {
    std::set<State> next;
    for (const State& state : current) {
      for (Transition& step : interpreter.successors(state)) {
        bad = bad || step.fault.has_value();
        if (step.fault) continue;
        bad = bad || interpreter.violated(step.target).has_value();
        next.insert(canonical(std::move(step.target)));
      }
      if (next.size() > most_states) {
        levels.too_large = true;
        return levels;
      }
    }
    levels.violated.push_back(bad);
    current = std::move(next);
  }
  levels.ends = current.empty();
  levels.over = std::all_of(current.begin(), current.end(),
                            [&](const State& state) { return interpreter.successors(state).empty(); });
  return levels;
}

struct Variant {
  bool projection;
  bool lazy;
  bool normal_form;
  bool symmetry;
  IntegerMode integers;
};

std::string name_of(const Variant& variant) {
  return std::string(variant.projection ? "projection " : "") + (variant.lazy ? "lazy " : "") +
         (variant.normal_form ? "mpor " : "") + (variant.symmetry ? "symmetry " : "") +
         (variant.integers == IntegerMode::Math ? "math" : "bits");
}

std::vector<Variant> all_variants() {
  std::vector<Variant> variants;
  for (unsigned i = 0; i < 16; ++i) {
    const bool lazy = (i & 2U) != 0 && (i & 4U) == 0;
    variants.push_back(
        {(i & 1U) != 0, lazy, (i & 2U) != 0, (i & 4U) != 0, (i & 8U) != 0 ? IntegerMode::Math : IntegerMode::Bits});
  }
  return variants;
}

EngineOptions options_of(const Variant& variant) {
  EngineOptions options;
  options.symmetry = variant.symmetry;
  options.bmc.projection = variant.projection;
  options.bmc.normal_form = variant.normal_form;
  options.bmc.integers = variant.integers;
  return options;
}

// What disagrees, or "".
std::string compare_at(const Program& program, std::uint32_t bound, const BmcEngine& engine,
                       const EngineOptions& options, bool violated) {
  const Task task{program, bound, options};
  if (const auto refusal = engine.refuses(task)) return "refused: " + *refusal;
  Env env;
  const result::Result result = engine.check(env, task);
  if ((result.verdict == Verdict::Unsafe) != violated) {
    return violated ? "misses a violation" : "finds a violation that is not there";
  }
  if (!violated) return "";
  const result::Replay replay = result::replay(program, bound, *result.run);
  return replay.succeeded ? "" : replay.message;
}

// One solver over all depths, and each depth on its own.
std::string compare(const Program& program, std::uint32_t bound, std::size_t depth, const Variant& variant) {
  const Levels levels = search_levels(program, bound, depth);
  if (levels.too_large) return "";
  EngineOptions options = options_of(variant);
  // These programs are easy: by default the constraint for projections would never be asked for.
  const BmcEngine engine(variant.lazy ? 2000 : 0);
  for (std::uint32_t k = 0; k <= depth; ++k) {
    options.bmc.first_depth = options.bmc.last_depth = k;
    const std::string wrong = compare_at(program, bound, engine, options, levels.violated[k]);
    if (!wrong.empty()) return name_of(variant) + " at depth " + std::to_string(k) + ": " + wrong;
  }
  options.bmc.first_depth = 0;
  const std::string wrong = compare_at(program, bound, engine, options, levels.violated[depth]);
  if (!wrong.empty()) return name_of(variant) + " up to depth " + std::to_string(depth) + ": " + wrong;
  if (levels.violated[depth]) return "";
  Env env;
  const Verdict verdict = engine.check(env, {program, bound, options}).verdict;
  if (levels.ends && verdict != Verdict::Safe) return name_of(variant) + ": does not see that all executions end";
  if (verdict == Verdict::Safe && !levels.over) return name_of(variant) + ": SAFE though executions go on";
  return "";
}

Program random_flat(std::uint64_t seed, RandomProgramOptions options) {
  return inline_calls(random_program(seed, options));
}

}  // namespace

TEST(BmcAgreement, RandomBooleanPrograms) {
  const auto variants = all_variants();
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const Program program = random_flat(seed, {.cover = seed % 3 == 0});
    const auto bound = static_cast<std::uint32_t>(2 + seed % 2);
    ASSERT_EQ(compare(program, bound, 6, variants[seed % 8]), "") << "seed " << seed;
  }
}

TEST(BmcAgreement, RandomProgramsWithNumbers) {
  const auto variants = all_variants();
  for (std::uint64_t seed = 0; seed < 32; ++seed) {
    const Program program = random_flat(seed, {.calls = false, .numbers = true, .cover = seed % 4 == 0});
    ASSERT_EQ(compare(program, 2, 5, variants[seed % 16]), "") << "seed " << seed;
  }
}

TEST(BmcAgreement, ReplicatedThreads) {
  const auto variants = all_variants();
  for (std::uint64_t seed = 100; seed < 124; ++seed) {
    const Program program = random_flat(seed, {.spawns = seed % 2 == 0, .cover = true});
    Program replicated = program;
    replicated.initial.resize(1);
    replicated.initial[0].count = 3;
    ASSERT_EQ(compare(replicated, 3, 5, variants[seed % 8]), "") << "seed " << seed;
  }
}

// Every program with two edges of the alphabet of tiny programs, sampled evenly; all combinations in turn.
TEST(BmcAgreement, TinyPrograms) {
  const auto variants = all_variants();
  std::size_t count = 0;
  for (std::size_t first = 0; first < tiny_alphabet_size(); first += 13) {
    for (std::size_t second = first % 11; second < tiny_alphabet_size(); second += 23) {
      const Program program = tiny_program({first, second});
      ASSERT_EQ(compare(program, 2, 4, variants[count++ % 8]), "") << first << " " << second;
    }
  }
}

// Theorem 1 of the PBMC paper: the values of the property's variables that executions reach are those that projections
// reach.  Each combination of values is asked for as a property of its own.
TEST(BmcAgreement, ProjectionsReachTheSameValues) {
  const auto variants = all_variants();
  for (std::uint64_t seed = 200; seed < 212; ++seed) {
    Program program = random_flat(seed, {.max_shared = 2, .calls = false});
    program.properties.clear();
    for (Template& templ : program.templates) {
      for (Location& location : templ.locations) location.error.reset();
    }
    const std::size_t variables = program.shared.size();
    for (std::size_t combination = 0; combination < (std::size_t{1} << variables); ++combination) {
      Program asked = program;
      ExprId condition = asked.exprs.truth();
      for (std::size_t i = 0; i < variables; ++i) {
        const ExprId value = asked.exprs.shared(VarId(i), Type::boolean());
        const bool wanted = ((combination >> i) & 1U) != 0;
        condition = asked.exprs.conj(condition, wanted ? value : asked.exprs.negate(value));
      }
      asked.add_property(
          {.kind = Property::Kind::Condition, .text = "values", .span = {}, .condition = condition, .threads = {}});
      ASSERT_EQ(compare(asked, 3, 4, variants[(seed + combination) % 8]), "")
          << "seed " << seed << " values " << combination;
    }
  }
}

// With a bound on the contexts exactly the executions with so few stretches are searched.
TEST(Bmc, ContextsAreCounted) {
  // Two threads take turns: each needs the other's last step, so the third turn is the third context.
  Program program;
  const VarId turn = program.add_shared(var_of("turn", Type::range(0, 3), {0}));
  const PropertyId property = program.add_property({.kind = Property::Kind::ErrorLabel, .text = "end"});
  const auto step = [&](Value from) {
    ExprPool& exprs = program.exprs;
    const ExprId here = exprs.shared(turn, program.shared[0].type);
    Action action = assign_action(to_shared(turn), exprs.constant(from + 1, Type::integer()));
    action.guard = exprs.binary(Op::Eq, here, exprs.constant(from, Type::integer()), Type::boolean());
    return action;
  };
  Template first = template_with("first", 3);
  first.locations[2].error = property;
  add_edge(first, 0, 1, step(0));
  add_edge(first, 1, 2, step(2));
  Template second = template_with("second", 2);
  add_edge(second, 0, 1, step(1));
  program.add_template(std::move(first));
  program.add_template(std::move(second));
  program.initial = {{TemplateId(0), LocId(0), 1}, {TemplateId(1), LocId(0), 1}};
  for (std::uint32_t contexts = 1; contexts <= 4; ++contexts) {
    EngineOptions options;
    options.bmc.first_depth = options.bmc.last_depth = 5;
    options.bmc.contexts = contexts;
    Env env;
    const result::Result result = BmcEngine().check(env, {program, 2, options});
    EXPECT_EQ(result.verdict == Verdict::Unsafe, contexts >= 3) << contexts;
  }
}

// A projection holds no step that does not matter: the other thread's loop is left out, and so is a value that is
// overwritten unread.
TEST(Bmc, RunsAreProjections) {
  Program program;
  const VarId x = program.add_shared(var_of("x", Type::fixed(32, true), {0}));
  const VarId y = program.add_shared(var_of("y", Type::fixed(32, true), {0}));
  ExprPool& exprs = program.exprs;
  const Type type = program.shared[0].type;
  const ExprId is_seven = exprs.binary(Op::Eq, exprs.shared(x, type), exprs.constant(7, type), Type::boolean());
  program.add_property(
      {.kind = Property::Kind::Condition, .text = "x is 7", .span = {}, .condition = is_seven, .threads = {}});
  Template other = template_with("other", 1);
  add_edge(other, 0, 0,
           assign_action(to_shared(y), exprs.binary(Op::Add, exprs.shared(y, type), exprs.constant(1, type), type)));
  Template early = template_with("early", 2);
  add_edge(early, 0, 1, assign_action(to_shared(x), exprs.constant(3, type)));
  Template late = template_with("late", 2);
  add_edge(late, 0, 1, assign_action(to_shared(x), exprs.nondet(type)));
  for (Template* templ : {&other, &early, &late}) program.add_template(std::move(*templ));
  for (std::size_t i = 0; i < 3; ++i) program.initial.push_back({TemplateId(i), LocId(0), 1});
  EngineOptions options;
  options.bmc.first_depth = options.bmc.last_depth = 6;
  // Found among projections, or made one afterwards.
  for (const unsigned conflicts : {0U, 2000U}) {
    Env env;
    const result::Result result = BmcEngine(conflicts).check(env, {program, 3, options});
    ASSERT_EQ(result.verdict, Verdict::Unsafe);
    ASSERT_EQ(result.run->steps.size(), 1U);
    EXPECT_EQ(result.run->steps[0].thread, 2U);
    // The interpreter cannot enumerate the choice; the run says which value it took.
    EXPECT_TRUE(result::replay(program, 3, *result.run).succeeded);
  }
}

TEST(Bmc, NamesWhatItDoesNotTake) {
  Program program = random_program(1, {.calls = false, .any_number = true});
  program.initial = {{TemplateId(0), LocId(0), std::nullopt}};
  const auto refusal = BmcEngine().refuses({program, std::nullopt, {}});
  ASSERT_TRUE(refusal.has_value());
  EXPECT_NE(refusal->find("needs a bound"), std::string::npos) << *refusal;
  EngineOptions both;
  both.bmc.normal_form = true;
  both.bmc.contexts = 2;
  EXPECT_TRUE(BmcEngine().refuses({program, 2, both}).has_value());
}

}  // namespace cohort::engine::bmc
