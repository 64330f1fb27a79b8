#include "witness/variables.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace cohort::witness {

namespace {

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

constexpr std::array<std::string_view, 20> integer_types = {
    "int",      "char",     "short",    "long",       "unsigned",    "signed",     "_Bool",
    "bool",     "size_t",   "int8_t",   "int16_t",    "int32_t",     "int64_t",    "uint8_t",
    "uint16_t", "uint32_t", "uint64_t", "atomic_int", "atomic_uint", "atomic_bool"};

// Where the name stands in the text as a word of its own, from `from` on; npos: nowhere.
std::size_t find_word(std::string_view text, std::string_view name, std::size_t from = 0) {
  for (std::size_t at = text.find(name, from); at != std::string_view::npos; at = text.find(name, at + 1)) {
    const bool begins = at == 0 || !is_word(text[at - 1]);
    const bool ends = at + name.size() == text.size() || !is_word(text[at + name.size()]);
    if (begins && ends) return at;
  }
  return std::string_view::npos;
}

// A declaration as in `static volatile int a = 0, name;`: a type of integers, and nothing that makes a pointer, an
// array or a function of it.  What is written on several lines, or by macros, is left out, and so is what is indented:
// a static object of a function has no name elsewhere.
bool is_declared_as_integer(std::string_view line, std::string_view name) {
  if (line.empty() || line.front() == ' ' || line.front() == '\t') return false;
  const std::size_t at = find_word(line, name);
  if (at == std::string_view::npos) return false;
  const std::string_view before = line.substr(0, at);
  std::string_view after = line.substr(at + name.size());
  while (!after.empty() && (after.front() == ' ' || after.front() == '\t')) after.remove_prefix(1);
  if (after.empty() || std::string_view("=,;").find(after.front()) == std::string_view::npos) return false;
  if (before.find_first_of("*({") != std::string_view::npos) return false;
  return std::any_of(integer_types.begin(), integer_types.end(),
                     [&](std::string_view type) { return mentions(before, type); });
}

}  // namespace

bool mentions(std::string_view text, std::string_view name) {
  return find_word(text, name) != std::string_view::npos;
}

std::vector<const model::Variable*> plain_integers(const model::Program& program) {
  std::vector<const model::Variable*> found;
  for (const model::Variable& variable : program.shared) {
    const bool named = !variable.name.empty() && std::all_of(variable.name.begin(), variable.name.end(), is_word) &&
                       std::isdigit(static_cast<unsigned char>(variable.name.front())) == 0;
    if (!named || variable.type.is_array() || !variable.span.known()) continue;
    if (variable.look.internal || variable.look.kind == model::Look::Kind::Pointer) continue;
    if (is_declared_as_integer(variable.span.file->line(variable.span.line), variable.name)) found.push_back(&variable);
  }
  return found;
}

}  // namespace cohort::witness
