#include "frontend/c/lower/havoc.hpp"
#include "base/contract.hpp"

#include <fmt/core.h>

namespace cohort::frontend::c::lower {

using model::Action;
using model::ExprId;
using model::LocId;

namespace {

const model::Type wide = model::Type::fixed(64, true);

bool is_pointer(const Flat& flat, ir::TypeId type) {
  return flat.unit.type(type).kind == ir::Type::Kind::Pointer;
}

std::vector<GroupId> changed_groups(const Flat& flat, Layout& layout, InstId inst, bool pointers) {
  std::vector<GroupId> result;
  if (!is_writable_from_outside(flat.inst(inst))) return result;
  const auto scalars = scalars_of(flat.unit, flat.inst(inst).type);
  for (const GroupId id : layout.groups_of(inst)) {
    const Group& group = layout.group(id);
    const auto scalar = scalars.find(group.offset);
    if (scalar == scalars.end() || scalar->second != group.type) continue;
    if (is_pointer(flat, group.type) == pointers) result.push_back(id);
  }
  return result;
}

}  // namespace

std::vector<GroupId> forgotten_groups(const Flat& flat, Layout& layout, InstId inst) {
  return changed_groups(flat, layout, inst, false);
}

Havoc::Havoc(Flat& flat, BodyId body, const Node& node, Resolver& resolver, Layout& layout, Memory& memory,
             model::Program& program)
    : flat_(flat),
      body_(body),
      node_(node),
      resolver_(resolver),
      layout_(layout),
      memory_(memory),
      program_(program),
      cells_(flat, layout, memory, program),
      position_(memory.temporary(body, memory.pointer_type(), 0)) {}

std::vector<Havoc::Object> Havoc::objects() const {
  std::vector<Object> result;
  for (const InstId inst : resolver_.points_to().reachable(node_.term)) {
    if (!is_writable_from_outside(flat_.inst(inst))) continue;
    const auto& groups = layout_.groups_of(inst);
    if (groups.empty()) continue;
    const std::uint64_t count = flat_.inst(inst).is_pool ? flat_.unit.type(flat_.inst(inst).type).count : 1;
    for (std::uint64_t i = 0; i < count; ++i) result.push_back({inst, i, count, memory_.is_shared(groups.front())});
  }
  return result;
}

ExprId Havoc::position() const {
  return program_.exprs.local(position_, memory_.pointer_type());
}

model::Assign Havoc::set_position(ExprId address, Expressions& expressions) const {
  return {{.kind = model::LValue::Kind::Local, .var = position_}, expressions.convert(address, memory_.pointer_type())};
}

ExprId Havoc::is_at(const Object& object, Expressions& expressions) const {
  const std::uint64_t size = size_of(flat_.unit, flat_.inst(object.inst).type) / object.count;
  COHORT_EXPECT(object.count > 0 && object.number < object.count, "the object is one of its pool");
  const auto first = layout_.address_of(object.inst) + static_cast<std::int64_t>(object.number * size);
  return resolver_.in_range(position(), first, static_cast<std::int64_t>(size), expressions);
}

bool Havoc::has_pointers(const Object& object) const {
  return !changed_groups(flat_, layout_, object.inst, true).empty();
}

void Havoc::add_edge(LocId source, LocId target, Action action) const {
  if (action.guard && program_.exprs.is_true(*action.guard)) action.guard.reset();
  if (action.guard && program_.exprs.is_false(*action.guard)) return;
  action.span = node_.span;
  action.text = node_.text;
  program_.templ(model::TemplateId(body_.value)).edges.push_back({source, target, {std::move(action)}});
}

void Havoc::forget(const Object& object, Action& action) const {
  for (const GroupId group : forgotten_groups(flat_, layout_, object.inst)) {
    const Variable* flag = memory_.flag(group);
    if (flag == nullptr) continue;  // nobody reads it
    if (!flag->type.is_array()) {
      action.assigns.push_back({Cells::target(*flag, std::nullopt), program_.exprs.falsity()});
      continue;
    }
    const std::uint64_t each = flag->type.array_size() / object.count;
    for (std::uint64_t i = object.number * each; i < (object.number + 1) * each; ++i) {
      const ExprId index = program_.exprs.constant(static_cast<model::Value>(i), wide);
      action.assigns.push_back({Cells::target(*flag, index), program_.exprs.falsity()});
    }
  }
}

// From `after`, at this object: the walk goes to what a pointer in it leads to, or changes the pointer.
void Havoc::follow_pointers(const Object& object, LocId entry, LocId after) const {
  constexpr std::uint64_t most_pointers = 256;
  Expressions expressions(flat_, layout_, memory_, program_);
  const ExprId here = is_at(object, expressions);
  for (const GroupId group : changed_groups(flat_, layout_, object.inst, true)) {
    const Variable variable = memory_.variable(group);
    const Variable* flag = memory_.flag(group);
    const std::uint64_t each = layout_.group(group).elements() / object.count;
    if (each > most_pointers) {
      throw_unsupported(
          node_.span,
          fmt::format("a function that nobody defines and that is given more than {} pointers", most_pointers));
    }
    for (std::uint64_t i = object.number * each; i < (object.number + 1) * each; ++i) {
      std::optional<ExprId> index;
      if (variable.type.is_array()) index = program_.exprs.constant(static_cast<model::Value>(i), wide);
      for (const std::int64_t value : {std::int64_t{0}, layout_.address_of(node_.inst)}) {
        Action change{.guard = here};
        change.assigns.push_back(
            {Cells::target(variable, index), program_.exprs.constant(value, variable.type.element())});
        if (flag != nullptr) change.assigns.push_back({Cells::target(*flag, index), program_.exprs.truth()});
        add_edge(after, after, std::move(change));
      }
      Action move{.guard = here};
      if (flag != nullptr) move.guard = program_.exprs.conj(here, cells_.read(*flag, index));
      move.assigns.push_back(set_position(cells_.read(variable, index), expressions));
      add_edge(after, entry, std::move(move));
    }
  }
}

LocId Havoc::emit(LocId next) const {
  COHORT_EXPECT(node_.kind == Node::Kind::Havoc && node_.has_term, "something is changed from outside");
  model::Template& templ = program_.templ(model::TemplateId(body_.value));
  const LocId entry = templ.add_location({.label = "", .span = node_.span});
  const std::vector<Object> all = objects();
  Expressions expressions(flat_, layout_, memory_, program_);
  const model::Assign leave = set_position(program_.exprs.constant(0, memory_.pointer_type()), expressions);
  ExprId nowhere = program_.exprs.truth();
  std::optional<LocId> after;
  for (const Object& object : all) {
    const bool stays = object.is_shared || has_pointers(object);
    if (stays && !after) after = templ.add_location({.label = "", .span = node_.span});
    Action action{.guard = is_at(object, expressions)};
    nowhere = program_.exprs.conj(nowhere, program_.exprs.negate(*action.guard));
    forget(object, action);
    if (!stays) action.assigns.push_back(leave);
    add_edge(entry, stays ? *after : next, std::move(action));
    if (object.is_shared) add_edge(*after, entry, {.guard = is_at(object, expressions)});
    if (stays) follow_pointers(object, entry, *after);
  }
  add_edge(entry, next, {.guard = nowhere, .assigns = {leave}});
  if (after) add_edge(*after, next, {.assigns = {leave}});
  return entry;
}

}  // namespace cohort::frontend::c::lower
