// The questions that Houdini asks a solver, about the terms of lemma/stage.hpp: of programs with wide numbers in linear
// arithmetic over integers where that says exactly what they compute, and else over bits.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/env.hpp"
#include "lemma/atom.hpp"
#include "lemma/clauses.hpp"
#include "lemma/facts.hpp"
#include "lemma/ghosts.hpp"
#include "lemma/obligations.hpp"
#include "lemma/stage.hpp"
#include "smt/solver.hpp"

namespace cohort::lemma {

class Queries {
 public:
  // `census` outlives it.
  Queries(Env& env, const Alphabet& alphabet, const Facts& facts, const Census& census,
          std::optional<smt::Logic> logic);

  // Is there a state at the start, seen by the view, that its facts do not allow?  For a view that is unreachable so
  // far: is there any?
  smt::Answer initial(const View& view);
  // Is there a step of the clause from a state that satisfies the hypotheses to one that the facts of the head do not
  // allow?  again() asks once more, with the same hypotheses and what is left of the facts of the head, until end(),
  // which may come without a clause as well.
  smt::Answer clause(const Clause& clause);
  smt::Answer again();
  void end();
  // May what the obligation excludes happen?
  smt::Answer possible(const Obligation& obligation);

  // After a satisfiable initial(), clause() or again(): the state, as the view of the head sees it.
  Sample sample();
  // From now on so many seconds of processor time are left; what is asked later has no answer.
  void limit(double seconds);
  bool used_up() const;
  std::string reason() const;
  std::uint64_t checks() const { return solver_.checks(); }

 private:
  // A state in which a view is looked at.
  struct Seen {
    View view;
    const smt::SymbolicValuation* shared = nullptr;
    std::vector<const smt::SymbolicValuation*> locals;
  };

  // Constraints of unknowns hold for good, so they must be there before a clause is pushed.
  void constrain();
  // The facts of a view of the configuration, in the state before.
  smt::Term hypothesis(const std::vector<SpotId>& spots, const std::vector<std::uint32_t>& members);
  // Those facts that the current head must satisfy, in every arrangement.
  smt::Term head();
  model::Value value(const smt::Datum& datum) const;
  smt::Answer check(smt::Term term);
  std::vector<bool> written_slots(std::size_t command) const;

  const Alphabet& alphabet_;
  const model::Commands& commands_;
  const Facts& facts_;
  Stage stage_;
  smt::Context& context_;
  smt::Solver solver_;
  Seen head_;
  bool pushed_ = false;
  std::optional<double> deadline_;               // in processor time of this process
  std::optional<std::vector<bool>> only_slots_;  // of the head: only facts that mention one of these are in question
};

}  // namespace cohort::lemma
