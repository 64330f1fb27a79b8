#include "frontend/c/lower/layout.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "base/contract.hpp"

namespace cohort::frontend::c::lower {

using TypeKind = ir::Type::Kind;

std::uint64_t Group::elements() const {
  std::uint64_t result = 1;
  for (const Dimension& dimension : dimensions) result *= dimension.count;
  return result;
}

namespace {

void add_scalars(const ir::Unit& unit, ir::TypeId id, std::int64_t offset, const std::string& name,
                 std::vector<Cell>& scalars) {
  const ir::Type& type = unit.type(id);
  if (type.kind == TypeKind::Array) {
    const auto size = static_cast<std::int64_t>(size_of(unit, type.target));
    for (std::uint64_t i = 0; i < type.count; ++i) {
      add_scalars(unit, type.target, offset + static_cast<std::int64_t>(i) * size, fmt::format("{}[{}]", name, i),
                  scalars);
    }
  } else if (type.kind == TypeKind::Record) {
    for (const ir::Field& field : unit.record(type.record).fields) {
      const std::string path = field.name.empty() ? name : name + "." + field.name;
      add_scalars(unit, field.type, offset + static_cast<std::int64_t>(field.offset), path, scalars);
    }
  } else if (is_scalar(type)) {
    scalars.push_back({offset, id, name});
  }
}

const Cell* cell_at(const ir::Unit& unit, const std::vector<Cell>& cells, std::int64_t offset) {
  const auto found = std::find_if(cells.begin(), cells.end(), [&](const Cell& cell) {
    return cell.offset <= offset && offset < cell.offset + static_cast<std::int64_t>(size_of(unit, cell.type));
  });
  return found == cells.end() ? nullptr : &*found;
}

}  // namespace

std::vector<Cell> union_cells(const ir::Unit& unit, ir::RecordId record) {
  std::vector<Cell> scalars;
  for (const ir::Field& field : unit.record(record).fields) {
    add_scalars(unit, field.type, static_cast<std::int64_t>(field.offset), field.name.empty() ? "" : "." + field.name,
                scalars);
  }
  const auto rank = [&](const Cell& cell) {
    return std::pair(size_of(unit, cell.type), unit.type(cell.type).kind == TypeKind::Int);
  };
  std::stable_sort(scalars.begin(), scalars.end(), [&](const Cell& a, const Cell& b) { return rank(a) > rank(b); });
  std::vector<Cell> cells;
  for (const Cell& scalar : scalars) {
    const auto end = scalar.offset + static_cast<std::int64_t>(size_of(unit, scalar.type));
    const bool is_free = std::none_of(cells.begin(), cells.end(), [&](const Cell& cell) {
      return cell.offset < end && scalar.offset < cell.offset + static_cast<std::int64_t>(size_of(unit, cell.type));
    });
    if (is_free) cells.push_back(scalar);
  }
  return cells;
}

std::optional<std::int64_t> collapse(const ir::Unit& unit, ir::TypeId id, std::int64_t offset) {
  const ir::Type& type = unit.type(id);
  if (offset < 0 || offset >= static_cast<std::int64_t>(size_of(unit, id))) return std::nullopt;
  if (type.kind == TypeKind::Array) {
    return collapse(unit, type.target, offset % static_cast<std::int64_t>(size_of(unit, type.target)));
  }
  if (type.kind != TypeKind::Record) return 0;
  if (unit.record(type.record).is_union) {
    const std::vector<Cell> cells = union_cells(unit, type.record);
    const Cell* cell = cell_at(unit, cells, offset);
    return cell != nullptr ? cell->offset : offset;
  }
  for (const ir::Field& field : unit.record(type.record).fields) {
    const auto begin = static_cast<std::int64_t>(field.offset);
    if (offset < begin || offset >= begin + static_cast<std::int64_t>(size_of(unit, field.type))) continue;
    const auto inner = collapse(unit, field.type, offset - begin);
    return inner ? std::optional(begin + *inner) : std::nullopt;
  }
  return offset;  // padding, or an empty struct
}

const std::vector<GroupId>& Layout::groups_of(InstId inst) {
  const auto known = of_inst_.find(inst);
  if (known != of_inst_.end()) return known->second;
  of_inst_[inst];
  std::vector<Dimension> dimensions;
  add_groups(inst, flat_.inst(inst).type, 0, dimensions, "");
  return of_inst_[inst];
}

void Layout::add_group(InstId inst, ir::TypeId type, std::int64_t offset, const std::vector<Dimension>& dimensions,
                       const std::string& name) {
  groups_.push_back({inst, offset, dimensions, type, name});
  of_inst_[inst].push_back(GroupId(groups_.size() - 1));
}

void Layout::add_groups(InstId inst, ir::TypeId id, std::int64_t offset, std::vector<Dimension>& dimensions,
                        const std::string& name) {
  const ir::Type type = flat_.unit.type(id);
  if (type.kind == TypeKind::Array) {
    if (type.count == 0) return;
    dimensions.push_back({size_of(flat_.unit, type.target), type.count});
    add_groups(inst, type.target, offset, dimensions, name + "[]");
    dimensions.pop_back();
  } else if (type.kind == TypeKind::Record && flat_.unit.record(type.record).is_union) {
    for (const Cell& cell : union_cells(flat_.unit, type.record)) {
      add_group(inst, cell.type, offset + cell.offset, dimensions, name + cell.name);
    }
  } else if (type.kind == TypeKind::Record) {
    for (const ir::Field& field : flat_.unit.record(type.record).fields) {
      const std::string path = field.name.empty() ? name : name + "." + field.name;
      add_groups(inst, field.type, offset + static_cast<std::int64_t>(field.offset), dimensions, path);
      if (!field.location || !is_scalar(flat_.unit.type(field.type))) continue;
      groups_.back().location = offset + static_cast<std::int64_t>(*field.location);
    }
  } else if (is_scalar(type)) {
    add_group(inst, id, offset, dimensions, name);
  }
}

std::optional<GroupId> Layout::find(InstId inst, std::int64_t offset) {
  for (const GroupId id : groups_of(inst)) {
    if (groups_[id.value].offset == offset) return id;
  }
  return std::nullopt;
}

GroupId Layout::location(GroupId id) {
  const Group group = groups_[id.value];
  if (!group.location) return id;
  const std::vector<GroupId>& all = groups_of(group.inst);
  return *std::find_if(all.begin(), all.end(),
                       [&](GroupId other) { return groups_[other.value].location == group.location; });
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
