// Invariants over views from Horn clauses (Gurfinkel, Shoham and Meshman: SMT-based verification of parameterized
// systems, FSE 2016; Hoenicke, Majumdar and Podelski: Thread modularity at many levels, POPL 2017): one unknown
// predicate for each view within reach, over the shared variables and the live locals of its threads, and one rule for
// each clause of lemma/clauses.hpp and each obligation.  Spacer solves them.  What Houdini already knows of the views
// joins every hypothesis, which is often the difference between a second and no end.
//
// Numbers are mathematical in the rules, and what is not linear is any value (smt/number.hpp): the answer is a guess.
// Its conjuncts are candidates for Houdini, which keeps those that are inductive in the program as it is, bit by bit,
// and says whether they are enough.  So nothing here has to be trusted.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/env.hpp"
#include "lemma/houdini.hpp"
#include "smt/horn.hpp"

namespace cohort::lemma {

// What Houdini found in views of the same kind: inductive, though it may allow violations.
struct Known {
  const Alphabet& alphabet;
  const Atoms& atoms;
  const Invariant& invariant;
};

class HornRules {
 public:
  // `census` is the one that the invariant was found with.  Without `use_facts` the rules know from it which views are
  // within reach, and no more.  All outlive the rules.
  HornRules(Env& env, const Known& known, const Census& census, bool use_facts);
  ~HornRules();

  // False: a limit was reached while they were made.
  bool complete() const { return complete_; }
  std::size_t size() const;
  // Satisfiable: candidates() has a solution.  Unsatisfiable: no invariant of these views is enough, whatever it says.
  smt::Answer solve(const smt::HornSettings& settings, double seconds);
  // The solution's conjuncts and what was known.
  std::map<View, std::vector<Atom>> candidates() const;

 private:
  class Maker;
  std::unique_ptr<Maker> maker_;
  bool complete_ = false;
};

}  // namespace cohort::lemma
