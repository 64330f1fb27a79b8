// A point that breaks equations e1, .., em by the differences d1, .., dm leaves of them the m - 1 combinations
// d1 * ei - di * e1: these hold of all points before, as e1 and ei did, and of the new one.  Among the equations of
// remainders the same is done with them alone.
#include "lemma/hull.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include "base/contract.hpp"

namespace cohort::lemma {

using model::Type;
using model::Value;

namespace {

__extension__ using Wide = __int128;

constexpr Value most_factor = Value{1} << 20U;
constexpr Value most_bound = Value{1} << 60U;
constexpr Wide most_difference = Wide{1} << 62U;
// Equations of remainders of narrower types say little, and wider ones do not fit.
constexpr unsigned least_width = 8;
constexpr unsigned most_width = 60;

Wide difference(const Hull::Equation& equation, const std::vector<Value>& point) {
  COHORT_EXPECT(equation.factors.size() == point.size(), "a point has a value for each variable");
  Wide sum = -Wide{equation.bound};
  for (std::size_t i = 0; i < point.size(); ++i) sum += Wide{equation.factors[i]} * point[i];
  return equation.modulus == 0 ? sum : sum % equation.modulus;
}

Wide absolute(Wide value) {
  return value < 0 ? -value : value;
}

Wide common_divisor(Wide one, Wide other) {
  one = absolute(one);
  other = absolute(other);
  while (other != 0) one = std::exchange(other, one % other);
  return one;
}

// Made as small as it goes; none: it says nothing, or its numbers are too large.
std::optional<Hull::Equation> equation_of(std::vector<Wide> factors, Wide bound, Value modulus) {
  Wide divisor = modulus;
  const auto last = std::find_if(factors.rbegin(), factors.rend(), [](Wide factor) { return factor != 0; });
  if (last == factors.rend()) return std::nullopt;
  for (const Wide factor : factors) divisor = common_divisor(divisor, factor);
  // A difference of two points is divided by all that divides the factors; so is the bound.
  if (modulus == 0) {
    divisor = common_divisor(divisor, bound);
    if (*last < 0) divisor = -divisor;
  } else {
    divisor = 1;
  }
  Hull::Equation result;
  for (const Wide factor : factors) {
    const Wide scaled = factor / divisor;
    if (absolute(scaled) > most_factor) return std::nullopt;
    result.factors.push_back(static_cast<Value>(scaled));
  }
  bound /= divisor;
  if (modulus != 0) bound = ((bound % modulus) + modulus) % modulus;
  if (absolute(bound) > most_bound) return std::nullopt;
  result.bound = static_cast<Value>(bound);
  result.modulus = modulus;
  return result;
}

struct Broken {
  Hull::Equation equation;
  Wide by = 0;
};

// What is left of equations of one kind.
void combine(const std::vector<Broken>& broken, std::vector<Hull::Equation>& result) {
  if (broken.empty()) return;
  // The one that is broken least keeps the factors of the others small.
  const auto pivot = std::min_element(broken.begin(), broken.end(), [](const Broken& one, const Broken& other) {
    return absolute(one.by) < absolute(other.by);
  });
  for (auto it = broken.begin(); it != broken.end(); ++it) {
    if (it == pivot) continue;
    const Wide divisor = common_divisor(pivot->by, it->by);
    const Wide mine = pivot->by / divisor;
    const Wide other = it->by / divisor;
    if (absolute(mine) > most_factor || absolute(other) > most_bound) continue;
    std::vector<Wide> factors;
    for (std::size_t i = 0; i < it->equation.factors.size(); ++i) {
      factors.push_back(mine * it->equation.factors[i] - other * pivot->equation.factors[i]);
    }
    const Wide bound = mine * it->equation.bound - other * pivot->equation.bound;
    auto left = equation_of(std::move(factors), bound, it->equation.modulus);
    if (left && std::find(result.begin(), result.end(), *left) == result.end()) result.push_back(std::move(*left));
  }
}

}  // namespace

void Hull::start(const std::vector<Value>& point) {
  started_ = true;
  for (std::size_t i = 0; i < point.size(); ++i) {
    std::vector<Wide> factors(point.size(), 0);
    factors[i] = 1;
    if (auto equation = equation_of(std::move(factors), point[i], 0)) equations_.push_back(std::move(*equation));
  }
}

// What its variables count modulo; 0: nothing.
Value Hull::ring(const Equation& equation) const {
  unsigned width = most_width + 1;
  for (std::size_t i = 0; i < types_.size(); ++i) {
    if (equation.factors[i] != 0 && types_[i].kind() == Type::Kind::Int) width = std::min(width, types_[i].width());
  }
  return width < least_width || width > most_width ? 0 : Value{1} << width;
}

bool Hull::add(const std::vector<Value>& point) {
  COHORT_EXPECT(point.size() == types_.size(), "a point has a value for each variable");
  if (!started_) {
    start(point);
    return true;
  }
  std::vector<Equation> kept;
  std::vector<Broken> exact;
  std::vector<Broken> remainders;
  bool grew = false;
  for (Equation& equation : equations_) {
    const Wide by = difference(equation, point);
    if (by == 0) {
      kept.push_back(equation);
      continue;
    }
    grew = true;
    const Value modulus = equation.modulus == 0 ? ring(equation) : 0;
    if (modulus != 0 && by % modulus == 0) {
      equation.bound = ((equation.bound % modulus) + modulus) % modulus;
      equation.modulus = modulus;
      kept.push_back(equation);
    } else if (absolute(by) <= most_difference) {
      (equation.modulus == 0 ? exact : remainders).push_back({equation, by});
    }
  }
  if (!grew) return false;
  combine(exact, kept);
  // Only remainders by one number are combined.
  std::stable_sort(remainders.begin(), remainders.end(), [](const Broken& one, const Broken& other) {
    return one.equation.modulus < other.equation.modulus;
  });
  for (auto first = remainders.begin(); first != remainders.end();) {
    const auto last = std::find_if(first, remainders.end(),
                                   [&](const Broken& one) { return one.equation.modulus != first->equation.modulus; });
    combine({first, last}, kept);
    first = last;
  }
  equations_ = std::move(kept);
  return true;
}

}  // namespace cohort::lemma
