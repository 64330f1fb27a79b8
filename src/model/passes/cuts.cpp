#include "model/passes/cuts.hpp"

#include <charconv>
#include <utility>
#include <vector>

#include <fmt/core.h>

namespace cohort::model {

namespace {

constexpr std::string_view switch_words = " (needs ";

}  // namespace

Program without_cuts(Program program) {
  for (Template& templ : program.templates) {
    for (Location& location : templ.locations) {
      if (location.error && program.properties[location.error->value].kind == Property::Kind::Cut)
        location.error.reset();
    }
  }
  return program;
}

Program asking_for_cuts(Program program) {
  std::vector<std::optional<PropertyId>> kept(program.properties.size());
  std::vector<Property> left;
  for (std::size_t i = 0; i < program.properties.size(); ++i) {
    const Property& property = program.properties[i];
    if (property.kind != Property::Kind::Cut) continue;
    kept[i] = PropertyId(left.size());
    left.push_back(property);
  }
  for (Template& templ : program.templates) {
    for (Location& location : templ.locations) {
      if (location.error) location.error = kept[location.error->value];
    }
  }
  program.properties = std::move(left);
  program.faults = FaultPolicy::Drop;
  return program;
}

std::string exceeded_bound_text(std::string_view what, std::string_view option, std::uint64_t value) {
  return fmt::format("{} ({} {})", what, option, value);
}

std::string needed_switch_text(std::string_view what, std::string_view option) {
  return fmt::format("{}{}{})", what, switch_words, option);
}

std::optional<ExceededBound> exceeded_bound(const Property& property) {
  const std::string& text = property.text;
  if (property.kind == Property::Kind::Cut && text.ends_with(')')) {
    const std::size_t words = text.rfind(switch_words);
    const std::size_t name = words + switch_words.size();
    if (words != std::string::npos && text.compare(name, 2, "--") == 0 && text.find(' ', name) == std::string::npos)
      return ExceededBound{.option = text.substr(name, text.size() - 1 - name), .is_switch = true};
  }
  const std::size_t open = text.rfind(" (--");
  if (property.kind != Property::Kind::Cut || open == std::string::npos || !text.ends_with(')')) return std::nullopt;
  const std::size_t start = open + 2;
  const std::size_t end = text.find(' ', start);
  if (end == std::string::npos) return std::nullopt;
  ExceededBound bound{.option = text.substr(start, end - start)};
  const char* const last = text.data() + text.size() - 1;
  const auto [rest, error] = std::from_chars(text.data() + end + 1, last, bound.value);
  if (error != std::errc() || rest != last) return std::nullopt;
  return bound;
}

}  // namespace cohort::model
