#include "frontend/tts/notation.hpp"

#include <algorithm>
#include <limits>

#include <fmt/core.h>

#include "frontend/cursor.hpp"

namespace cohort::frontend::tts {

namespace {

constexpr std::uint64_t max_state = std::numeric_limits<std::uint32_t>::max() - 1;

std::vector<PlacedLocal> parse_locals(Cursor& cursor) {
  std::vector<PlacedLocal> locals;
  cursor.skip_blanks(false);
  if (!cursor.at_digit()) return locals;
  while (true) {
    const SourceSpan span = cursor.span();
    locals.push_back({static_cast<std::uint32_t>(cursor.number("a local state", max_state)), span});
    cursor.skip_blanks(false);
    if (!cursor.accept(",")) return locals;
    cursor.skip_blanks(false);
  }
}

void parse_shared(Cursor& cursor, Configuration& configuration) {
  cursor.skip_blanks(true);
  configuration.span = cursor.span();
  configuration.shared = static_cast<std::uint32_t>(cursor.number("a shared state", max_state));
  cursor.skip_blanks(false);
}

void expect_end(Cursor& cursor, const char* expected) {
  cursor.skip_blanks(true);
  if (!cursor.at_end()) {
    throw_malformed(cursor.span(), fmt::format("expected {}, found {}", expected, cursor.describe_here()));
  }
}

void check_unbounded(const Configuration& configuration) {
  for (std::size_t i = 0; i < configuration.unbounded.size(); ++i) {
    const PlacedLocal& here = configuration.unbounded[i];
    const auto same = [&](const PlacedLocal& other) { return other.local == here.local; };
    if (std::any_of(configuration.bounded.begin(), configuration.bounded.end(), same)) {
      throw_malformed(here.span, fmt::format("local state {} has both a fixed and any number of threads", here.local));
    }
    if (std::any_of(configuration.unbounded.begin(), configuration.unbounded.begin() + i, same)) {
      throw_malformed(here.span, fmt::format("local state {} is listed twice", here.local));
    }
  }
}

}  // namespace

Configuration parse_initial(const SourceFilePtr& text) {
  Cursor cursor(text);
  Configuration configuration;
  parse_shared(cursor, configuration);
  bool some_part = false;
  if (cursor.accept("|") || cursor.accept("B")) {
    configuration.bounded = parse_locals(cursor);
    some_part = true;
  }
  if (cursor.accept("/") || cursor.accept("U")) {
    configuration.unbounded = parse_locals(cursor);
    some_part = true;
  }
  if (!some_part) {
    throw_malformed(cursor.span(),
                    fmt::format("expected '|' or '/' after the shared state, found {}", cursor.describe_here()));
  }
  expect_end(cursor, "',', '/' or the end of the initial configuration");
  check_unbounded(configuration);
  return configuration;
}

Configuration parse_target(const SourceFilePtr& text) {
  Cursor cursor(text);
  Configuration configuration;
  parse_shared(cursor, configuration);
  if (!cursor.accept("|") && !cursor.accept("B")) {
    throw_malformed(cursor.span(),
                    fmt::format("expected '|' after the shared state, found {}", cursor.describe_here()));
  }
  configuration.bounded = parse_locals(cursor);
  expect_end(cursor, "',' or the end of the target");
  return configuration;
}

}  // namespace cohort::frontend::tts
