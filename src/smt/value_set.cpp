#include "smt/value_set.hpp"

#include <algorithm>
#include <iterator>

#include "base/contract.hpp"

namespace cohort::smt {

bool ValueSet::contains(Wide value) const {
  if (value < lo || value > hi) return false;
  return !listed || std::binary_search(listed->begin(), listed->end(), value);
}

std::optional<std::vector<Wide>> ValueSet::enumerate() const {
  if (listed) return *listed;
  if (hi - lo >= static_cast<Wide>(max_listed)) return std::nullopt;
  std::vector<Wide> values;
  for (Wide value = lo; value <= hi; ++value) values.push_back(value);
  return values;
}

bool ValueSet::operator==(const ValueSet& other) const {
  if (lo != other.lo || hi != other.hi) return false;
  if (listed == other.listed) return true;
  return listed && other.listed && *listed == *other.listed;
}

ValueSet set_of(std::vector<Wide> values) {
  COHORT_EXPECT(!values.empty(), "a number has some value");
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  ValueSet set{values.front(), values.back(), nullptr};
  const bool has_gaps = set.hi - set.lo >= static_cast<Wide>(values.size());
  if (has_gaps && values.size() <= max_listed)
    set.listed = std::make_shared<const std::vector<Wide>>(std::move(values));
  return set;
}

ValueSet unite(const ValueSet& left, const ValueSet& right) {
  const ValueSet whole{std::min(left.lo, right.lo), std::max(left.hi, right.hi), nullptr};
  const bool touch = left.lo <= right.hi + 1 && right.lo <= left.hi + 1;
  if (touch && !left.listed && !right.listed) return whole;
  auto first = left.enumerate();
  const auto second = right.enumerate();
  if (!first || !second) return whole;
  first->insert(first->end(), second->begin(), second->end());
  return set_of(std::move(*first));
}

std::optional<ValueSet> meet(const ValueSet& left, const ValueSet& right) {
  const ValueSet common{std::max(left.lo, right.lo), std::min(left.hi, right.hi), nullptr};
  if (common.lo > common.hi) return std::nullopt;
  if (!left.listed && !right.listed) return common;
  const ValueSet& from = left.listed ? left : right;
  const ValueSet& in = left.listed ? right : left;
  std::vector<Wide> values;
  std::copy_if(from.listed->begin(), from.listed->end(), std::back_inserter(values),
               [&](Wide value) { return in.contains(value); });
  if (values.empty()) return std::nullopt;
  return set_of(std::move(values));
}

}  // namespace cohort::smt
