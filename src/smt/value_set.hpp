// What is known of a number without a solver: an interval, and inside it, where they are few and have gaps, the values
// themselves.  Gaps matter where numbers are indices: a process that only uses places 5 and 77 of a table touches two
// of its elements, not 73.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

namespace cohort::smt {

__extension__ using Wide = __int128;

struct ValueSet {
  Wide lo = 0;
  Wide hi = 0;
  // The values in ascending order, from lo to hi; none: all of the interval, or too many to list.
  std::shared_ptr<const std::vector<Wide>> listed;

  bool is_constant() const { return lo == hi; }
  bool contains(Wide value) const;
  // All values, where they are at most max_listed.
  std::optional<std::vector<Wide>> enumerate() const;
  bool operator==(const ValueSet& other) const;
};

inline constexpr std::size_t max_listed = 32;

// The least set that holds these values, of which there is at least one.
ValueSet set_of(std::vector<Wide> values);
// The least sets that hold the union and the intersection; the latter is none where they have nothing in common.
ValueSet unite(const ValueSet& left, const ValueSet& right);
std::optional<ValueSet> meet(const ValueSet& left, const ValueSet& right);

// The results of an operation on all pairs of values; none where they are too many.  The operation gives none for a
// pair that has no result.
template <typename Operation>
std::optional<ValueSet> image(const ValueSet& left, const ValueSet& right, Operation operation) {
  const auto first = left.enumerate();
  const auto second = right.enumerate();
  if (!first || !second || first->size() * second->size() > 4 * max_listed) return std::nullopt;
  std::vector<Wide> results;
  for (const Wide a : *first) {
    for (const Wide b : *second) {
      if (const std::optional<Wide> result = operation(a, b)) results.push_back(*result);
    }
  }
  if (results.empty()) return std::nullopt;
  return set_of(std::move(results));
}

}  // namespace cohort::smt
