// Houdini over views (Flanagan and Leino's algorithm, on the clauses of lemma/clauses.hpp): the strongest invariant
// that is a conjunction, for each view, of atoms of a grammar.
//
// Every view starts as unreachable, which is the strongest claim.  A clause whose hypotheses hold and whose head does
// not has a model; the state after the step in that model is a state that the invariant must allow, so its view becomes
// reachable, or loses all atoms that are false in it.  What is left when no clause has such a model is inductive.
// Equations are not guessed but found the same way: of each view the least affine space is kept that has its states
// (see lemma/hull.hpp).  States of random runs do the same work first, without a solver.  Termination: each model kills
// an atom, makes a space grow or reaches a view.  The result does not depend on the order of the clauses, since every
// loss is forced.
//
// All is exact, whether asked about bits or integers: variables wrap around as in the program, and the numbers in atoms
// do not.  What this proves
// holds for any number of threads; what it does not prove is no violation.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/env.hpp"
#include "lemma/atom.hpp"
#include "lemma/clauses.hpp"
#include "lemma/ghosts.hpp"
#include "lemma/grammar.hpp"
#include "lemma/obligations.hpp"
#include "lemma/views.hpp"

namespace cohort::lemma {

struct HoudiniOptions {
  ViewOptions views;
  GrammarOptions grammar;
  // End as soon as an error location is within reach; off: for lemmas, whatever they are worth for the property.
  bool stop_at_errors = true;
  std::uint32_t random_steps = 4000;  // of the runs that come first
  Census census{};                    // of the commands' program
  // Ends as stopped when so much processor time is used up; none: by the limits of the run alone.
  std::optional<double> processor_seconds{};
  // What questions are asked in; none: what suits the program.  Integers only for linear programs.
  std::optional<smt::Logic> logic{};
  // In place of the grammar's: what may hold in each view, of an alphabet with the same options.
  std::shared_ptr<const std::map<View, std::vector<Atom>>> candidates{};
};

struct Invariant {
  ViewOptions views;
  // The views within reach, and what holds there; atoms that others imply are left out.
  std::map<View, std::vector<Atom>> facts;
};

struct HoudiniResult {
  enum class Outcome : std::uint8_t {
    Proved,     // the invariant is inductive and excludes every violation
    NotProved,  // it allows a violation; inductive, unless the search ended at an error location
    Stopped,    // by a limit; there is no invariant
  };

  Outcome outcome = Outcome::Stopped;
  std::string reason;  // NotProved: what the invariant allows; Stopped: why
  bool inductive = false;
  Invariant invariant;
};

class Houdini {
 public:
  // `commands` outlives it.  The properties are those of its program that views can see; see unseen_property().
  Houdini(Env& env, const model::Commands& commands, const HoudiniOptions& options);
  ~Houdini();

  HoudiniResult run();
  // After run() that proved nothing: goes on from where it ended, and lets executions end at error locations.  The
  // result is an invariant of all states up to the first violation, unless it was stopped.
  HoudiniResult go_on();
  const Alphabet& alphabet() const;
  const Atoms& atoms() const;

 private:
  class Search;
  std::unique_ptr<Search> search_;
};

}  // namespace cohort::lemma
