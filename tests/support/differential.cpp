#include "support/differential.hpp"

#include <deque>
#include <set>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "engine/explicit/counter_space.hpp"
#include "engine/explicit/deviation_search.hpp"
#include "engine/explicit/explicit_engine.hpp"
#include "engine/explicit/plain_space.hpp"
#include "engine/explicit/search.hpp"
#include "model/interpreter.hpp"
#include "result/replay.hpp"

namespace cohort::test {

using namespace model;
using namespace engine::explicit_;
using result::Verdict;

namespace {

struct BruteForce {
  std::set<State> states;            // with their slots
  std::optional<std::size_t> depth;  // steps to the nearest violation or fault
  bool complete = true;
};

// Breadth first over the interpreter's states as they are, threads told apart.
BruteForce brute_force(const Program& program, std::uint32_t bound) {
  const Interpreter interpreter(program, bound);
  BruteForce result;
  std::deque<std::pair<State, std::size_t>> queue;
  const auto reach = [&](State state, std::size_t depth) {
    if (!result.states.insert(state).second) return;
    if (interpreter.violated(state) && !result.depth) result.depth = depth;
    queue.emplace_back(std::move(state), depth);
  };
  for (State& state : interpreter.initial_states()) reach(std::move(state), 0);
  while (!queue.empty()) {
    if (result.states.size() > max_compared_states) {
      result.complete = false;
      return result;
    }
    const auto [state, depth] = std::move(queue.front());
    queue.pop_front();
    for (Transition& step : interpreter.successors(state)) {
      if (step.fault) {
        if (!result.depth || *result.depth > depth + 1) result.depth = depth + 1;
      } else {
        reach(std::move(step.target), depth + 1);
      }
    }
  }
  return result;
}

// The program with nothing left to violate, so that a search runs to the end.
Program without_properties(Program program) {
  program.properties.clear();
  program.faults = FaultPolicy::Drop;
  for (Template& templ : program.templates) {
    for (Location& location : templ.locations) location.error.reset();
  }
  return program;
}

void add_state(const ThreadSystem& system, const CounterSpace& space, std::set<State>& states) {
  State state{system.shared(space.shared()), {}};
  for (const Cell& cell : space.cells()) {
    for (std::uint32_t i = 0; i < cell.count; ++i) state.threads.emplace_back(system.local(cell.local));
  }
  states.insert(canonical(std::move(state)));
}

void add_state(const ThreadSystem& system, const PlainSpace& space, std::set<State>& states) {
  State state{system.shared(space.shared()), {}};
  for (const LocalId local : space.slots()) {
    state.threads.push_back(local != no_id ? std::optional(system.local(local)) : std::nullopt);
  }
  states.insert(std::move(state));
}

template <class Space>
std::set<State> searched_states(const Program& program, std::uint32_t bound, engine::SearchOrder order) {
  Env env;
  ThreadSystem system(program);
  Space space(system, bound);
  engine::StateStore store;
  Search<Space> search(env, space, store, order);
  search.run();
  std::set<State> states;
  for (engine::StateStore::Ref ref = store.begin(); ref != store.end();) {
    const std::uint8_t* word = store.bytes(ref);
    const auto length = static_cast<std::size_t>(space.load(word) - word);
    add_state(system, space, states);
    ref = store.next(ref, length);
  }
  return states;
}

// The states of the search by deviations; what a stored state has beyond the counter state is left out.
std::set<State> deviating_states(const Program& program, std::uint32_t bound) {
  Env env;
  ThreadSystem system(program);
  CounterSpace space(system, bound);
  engine::StateStore store;
  DeviationSearch(env, space, store).run();
  std::set<State> states;
  for (engine::StateStore::Ref ref = store.begin(); ref != store.end();) {
    const std::uint8_t* word = space.load(store.bytes(ref));
    get_number(word);
    add_state(system, space, states);
    ref = store.next(ref, static_cast<std::size_t>(word - store.bytes(ref)));
  }
  return states;
}

std::string compare_states(const Program& program, std::uint32_t bound, const std::set<State>& plain) {
  std::set<State> quotient;
  for (const State& state : plain) quotient.insert(canonical(state));
  if (const auto deviating = deviating_states(program, bound); deviating != quotient) {
    return fmt::format("{} states by deviations, {} expected", deviating.size(), quotient.size());
  }
  for (const auto order : {engine::SearchOrder::BreadthFirst, engine::SearchOrder::DepthFirst}) {
    const auto counted = searched_states<CounterSpace>(program, bound, order);
    if (counted != quotient) return fmt::format("{} counter states, {} expected", counted.size(), quotient.size());
    const auto told_apart = searched_states<PlainSpace>(program, bound, order);
    if (told_apart != plain) return fmt::format("{} plain states, {} expected", told_apart.size(), plain.size());
  }
  return {};
}

std::string compare_verdict(const Program& program, std::uint32_t bound, std::optional<std::size_t> depth,
                            engine::EngineOptions options) {
  Env env;
  const engine::Task task{program, bound, options};
  const ExplicitEngine engine;
  if (const auto refusal = engine.refuses(task)) return "refused: " + *refusal;
  const result::Result result = engine.check(env, task);
  const bool unsafe = depth.has_value();
  if (result.verdict != (unsafe ? Verdict::Unsafe : Verdict::Safe)) return "the verdict is wrong";
  if (unsafe) {
    const result::Replay replay = result::replay(program, bound, *result.run);
    if (!replay.succeeded) return "the run does not replay: " + replay.message;
    const bool shortest =
        options.order.value_or(engine::SearchOrder::BreadthFirst) == engine::SearchOrder::BreadthFirst;
    if (shortest && !options.partial_order && result.run->steps.size() != *depth) {
      return fmt::format("a run of {} steps, the shortest has {}", result.run->steps.size(), *depth);
    }
  } else if (options.certificate) {
    const auto check = result::check_certificate(env, program, bound, result.certificate->to_json(program));
    if (!check.valid) return "the certificate is refused: " + check.message;
  }
  return {};
}

// Stubborn sets as they are by default, and on request in either order; what was left out is in certificates again.
std::string compare_reduced(const Program& program, std::uint32_t bound, std::optional<std::size_t> depth) {
  if (std::string difference = compare_verdict(program, bound, depth, {}); !difference.empty())
    return "by default: " + difference;
  for (const auto order : {engine::SearchOrder::BreadthFirst, engine::SearchOrder::DepthFirst}) {
    for (const bool certificate : {false, true}) {
      engine::EngineOptions options;
      options.partial_order = true;
      options.order = order;
      options.certificate = certificate;
      const std::string difference = compare_verdict(program, bound, depth, options);
      if (!difference.empty()) return fmt::format("reduced, order {}: {}", static_cast<int>(order), difference);
    }
  }
  return {};
}

}  // namespace

std::string compare_explicit(const Program& program, std::uint32_t bound) {
  std::uint32_t initial = 0;
  for (const InitialThreads& group : program.initial) initial += group.count.value_or(0);
  if (initial > bound) return {};
  const BruteForce oracle = brute_force(program, bound);
  if (!oracle.complete) return {};
  const Program quiet = without_properties(program);
  if (std::string difference = compare_states(quiet, bound, oracle.states); !difference.empty()) return difference;
  for (const bool symmetry : {true, false}) {
    for (const auto order :
         {engine::SearchOrder::BreadthFirst, engine::SearchOrder::DepthFirst, engine::SearchOrder::FewestDeviations}) {
      const bool deviations = order == engine::SearchOrder::FewestDeviations;
      if (deviations && !symmetry) continue;
      engine::EngineOptions options;
      options.symmetry = symmetry;
      options.order = order;
      options.certificate = symmetry && !deviations;
      const std::string difference = compare_verdict(program, bound, oracle.depth, options);
      if (!difference.empty())
        return fmt::format("symmetry {}, order {}: {}", symmetry, static_cast<int>(order), difference);
    }
  }
  return compare_reduced(program, bound, oracle.depth);
}

}  // namespace cohort::test
