#include "engine/modular/forget.hpp"

#include <vector>

#include "model/passes/hide.hpp"

namespace cohort::engine::modular {

namespace {

constexpr std::uint32_t most_elements = 64;

bool is_large(const model::Variable& variable) {
  return variable.type.slots() > most_elements;
}

// Gives the hidden ones among these one slot each.
void shrink(std::vector<model::Variable>& variables, const std::vector<bool>& hidden) {
  std::uint32_t slot = 0;
  for (std::size_t i = 0; i < variables.size(); ++i) {
    if (hidden[i] && is_large(variables[i])) {
      variables[i].type = model::Type::boolean();
      variables[i].initial = {0};
    }
    variables[i].slot = slot;
    slot += variables[i].type.slots();
  }
}

}  // namespace

std::optional<model::Program> without_large_arrays(Env& env, const model::Program& program) {
  if (!model::can_hide(program)) return std::nullopt;
  model::VariableSet large = model::VariableSet::of(program, false);
  bool any = false;
  const auto mark = [&](const std::vector<model::Variable>& variables, std::vector<bool>& marks) {
    for (std::size_t i = 0; i < variables.size(); ++i) {
      marks[i] = is_large(variables[i]);
      any = any || marks[i];
    }
  };
  mark(program.shared, large.shared);
  for (std::size_t i = 0; i < program.templates.size(); ++i) mark(program.templates[i].locals, large.locals[i]);
  if (!any) return std::nullopt;
  // Invariants speak of numbers of any size.
  for (std::uint32_t i = 0; i < program.exprs.size(); ++i) {
    if (model::is_wide_choice(program.exprs[model::ExprId(i)])) large.left_alone.insert(model::ExprId(i));
  }
  const model::VariableSet hidden = model::close_hidden(program, large, &env);
  std::optional<model::Program> result = model::hide(program, hidden, &env);
  if (!result) return std::nullopt;
  shrink(result->shared, hidden.shared);
  for (std::size_t i = 0; i < result->templates.size(); ++i) shrink(result->templates[i].locals, hidden.locals[i]);
  return result;
}

}  // namespace cohort::engine::modular
