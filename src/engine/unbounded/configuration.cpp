#include "engine/unbounded/configuration.hpp"

#include <algorithm>

#include "base/contract.hpp"

namespace cohort::engine::unbounded {

namespace {

std::uint64_t bit_of(Place place) {
  return std::uint64_t{1} << ((place * 0x9E3779B1U) >> 26U);
}

Tokens::iterator position(Tokens& tokens, Place place) {
  return std::lower_bound(tokens.begin(), tokens.end(), place,
                          [](const Token& token, Place wanted) { return token.place < wanted; });
}

}  // namespace

Summary Summary::of(TokenView tokens) {
  Summary summary;
  for (const Token& token : tokens) {
    const std::uint64_t bit = bit_of(token.place);
    summary.support |= bit;
    summary.omegas |= token.count == omega ? bit : 0;
  }
  return summary;
}

bool covers(TokenView larger, TokenView smaller) {
  // How many places `larger` may still occupy that `smaller` does not.
  std::ptrdiff_t spare = static_cast<std::ptrdiff_t>(larger.size()) - static_cast<std::ptrdiff_t>(smaller.size());
  if (spare < 0) return false;
  const Token* it = larger.data();
  for (const Token& wanted : smaller) {
    while (it->place < wanted.place) {
      if (--spare < 0) return false;
      ++it;
    }
    if (it->place != wanted.place || it->count < wanted.count) return false;
    ++it;
  }
  return true;
}

Count count_at(TokenView tokens, Place place) {
  const auto it = std::lower_bound(tokens.begin(), tokens.end(), place,
                                   [](const Token& token, Place wanted) { return token.place < wanted; });
  return it != tokens.end() && it->place == place ? it->count : 0;
}

std::uint64_t total(TokenView tokens) {
  std::uint64_t sum = 0;
  for (const Token& token : tokens) {
    COHORT_EXPECT(token.count != omega, "only finite configurations have a number of threads");
    sum += token.count;
  }
  return sum;
}

void add(Tokens& tokens, Place place, Count count) {
  if (count == 0) return;
  const auto it = position(tokens, place);
  if (it == tokens.end() || it->place != place) {
    tokens.insert(it, {place, count});
  } else if (count == omega || it->count == omega) {
    it->count = omega;
  } else {
    COHORT_EXPECT(it->count < omega - count, "finite counts stay below omega");
    it->count += count;
  }
}

void add(Tokens& tokens, TokenView more) {
  for (const Token& token : more) add(tokens, token.place, token.count);
}

void remove(Tokens& tokens, TokenView fewer) {
  for (const Token& token : fewer) {
    const auto it = position(tokens, token.place);
    COHORT_EXPECT(it != tokens.end() && it->place == token.place && it->count >= token.count,
                  "what is removed is there");
    if (it->count == omega) continue;
    it->count -= token.count;
    if (it->count == 0) tokens.erase(it);
  }
}

Tokens minus(TokenView tokens, TokenView fewer) {
  // With room for what a rule consumes: most differences are taken on the way backwards.
  constexpr std::size_t usual_room = 2;
  Tokens rest;
  rest.reserve(tokens.size() + usual_room);
  auto taken = fewer.begin();
  for (const Token& token : tokens) {
    COHORT_EXPECT(token.count != omega, "differences are taken of finite tokens");
    while (taken != fewer.end() && taken->place < token.place) ++taken;
    const Count less = taken != fewer.end() && taken->place == token.place ? taken->count : 0;
    if (less < token.count) rest.push_back({token.place, token.count - less});
  }
  return rest;
}

std::uint64_t hash_of(ControlId control, TokenView tokens) {
  std::uint64_t hash = control * 0x9E3779B97F4A7C15ULL;
  for (const Token& token : tokens) {
    hash = (hash ^ ((std::uint64_t{token.place} << 32U) | token.count)) * 0xBF58476D1CE4E5B9ULL;
    hash ^= hash >> 29U;
  }
  return hash;
}

}  // namespace cohort::engine::unbounded
