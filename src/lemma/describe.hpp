// Invariants in words: the facts of each view, with equalities where two bounds make one.
#pragma once

#include <string>
#include <vector>

#include "lemma/houdini.hpp"

namespace cohort::lemma {

// One line for each fact.
std::vector<std::string> describe(const Atoms& atoms, const std::vector<Atom>& facts,
                                  const std::vector<model::TemplateId>& templates);

// For each view within reach its name and its facts.  Locals of the i-th of several threads are written x#i.
std::string describe(const Alphabet& alphabet, const Atoms& atoms, const Invariant& invariant);

}  // namespace cohort::lemma
