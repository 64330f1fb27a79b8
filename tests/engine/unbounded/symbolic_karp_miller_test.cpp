#include "engine/unbounded/symbolic_karp_miller.hpp"

#include <set>

#include <gtest/gtest.h>

#include "engine/unbounded/karp_miller.hpp"
#include "support/random_program.hpp"

namespace cohort::engine::unbounded {
namespace {

using ThreadStates = std::set<std::pair<model::Valuation, model::ThreadState>>;

model::Program without_properties(model::Program program) {
  program.properties.clear();
  for (model::Template& templ : program.templates) {
    for (model::Location& location : templ.locations) location.error.reset();
  }
  return program;
}

ThreadStates explicit_states(const model::Program& program) {
  Env env;
  CounterSystem system(program);
  KarpMiller tree(env, system, {});
  EXPECT_EQ(tree.run(), KarpMiller::Outcome::Covered);
  ThreadStates states;
  for (const std::uint32_t node : tree.cover()) {
    const ControlId control = tree.nodes()[node].control;
    const model::Valuation shared = system.shared_state(control);
    if (system.control(control).holder != model::no_id) states.emplace(shared, system.holder_state(control));
    for (const Token& token : tree.tokens(node)) states.emplace(shared, system.thread_state(token.place));
  }
  return states;
}

ThreadStates symbolic_states(const model::Program& program) {
  Env env;
  const BooleanEncoding encoding(env, program);
  SymbolicKarpMiller tree(env, encoding);
  EXPECT_EQ(tree.run(), SymbolicKarpMiller::Outcome::Covered);
  ThreadStates states;
  for (const SymbolicLabel* label : tree.cover()) {
    for (const SymbolicThreads& threads : label->threads) {
      for_each_assignment(label->shared, encoding.shared_set(), [&](const dd::Assignment& shared) {
        model::Valuation shared_values;
        for (const auto& literal : shared) shared_values.push_back(literal.second ? 1 : 0);
        for_each_assignment(threads.locals, encoding.local_set(), [&](const dd::Assignment& locals) {
          model::ThreadState state{threads.templ, threads.location, threads.atomic, {}};
          for (std::size_t i = 0; i < program.templ(threads.templ).locals.size(); ++i)
            state.locals.push_back(locals[i].second ? 1 : 0);
          states.emplace(shared_values, state);
          return true;
        });
        return true;
      });
    }
  }
  return states;
}

// The acceleration against labels that include each other must neither miss a thread state nor invent one.
TEST(SymbolicKarpMiller, ReachesExactlyTheThreadStatesOfTheExplicitConstruction) {
  test::RandomProgramOptions options;
  options.calls = false;
  options.any_number = true;
  options.max_locals = 2;
  options.max_locations = 5;
  int compared = 0;
  std::size_t most = 0;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const model::Program program = without_properties(test::random_program(seed, options));
    if (CounterSystem::refuses(program) || BooleanEncoding::refuses(program)) continue;
    const ThreadStates expected = explicit_states(program);
    ASSERT_EQ(symbolic_states(program), expected) << "seed " << seed;
    ++compared;
    most = std::max(most, expected.size());
  }
  EXPECT_GT(compared, 100);
  EXPECT_GT(most, 50u);
}

}  // namespace
}  // namespace cohort::engine::unbounded
