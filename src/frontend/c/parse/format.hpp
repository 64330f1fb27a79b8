// The formats of printf and scanf: directives, read from a literal.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace cohort::frontend::c::parse {

struct Directive {
  enum class Kind { Character, Space, Conversion };  // Space: any white space, in the formats of scanf

  Kind kind = Kind::Character;
  char letter = 0;  // the character, or that of the conversion
  unsigned flags = 0;
  bool is_suppressed = false;    // `*` in the formats of scanf
  bool width_given = false;      // by an argument
  bool precision_given = false;  // by an argument
  unsigned halvings = 0;         // how many `h` there are
  std::optional<int> width{};
  std::optional<int> precision{};
};

// As the models of the library name them (COHORT_LEFT and so on).
enum FormatFlag : unsigned { Left = 1, Zeros = 2, Plus = 4, Blank = 8, Prefix = 16, Capitals = 32 };

// None where the format is not one, or says something that is not known here (sets of characters, positions).
std::optional<std::vector<Directive>> parse_print_format(const std::string& text);
std::optional<std::vector<Directive>> parse_scan_format(const std::string& text);

}  // namespace cohort::frontend::c::parse
