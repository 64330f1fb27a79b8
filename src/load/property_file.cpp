#include "load/property_file.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>

#include <fmt/core.h>

namespace cohort::load {

namespace {

struct Formula {
  std::string_view text;         // without blanks
  std::string_view written;      // as files have it
  std::string_view property;     // of the C front end; empty: not looked for
  std::string_view subproperty;  // empty: SV-COMP has no such property
};

constexpr std::array<Formula, 13> formulas = {{
    {"G!call(reach_error())", "G ! call(reach_error())", "assertions", "unreach-call"},
    {"G!call(__VERIFIER_error())", "G ! call(__VERIFIER_error())", "assertions", "unreach-call"},
    {"G!call(__assert_fail())", "G ! call(__assert_fail())", "assertions", "unreach-call"},
    {"G!data-race", "G ! data-race", "races", "no-data-race"},
    {"G!deadlock", "G ! deadlock", "deadlock", "no-deadlock"},
    {"G!overflow", "G ! overflow", "overflow", "no-overflow"},
    {"Gvalid-deref", "G valid-deref", "faults", "valid-deref"},
    {"Gvalid-free", "G valid-free", "faults", "valid-free"},
    {"G!lock-misuse", "G ! lock-misuse", "locks", ""},
    {"G!fault", "G ! fault", "faults", ""},
    {"Gvalid-memtrack", "G valid-memtrack", "", "valid-memtrack"},
    {"Gvalid-memcleanup", "G valid-memcleanup", "", "valid-memcleanup"},
    {"Fend", "F end", "", "termination"},
}};

std::string without_blanks(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (std::isspace(static_cast<unsigned char>(c)) == 0) result += c;
  }
  return result;
}

// The formula of `CHECK(init(main()),LTL(formula))`; none: it is not such a line.
std::optional<std::string> formula_in(const std::string& line) {
  constexpr std::string_view begin = "CHECK(init(main()),LTL(";
  constexpr std::string_view end = "))";
  if (!line.starts_with(begin) || !line.ends_with(end)) return std::nullopt;
  return line.substr(begin.size(), line.size() - begin.size() - end.size());
}

void add_once(std::vector<std::string>& list, std::string_view item) {
  if (!item.empty() && std::find(list.begin(), list.end(), item) == list.end()) list.emplace_back(item);
}

void take_line(const std::string& line, bool is_bare_allowed, const SourceSpan& span, Specification& specification) {
  auto formula = formula_in(line);
  if (!formula && line.starts_with("CHECK(init(") && !line.starts_with("CHECK(init(main()")) {
    throw_unsupported(span, "a program that begins with another function than main");
  }
  if (!formula && is_bare_allowed && !line.starts_with("CHECK")) formula = line;
  if (!formula) throw_malformed(span, "expected `CHECK( init(main()), LTL(formula) )`");
  const auto* const found =
      std::find_if(formulas.begin(), formulas.end(), [&](const Formula& one) { return one.text == *formula; });
  if (found == formulas.end() || found->property.empty()) {
    const std::string name = found == formulas.end() ? *formula : std::string(found->written);
    throw_unsupported(span, fmt::format("Cohort does not look for violations of `{}`", name));
  }
  add_once(specification.properties, found->property);
  add_once(specification.subproperties, found->subproperty);
  specification.text += (specification.text.empty() ? "" : "\n") + check_line(found->written);
}

Specification read_lines(const std::string& text, bool is_bare_allowed, SourceSpan span, bool counts_lines) {
  Specification specification;
  std::size_t begin = 0;
  for (std::uint32_t number = 1; begin <= text.size(); ++number) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string line = without_blanks(std::string_view(text).substr(begin, end - begin));
    if (counts_lines) span.line = number;
    if (!line.empty()) take_line(line, is_bare_allowed, span, specification);
    begin = end + 1;
  }
  if (specification.properties.empty()) throw_malformed(span, "there is nothing to check in this specification");
  return specification;
}

}  // namespace

std::string check_line(std::string_view formula) {
  return fmt::format("CHECK( init(main()), LTL({}) )", formula);
}

Specification read_property_file(const SourceFilePtr& file) {
  return read_lines(file->text(), false, {file, 1, 1}, true);
}

Specification read_specification(const std::string& text, const SourceSpan& span) {
  return read_lines(text, true, span, false);
}

std::string specification_text(const std::vector<std::string>& properties) {
  std::string text;
  for (const Formula& formula : formulas) {
    const bool is_first = &formula == std::find_if(formulas.begin(), formulas.end(), [&](const Formula& one) {
      return one.property == formula.property && one.subproperty == formula.subproperty;
    });
    const bool is_asked = std::any_of(properties.begin(), properties.end(), [&](const std::string& property) {
      return property == formula.property || (property == "all" && !formula.property.empty());
    });
    if (is_first && is_asked) text += (text.empty() ? "" : "\n") + check_line(formula.written);
  }
  return text;
}

}  // namespace cohort::load
