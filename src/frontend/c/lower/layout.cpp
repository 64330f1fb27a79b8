#include "frontend/c/lower/layout.hpp"

#include <algorithm>

#include "base/contract.hpp"

namespace cohort::frontend::c::lower {

using TypeKind = ir::Type::Kind;

std::uint64_t Group::elements() const {
  std::uint64_t result = 1;
  for (const Dimension& dimension : dimensions) result *= dimension.count;
  return result;
}

std::optional<std::int64_t> collapse(const ir::Unit& unit, ir::TypeId id, std::int64_t offset) {
  const ir::Type& type = unit.type(id);
  if (offset < 0 || offset >= static_cast<std::int64_t>(size_of(unit, id))) return std::nullopt;
  if (type.kind == TypeKind::Array) {
    return collapse(unit, type.target, offset % static_cast<std::int64_t>(size_of(unit, type.target)));
  }
  if (type.kind != TypeKind::Record) return offset;
  const ir::Field* best = nullptr;
  for (const ir::Field& field : unit.record(type.record).fields) {
    const auto begin = static_cast<std::int64_t>(field.offset);
    const std::uint64_t size = size_of(unit, field.type);
    if (offset < begin || offset >= begin + static_cast<std::int64_t>(size)) continue;
    if (best == nullptr || size > size_of(unit, best->type)) best = &field;
  }
  if (best == nullptr) return offset;  // padding, or an empty struct
  const auto begin = static_cast<std::int64_t>(best->offset);
  const auto inner = collapse(unit, best->type, offset - begin);
  return inner ? std::optional(begin + *inner) : std::nullopt;
}

const std::vector<GroupId>& Layout::groups_of(InstId inst) {
  const auto known = of_inst_.find(inst);
  if (known != of_inst_.end()) return known->second;
  of_inst_[inst];
  std::vector<Dimension> dimensions;
  add_groups(inst, flat_.inst(inst).type, 0, dimensions, "");
  std::vector<GroupId>& ids = of_inst_[inst];
  for (const GroupId a : ids) {
    const Group& x = groups_[a.value];
    for (const GroupId b : ids) {
      if (a == b) continue;
      const Group& y = groups_[b.value];
      const auto end_x = x.offset + static_cast<std::int64_t>(size_of(flat_.unit, x.type));
      const auto end_y = y.offset + static_cast<std::int64_t>(size_of(flat_.unit, y.type));
      if (x.offset < end_y && y.offset < end_x) groups_[a.value].overlaps = true;
    }
  }
  return ids;
}

void Layout::add_groups(InstId inst, ir::TypeId id, std::int64_t offset, std::vector<Dimension>& dimensions,
                        const std::string& name) {
  const ir::Type type = flat_.unit.type(id);
  if (type.kind == TypeKind::Array) {
    if (type.count == 0) return;
    dimensions.push_back({size_of(flat_.unit, type.target), type.count});
    add_groups(inst, type.target, offset, dimensions, name + "[]");
    dimensions.pop_back();
  } else if (type.kind == TypeKind::Record) {
    for (const ir::Field& field : flat_.unit.record(type.record).fields) {
      const std::string path = field.name.empty() ? name : name + "." + field.name;
      add_groups(inst, field.type, offset + static_cast<std::int64_t>(field.offset), dimensions, path);
    }
  } else if (is_scalar(type)) {
    for (const GroupId other : of_inst_[inst]) {
      const Group& group = groups_[other.value];
      const bool same_size = size_of(flat_.unit, group.type) == size_of(flat_.unit, id);
      if (group.offset == offset && same_size && group.dimensions.size() == dimensions.size()) return;
    }
    groups_.push_back({inst, offset, dimensions, id, name});
    of_inst_[inst].push_back(GroupId(groups_.size() - 1));
  }
}

std::optional<GroupId> Layout::find(InstId inst, std::int64_t offset, std::uint64_t size) {
  for (const GroupId id : groups_of(inst)) {
    const Group& group = groups_[id.value];
    if (group.offset == offset && size_of(flat_.unit, group.type) == size) return id;
  }
  return std::nullopt;
}

std::int64_t Layout::address_of(InstId inst) {
  const auto [it, fresh] = addresses_.emplace(inst, next_address_);
  if (fresh) {
    // A string literal is never read; it only needs to be told apart.
    const bool is_text = flat_.inst(inst).kind == Inst::Kind::Text;
    const auto size = is_text ? 1 : static_cast<std::int64_t>(size_of(flat_.unit, flat_.inst(inst).type));
    constexpr std::int64_t alignment = 8;
    next_address_ = (next_address_ + size + alignment) / alignment * alignment;
  }
  return it->second;
}

std::int64_t Layout::address_of(ir::FunctionId function) {
  const auto [it, fresh] = functions_.emplace(function, next_address_);
  if (fresh) next_address_ += 8;
  return it->second;
}

}  // namespace cohort::frontend::c::lower
