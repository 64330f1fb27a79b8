// Every pass on random programs, against brute force; and planted bugs that this comparison must find.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <string>

#include "base/contract.hpp"
#include "model/passes/inline.hpp"
#include "model/passes/liveness.hpp"
#include "model/passes/merge.hpp"
#include "model/passes/pass_oracle.hpp"
#include "model/passes/relevance.hpp"
#include "model/passes/simplify.hpp"
#include "model/passes/unreachable.hpp"
#include "model/print.hpp"
#include "model/validate.hpp"

namespace cohort::model {
namespace {

using namespace cohort::test;

constexpr std::uint64_t seeds = 700;
constexpr std::size_t max_states = 1500;

Program flat_program(std::uint64_t seed) {
  return inline_calls(random_program(seed, options_for(seed)));
}

std::uint32_t fixed_threads(const Program& program) {
  std::uint32_t count = 0;
  for (const InitialThreads& group : program.initial) count += group.count.value_or(0);
  return count;
}

// What `pass` makes of each random program, for 1 to 3 threads; returns the number of comparisons made.
using Judge = std::function<Difference(const Program& flat, std::uint32_t bound, std::size_t& compared)>;

std::size_t judge_all(const Judge& judge) {
  std::size_t compared = 0;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    const Program flat = flat_program(seed);
    for (std::uint32_t bound = std::max(1U, fixed_threads(flat)); bound <= 3; ++bound) {
      const Difference difference = judge(flat, bound, compared);
      if (!difference) continue;
      ADD_FAILURE() << *difference << "; seed " << seed << ", bound " << bound << "\n" << to_string(flat);
      return compared;
    }
  }
  return compared;
}

TEST(RandomPasses, UnreachableKeepsAllStates) {
  std::size_t removed = 0;
  const std::size_t compared = judge_all([&](const Program& flat, std::uint32_t bound, std::size_t& count) {
    const Program after = remove_unreachable(flat);
    validate(after);
    for (std::size_t i = 0; i < flat.templates.size(); ++i) {
      removed += flat.templates[i].edges.size() - after.templates[i].edges.size();
    }
    const Exploration expected = explore(flat, bound, max_states);
    if (!expected.complete) return Difference{};
    ++count;
    return explore(after, bound, max_states).states == expected.states ? Difference{}
                                                                       : Difference{"other states are reached"};
  });
  EXPECT_GT(compared, seeds);
  EXPECT_GT(removed, seeds / 10);
}

TEST(RandomPasses, ResettingDeadLocalsKeepsAllStatesUpToDeadLocals) {
  const std::size_t compared = judge_all([](const Program& flat, std::uint32_t bound, std::size_t& count) {
    const LiveLocals live(flat);
    const Program after = reset_dead_locals(flat, live);
    validate(after);
    return compare(flat, after, {live, RelevantVariables::everything(flat)}, bound, max_states, count);
  });
  EXPECT_GT(compared, seeds);
}

TEST(RandomPasses, FixingIrrelevantVariablesKeepsAllStatesUpToThem) {
  std::size_t fixed = 0;
  const std::size_t compared = judge_all([&](const Program& flat, std::uint32_t bound, std::size_t& count) {
    const RelevantVariables relevant(flat);
    const Program after = fix_irrelevant(flat, relevant);
    validate(after);
    for (std::size_t i = 0; i < flat.shared.size(); ++i) fixed += relevant.shared(VarId(i)) ? 0 : 1;
    return compare(flat, after, {LiveLocals::everything(flat), relevant}, bound, max_states, count);
  });
  EXPECT_GT(compared, seeds);
  EXPECT_GT(fixed, seeds / 10);
}

TEST(RandomPasses, MergingKeepsAllStatesOfTheLocationsLeft) {
  std::size_t eliminated = 0;
  const std::size_t compared = judge_all([&](const Program& flat, std::uint32_t bound, std::size_t& count) {
    const Program before = remove_unreachable(flat);
    const Program after = merge_steps(before);
    validate(after);
    eliminated += Eliminated(before, after).count();
    return compare(before, after, Agreement(before), bound, max_states, count);
  });
  EXPECT_GT(compared, seeds);
  EXPECT_GT(eliminated, seeds);
}

TEST(RandomPasses, MergingKeepsThePlacesThatAreAskedFor) {
  std::size_t compared = 0;
  std::size_t sections = 0;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    RandomProgramOptions options = options_for(seed);
    options.cover = true;
    const Program before = remove_unreachable(inline_calls(random_program(seed, options)));
    const Program after = merge_steps(before);
    sections += Eliminated(merge_steps(before, {.atomic_sections = false}), after).count();
    for (std::uint32_t bound = std::max(1U, fixed_threads(before)); bound <= 3; ++bound) {
      const Difference difference = compare(before, after, Agreement(before), bound, max_states, compared);
      ASSERT_FALSE(difference) << *difference << "; seed " << seed << ", bound " << bound << "\n" << to_string(before);
    }
  }
  EXPECT_GT(compared, seeds);
  EXPECT_GT(sections, seeds / 20) << "sections are merged";
}

TEST(RandomPasses, MergingOutsideAtomicSectionsKeepsAllThreadStates) {
  const std::size_t compared = judge_all([&](const Program& flat, std::uint32_t bound, std::size_t& count) {
    const Program before = remove_unreachable(flat);
    const Program after = merge_steps(before, {.atomic_sections = false});
    validate(after);
    return compare(before, after, Agreement(before), bound, max_states, count, {.thread_states = true});
  });
  EXPECT_GT(compared, seeds);
}

TEST(RandomPasses, SimplifyingKeepsAllStatesOfTheLocationsLeftUpToDeadLocals) {
  std::size_t before = 0;
  std::size_t after = 0;
  const std::size_t compared = judge_all([&](const Program& flat, std::uint32_t bound, std::size_t& count) {
    const Program reachable = remove_unreachable(flat);
    const Simplified simplified = simplify(flat);
    validate(simplified.program);
    const Difference difference =
        compare(reachable, simplified.program, {simplified.live, simplified.relevant}, bound, max_states, count);
    before += explore(flat, bound, max_states).states.size();
    after += explore(simplified.program, bound, max_states).states.size();
    return difference;
  });
  EXPECT_GT(compared, seeds);
  EXPECT_LT(after * 3, before * 2) << "simplifying saves at least a third of the states";
}

// Planted bugs: a pass that is blind to some part of the program.  The pass runs on a program without that part, then
// the part is put back.

using Blindfold = std::function<void(Program&)>;

void for_each_action(Program& program, const std::function<void(Action&)>& change) {
  for (Template& templ : program.templates) {
    for (Edge& edge : templ.edges) {
      for (Action& action : edge.actions) change(action);
    }
  }
}

Program blind_merge(const Program& program, const Blindfold& blindfold) {
  Program stamped = program;
  for (std::size_t i = 0; i < stamped.templates.size(); ++i) {
    for (std::uint32_t j = 0; j < stamped.templates[i].edges.size(); ++j) {
      stamped.templates[i].edges[j].actions.front().origin = EdgeRef{TemplateId(i), j};
    }
  }
  Program blind = stamped;
  blindfold(blind);
  blind = merge_steps(blind);
  for_each_action(blind, [&](Action& action) { action = stamped.edge(*action.origin).actions.front(); });
  for (std::size_t i = 0; i < stamped.templates.size(); ++i) stamped.templates[i].edges = blind.templates[i].edges;
  return stamped;
}

// Some random program shows the bug, by a difference or by a broken contract.
bool is_caught(const Judge& judge, const std::optional<RandomProgramOptions>& options = {}) {
  std::size_t compared = 0;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    const Program flat =
        remove_unreachable(options ? inline_calls(random_program(seed, *options)) : flat_program(seed));
    for (std::uint32_t bound = std::max(1U, fixed_threads(flat)); bound <= 3; ++bound) {
      try {
        if (judge(flat, bound, compared)) return true;
      } catch (const InternalError&) {
        return true;
      }
    }
  }
  return false;
}

bool blind_merge_is_caught(const Blindfold& blindfold) {
  return is_caught([&](const Program& flat, std::uint32_t bound, std::size_t& compared) {
    return compare(flat, blind_merge(flat, blindfold), Agreement(flat), bound, 600, compared);
  });
}

bool blind_liveness_is_caught(const Blindfold& blindfold, const std::optional<RandomProgramOptions>& options = {}) {
  const Judge judge = [&](const Program& flat, std::uint32_t bound, std::size_t& compared) {
    Program blind = flat;
    blindfold(blind);
    const LiveLocals live(blind);
    return compare(flat, reset_dead_locals(flat, live), {live, RelevantVariables::everything(flat)}, bound, 600,
                   compared);
  };
  return is_caught(judge, options);
}

bool blind_relevance_is_caught(const Blindfold& blindfold) {
  return is_caught([&](const Program& flat, std::uint32_t bound, std::size_t& compared) {
    Program blind = flat;
    blindfold(blind);
    const RelevantVariables relevant(blind);
    return compare(flat, fix_irrelevant(flat, relevant), {LiveLocals::everything(flat), relevant}, bound, 600,
                   compared);
  });
}

void hide_passive(Program& program) {
  for_each_action(program, [&](Action& action) {
    std::erase_if(action.assigns, [](const Assign& assign) { return assign.target.kind == LValue::Kind::Passive; });
    std::erase_if(action.constraint,
                  [&](ExprId conjunct) { return mentions(program.exprs, conjunct, Op::PassiveVar); });
  });
}

void hide_shared_writes(Program& program) {
  for_each_action(program, [&](Action& action) {
    std::erase_if(action.assigns, [](const Assign& assign) { return assign.target.kind == LValue::Kind::Shared; });
  });
}

void hide_guards(Program& program) {
  for_each_action(program, [&](Action& action) { action.guard.reset(); });
}

void hide_constraints(Program& program) {
  for_each_action(program, [&](Action& action) { action.constraint.clear(); });
}

void hide_moves(Program& program) {
  for_each_action(program, [&](Action& action) { action.moves.clear(); });
}

void hide_takes(Program& program) {
  for_each_action(program, [&](Action& action) { action.takes.clear(); });
}

void hide_atomic(Program& program) {
  for_each_action(program, [&](Action& action) { action.atomic = AtomicChange::None; });
}

void hide_exits(Program& program) {
  for_each_action(program, [&](Action& action) {
    if (action.atomic == AtomicChange::Exit) action.atomic = AtomicChange::None;
  });
}

void hide_spawns(Program& program) {
  for_each_action(program, [&](Action& action) { action.spawns.clear(); });
}

void hide_errors(Program& program) {
  for (Template& templ : program.templates) {
    for (Location& location : templ.locations) location.error.reset();
  }
}

void hide_properties(Program& program) {
  for (Property& property : program.properties) property.threads.clear();
}

void hide_copies(Program& program) {
  for_each_action(program, [&](Action& action) {
    for (Spawn& spawn : action.spawns) spawn.copies_locals = false;
  });
}

TEST(PlantedBugs, MergingBlindToAnythingIsCaught) {
  EXPECT_TRUE(blind_merge_is_caught(hide_passive)) << "passive variables";
  EXPECT_TRUE(blind_merge_is_caught(hide_shared_writes)) << "shared writes";
  EXPECT_TRUE(blind_merge_is_caught(hide_guards)) << "guards";
  EXPECT_TRUE(blind_merge_is_caught(hide_constraints)) << "constraints";
  EXPECT_TRUE(blind_merge_is_caught(hide_moves)) << "moves";
  EXPECT_TRUE(blind_merge_is_caught(hide_takes)) << "takes";
  EXPECT_TRUE(blind_merge_is_caught(hide_atomic)) << "atomic sections";
  EXPECT_TRUE(blind_merge_is_caught(hide_exits)) << "ends of atomic sections";
  EXPECT_TRUE(blind_merge_is_caught(hide_spawns)) << "spawns";
  EXPECT_TRUE(blind_merge_is_caught(hide_errors)) << "error locations";
  EXPECT_TRUE(blind_merge_is_caught(hide_properties)) << "locations named by properties";
}

TEST(PlantedBugs, LivenessBlindToAnythingIsCaught) {
  EXPECT_TRUE(blind_liveness_is_caught(hide_passive)) << "passive variables";
  EXPECT_TRUE(blind_liveness_is_caught(hide_guards)) << "guards";
  EXPECT_TRUE(blind_liveness_is_caught(hide_constraints)) << "constraints";
  const RandomProgramOptions with_moves{.calls = false, .spawns = false, .atomic = false, .moves = true};
  EXPECT_TRUE(blind_liveness_is_caught(hide_moves, with_moves)) << "moves";
  const RandomProgramOptions with_takes{.calls = false, .spawns = false, .atomic = false, .takes = true};
  EXPECT_TRUE(blind_liveness_is_caught(hide_takes, with_takes)) << "takes";
  EXPECT_TRUE(blind_liveness_is_caught(hide_copies)) << "copied locals";
  EXPECT_TRUE(blind_liveness_is_caught(hide_shared_writes)) << "shared writes";
}

TEST(PlantedBugs, RelevanceBlindToAnythingIsCaught) {
  EXPECT_TRUE(blind_relevance_is_caught(hide_passive)) << "passive variables";
  EXPECT_TRUE(blind_relevance_is_caught(hide_guards)) << "guards";
  EXPECT_TRUE(blind_relevance_is_caught(hide_constraints)) << "constraints";
  EXPECT_TRUE(blind_relevance_is_caught(hide_spawns)) << "spawns";
  EXPECT_TRUE(blind_relevance_is_caught(hide_shared_writes)) << "shared writes";
}

}  // namespace
}  // namespace cohort::model
