#include "engine/symbolic/relation.hpp"

#include <algorithm>

namespace cohort::engine::symbolic {

namespace {

// The variables After of the frame, and the children.
dd::VarSet produced(const Relation& relation, const std::vector<dd::Var>& children) {
  // A child that another part of the edge makes stays.
  const std::vector<dd::Var> occurring = dd::support(relation.bdd);
  std::vector<dd::Var> variables;
  for (const dd::Var child : children) {
    if (std::binary_search(occurring.begin(), occurring.end(), child)) variables.push_back(child);
  }
  for (const dd::Var before : relation.modified.variables()) variables.push_back(Encoding::after(before));
  return dd::VarSet(std::move(variables));
}

}  // namespace

Relation compose(const Encoding& encoding, const Relation& first, const Relation& second) {
  if (first.is_identity()) return second;
  if (second.is_identity()) return first;
  std::vector<std::pair<dd::Var, dd::Var>> after_to_middle;
  std::vector<std::pair<dd::Var, dd::Var>> before_to_middle;
  std::vector<dd::Var> middle;
  std::vector<dd::Var> modified = second.modified.variables();
  dd::Bdd kept(true);
  for (const dd::Var before : first.modified.variables()) {
    after_to_middle.emplace_back(Encoding::after(before), Encoding::middle(before));
    before_to_middle.emplace_back(before, Encoding::middle(before));
    middle.push_back(Encoding::middle(before));
    if (second.modified.contains(before)) continue;
    modified.push_back(before);
    kept &= dd::equivalent(encoding.literal(Encoding::after(before)), encoding.literal(Encoding::middle(before)));
  }
  const dd::Bdd left = dd::Renaming(after_to_middle)(first.bdd);
  const dd::Bdd right = dd::Renaming(before_to_middle)(second.bdd);
  return {dd::and_exists(left, right & kept, dd::VarSet(middle)), dd::VarSet(std::move(modified))};
}

dd::Bdd image(const Encoding& encoding, const dd::Bdd& states, const Relation& relation) {
  if (relation.is_identity()) return states;
  return encoding.after_to_before(dd::and_exists(states, relation.bdd, relation.modified));
}

dd::Bdd preimage(const dd::Bdd& states, const Relation& relation, const std::vector<dd::Var>& children) {
  if (relation.is_identity()) return states;
  std::vector<std::pair<dd::Var, dd::Var>> forward;
  for (const dd::Var before : relation.modified.variables()) forward.emplace_back(before, Encoding::after(before));
  return dd::and_exists(dd::Renaming(forward)(states), relation.bdd, produced(relation, children));
}

dd::Bdd domain(const Relation& relation, const std::vector<dd::Var>& children) {
  return dd::exists(relation.bdd, produced(relation, children));
}

}  // namespace cohort::engine::symbolic
