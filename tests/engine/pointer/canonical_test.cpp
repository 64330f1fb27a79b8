// Canonical forms against orbits counted by brute force, and where sorting does not suffice.
#include "engine/pointer/canonical.hpp"

#include <random>

#include <gtest/gtest.h>

#include "engine/pointer/oracle.hpp"
#include "engine/pointer/pointer_engine.hpp"
#include "engine/pointer/pointer_example.hpp"

namespace cohort::engine::pointer {
namespace {

model::Program graph_program(std::uint32_t processes) {
  return frontend::red::load(
      std::make_shared<SourceFile>(
          "test.red", "global pointer g; local pointer p, q; local discrete x; mode a true { when true may p = q; }"),
      {.processes = processes});
}

// Every state of a small program, in every order: permuted states have the same form, others do not.
TEST(Canonical, FormsAreEqualExactlyOnOrbits) {
  constexpr std::uint32_t processes = 3;
  const model::Program program = graph_program(processes);
  const Layout layout(program);
  Canoniser canonise(layout, find_symmetry(layout));
  std::set<Cells> forms;
  std::set<Cells> orbits;
  const auto group = admissible(layout);
  ASSERT_EQ(group.size(), 6U);
  Cells cells(layout.cells(), 0);
  for (std::size_t i = 0; i < 4 * 64 * 64; ++i) {
    std::size_t rest = i;
    for (std::size_t cell = 0; cell < cells.size(); ++cell) {
      const bool pointer = layout.type(cell).pointer;
      cells[cell] = pointer ? static_cast<Cell>(rest % 4) : 0;
      rest /= pointer ? 4 : 1;
    }
    if (i % 2 == 1) cells[layout.local_cell(i % processes, 2)] = 1;
    Cells form = cells;
    canonise(form);
    forms.insert(form);
    Cells least = cells;
    bool is_image = false;
    for (const Permutation& permutation : group) {
      const Cells image = layout.to_cells(permuted(layout, layout.to_state(cells), permutation));
      least = std::min(least, image);
      is_image = is_image || image == form;
    }
    ASSERT_TRUE(is_image);
    orbits.insert(least);
  }
  EXPECT_EQ(forms.size(), orbits.size());
  EXPECT_GT(canonise.labellings(), 0U);
}

// Random states of more processes, the pointers of which are mostly NULL, so that trees, twins and rings are all there.
TEST(Canonical, FormsDoNotDependOnTheNumbersOfProcesses) {
  constexpr std::uint32_t processes = 6;
  const model::Program program = graph_program(processes);
  const Layout layout(program);
  Canoniser canonise(layout, find_symmetry(layout));
  std::mt19937 random(7);
  Cells cells(layout.cells(), 0);
  for (int round = 0; round < 4000; ++round) {
    const unsigned sparse = 1 + static_cast<unsigned>(round) % 8;
    for (std::size_t cell = 0; cell < cells.size(); ++cell) {
      cells[cell] = random() % sparse == 0 ? static_cast<Cell>(random() % layout.type(cell).values) : Cell{0};
    }
    Cells form = cells;
    canonise(form);
    for (int image = 0; image < 4; ++image) {
      Permutation permutation = identity(processes);
      std::shuffle(permutation.begin() + 1, permutation.end(), random);
      Cells other = layout.to_cells(permuted(layout, layout.to_state(cells), permutation));
      canonise(other);
      ASSERT_EQ(form, other) << "round " << round;
    }
  }
  EXPECT_GT(canonise.labellings(), 0U);
}

// Exchanging a twin with its neighbour changes nothing.
TEST(Canonical, StepsOfTwinsLeadToTheSameOrbits) {
  const model::Program program = test::load_pointer("forest", 5);
  const Layout layout(program);
  Canoniser canonise(layout, find_symmetry(layout));
  std::size_t twins = 0;
  const model::Interpreter interpreter(program, std::nullopt);
  for (const model::State& state : brute_force(program, 3'000).states) {
    Cells cells = layout.to_cells(state);
    canonise(cells);
    canonise.note_twins(cells);
    const auto steps = interpreter.successors(layout.to_state(cells));
    const auto forms_after = [&](std::uint32_t process) {
      std::set<Cells> forms;
      for (const model::Transition& step : steps) {
        if (step.thread != process || step.fault) continue;
        Cells next = layout.to_cells(step.target);
        canonise(next);
        forms.insert(next);
      }
      return forms;
    };
    for (std::uint32_t process = 0; process < 5; ++process) {
      if (!canonise.has_twin(process)) continue;
      ++twins;
      ASSERT_EQ(forms_after(process), forms_after(process - 1));
    }
  }
  EXPECT_GT(twins, 100U);
}

TEST(Canonical, TwinsAreSortedAndRingsAreLabelled) {
  const model::Program program = graph_program(6);
  const Layout layout(program);
  Canoniser canonise(layout, find_symmetry(layout));
  Cells idle(layout.cells(), 0);
  canonise(idle);
  EXPECT_EQ(canonise.labellings(), 0U);
  // Two trees of three.
  Cells trees(layout.cells(), 0);
  for (const std::size_t child : {1U, 2U}) trees[layout.local_cell(child, 0)] = 1;
  for (const std::size_t child : {4U, 5U}) trees[layout.local_cell(child, 0)] = 4;
  canonise(trees);
  EXPECT_EQ(canonise.labellings(), 0U);
  // Two rings of three, and one ring of six: the same colours everywhere.
  const auto rings = [&](const std::vector<Cell>& targets) {
    Cells cells(layout.cells(), 0);
    for (std::size_t i = 0; i < 6; ++i) cells[layout.local_cell(i, 0)] = targets[i];
    canonise(cells);
    return cells;
  };
  EXPECT_EQ(rings({2, 3, 1, 5, 6, 4}), rings({3, 4, 5, 6, 1, 2}));  // 1 3 5 and 2 4 6
  EXPECT_EQ(rings({2, 3, 4, 5, 6, 1}), rings({6, 1, 2, 3, 4, 5}));
  EXPECT_EQ(rings({2, 3, 4, 5, 6, 1}), rings({4, 3, 1, 5, 6, 2}));
  EXPECT_NE(rings({2, 3, 1, 5, 6, 4}), rings({2, 3, 4, 5, 6, 1}));
  EXPECT_GT(canonise.labellings(), 0U);
}

std::uint64_t states_of(const model::Program& program, EngineOptions options) {
  Env env;
  const engine::Task task{program, model::fixed_thread_count(program), options};
  const auto result = PointerEngine().check(env, task);
  EXPECT_EQ(static_cast<int>(result.verdict), static_cast<int>(result::Verdict::Safe));
  return std::get<std::uint64_t>(*env.statistics.find("states"));
}

TEST(Canonical, StateCountsAreOrbitCounts) {
  for (const std::string name : {"mcs_open_door", "mcs_swap", "clh", "ring", "forest", "treiber", "static_ring",
                                 "union_find", "list", "ms_queue"}) {
    for (std::uint32_t processes = 2; processes <= 4; ++processes) {
      if (name == "static_ring" && processes != 3) continue;
      const model::Program whole = test::load_pointer(name, processes);
      // Without goals, so that nothing ends the search.
      const model::Program program = without_properties(whole);
      const auto oracle = brute_force(program, processes == 4 ? 8'000 : 20'000);
      if (!oracle.complete) continue;
      const Layout layout(program);
      EXPECT_EQ(states_of(program, {.inactive = false}), count_orbits(layout, oracle.states))
          << name << " " << processes;
      EXPECT_EQ(states_of(program, {.symmetry = false, .inactive = false}), oracle.states.size())
          << name << " " << processes;
      EXPECT_LE(states_of(program, {}), count_orbits(layout, oracle.states)) << name << " " << processes;
    }
  }
}

}  // namespace
}  // namespace cohort::engine::pointer
