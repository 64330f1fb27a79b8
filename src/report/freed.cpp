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
    if (node.op != model::Op::SharedVar) return;
    const model::Variable& variable = program.shared[node.var.value];
    if (!variable.look.internal || !variable.name.ends_with(mark)) return;
    const auto slot =
        slot_of(context, variable, node.args.empty() ? std::nullopt : std::optional<model::ExprId>(node.args[0]));
    if (context.fault || !slot || state.shared[*slot] == 0) {
      context.fault.reset();
      return;
    }
    std::string name = variable.name.substr(0, variable.name.size() - mark.size());
    if (variable.type.is_array()) name += fmt::format("[{}]", *slot - variable.slot);
    found = Freed{std::move(name), *slot};
  });
  return found;
}

}  // namespace

std::vector<std::string> freed_words(const model::Program& program, const model::Run& run) {
  if (run.steps.empty()) return {};
  const auto freed = found_freed(program, run);
  if (!freed) return {};
  const auto names = result::thread_names(run);
  for (std::size_t i = run.steps.size(); i-- > 0;) {
    if (run.steps[i].fault) continue;
    if (before(run, i).shared[freed->slot] == run.steps[i].target.shared[freed->slot]) continue;
    const model::Action& action = program.edge(run.steps[i].edge).actions.front();
    return {fmt::format("{} was freed by {} at {}: {}{}", freed->object, thread_name(names[i][run.steps[i].thread]),
                        place_text(action.span), action.text, stack_words(program, run.steps[i].edge))};
  }
  return {};
}

}  // namespace cohort::report
