#include "lemma/describe.hpp"

#include <algorithm>

#include <fmt/core.h>

namespace cohort::lemma {

namespace {

// The atom that together with this one says that two things are equal.
Atom counterpart(const Atom& atom) {
  Atom other = atom;
  if (atom.kind == Atom::Kind::Upper) {
    other.kind = Atom::Kind::Lower;
  } else if (atom.kind == Atom::Kind::Lower) {
    other.kind = Atom::Kind::Upper;
  } else {
    std::swap(other.x, other.y);
    other.c = -atom.c;
  }
  return other;
}

bool is_bound(const Atom& atom) {
  return atom.kind == Atom::Kind::Upper || atom.kind == Atom::Kind::Lower || atom.kind == Atom::Kind::Difference;
}

}  // namespace

std::vector<std::string> describe(const Atoms& atoms, const std::vector<Atom>& facts,
                                  const std::vector<model::TemplateId>& templates) {
  std::vector<std::string> lines;
  for (auto it = facts.begin(); it != facts.end(); ++it) {
    std::string text = atoms.text(*it, templates);
    if (is_bound(*it)) {
      const auto other = std::find(facts.begin(), facts.end(), counterpart(*it));
      if (other != facts.end() && other < it) continue;
      // The bound is the last operator of the text.
      const std::size_t at = text.rfind(it->kind == Atom::Kind::Lower ? ">=" : "<=");
      if (other != facts.end() && at != std::string::npos) text.replace(at, 2, "==");
    }
    lines.push_back(std::move(text));
  }
  return lines;
}

std::string describe(const Alphabet& alphabet, const Atoms& atoms, const Invariant& invariant) {
  std::string result;
  for (const auto& [view, facts] : invariant.facts) {
    std::vector<model::TemplateId> templates;
    for (const SpotId spot : view) templates.push_back(alphabet.spot(spot).templ);
    result += fmt::format("{}\n", alphabet.name(view));
    for (const std::string& line : describe(atoms, facts, templates)) result += fmt::format("  {}\n", line);
  }
  return result;
}

}  // namespace cohort::lemma
