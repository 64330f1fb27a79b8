// Splitting a set of thread states into products (BOOM section 6.2).
//
// A symbolic state keeps shared and local values apart, so it can only represent products.  A step may tie the two:
// after s := l the set {(0,0), (1,1)} is none.  Definition 3 of the paper calls such a set a splice state: it differs
// from the conjunction of its two projections.  It is split by Shannon decomposition over shared variables until every
// part is a product.
//
// A variable is taken only if both cofactors are satisfiable and, where there is such a variable, if the two have
// different local projections: those are the splice variables proper, found semantically.  (In s1 xor s2 = l no single
// variable changes the local projection; then any variable on which the set depends is split.)  Parts whose local sets
// are equal are put together again, which is the first merging rule applied at once; what comes out is the coarsest
// split by shared states, whatever variables were used.
//
// Cost: exponential in the number of splice variables, as in the paper; every level quantifies the set twice.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "dd/bdd.hpp"

namespace cohort::engine::symbolic {

struct Product {
  dd::Bdd first;   // over the first block
  dd::Bdd second;  // over the other variables
};

// The union of the products is `set`, and their first parts are disjoint.  `first` and `second` are the blocks;
// together they contain the support.  The variables split over are added to `used` (with repetitions left out).
std::vector<Product> split(const dd::Bdd& set, const dd::VarSet& first, const dd::VarSet& second,
                           std::vector<dd::Var>& used);

// The same if the decomposition meets at most `most` products (before equal second parts are put together).
std::optional<std::vector<Product>> split_within(const dd::Bdd& set, const dd::VarSet& first, const dd::VarSet& second,
                                                 std::vector<dd::Var>& used, std::size_t most);

}  // namespace cohort::engine::symbolic
