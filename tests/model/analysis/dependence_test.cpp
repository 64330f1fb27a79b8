#include "model/analysis/dependence.hpp"

#include <set>
#include <utility>

#include <gtest/gtest.h>

#include "model/passes/inline.hpp"
#include "support/build.hpp"
#include "support/random_program.hpp"

namespace cohort::model {
namespace {

using test::add_edge;
using test::assign_action;
using test::bool_var;
using test::template_with;
using test::to_local;
using test::to_passive;
using test::to_shared;

const TemplateId first{std::size_t{0}};

Dependence::Node at(const Dependence& dependence, std::size_t location) {
  return dependence.node(first, LocId(location));
}

// Location 0 writes the local, 1 writes x, 2 reads x, 3 is the end.
Program straight_line() {
  Program program;
  const VarId x = program.add_shared(bool_var("x"));
  Template templ = template_with("t", 4);
  const VarId l = templ.add_local(bool_var("l"));
  add_edge(templ, 0, 1, assign_action(to_local(l), program.exprs.truth()));
  add_edge(templ, 1, 2, assign_action(to_shared(x), program.exprs.truth()));
  Action reads;
  reads.guard = program.exprs.shared(x, Type::boolean());
  add_edge(templ, 2, 3, reads);
  program.add_template(std::move(templ));
  return program;
}

TEST(Dependence, LocalStepsCommuteAndSharedOnesDoNot) {
  const Program program = straight_line();
  const Dependence dependence(program);
  EXPECT_TRUE(dependence.commutes(at(dependence, 0), at(dependence, 0)));
  EXPECT_FALSE(dependence.commutes(at(dependence, 1), at(dependence, 0)));
  EXPECT_FALSE(dependence.commutes(at(dependence, 2), at(dependence, 0)));
}

TEST(Dependence, OnlyTheFutureCounts) {
  const Program program = straight_line();
  const Dependence dependence(program);
  // A thread that has the write behind it only reads: two reads commute.
  EXPECT_TRUE(dependence.commutes(at(dependence, 2), at(dependence, 2)));
  EXPECT_FALSE(dependence.commutes(at(dependence, 1), at(dependence, 2)));
  EXPECT_TRUE(dependence.commutes(at(dependence, 1), at(dependence, 3)));
  EXPECT_TRUE(dependence.sees_shared(dependence.future(at(dependence, 2)), VarId(std::size_t{0})));
  EXPECT_FALSE(dependence.sees_shared(dependence.future(at(dependence, 3)), VarId(std::size_t{0})));
}

TEST(Dependence, StepsToErrorLocationsAreVisible) {
  Program program = straight_line();
  program.templates[0].locations[1].error = program.add_property({.kind = Property::Kind::Assertion});
  const Dependence dependence(program);
  EXPECT_FALSE(dependence.candidate(at(dependence, 0)));
  EXPECT_TRUE(dependence.candidate(at(dependence, 2)));
}

TEST(Dependence, EveryCycleHasALocationThatIsNoCandidate) {
  Program program;
  Template templ = template_with("t", 4);
  for (std::size_t i = 0; i < 4; ++i) add_edge(templ, i, (i + 1) % 4);
  program.add_template(std::move(templ));
  const Dependence dependence(program);
  int candidates = 0;
  for (std::size_t i = 0; i < 4; ++i) candidates += dependence.candidate(at(dependence, i)) ? 1 : 0;
  EXPECT_EQ(candidates, 3);
}

TEST(Dependence, CyclesAreCutWhereStepsDependOnOthersAnyway) {
  Program program;
  const VarId x = program.add_shared(bool_var("x"));
  Template templ = template_with("t", 4);
  for (std::size_t i = 0; i < 4; ++i) {
    add_edge(templ, i, (i + 1) % 4, i == 2 ? assign_action(to_shared(x), program.exprs.truth()) : Action{});
  }
  program.add_template(std::move(templ));
  const Dependence dependence(program);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(dependence.candidate(at(dependence, i)), i != 2) << i;
    EXPECT_EQ(dependence.always_independent(at(dependence, i)), i != 2) << i;
  }
}

// Leaves out one location after the other from which no step leads to one that is left.
bool has_cycle_of_candidates(const Program& program, const Dependence& dependence) {
  std::set<std::pair<std::size_t, std::size_t>> left;
  for (std::size_t t = 0; t < program.templates.size(); ++t) {
    for (std::size_t l = 0; l < program.templates[t].locations.size(); ++l) {
      if (dependence.candidate(dependence.node(TemplateId(t), LocId(l)))) left.emplace(t, l);
    }
  }
  const auto leads_on = [&](std::pair<std::size_t, std::size_t> from) {
    for (const Edge& edge : program.templates[from.first].edges) {
      if (edge.source.value != from.second) continue;
      if (left.contains({from.first, edge.target.value})) return true;
      for (const Action& action : edge.actions) {
        for (const Spawn& spawn : action.spawns) {
          if (left.contains({spawn.templ.value, spawn.location.value})) return true;
        }
      }
    }
    return false;
  };
  for (bool smaller = true; smaller;) {
    smaller = std::erase_if(left, [&](const auto& location) { return !leads_on(location); }) > 0;
  }
  return !left.empty();
}

TEST(Dependence, NoCycleConsistsOfCandidates) {
  std::size_t candidates = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const Program program = inline_calls(test::random_program(seed, {}));
    const Dependence dependence(program);
    EXPECT_FALSE(has_cycle_of_candidates(program, dependence)) << "seed " << seed;
    for (std::size_t t = 0; t < program.templates.size(); ++t) {
      for (std::size_t l = 0; l < program.templates[t].locations.size(); ++l)
        candidates += dependence.candidate(dependence.node(TemplateId(t), LocId(l))) ? 1 : 0;
    }
  }
  EXPECT_GT(candidates, 300U);
}

TEST(Dependence, ASpawnClosesCyclesToo) {
  Program program;
  Template templ = template_with("t", 2);
  Action spawns;
  spawns.spawns.push_back({.templ = first, .location = LocId(std::size_t{0})});
  spawns.ends_thread = true;
  add_edge(templ, 0, 1, spawns);
  program.add_template(std::move(templ));
  const Dependence dependence(program);
  EXPECT_FALSE(dependence.candidate(at(dependence, 0)));
}

TEST(Dependence, SpawnsAndEndsMeetAtTheBound) {
  Program program;
  Template templ = template_with("t", 4);
  Action spawns;
  spawns.spawns.push_back({.templ = first, .location = LocId(std::size_t{3})});
  Action ends;
  ends.ends_thread = true;
  add_edge(templ, 0, 1, spawns);
  add_edge(templ, 1, 2, ends);
  program.add_template(std::move(templ));
  const Dependence dependence(program);
  EXPECT_FALSE(dependence.commutes(at(dependence, 0), at(dependence, 1)));
  EXPECT_FALSE(dependence.commutes(at(dependence, 1), at(dependence, 0)));
  EXPECT_TRUE(dependence.commutes(at(dependence, 1), at(dependence, 1)));
}

TEST(Dependence, ABroadcastSeesTheLocalsItSpeaksOf) {
  Program program;
  Template templ = template_with("t", 3);
  const VarId seen = templ.add_local(bool_var("seen"));
  const VarId hidden = templ.add_local(bool_var("hidden"));
  add_edge(templ, 0, 1, assign_action(to_local(seen), program.exprs.truth()));
  add_edge(templ, 1, 2, assign_action(to_local(hidden), program.exprs.truth()));
  program.add_template(std::move(templ));
  Template other = template_with("u", 2);
  program.add_template(std::move(other));
  add_edge(program.templates[0], 2, 2, assign_action(to_passive(seen), program.exprs.truth()));
  const Dependence dependence(program);
  EXPECT_FALSE(dependence.candidate(at(dependence, 2)));
  EXPECT_FALSE(dependence.commutes(at(dependence, 0), at(dependence, 2)));
  EXPECT_TRUE(dependence.commutes(at(dependence, 1), at(dependence, 2)));
  EXPECT_TRUE(dependence.sees_locals(dependence.future(at(dependence, 2)), first));
  EXPECT_FALSE(dependence.sees_locals(dependence.future(at(dependence, 2)), TemplateId(std::size_t{1})));
}

TEST(Dependence, EnteringAnAtomicSectionStopsOthersAndLeavingInTheSameStepDoesNot) {
  Program program;
  Template templ = template_with("t", 3);
  Action enter;
  enter.atomic = AtomicChange::Enter;
  Action leave;
  leave.atomic = AtomicChange::Exit;
  add_edge(templ, 0, 1, enter);
  add_edge(templ, 1, 2, enter);
  templ.edges.back().actions.push_back(leave);
  program.add_template(std::move(templ));
  const Dependence dependence(program);
  EXPECT_FALSE(dependence.candidate(at(dependence, 0)));
  EXPECT_TRUE(dependence.candidate(at(dependence, 1)));
}

}  // namespace
}  // namespace cohort::model
