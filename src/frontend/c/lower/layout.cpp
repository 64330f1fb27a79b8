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

// Padding is an array, whose elements have the offset of the first.
std::int64_t in_gap(const ir::Unit& unit, ir::RecordId record, std::int64_t offset) {
  for (const Gap& gap : gaps(unit, record)) {
    if (gap.offset <= offset && offset < gap.offset + static_cast<std::int64_t>(gap.size)) return gap.offset;
  }
  return offset;
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
    COHORT_EXPECT(is_scalar(unit.type(scalar.type)), "the cells of a union are scalars");
    const auto end = scalar.offset + static_cast<std::int64_t>(size_of(unit, scalar.type));
    const bool is_free = std::none_of(cells.begin(), cells.end(), [&](const Cell& cell) {
      return cell.offset < end && scalar.offset < cell.offset + static_cast<std::int64_t>(size_of(unit, cell.type));
    });
    if (is_free) cells.push_back(scalar);
  }
  return cells;
}

std::vector<Gap> gaps(const ir::Unit& unit, ir::RecordId id) {
  const ir::Record& record = unit.record(id);
  if (record.is_library || record.is_slot) return {};  // nobody looks inside, or it is nobody's
  std::vector<std::pair<std::int64_t, std::int64_t>> taken;
  const auto take = [&](std::int64_t offset, ir::TypeId type) {
    taken.emplace_back(offset, offset + static_cast<std::int64_t>(size_of(unit, type)));
  };
  if (record.is_union) {
    for (const Cell& cell : union_cells(unit, id)) take(cell.offset, cell.type);
  } else {
    for (const ir::Field& field : record.fields) take(static_cast<std::int64_t>(field.offset), field.type);
  }
  COHORT_EXPECT(std::all_of(taken.begin(), taken.end(),
                            [](const auto& part) { return 0 <= part.first && part.first <= part.second; }),
                "parts of a record begin inside of it and end after they begin");
  std::sort(taken.begin(), taken.end());
  taken.emplace_back(record.size, record.size);
  COHORT_EXPECT(record.complete || record.fields.empty(), "what is laid out is known");
  std::vector<Gap> result;
  std::int64_t at = 0;
  for (const auto& [begin, end] : taken) {
    if (begin > at) result.push_back({at, static_cast<std::uint64_t>(begin - at)});
    at = std::max(at, end);
  }
  return result;
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
    if (const Cell* cell = cell_at(unit, cells, offset)) return cell->offset;
    return in_gap(unit, type.record, offset);
  }
  for (const ir::Field& field : unit.record(type.record).fields) {
    const auto begin = static_cast<std::int64_t>(field.offset);
    if (offset < begin || offset >= begin + static_cast<std::int64_t>(size_of(unit, field.type))) continue;
    const auto inner = collapse(unit, field.type, offset - begin);
    return inner ? std::optional(begin + *inner) : std::nullopt;
  }
  return in_gap(unit, type.record, offset);
}

bool is_of_library_at(const ir::Unit& unit, ir::TypeId id, std::int64_t offset) {
  const ir::Type& type = unit.type(id);
  if (type.kind == TypeKind::Array && size_of(unit, type.target) > 0) {
    return is_of_library_at(unit, type.target, offset % static_cast<std::int64_t>(size_of(unit, type.target)));
  }
  if (type.kind != TypeKind::Record) return false;
  const ir::Record& record = unit.record(type.record);
  if (record.is_library) return true;
  return std::any_of(record.fields.begin(), record.fields.end(), [&](const ir::Field& field) {
    const auto begin = static_cast<std::int64_t>(field.offset);
    const auto end = begin + static_cast<std::int64_t>(size_of(unit, field.type));
    return begin <= offset && offset < end && is_of_library_at(unit, field.type, offset - begin);
  });
}

std::optional<std::int64_t> location_at(const ir::Unit& unit, ir::TypeId id, std::int64_t offset) {
  const ir::Type& type = unit.type(id);
  if (type.kind == TypeKind::Array && size_of(unit, type.target) > 0) {
    return location_at(unit, type.target, offset % static_cast<std::int64_t>(size_of(unit, type.target)));
  }
  if (type.kind != TypeKind::Record || unit.record(type.record).is_union) return std::nullopt;
  for (const ir::Field& field : unit.record(type.record).fields) {
    const auto begin = static_cast<std::int64_t>(field.offset);
    const auto end = begin + static_cast<std::int64_t>(size_of(unit, field.type));
    if (begin > offset || offset >= end) continue;
    if (field.location) return static_cast<std::int64_t>(*field.location);
    const auto inner = location_at(unit, field.type, offset - begin);
    return inner ? std::optional(begin + *inner) : std::nullopt;
  }
  return std::nullopt;
}

bool is_bit_field_at(const ir::Unit& unit, ir::TypeId id, std::int64_t offset) {
  return location_at(unit, id, offset).has_value();
}

std::uint64_t scalar_size(const ir::Unit& unit, ir::TypeId id, std::int64_t offset) {
  const ir::Type& type = unit.type(id);
  if (is_scalar(type)) return size_of(unit, id);
  if (type.kind == TypeKind::Array && size_of(unit, type.target) > 0) {
    return scalar_size(unit, type.target, offset % static_cast<std::int64_t>(size_of(unit, type.target)));
  }
  if (type.kind != TypeKind::Record) return 1;
  if (unit.record(type.record).is_union) {
    const std::vector<Cell> cells = union_cells(unit, type.record);
    const Cell* cell = cell_at(unit, cells, offset);
    return cell != nullptr ? size_of(unit, cell->type) : 1;
  }
  for (const ir::Field& field : unit.record(type.record).fields) {
    const auto begin = static_cast<std::int64_t>(field.offset);
    const auto end = begin + static_cast<std::int64_t>(size_of(unit, field.type));
    if (begin <= offset && offset < end) return scalar_size(unit, field.type, offset - begin);
  }
  return 1;
}

bool is_between_slots(const ir::Unit& unit, ir::TypeId id, std::int64_t offset) {
  const ir::Type& type = unit.type(id);
  if (type.kind != TypeKind::Array || unit.type(type.target).kind != TypeKind::Record) return false;
  const ir::Record& slot = unit.record(unit.type(type.target).record);
  COHORT_EXPECT(slot.size > 0, "what lies in an array has a size");
  const auto inside = static_cast<std::uint64_t>(offset) % slot.size;
  return slot.is_slot && inside >= size_of(unit, slot.fields.front().type);
}

const std::vector<GroupId>& Layout::groups_of(InstId inst) {
  const auto known = of_inst_.find(inst);
  COHORT_EXPECT(inst.value < flat_.insts.size(), "groups are of an object that there is");
  if (known != of_inst_.end()) return known->second;
  of_inst_[inst];
  std::vector<Dimension> dimensions;
  add_groups(inst, flat_.inst(inst).type, 0, dimensions, "");
  return of_inst_[inst];
}

void Layout::add_group(InstId inst, ir::TypeId type, std::int64_t offset, const std::vector<Dimension>& dimensions,
                       const std::string& name) {
  COHORT_EXPECT(is_scalar(flat_.unit.type(type)), "a group is of scalars");
  COHORT_EXPECT(offset >= 0 && static_cast<std::uint64_t>(offset) < size_of(flat_.unit, flat_.inst(inst).type),
                "a group begins inside of its object");
  COHORT_EXPECT(std::all_of(dimensions.begin(), dimensions.end(),
                            [](const Dimension& each) { return each.count > 0 && each.stride > 0; }),
                "every dimension has elements");
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
    add_padding(inst, type.record, offset, dimensions, name);
  } else if (type.kind == TypeKind::Record) {
    for (const ir::Field& field : flat_.unit.record(type.record).fields) {
      const std::string path = field.name.empty() ? name : name + "." + field.name;
      add_groups(inst, field.type, offset + static_cast<std::int64_t>(field.offset), dimensions, path);
      if (!field.location || !is_scalar(flat_.unit.type(field.type))) continue;
      COHORT_EXPECT(!groups_.empty() && groups_.back().inst == inst, "the group of the field has just been added");
      groups_.back().location = offset + static_cast<std::int64_t>(*field.location);
    }
    add_padding(inst, type.record, offset, dimensions, name);
  } else if (is_scalar(type)) {
    add_group(inst, id, offset, dimensions, name);
  }
}

void Layout::add_padding(InstId inst, ir::RecordId record, std::int64_t offset, std::vector<Dimension>& dimensions,
                         const std::string& name) {
  const ir::TypeId character = flat_.unit.add_type({.kind = TypeKind::Int, .width = 8, .is_signed = true});
  for (const Gap& gap : gaps(flat_.unit, record)) {
    dimensions.push_back({1, gap.size});
    add_group(inst, character, offset + gap.offset, dimensions, name + std::string(padding_name));
    dimensions.pop_back();
  }
}

std::optional<Layout::Byte> Layout::byte_at(InstId inst, std::int64_t offset) {
  const auto collapsed = collapse(flat_.unit, flat_.inst(inst).type, offset);
  const auto id = collapsed ? find(inst, *collapsed) : std::nullopt;
  if (!id) return std::nullopt;
  COHORT_EXPECT(groups_[id->value].inst == inst, "the byte is in a group of its object");
  const Group& group = groups_[id->value];
  Byte result{.group = *id};
  std::int64_t rest = offset - group.offset;
  for (const Dimension& dimension : group.dimensions) {
    const auto stride = static_cast<std::int64_t>(dimension.stride);
    result.element = result.element * dimension.count + static_cast<std::uint64_t>(rest / stride);
    rest %= stride;
  }
  COHORT_EXPECT(rest >= 0 && static_cast<std::uint64_t>(rest) < size_of(flat_.unit, group.type),
                "the byte lies in the scalar that its offset collapses to");
  result.byte = static_cast<std::uint64_t>(rest);
  return result;
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
  COHORT_EXPECT(std::find(all.begin(), all.end(), id) != all.end(), "a group is one of its object");
  return *std::find_if(all.begin(), all.end(),
                       [&](GroupId other) { return groups_[other.value].location == group.location; });
}

std::int64_t Layout::address_of(InstId inst) {
  const auto [it, fresh] = addresses_.emplace(inst, next_address_);
  if (fresh) {
    // A string literal is never read; it only needs to be told apart.
    const bool is_text = flat_.inst(inst).kind == Inst::Kind::Text && !flat_.inst(inst).is_foreign;
    const auto size = is_text ? 1 : static_cast<std::int64_t>(size_of(flat_.unit, flat_.inst(inst).type));
    constexpr std::int64_t alignment = 8;
    COHORT_EXPECT(size >= 0 && next_address_ <= INT64_MAX - size - alignment, "there is room for the object");
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
