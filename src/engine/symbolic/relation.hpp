// Transition relations with a frame.  A relation speaks of the values before, of the values after of the variables it
// may modify, and of the locals of threads it creates; everything else keeps its value without a word.  So a step that
// assigns two of forty variables is a small diagram, and its image quantifies two variables.
#pragma once

#include <vector>

#include "dd/bdd.hpp"
#include "engine/symbolic/encoding.hpp"

namespace cohort::engine::symbolic {

struct Relation {
  dd::Bdd bdd{true};
  dd::VarSet modified;  // copies Before

  bool is_identity() const { return bdd.is_true() && modified.empty(); }
};

// First one step, then the other.
Relation compose(const Encoding& encoding, const Relation& first, const Relation& second);

// States (copies Before; children, where the relation makes any) that the relation leads to from `states`.
dd::Bdd image(const Encoding& encoding, const dd::Bdd& states, const Relation& relation);

// States from which the relation leads into `states`, which may also speak of children; `children` are the children's
// variables, of which those that the relation speaks of are gone afterwards.
dd::Bdd preimage(const dd::Bdd& states, const Relation& relation, const std::vector<dd::Var>& children);

// States from which the relation leads anywhere.
dd::Bdd domain(const Relation& relation, const std::vector<dd::Var>& children);

}  // namespace cohort::engine::symbolic
