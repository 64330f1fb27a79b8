#include "cli/walk.hpp"

#include <numeric>

#include "base/contract.hpp"

namespace cohort::cli {

namespace {

// Enumerating all initial states would be exponential in the number of variables without a value: draw one instead.
model::Valuation draw_values(const std::vector<model::Variable>& variables, std::size_t threads,
                             std::mt19937_64& random) {
  model::Valuation values;
  for (const model::Variable& variable : variables) {
    const model::Type type = variable.type.element();
    for (std::uint32_t element = 0; element < variable.type.slots(); ++element) {
      if (!variable.initial.empty()) {
        values.push_back(variable.initial[variable.initial.size() == 1 ? 0 : element]);
      } else if (type.kind() == model::Type::Kind::ThreadRef) {
        values.push_back(static_cast<model::Value>(random() % (threads + 1)));
      } else if (type.cardinality() == 0) {
        values.push_back(type.default_value());
      } else {
        values.push_back(type.first() + static_cast<model::Value>(random() % type.cardinality()));
      }
    }
  }
  return values;
}

model::State draw_initial(const model::Interpreter& interpreter, std::mt19937_64& random) {
  constexpr int attempts = 200'000;
  const model::Program& program = interpreter.program();
  const auto all_counts = model::initial_thread_counts(program, interpreter.bound());
  COHORT_EXPECT(!all_counts.empty(), "threads can be placed at the start");
  for (int attempt = 0; attempt < attempts; ++attempt) {
    const auto& counts = all_counts[random() % all_counts.size()];
    const std::size_t threads = std::accumulate(counts.begin(), counts.end(), std::size_t{0});
    model::State state{draw_values(program.shared, threads, random), {}};
    for (std::size_t group = 0; group < counts.size(); ++group) {
      const model::InitialThreads& start = program.initial[group];
      for (std::uint32_t i = 0; i < counts[group]; ++i) {
        state.threads.emplace_back(model::ThreadState{start.templ, start.location, false,
                                                      draw_values(program.templ(start.templ).locals, threads, random)});
      }
    }
    if (interpreter.is_initial(state)) return state;
  }
  // An initial condition that hardly any state meets.
  auto states = interpreter.initial_states();
  if (states.empty()) throw_unsupported({}, "the program has no initial state");
  return states[random() % states.size()];
}

}  // namespace

Walk::Walk(const model::Program& program, std::uint32_t bound, std::mt19937_64& random, Env* env)
    : program_(&program),
      interpreter_(program, bound, env),
      run_{draw_initial(interpreter_, random), {}},
      narrator_(program, run_.initial) {
  look_around();
}

void Walk::look_around() {
  choices_ = interpreter_.successors(run_.last());
}

void Walk::take(std::size_t choice) {
  COHORT_EXPECT(choice < choices_.size(), "only possible steps are taken");
  COHORT_EXPECT(!faulted(), "a fault ends the run");
  run_.steps.push_back(choices_[choice]);
  if (faulted()) {
    choices_.clear();
    return;
  }
  narrator_.advance(run_.steps.back());
  look_around();
}

void Walk::undo() {
  if (run_.steps.empty()) return;
  run_.steps.pop_back();
  narrator_ = report::Narrator(*program_, run_.initial);
  for (const model::Transition& step : run_.steps) narrator_.advance(step);
  look_around();
}

}  // namespace cohort::cli
