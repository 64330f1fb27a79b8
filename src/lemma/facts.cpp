#include "lemma/facts.hpp"

#include <algorithm>

#include "base/contract.hpp"

namespace cohort::lemma {

namespace {

// The equation in the form that other atoms have, where there is one.
void add_atoms(const Hull::Equation& equation, const std::vector<Var>& dimensions, std::vector<Atom>& atoms) {
  std::vector<std::pair<Var, model::Value>> terms;
  for (std::size_t i = 0; i < dimensions.size(); ++i) {
    if (equation.factors[i] != 0) terms.emplace_back(dimensions[i], equation.factors[i]);
  }
  const auto add = [&](Atom atom) {
    if (std::find(atoms.begin(), atoms.end(), atom) == atoms.end()) atoms.push_back(std::move(atom));
  };
  if (equation.modulus == 0 && terms.size() == 1 && terms[0].second == 1) {
    add({.kind = Atom::Kind::Upper, .x = terms[0].first, .c = equation.bound});
    add({.kind = Atom::Kind::Lower, .x = terms[0].first, .c = equation.bound});
  } else if (equation.modulus == 0 && terms.size() == 2 && terms[0].second == -1 && terms[1].second == 1) {
    add({.kind = Atom::Kind::Difference, .x = terms[1].first, .y = terms[0].first, .c = equation.bound});
    add({.kind = Atom::Kind::Difference, .x = terms[0].first, .y = terms[1].first, .c = -equation.bound});
  } else {
    const Literal literal{std::move(terms), Literal::Relation::Equal, equation.bound, equation.modulus};
    add({.kind = Atom::Kind::Clause, .clause = std::make_shared<const std::vector<Literal>>(1, literal)});
  }
}

}  // namespace

const Facts::Entry* Facts::find(const View& view) const {
  const auto it = entries_.find(view);
  return it == entries_.end() ? nullptr : &it->second;
}

bool Facts::absorb(const View& view, const Sample& sample) {
  COHORT_EXPECT(sample.locals.size() == view.size(), "a sample has the locals of each thread in view");
  auto it = entries_.find(view);
  const bool is_new = it == entries_.end();
  if (is_new) {
    std::vector<Var> dimensions;
    std::vector<model::Type> types;
    for (const auto& [var, type] : dimensions_(view)) {
      dimensions.push_back(var);
      types.push_back(type);
    }
    it = entries_.emplace(view, Entry{.dimensions = std::move(dimensions), .hull = Hull(std::move(types))}).first;
    for (const SpotId spot : view) it->second.templates.push_back(alphabet_.spot(spot).templ);
    it->second.arrangements = arrangements(view);
    it->second.alive = candidates_(view);
    reached_.insert(view);
  }
  Entry& entry = it->second;
  const std::size_t before = entry.alive.size();
  bool grew = false;
  for (const auto& order : entry.arrangements) {
    Sample arranged{sample.shared, {}};
    for (const std::uint32_t position : order) arranged.locals.push_back(sample.locals[position]);
    std::erase_if(entry.alive, [&](const Atom& atom) { return !atoms_.holds(atom, arranged, entry.templates); });
    std::vector<model::Value> point;
    for (const Var var : entry.dimensions) point.push_back(arranged.of(var));
    grew = entry.hull.add(point) || grew;
  }
  killed_ += before - entry.alive.size();
  if (!is_new && !grew && before == entry.alive.size()) return false;
  std::vector<Atom> atoms = entry.alive;
  for (const Hull::Equation& equation : entry.hull.equations()) add_atoms(equation, entry.dimensions, atoms);
  entry.strongest = undominated(atoms);
  entry.changed_at = ++clock_;
  return true;
}

}  // namespace cohort::lemma
