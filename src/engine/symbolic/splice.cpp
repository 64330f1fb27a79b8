#include "engine/symbolic/splice.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "base/contract.hpp"

namespace cohort::engine::symbolic {

namespace {

// The variable of the block to split over next, as the header says.
dd::Var splice_variable(const dd::Bdd& set, const dd::VarSet& first) {
  std::optional<dd::Var> fallback;
  for (const dd::Var variable : dd::support(set)) {
    if (!first.contains(variable)) continue;
    const dd::Bdd low = dd::cofactor(set, variable, false);
    const dd::Bdd high = dd::cofactor(set, variable, true);
    if (low.is_false() || high.is_false()) continue;
    if (!fallback) fallback = variable;
    if (dd::exists(low, first) != dd::exists(high, first)) return variable;
  }
  COHORT_EXPECT(fallback.has_value(), "a set without free variables in one block is a product");
  return *fallback;
}

// False, and half done, when there are more products than `most`, which is less by those that there were.
bool split_into(const dd::Bdd& set, const dd::VarSet& first, const dd::VarSet& second, std::vector<dd::Var>& used,
                std::vector<Product>& products, std::size_t& most) {
  if (set.is_false()) return true;
  const dd::Bdd left = dd::exists(set, second);
  const dd::Bdd right = dd::exists(set, first);
  if ((left & right) == set) {
    if (most == 0) return false;
    --most;
    const auto same =
        std::find_if(products.begin(), products.end(), [&](const Product& p) { return p.second == right; });
    if (same != products.end()) {
      same->first |= left;
    } else {
      products.push_back({left, right});
    }
    return true;
  }
  if (most < 2) return false;
  const dd::Var variable = splice_variable(set, first);
  if (std::find(used.begin(), used.end(), variable) == used.end()) used.push_back(variable);
  for (const bool value : {false, true}) {
    if (!split_into(set & dd::cube({{variable, value}}), first, second, used, products, most)) return false;
  }
  return true;
}

}  // namespace

std::vector<Product> split(const dd::Bdd& set, const dd::VarSet& first, const dd::VarSet& second,
                           std::vector<dd::Var>& used) {
  return *split_within(set, first, second, used, SIZE_MAX);
}

std::optional<std::vector<Product>> split_within(const dd::Bdd& set, const dd::VarSet& first, const dd::VarSet& second,
                                                 std::vector<dd::Var>& used, std::size_t most) {
  std::vector<Product> products;
  if (!split_into(set, first, second, used, products, most)) return std::nullopt;
  return products;
}

}  // namespace cohort::engine::symbolic
