#include "result/replay.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "base/contract.hpp"
#include "base/poll.hpp"
#include "model/waiting.hpp"

namespace cohort::result {

using model::Interpreter;
using model::State;
using model::Transition;

namespace {

// More states than this are not looked at: the threads wait where the run ends, and that it is for ever is what the
// engine has found out.
constexpr std::size_t most_states = 20'000;

std::optional<model::PropertyId> waits_while_others_go_on(const Interpreter& interpreter, const State& state) {
  const auto& properties = interpreter.program().properties;
  const auto deadlock = std::find_if(properties.begin(), properties.end(), [](const model::Property& property) {
    return property.kind == model::Property::Kind::Deadlock;
  });
  if (deadlock == properties.end()) return std::nullopt;
  const bool somebody_waits = std::any_of(state.threads.begin(), state.threads.end(), [&](const auto& thread) {
    if (!thread) return false;
    const model::Location& at = interpreter.program().templ(thread->templ).locations[thread->location.value];
    return at.waits;
  });
  if (!somebody_waits || waits_for_ever(interpreter, state, most_states) == model::Waiting::Ends) return std::nullopt;
  return model::PropertyId(static_cast<std::size_t>(deadlock - properties.begin()));
}

}  // namespace

Replay replay(const model::Program& program, std::optional<std::uint32_t> bound, const model::Run& run, Env* env) {
  const Interpreter interpreter = model::interpreter_for(program, bound, run, env);
  if (!interpreter.is_initial(run.initial)) return {.message = "the run does not start in an initial state"};
  const State* state = &run.initial;
  for (std::size_t i = 0; i < run.steps.size(); ++i) {
    poll(env, "replay");
    const Transition& step = run.steps[i];
    if (step.thread >= state->threads.size() || !state->threads[step.thread]) {
      return {.message = fmt::format("step {}: the thread that should move is not alive", i + 1)};
    }
    if (step.edge.templ.value >= program.templates.size() ||
        step.edge.edge >= program.templ(step.edge.templ).edges.size()) {
      return {.message = fmt::format("step {}: the program has no such edge", i + 1)};
    }
    const auto steps = interpreter.successors(*state, step.thread, step.edge);
    if (std::find(steps.begin(), steps.end(), step) == steps.end()) {
      return {.message = fmt::format("step {}: the program cannot take this step", i + 1)};
    }
    if (step.fault) {
      if (i + 1 != run.steps.size()) return {.message = fmt::format("step {}: a fault ends the run", i + 1)};
      return {.succeeded = true, .faults = true};
    }
    state = &step.target;
  }
  auto violated = interpreter.violated(*state);
  if (!violated) violated = waits_while_others_go_on(interpreter, *state);
  if (!violated) return {.message = "the run ends without a violation"};
  return {.succeeded = true, .violated = violated};
}

std::vector<std::vector<std::uint32_t>> thread_names(const model::Run& run) {
  std::uint32_t next = 0;
  std::vector<std::uint32_t> current;
  for (std::size_t slot = 0; slot < run.initial.threads.size(); ++slot) current.push_back(next++);
  std::vector<std::vector<std::uint32_t>> names{current};
  for (const Transition& step : run.steps) {
    for (const std::size_t slot : step.spawned) {
      COHORT_EXPECT(slot <= current.size(), "a new thread takes an empty slot or the next one");
      if (slot == current.size()) current.push_back(0);
      current[slot] = next++;
    }
    names.push_back(current);
  }
  return names;
}

}  // namespace cohort::result
