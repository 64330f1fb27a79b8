// The questions that Houdini asks a solver.  Every thread of a configuration has unknowns of its own, by its number in
// the configuration, which serve all clauses; the active thread is number 0, so each command is translated once.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/env.hpp"
#include "lemma/atom.hpp"
#include "lemma/clauses.hpp"
#include "lemma/facts.hpp"
#include "lemma/ghosts.hpp"
#include "smt/command_terms.hpp"
#include "smt/solver.hpp"

namespace cohort::lemma {

class Queries {
 public:
  // `census` outlives it.
  Queries(Env& env, const Alphabet& alphabet, const Facts& facts, const Census& census);

  // Is there a state at the start, seen by the view, that its facts do not allow?  For a view that is unreachable so
  // far: is there any?
  smt::Answer initial(const View& view);
  // Is there a step of the clause from a state that satisfies the hypotheses to one that the facts of the head do not
  // allow?  again() asks once more, with the same hypotheses and what is left of the facts of the head, until end(),
  // which may come without a clause as well.
  smt::Answer clause(const Clause& clause);
  smt::Answer again();
  void end();
  // May the command of the thread at this position of a view go wrong?
  smt::Answer fault(const View& view, std::size_t position, std::size_t command);
  // May threads be at these spots together, in a state that satisfies the condition, if there is one?
  smt::Answer together(const std::vector<SpotId>& threads, const std::optional<model::ExprId>& condition);

  // After a satisfiable initial(), clause() or again(): the state, as the view of the head sees it.
  Sample sample();
  const std::string& reason() const { return solver_.reason(); }
  std::uint64_t checks() const { return solver_.checks(); }

 private:
  // A state in which a view is looked at.
  struct Seen {
    View view;
    const smt::SymbolicValuation* shared = nullptr;
    std::vector<const smt::SymbolicValuation*> locals;
  };

  const smt::SymbolicValuation& thread(std::size_t number, model::TemplateId templ);
  const smt::ActiveStep& step(std::size_t command);
  const smt::PassiveStep& passive(std::size_t command, std::size_t number);
  // The facts of a view of the configuration, in the state before.
  smt::Term hypothesis(const std::vector<SpotId>& spots, const std::vector<std::uint32_t>& members);
  // What ghosts say of threads at these spots, in the state before.
  smt::Term axioms(const std::vector<SpotId>& spots);
  // Those facts that the current head must satisfy, in every arrangement.
  smt::Term head();
  model::Value value(const smt::Datum& datum) const;
  std::vector<bool> written_slots(std::size_t command) const;

  const Alphabet& alphabet_;
  const model::Commands& commands_;
  const Facts& facts_;
  const Census& census_;
  std::vector<Combination> combinations_;
  smt::Context context_;
  smt::Numbers numbers_;
  smt::Translator translator_;
  smt::CommandTerms terms_;
  smt::Solver solver_;
  smt::Unknowns shared_;
  smt::Unknowns shared_at_start_;
  std::map<std::pair<std::size_t, model::TemplateId>, smt::Unknowns> threads_;
  std::map<std::pair<std::size_t, model::TemplateId>, smt::Unknowns> threads_at_start_;
  std::map<std::size_t, smt::ActiveStep> steps_;
  std::map<std::pair<std::size_t, std::size_t>, smt::PassiveStep> passive_steps_;
  Seen head_;
  bool pushed_ = false;
  std::optional<std::vector<bool>> only_slots_;  // of the head: only facts that mention one of these are in question
};

}  // namespace cohort::lemma
