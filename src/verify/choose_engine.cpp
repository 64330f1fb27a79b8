#include "verify/choose_engine.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "base/contract.hpp"
#include "model/access.hpp"

namespace cohort::verify {

namespace {

// How much of the program's data is left open: bits that are free at the start, choices in all steps, and the most in
// one step.
struct Openness {
  std::uint32_t free_bits = 0;
  std::uint32_t choices = 0;
  std::uint32_t most_in_a_step = 0;
};

Openness openness(const model::Program& program) {
  Openness result;
  for (const model::Variable& variable : program.shared) result.free_bits += variable.initial.empty() ? 1 : 0;
  for (const model::Template& templ : program.templates) {
    for (const model::Variable& variable : templ.locals) result.free_bits += variable.initial.empty() ? 1 : 0;
    for (const model::Edge& edge : templ.edges) {
      std::uint32_t here = 0;
      for (const model::Action& action : edge.actions) {
        model::for_each_node(program.exprs, action, [&](const model::Expr& node, model::ExprId) {
          here += node.op == model::Op::Nondet ? 1 : 0;
        });
      }
      result.choices += here;
      result.most_in_a_step = std::max(result.most_in_a_step, here);
    }
  }
  return result;
}

// The explicit and the symbolic engine take many of the same tasks.  Counting single states is faster as long as there
// are few choices; each choice doubles the states that a step leads to, where a set of states stays one set.  The
// thresholds are where bench/symbolic saw the two cross.
bool is_better_symbolic(const engine::Task& task) {
  const Openness open = openness(task.program);
  return open.most_in_a_step >= 5 || open.free_bits + open.choices > 16;
}

// `auto` asks it when no other engine takes the task: it seldom proves anything safe.
constexpr std::string_view last_resort = "bmc";
// Proves some programs and decides none the other way, so it is asked beside others, never alone.
constexpr std::string_view prover = "modular";

std::optional<std::string> refusal_of(const engine::Engine& engine, const engine::Task& task) {
  if (!engine.looks_for_deadlocks() && model::looks_for_deadlocks(task.program))
    return "it does not look for deadlocks";
  const auto order = task.options.order;
  const bool schedules = order == engine::SearchOrder::FewestDeviations || order == engine::SearchOrder::Random;
  if (schedules && !engine.chooses_schedules()) return "it does not choose schedules";
  return engine.refuses(task);
}

Choice choose_for(const std::string& name, const engine::Task& task, const std::vector<PassedOver>& passed_over) {
  const auto gave_up = [&](const engine::Engine& engine) {
    return std::any_of(passed_over.begin(), passed_over.end(), [&](const PassedOver& one) {
      return one.engine == &engine && one.bounded == task.bound.has_value();
    });
  };
  Choice choice{.scope = {.bound = task.bound}};
  const engine::Engine* symbolic = engine::find_engine("symbolic");
  const bool pass_over_explicit = name == "auto" && task.bound && symbolic != nullptr && !gave_up(*symbolic) &&
                                  is_better_symbolic(task) && !refusal_of(*symbolic, task);
  for (const auto& engine : engine::engines()) {
    const bool meant =
        name == "auto" ? engine->name() != last_resort && engine->name() != prover : engine->name() == name;
    if (!meant || gave_up(*engine)) continue;
    if (pass_over_explicit && engine->name() == "explicit") continue;
    const auto refusal = refusal_of(*engine, task);
    if (!refusal) {
      choice.engine = engine.get();
      return choice;
    }
    choice.refusal += fmt::format("{}{}: {}", choice.refusal.empty() ? "" : "; ", engine->name(), *refusal);
  }
  return choice;
}

Choice choose_scope(const std::string& name, const model::Program& program, const Threads& threads,
                    const engine::EngineOptions& options, const std::vector<PassedOver>& passed_over) {
  if (threads.bound) return choose_for(name, {program, threads.bound, options}, passed_over);
  // With a number of threads of its own, a program is decided for just these.
  if (const auto count = model::fixed_thread_count(program); count && *count > 0 && !threads.any_number) {
    Choice choice = choose_for(name, {program, *count, options}, passed_over);
    if (choice.engine != nullptr) return choice;
  }
  Choice choice = choose_for(name, {program, std::nullopt, options}, passed_over);
  if (choice.engine != nullptr || threads.any_number) return choice;
  choice = choose_for(name, {program, bound_by_default(program), options}, passed_over);
  choice.scope.by_default = true;
  return choice;
}

}  // namespace

std::uint32_t bound_by_default(const model::Program& program) {
  const auto count = model::fixed_thread_count(program);
  return count && *count > 0 ? *count : default_bound;
}

Choice choose_engine(const std::string& name, const model::Program& program, const Threads& threads,
                     const engine::EngineOptions& options, const std::vector<PassedOver>& passed_over) {
  COHORT_EXPECT(name == "auto" || engine::find_engine(name) != nullptr, "the engine exists");
  COHORT_EXPECT(!(threads.any_number && threads.bound), "either any number of threads or a bound");
  Choice choice = choose_scope(name, program, threads, options, passed_over);
  if (choice.engine != nullptr || name != "auto") return choice;
  Choice last = choose_scope(std::string(last_resort), program, threads, options, passed_over);
  if (last.engine != nullptr) return last;
  if (!last.refusal.empty()) choice.refusal += "; " + last.refusal;
  return choice;
}

}  // namespace cohort::verify
