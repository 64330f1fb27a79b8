#include "frontend/c/lower/looks.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "base/contract.hpp"

namespace cohort::frontend::c::lower {

using TypeKind = ir::Type::Kind;

namespace {

constexpr std::string_view string_mark = "string@";  // with which the names of string literals begin (parse)

// What is written of a string literal, of a long one the beginning; of wide characters and of texts with zeros inside,
// which nobody writes so, the name.
std::string text_of(const ir::Unit& unit, const ir::Object& literal) {
  constexpr std::size_t longest = 32;
  const ir::Type& type = unit.type(literal.type);
  if (type.kind != TypeKind::Array || unit.type(type.target).width != 8) return literal.name;
  std::string quoted = "\"";
  std::size_t count = 0;
  for (const ir::InitialValue& character : literal.initial) {
    // Zeros are no initial values.
    if (character.path.size() != 1 || character.path[0] != count) return literal.name;
    if (count++ == longest) {
      quoted += "...";
      break;
    }
    const auto value = static_cast<unsigned char>(unit.expr(character.value).value);
    if (value == '"' || value == '\\') quoted += '\\';
    if (value >= ' ' && value <= '~') {
      quoted += static_cast<char>(value);
    } else {
      quoted += value == '\n' ? "\\n" : value == '\t' ? "\\t" : fmt::format("\\x{:02x}", value);
    }
  }
  return quoted + "\"";
}

// The locks that --linux brings: their makers are in the program then, and who they belong to is the library's.
bool is_lock_of_linux(const ir::Unit& unit, const ir::Record& record) {
  const bool is_named = record.name == "spinlock_t" || record.name == "rwlock_t" || record.name == "mutex";
  const bool has_members =
      !record.fields.empty() && (record.fields[0].name == "owner" || record.fields[0].name == "readers");
  return is_named && has_members &&
         std::any_of(unit.functions.begin(), unit.functions.end(),
                     [](const ir::Function& one) { return one.name == "cohort_linux_lock"; });
}

// The way from an object to one of its scalars.
struct Way {
  bool is_inside_library = false;  // it leads into a mutex, or another object whose inside is the library's
  std::shared_ptr<const ir::Reading> reading;
};

Way way_to(const ir::Unit& unit, ir::TypeId id, std::int64_t offset, std::shared_ptr<const ir::Reading> reading) {
  auto rest = static_cast<std::uint64_t>(offset);
  for (;;) {
    const ir::Type& type = unit.type(id);
    if (type.kind == TypeKind::Array) {
      const std::uint64_t size = size_of(unit, type.target);
      if (size == 0) return {false, std::move(reading)};
      rest %= size;
      id = type.target;
      continue;
    }
    if (type.kind != TypeKind::Record) return {false, std::move(reading)};
    const ir::Record& record = unit.record(type.record);
    if (record.is_library || is_lock_of_linux(unit, record)) return {true, nullptr};
    const auto holds = [&](const ir::Field& field) {
      return field.offset <= rest && rest - field.offset < size_of(unit, field.type);
    };
    const auto field = std::find_if(record.fields.begin(), record.fields.end(), holds);
    if (field == record.fields.end()) return {false, nullptr};
    // The members of a union read the same numbers each in its way.
    reading = record.is_union ? nullptr : field->reading;
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

std::shared_ptr<const model::Shape> names_of(const ir::Reading& reading) {
  auto names = std::make_shared<model::Shape>();
  for (const auto& [number, name] : reading.names)
    names->members.push_back({static_cast<std::uint64_t>(number), name, nullptr});
  return names;
}

}  // namespace

bool Looks::is_internal(const Group& group) const {
  const Inst& inst = flat_.inst(group.inst);
  // What has no name in the program: temporaries, and compound literals, which the statement shows.
  const bool is_named =
      !inst.name.starts_with('$') && !inst.name.starts_with("literal@") && !inst.name.starts_with(string_mark);
  if (inst.is_temporary || !is_named) return true;
  const auto is_dropped = [&](const Body& body) { return body.drops_argument && body.parameter == group.inst; };
  if (std::any_of(flat_.bodies.begin(), flat_.bodies.end(), is_dropped)) return true;
  if (inst.kind != Inst::Kind::Heap && (!inst.object || flat_.unit.object(*inst.object).is_library)) return true;
  return way_to(flat_.unit, inst.type, group.offset, nullptr).is_inside_library;
}

model::Look Looks::of(const Group& group) {
  model::Look look{.internal = is_internal(group)};
  for (const Dimension& dimension : group.dimensions)
    look.counts.push_back(static_cast<std::uint32_t>(dimension.count));
  const ir::Type& type = flat_.unit.type(group.type);
  const Inst& inst = flat_.inst(group.inst);
  const auto reading =
      way_to(flat_.unit, inst.type, group.offset, inst.object ? flat_.unit.object(*inst.object).reading : nullptr)
          .reading;
  if (type.kind == TypeKind::Pointer) {
    look.kind = model::Look::Kind::Pointer;
    const TypeKind target = flat_.unit.type(type.target).kind;
    if (target != TypeKind::Void && target != TypeKind::Function && target != TypeKind::Unsupported) {
      look.target = shape(type.target);
    }
  } else if (type.kind == TypeKind::Bool) {
    look.target = truth_values();
  } else if (type.kind == TypeKind::Int && reading && !reading->names.empty()) {
    look.target = names_of(*reading);
  } else if (type.kind == TypeKind::Int && type.width == 8) {
    if (!reading || reading->is_character) look.kind = model::Look::Kind::Character;
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
      const bool is_string = inst.object && inst.name.starts_with(string_mark);
      atlas.add(address, is_string ? text_of(flat_.unit, flat_.unit.object(*inst.object)) : inst.name,
                shape(inst.type));
    }
  }
  for (const auto& [function, address] : layout.function_addresses()) {
    atlas.add_opaque(address, flat_.unit.function(function).name);
  }
}

}  // namespace cohort::frontend::c::lower
