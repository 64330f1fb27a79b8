#include "frontend/c/lower/looks.hpp"

#include <algorithm>

#include "base/contract.hpp"

namespace cohort::frontend::c::lower {

using TypeKind = ir::Type::Kind;

namespace {

// Does the way from the object to the scalar lead into a mutex, or another object whose inside is the library's?
bool is_inside_library(const ir::Unit& unit, ir::TypeId id, std::int64_t offset) {
  auto rest = static_cast<std::uint64_t>(offset);
  for (;;) {
    const ir::Type& type = unit.type(id);
    if (type.kind == TypeKind::Array) {
      const std::uint64_t size = size_of(unit, type.target);
      if (size == 0) return false;
      rest %= size;
      id = type.target;
      continue;
    }
    if (type.kind != TypeKind::Record) return false;
    const ir::Record& record = unit.record(type.record);
    if (record.is_library) return true;
    const auto holds = [&](const ir::Field& field) {
      return field.offset <= rest && rest - field.offset < size_of(unit, field.type);
    };
    const auto field = std::find_if(record.fields.begin(), record.fields.end(), holds);
    if (field == record.fields.end()) return false;
    rest -= field->offset;
    id = field->type;
  }
}

// Names of numbers are a shape whose members lie at them (model/look.cpp).
std::shared_ptr<const model::Shape> truth_values() {
  auto names = std::make_shared<model::Shape>();
  names->members = {{0, "false", nullptr}, {1, "true", nullptr}};
  return names;
}

}  // namespace

bool Looks::is_internal(const Group& group) const {
  const Inst& inst = flat_.inst(group.inst);
  if (inst.is_temporary) return true;
  if (inst.kind != Inst::Kind::Heap && (!inst.object || flat_.unit.object(*inst.object).is_library)) return true;
  return is_inside_library(flat_.unit, inst.type, group.offset);
}

model::Look Looks::of(const Group& group) {
  model::Look look{.internal = is_internal(group)};
  for (const Dimension& dimension : group.dimensions)
    look.counts.push_back(static_cast<std::uint32_t>(dimension.count));
  const ir::Type& type = flat_.unit.type(group.type);
  if (type.kind == TypeKind::Pointer) {
    look.kind = model::Look::Kind::Pointer;
    const TypeKind target = flat_.unit.type(type.target).kind;
    if (target != TypeKind::Void && target != TypeKind::Function && target != TypeKind::Unsupported) {
      look.target = shape(type.target);
    }
  } else if (type.kind == TypeKind::Bool) {
    look.target = truth_values();
  } else if (type.kind == TypeKind::Int && type.width == 8) {
    look.kind = model::Look::Kind::Character;
  } else if (type.kind == TypeKind::Int && type.width == 64 && !type.is_signed) {
    look.kind = model::Look::Kind::Unsigned;
  }
  return look;
}

Looks::ShapePtr Looks::shape(ir::TypeId id) {
  const ir::Type& type = flat_.unit.type(id);
  const bool is_array = type.kind == TypeKind::Array;
  const bool is_record = type.kind == TypeKind::Record;
  const ShapePtr element = is_array ? shape(type.target) : nullptr;
  const std::uint64_t size = size_of(flat_.unit, id);
  ShapePtr& known =
      shapes_[{type.kind, size, is_record ? type.record : ir::RecordId(0), is_array ? type.count : 0, element.get()}];
  if (known) return known;
  auto made = std::make_shared<model::Shape>();
  made->size = size;
  made->element = element;
  if (is_record && !flat_.unit.record(type.record).is_library) {
    for (const ir::Field& field : flat_.unit.record(type.record).fields) {
      made->members.push_back({field.offset, field.name, shape(field.type)});
    }
  }
  known = std::move(made);
  return known;
}

void Looks::fill(model::Atlas& atlas, const Layout& layout) {
  for (const auto& [id, address] : layout.addresses()) {
    const Inst& inst = flat_.inst(id);
    // The name of a text is the text itself.
    if (inst.kind == Inst::Kind::Text) {
      atlas.add_opaque(address, inst.name);
    } else {
      atlas.add(address, inst.name, shape(inst.type));
    }
  }
  for (const auto& [function, address] : layout.function_addresses()) {
    atlas.add_opaque(address, flat_.unit.function(function).name);
  }
}

}  // namespace cohort::frontend::c::lower
