// Configurations of a counter system: a control state and, for each occupied place, how many threads are there.  Only
// occupied places are stored, sorted by place; a count may be omega, "any number".  `Tokens` is also the form of what a
// rule consumes and produces.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace cohort::engine::unbounded {

using ControlId = std::uint32_t;
using Place = std::uint32_t;
using Count = std::uint32_t;

constexpr Count omega = UINT32_MAX;

struct Token {
  Place place = 0;
  Count count = 0;

  bool operator==(const Token&) const = default;
};

using Tokens = std::vector<Token>;
using TokenView = std::span<const Token>;

struct Configuration {
  ControlId control = 0;
  Tokens tokens;

  bool operator==(const Configuration&) const = default;
};

// The occupied places, and those that have omega, each summarised in one word: a superset of places has a superset of
// bits.
struct Summary {
  std::uint64_t support = 0;
  std::uint64_t omegas = 0;

  static Summary of(TokenView tokens);
  bool may_cover(const Summary& smaller) const {
    return (smaller.support & ~support) == 0 && (smaller.omegas & ~omegas) == 0;
  }
};

bool covers(TokenView larger, TokenView smaller);
Count count_at(TokenView tokens, Place place);
// Number of threads; tokens must be finite.
std::uint64_t total(TokenView tokens);

// Adds `count` threads at `place`, keeping the order.
void add(Tokens& tokens, Place place, Count count);
void add(Tokens& tokens, TokenView more);
// Takes `fewer` away; `tokens` must cover it.  Omega stays omega.
void remove(Tokens& tokens, TokenView fewer);
// What of `tokens` is left when up to `fewer` of each place is taken away; finite tokens only.
Tokens minus(TokenView tokens, TokenView fewer);
std::uint64_t hash_of(ControlId control, TokenView tokens);

}  // namespace cohort::engine::unbounded
