#include "frontend/c/lower/memory.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "base/contract.hpp"
#include "frontend/c/lower/fold.hpp"
#include "frontend/c/lower/propagate.hpp"

namespace cohort::frontend::c::lower {

using ir::Op;
using TypeKind = ir::Type::Kind;

Memory::Memory(Flat& flat, Layout& layout, const Sharing& sharing, std::set<GroupId> flagged, bool full_pointers,
               model::Program& program)
    : flat_(flat), layout_(layout), sharing_(sharing), looks_(flat), flagged_(std::move(flagged)), program_(program) {
  assign_addresses(full_pointers);
}

// Pointers take as few bits as the addresses need, unless numbers are cast to pointers: then those must fit as well.
// Nor must a pointer that is moved too far come out at the other end.
void Memory::assign_addresses(bool full_pointers) {
  bool is_wide = full_pointers;
  const auto visit = [&](auto&& self, TermId id) -> void {
    const Term& term = flat_.term(id);
    const ir::Type& type = flat_.unit.type(term.type);
    if (term.op == Op::FunctionAddr) layout_.address_of(term.function);
    if (type.kind == TypeKind::Pointer) {
      is_wide =
          is_wide || term.op == Op::PointerAdd || (term.op == Op::AddressOf && may_lead_out(flat_.access(term.access)));
      is_wide = is_wide || (term.op == Op::Const && term.value != 0) || term.op == Op::Nondet;
      is_wide = is_wide || (term.op == Op::Cast && flat_.type_of(term.args[0]).kind != TypeKind::Pointer);
    }
    for (const TermId arg : term.args) self(self, arg);
    if (term.op != Op::Load && term.op != Op::AddressOf) return;
    const Access& access = flat_.access(term.access);
    if (term.op == Op::AddressOf && access.inst) layout_.address_of(*access.inst);
    if (!access.inst) self(self, access.pointer);
    for (const Index& index : access.indices) self(self, index.term);
  };
  for (const Body& body : flat_.bodies) {
    for (const Node& node : body.nodes) {
      if (node.has_term) visit(visit, node.term);
      if (node.kind == Node::Kind::Spawn) visit(visit, node.argument);
      if (node.kind == Node::Kind::Havoc) layout_.address_of(node.inst);
      if (!node.has_access) continue;
      const Access& access = flat_.access(node.access);
      if (!access.inst) visit(visit, access.pointer);
      for (const Index& index : access.indices) visit(visit, index.term);
    }
  }
  for (std::size_t i = 0; i < flat_.initial.size(); ++i) {
    if (!sharing_.is_accessed(InstId(i))) continue;
    for (const auto& [offset, value] : flat_.initial[i]) visit(visit, value);
  }
  // Accesses by name may be resolved by address, too: where an index leaves its array, or some bytes are meant.
  const auto place = [&](AccessId id, bool) {
    const auto inst = flat_.access(id).inst;
    if (inst && (is_partial(flat_, flat_.access(id)) || !is_scalar(flat_.unit.type(flat_.inst(*inst).type)))) {
      layout_.address_of(*inst);
    }
  };
  for (const Body& body : flat_.bodies) {
    for (const Node& node : body.nodes) {
      for_each_access(flat_, node, place);
      if (node.has_access) place(node.access, false);
    }
  }
  unsigned width = flat_.unit.pointer_width;
  COHORT_EXPECT(width == 32 || width == 64, "pointers have 32 or 64 bits");
  if (!is_wide) {
    width = 8;
    while (width < 32 && (layout_.last_address() >> width) != 0) width += 4;
  }
  pointer_type_ = model::Type::fixed(width, width == 64);
}

// Can the address be one that no object has?
bool Memory::may_lead_out(const Access& access) const {
  if (!access.indices.empty()) return true;
  if (!access.inst) return false;
  const auto size = static_cast<std::int64_t>(size_of(flat_.unit, flat_.inst(*access.inst).type));
  return access.offset < 0 || access.offset > size;
}

model::Type Memory::scalar_type(const ir::Type& type) const {
  if (type.kind == TypeKind::Bool) return model::Type::boolean();
  if (type.kind == TypeKind::Pointer) return pointer_type_;
  COHORT_EXPECT(type.kind == TypeKind::Int, "variables are scalars");
  // 64-bit values are kept as signed; operations that tell the difference are taken care of where they are built.
  return model::Type::fixed(type.width, type.is_signed || type.width == 64);
}

model::Type Memory::type_of(ir::TypeId type) const {
  return scalar_type(flat_.unit.type(type));
}

std::int64_t Memory::value_of(TermId id) const {
  const Term& term = flat_.term(id);
  switch (term.op) {
    case Op::Const: return type_of(term.type).wrap(term.value);
    case Op::FunctionAddr: return layout_.address_of(term.function);
    case Op::AddressOf: {
      const Access& access = flat_.access(term.access);
      COHORT_EXPECT(access.inst && access.indices.empty(), "a constant address is that of a fixed place");
      return pointer_type_.wrap(layout_.address_of(*access.inst) + access.offset);
    }
    default: COHORT_UNREACHABLE("a constant is a number or an address");
  }
}

std::string Memory::unique(const std::string& name) {
  const std::size_t count = ++names_[name];
  return count == 1 ? name : fmt::format("{}#{}", name, count);
}

Variable Memory::declare(InstId id, const std::string& name, const model::Type& type, model::Look look,
                         std::vector<model::Value> initial) {
  const Inst& inst = flat_.inst(id);
  model::Variable variable{
      .name = unique(name), .type = type, .initial = std::move(initial), .span = inst.span, .look = std::move(look)};
  const auto owner = sharing_.owner(id);
  if (!owner) return {true, program_.add_shared(std::move(variable)), type};
  return {false, program_.templ(model::TemplateId(owner->value)).add_local(std::move(variable)), type};
}

std::vector<model::Value> Memory::initial_values(GroupId id) const {
  const Group& group = layout_.group(id);
  const model::Type type = type_of(group.type);
  std::vector<model::Value> values(group.elements(), 0);
  if (group.inst.value >= flat_.initial.size()) return values;
  for (const auto& [offset, value] : flat_.initial[group.inst.value]) {
    std::int64_t rest = offset - group.offset;
    std::uint64_t element = 0;
    bool inside = rest >= 0;
    for (const Dimension& dimension : group.dimensions) {
      const auto stride = static_cast<std::int64_t>(dimension.stride);
      const std::int64_t index = inside ? rest / stride : 0;
      inside = inside && index < static_cast<std::int64_t>(dimension.count);
      rest -= index * stride;
      element = element * dimension.count + static_cast<std::uint64_t>(index);
    }
    COHORT_EXPECT(!inside || element < values.size(), "an initial value is that of an element");
    const auto size = static_cast<std::int64_t>(size_of(flat_.unit, group.type));
    const auto given = static_cast<std::int64_t>(size_of(flat_.unit, flat_.term(value).type));
    if (!inside || rest >= size) continue;
    const bool is_number = flat_.term(value).op == Op::Const;
    if (given == size && rest == 0) {
      values[element] = type.is_bool() && is_number ? flat_.term(value).value != 0 : type.wrap(value_of(value));
    } else {
      // A smaller member of a union: some of the bits.
      const std::uint64_t mask = given < 8 ? (std::uint64_t{1} << (8 * given)) - 1 : ~std::uint64_t{0};
      const std::uint64_t bits = (static_cast<std::uint64_t>(value_of(value)) & mask) << (8 * rest);
      values[element] = type.wrap(static_cast<model::Value>(static_cast<std::uint64_t>(values[element]) | bits));
    }
  }
  return values;
}

const Variable& Memory::variable(GroupId id) {
  const auto known = variables_.find(id);
  if (known != variables_.end()) return known->second;
  const Group& group = layout_.group(id);
  constexpr std::uint64_t most_elements = std::uint64_t{1} << 22;
  if (group.elements() > most_elements) {
    throw_unsupported(flat_.inst(group.inst).span,
                      fmt::format("{}: an object of more than {} scalars", flat_.inst(group.inst).name, most_elements));
  }
  model::Type type = type_of(group.type);
  if (!group.dimensions.empty()) type = type.array_of(static_cast<std::uint32_t>(group.elements()));
  const std::string name = flat_.inst(group.inst).name + group.name;
  return variables_.emplace(id, declare(group.inst, name, type, looks_.of(group), initial_values(id))).first->second;
}

const Variable* Memory::flag(GroupId id) {
  if (!flagged_.contains(id)) return nullptr;
  const auto known = flags_.find(id);
  if (known != flags_.end()) return &known->second;
  const Group& group = layout_.group(id);
  model::Type type = model::Type::boolean();
  if (!group.dimensions.empty()) type = type.array_of(static_cast<std::uint32_t>(group.elements()));
  const Inst& inst = flat_.inst(group.inst);
  const std::string name = inst.name + group.name + " written";
  const bool is_parameter = std::any_of(flat_.bodies.begin(), flat_.bodies.end(),
                                        [&](const Body& body) { return body.parameter == group.inst; });
  const bool is_given = is_parameter || (inst.kind != Inst::Kind::Automatic && !inst.starts_unknown);
  return &flags_.emplace(id, declare(group.inst, name, type, {.internal = true}, {is_given ? 1 : 0})).first->second;
}

const Variable* Memory::freed(InstId id) {
  const Inst& inst = flat_.inst(id);
  COHORT_EXPECT(!inst.is_pool || flat_.unit.type(inst.type).kind == TypeKind::Array, "a pool is an array");
  if (inst.ended) return &variable(layout_.groups_of(*inst.ended).front());
  if (inst.kind != Inst::Kind::Heap) return nullptr;
  if (inst.freed) return &variable(layout_.groups_of(*inst.freed).front());
  if (!flat_.options.asks_for(Wrong::Fault)) return nullptr;
  const auto known = freed_.find(id);
  if (known != freed_.end()) return &known->second;
  model::Type type = model::Type::boolean();
  if (inst.is_pool) type = type.array_of(static_cast<std::uint32_t>(flat_.unit.type(inst.type).count));
  return &freed_.emplace(id, declare(id, inst.name + " freed", type, {.internal = true}, {0})).first->second;
}

model::VarId Memory::temporary(BodyId body, const model::Type& type, std::size_t number, bool holds_addresses) {
  COHORT_EXPECT(body.value < flat_.bodies.size() && !type.is_array(), "values on their way are scalars of a thread");
  const std::string name = to_string(type);
  const auto [it, fresh] = temporaries_.emplace(std::tuple(body, name, number, holds_addresses), model::VarId{});
  if (fresh) {
    it->second = program_.templ(model::TemplateId(body.value))
                     .add_local({.name = fmt::format("{} {} {}", name, holds_addresses ? "address" : "value", number),
                                 .type = type,
                                 .initial = {0},
                                 .look = {.internal = true}});
  }
  return it->second;
}

// The variables that the objects of the instance consist of, as far as the program uses them; none where one of them is
// not shared, or has a value before an address leads to the object.
std::optional<model::Heap::Family> Memory::family(InstId id) {
  const Inst& inst = flat_.inst(id);
  // A single object has its size before anything leads to it, and in a step of its own.
  if (!inst.is_pool && inst.extent) return std::nullopt;
  const std::uint64_t count = inst.is_pool ? flat_.unit.type(inst.type).count : 1;
  const std::uint64_t size = size_of(flat_.unit, inst.type);
  COHORT_EXPECT(count > 0 && size % count == 0, "the objects of a pool have one size");
  // One past the end of a single object is its own, too.
  const std::uint64_t stride = inst.is_pool ? size / count : size + 1;
  model::Heap::Family family{.address = layout_.address_of(id),
                             .stride = static_cast<model::Value>(stride),
                             .count = static_cast<std::uint32_t>(count),
                             .columns = {},
                             .comes_back = inst.freed.has_value()};
  bool is_shared = true;
  const auto add = [&](const Variable& variable) {
    is_shared = is_shared && variable.is_shared;
    family.columns.push_back(variable.var);
  };
  const auto belongs = [&](InstId other) { return other == id || other == inst.freed || other == inst.extent; };
  for (const auto& [group, variable] : variables_) {
    if (belongs(layout_.group(group).inst)) add(variable);
  }
  for (const auto& [group, variable] : flags_) {
    if (belongs(layout_.group(group).inst)) add(variable);
  }
  if (const auto freed = freed_.find(id); freed != freed_.end()) add(freed->second);
  return is_shared ? std::optional(std::move(family)) : std::nullopt;
}

std::optional<model::Heap> Memory::heap(const Nameless& nameless, const PointsTo& points_to) {
  model::Heap heap;
  heap.locals.resize(program_.templates.size());
  const auto add = [&](const Variable& variable, std::optional<BodyId> owner) {
    (variable.is_shared ? heap.shared : heap.locals[owner->value]).push_back(variable.var);
  };
  for (const auto& [id, variable] : variables_) {
    const Group& group = layout_.group(id);
    const bool is_pointer = flat_.unit.type(group.type).kind == TypeKind::Pointer;
    const auto at = collapse(flat_.unit, flat_.inst(group.inst).type, group.offset);
    if (is_pointer && at && nameless.may_be_address(points_to.content(group.inst, *at))) {
      add(variable, sharing_.owner(group.inst));
    }
  }
  for (const auto& [key, var] : temporaries_) {
    if (std::get<bool>(key)) heap.locals[std::get<BodyId>(key).value].push_back(var);
  }
  for (const InstId inst : nameless.objects()) {
    if (auto known = family(inst)) heap.families.push_back(*std::move(known));
  }
  if (heap.families.empty() || pointer_type_.width() < flat_.unit.pointer_width) return std::nullopt;
  return heap;
}

std::shared_ptr<const model::Atlas> Memory::atlas(model::Atlas atlas) {
  looks_.fill(atlas, layout_);
  return std::make_shared<const model::Atlas>(std::move(atlas));
}

}  // namespace cohort::frontend::c::lower
