// Conditions on the markings of a net that are questions of coverability: sums of tokens compared with numbers, joined
// by "and", "or" and "not".  Where such a condition can only become true by more tokens, it is a finite union of
// targets, "at least so many tokens here and so many there"; other conditions are refused.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/source.hpp"
#include "frontend/net.hpp"

namespace cohort::frontend {

struct NetFormula {
  enum class Kind : std::uint8_t { AtLeast, And, Or, Not };

  Kind kind = Kind::And;               // without parts: true; an empty Or: false
  std::vector<NetBuilder::Place> sum;  // AtLeast: the tokens at these places, each counted as often as it is listed
  std::uint64_t least = 0;
  std::vector<NetFormula> parts;
  SourceSpan span;

  static NetFormula at_least(std::vector<NetBuilder::Place> sum, std::uint64_t least, const SourceSpan& span);
  static NetFormula no(NetFormula formula);
};

// The targets whose union the formula is.  Throws InputError (unsupported) at the place of a comparison that more
// tokens can make false, and where there would be more than `most_targets`.
std::vector<NetBuilder::Tokens> targets_of(const NetFormula& formula);

constexpr std::size_t most_targets = 10'000;

}  // namespace cohort::frontend
