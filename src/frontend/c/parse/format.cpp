#include "frontend/c/parse/format.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace cohort::frontend::c::parse {

namespace {

class Reader {
 public:
  explicit Reader(const std::string& text) : text_(text) {}

  bool done() const { return at_ >= text_.size(); }
  char peek() const { return done() ? '\0' : text_[at_]; }
  char next() { return done() ? '\0' : text_[at_++]; }
  bool take(char letter) {
    if (peek() != letter || done()) return false;
    ++at_;
    return true;
  }
  std::optional<int> number() {
    constexpr int most = 10'000;
    if (std::isdigit(static_cast<unsigned char>(peek())) == 0) return std::nullopt;
    int value = 0;
    while (std::isdigit(static_cast<unsigned char>(peek())) != 0) {
      value = std::min(most, value * 10 + (next() - '0'));
    }
    return value;
  }
  // Of the modifiers that say how long the number is, those that make it shorter: how many.
  unsigned skip_length() {
    unsigned halvings = 0;
    for (; !done() && std::string_view("hlqjzt").find(peek()) != std::string_view::npos; ++at_) {
      halvings += peek() == 'h' ? 1 : 0;
    }
    return halvings;
  }

 private:
  const std::string& text_;
  std::size_t at_ = 0;
};

bool is_known(char letter, std::string_view letters) {
  return letter != '\0' && letters.find(letter) != std::string_view::npos;
}

unsigned flags_of(Reader& reader) {
  unsigned flags = 0;
  for (;;) {
    if (reader.take('-')) {
      flags |= Left;
    } else if (reader.take('0')) {
      flags |= Zeros;
    } else if (reader.take('+')) {
      flags |= Plus;
    } else if (reader.take(' ')) {
      flags |= Blank;
    } else if (reader.take('#')) {
      flags |= Prefix;
    } else {
      return flags;
    }
  }
}

}  // namespace

std::optional<std::vector<Directive>> parse_print_format(const std::string& text) {
  std::vector<Directive> result;
  Reader reader(text);
  while (!reader.done()) {
    const char letter = reader.next();
    if (letter != '%' || reader.take('%')) {
      result.push_back({.kind = Directive::Kind::Character, .letter = letter});
      continue;
    }
    Directive directive{.kind = Directive::Kind::Conversion, .flags = flags_of(reader)};
    directive.width_given = reader.take('*');
    if (!directive.width_given) directive.width = reader.number();
    if (reader.take('.')) {
      directive.precision_given = reader.take('*');
      if (!directive.precision_given) directive.precision = reader.number().value_or(0);
    }
    directive.halvings = reader.skip_length();
    directive.letter = reader.next();
    if (directive.letter == 'X') directive.flags |= Capitals;
    if (!is_known(directive.letter, "diuxXocspneEfFgGaAm")) return std::nullopt;
    result.push_back(directive);
  }
  return result;
}

std::optional<std::vector<Directive>> parse_scan_format(const std::string& text) {
  std::vector<Directive> result;
  Reader reader(text);
  while (!reader.done()) {
    const char letter = reader.next();
    if (std::isspace(static_cast<unsigned char>(letter)) != 0) {
      result.push_back({.kind = Directive::Kind::Space});
      continue;
    }
    if (letter != '%' || reader.take('%')) {
      result.push_back({.kind = Directive::Kind::Character, .letter = letter});
      continue;
    }
    Directive directive{.kind = Directive::Kind::Conversion};
    directive.is_suppressed = reader.take('*');
    directive.width = reader.number();
    reader.skip_length();
    directive.letter = reader.next();
    if (!is_known(directive.letter, "diuxXocsn")) return std::nullopt;
    result.push_back(directive);
  }
  return result;
}

}  // namespace cohort::frontend::c::parse
