#include "model/look.hpp"

#include <algorithm>
#include <optional>

#include <fmt/core.h>

#include "base/contract.hpp"

namespace cohort::model {

namespace {

const Shape::Member* member_at(const Shape& shape, std::uint64_t offset) {
  const auto holds = [&](const Shape::Member& member) {
    return member.offset <= offset && offset - member.offset < member.shape->size;
  };
  const auto found = std::find_if(shape.members.begin(), shape.members.end(), holds);
  return found == shape.members.end() ? nullptr : &*found;
}

std::string with_rest(const std::string& path, std::uint64_t offset) {
  return offset == 0 ? path : fmt::format("{} + {} bytes", path, offset);
}

// Goes into the object until there is what the pointer points to.  Where that is nowhere (the pointer was made from one
// of another type), the largest part that begins there is meant.
std::string path_to(const Shape& object, std::uint64_t offset, const Shape* target) {
  std::string path;
  std::optional<std::string> largest;
  const Shape* at = &object;
  for (;;) {
    if (offset == 0 && at == target) return path;
    // Of an array nobody points to the whole unless that is declared: what is handed on as `void *` is its first
    // element.
    const bool is_vague = target == nullptr && at->element != nullptr;
    if (offset == 0 && !largest && !is_vague) largest = path;
    if (at->element && at->element->size != 0) {
      path += fmt::format("[{}]", offset / at->element->size);
      offset %= at->element->size;
      at = at->element.get();
    } else if (const Shape::Member* member = member_at(*at, offset)) {
      if (!member->name.empty()) path += "." + member->name;
      offset -= member->offset;
      at = member->shape.get();
    } else {
      return largest ? *largest : with_rest(path, offset);
    }
  }
}

bool is_printable(Value value) {
  return value >= ' ' && value <= '~' && value != '\'' && value != '\\';
}

// Numbers that have names, as those of an enumeration: members of a shape, each at its number.  What has none is told,
// as people write flags, by the names whose bits make it up, else as the number.
std::string named_number(const Shape& names, Value value) {
  for (const Shape::Member& member : names.members) {
    if (static_cast<Value>(member.offset) == value) return member.name;
  }
  std::string text;
  auto rest = static_cast<std::uint64_t>(value);
  for (const Shape::Member& member : names.members) {
    const bool is_flag = member.offset != 0 && (member.offset & (member.offset - 1)) == 0;
    if (!is_flag || (rest & member.offset) == 0) continue;
    text += (text.empty() ? "" : " | ") + member.name;
    rest &= ~member.offset;
  }
  return value > 0 && rest == 0 ? text : std::to_string(value);
}

}  // namespace

void Atlas::add(Value address, std::string name, std::shared_ptr<const Shape> shape) {
  COHORT_EXPECT(shape != nullptr, "an object has a shape");
  const auto place = std::lower_bound(objects_.begin(), objects_.end(), address,
                                      [](const Object& object, Value sought) { return object.address < sought; });
  COHORT_EXPECT(place == objects_.end() || place->address != address, "no two objects lie at one address");
  objects_.insert(place, {address, std::move(name), std::move(shape)});
}

void Atlas::add_opaque(Value address, std::string name) {
  static const auto no_memory = std::make_shared<const Shape>();
  add(address, std::move(name), no_memory);
}

std::string Atlas::name_of(Value address, const Shape* target) const {
  if (address == 0) return "NULL";
  auto after = std::upper_bound(objects_.begin(), objects_.end(), address,
                                [](Value sought, const Object& object) { return sought < object.address; });
  if (after == objects_.begin()) return "";
  const Object& object = *--after;
  const auto offset = static_cast<std::uint64_t>(address - object.address);
  if (object.shape->size == 0) return offset == 0 ? object.name : "";
  // A string literal is what is written.
  if (object.name.starts_with('"') && offset < object.shape->size)
    return offset == 0 ? object.name : fmt::format("{} + {}", object.name, offset);
  if (offset == object.shape->size) return fmt::format("the end of {}", object.name);
  if (offset > object.shape->size) return "";
  return fmt::format("&{}{}", object.name, path_to(*object.shape, offset, target));
}

std::string element_name(const std::string& name, const Look& look, std::uint32_t element) {
  if (look.counts.empty()) return fmt::format("{}[{}]", name, element);
  std::string result = name;
  std::size_t from = result.size();
  for (std::size_t i = look.counts.size(); i-- > 0;) {
    COHORT_EXPECT(look.counts[i] > 0, "an array that has an element has a length");
    const std::size_t at = result.rfind("[]", from);
    if (at == std::string::npos) return fmt::format("{}[{}]", name, element);
    result.replace(at, 2, fmt::format("[{}]", element % look.counts[i]));
    element /= look.counts[i];
    from = at;
  }
  return result;
}

std::string value_text(const Look& look, const Atlas* atlas, Value value) {
  switch (look.kind) {
    case Look::Kind::Number: return look.target ? named_number(*look.target, value) : std::to_string(value);
    case Look::Kind::Unsigned: return std::to_string(static_cast<std::uint64_t>(value));
    case Look::Kind::Character:
      return is_printable(value) ? fmt::format("'{}'", static_cast<char>(value)) : std::to_string(value);
    case Look::Kind::Pointer: {
      const std::string name = atlas == nullptr ? "" : atlas->name_of(value, look.target.get());
      if (!name.empty()) return name;
      // Nothing lies there: a number that somebody handed on as a pointer.
      constexpr Value first_page = 4096;
      if (value > -first_page && value < first_page) return fmt::format("(void *){}", value);
      return fmt::format("address {:#x}", static_cast<std::uint64_t>(value));
    }
  }
  COHORT_UNREACHABLE("every kind of value has a look");
}

}  // namespace cohort::model
