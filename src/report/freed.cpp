// The front end of C keeps for each heap object whether it has been freed, in a variable that is named after the
// object. The step into the error looks at it; the step that set it is the free.
#include "report/freed.hpp"

#include <optional>

#include <fmt/core.h>

#include "model/eval.hpp"
#include "report/stack_words.hpp"
#include "report/text.hpp"
#include "result/replay.hpp"

namespace cohort::report {

namespace {

constexpr std::string_view mark = " freed";

struct Freed {
  std::string object;
  std::size_t slot = 0;
  std::optional<std::size_t> thread{};  // whose own the mark is, where only one thread sees the object
};

const model::State& before(const model::Run& run, std::size_t step) {
  return step == 0 ? run.initial : run.steps[step - 1].target;
}

// The object that the last step finds freed.
std::optional<Freed> found_freed(const model::Program& program, const model::Run& run) {
  const std::size_t last = run.steps.size() - 1;
  const model::State& state = before(run, last);
  model::EvalContext context{.program = &program, .shared = &state.shared};
  context.state = &state;
  context.self_slot = run.steps[last].thread;
  context.self = &*state.threads[context.self_slot];
  std::optional<Freed> found;
  const auto& guard = program.edge(run.steps[last].edge).actions.front().guard;
  if (!guard) return found;
  for_each_node(program.exprs, *guard, [&](const model::Expr& node, model::ExprId) {
    const bool is_local = node.op == model::Op::LocalVar;
    if (!is_local && node.op != model::Op::SharedVar) return;
    const model::Variable& variable =
        is_local ? program.templ(context.self->templ).local(node.var) : program.shared[node.var.value];
    if (!variable.look.internal || !variable.name.ends_with(mark)) return;
    const auto slot =
        slot_of(context, variable, node.args.empty() ? std::nullopt : std::optional<model::ExprId>(node.args[0]));
    const model::Valuation& values = is_local ? context.self->locals : state.shared;
    if (context.fault || !slot || values[*slot] == 0) {
      context.fault.reset();
      return;
    }
    std::string name = variable.name.substr(0, variable.name.size() - mark.size());
    if (variable.type.is_array()) name += fmt::format("[{}]", *slot - variable.slot);
    found = Freed{std::move(name), *slot, is_local ? std::optional(context.self_slot) : std::nullopt};
  });
  return found;
}

model::Value mark_of(const Freed& freed, const model::State& state) {
  if (!freed.thread) return state.shared[freed.slot];
  const bool lives = *freed.thread < state.threads.size() && state.threads[*freed.thread];
  return lives ? state.threads[*freed.thread]->locals[freed.slot] : 0;
}

}  // namespace

std::vector<std::string> freed_words(const model::Program& program, const model::Run& run) {
  if (run.steps.empty()) return {};
  const auto freed = found_freed(program, run);
  if (!freed) return {};
  const auto names = result::thread_names(run);
  for (std::size_t i = run.steps.size(); i-- > 0;) {
    if (run.steps[i].fault || mark_of(*freed, before(run, i)) == mark_of(*freed, run.steps[i].target)) continue;
    const model::Action& action = program.edge(run.steps[i].edge).actions.front();
    return {fmt::format("{} was freed by {} at {}: {}{}", freed->object,
                        thread_name(program, names[i][run.steps[i].thread]), place_text(action.span), action.text,
                        stack_words(program, run.steps[i].edge))};
  }
  return {};
}

}  // namespace cohort::report
