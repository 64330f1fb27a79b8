// The terms that clauses are made of.  Every thread of a configuration has unknowns of its own, by its number in the
// configuration, which serve all clauses; the active thread is number 0, so each command is translated once.  Made on
// demand; the constraint of each unknown is handed out with it, and the owner sees to it that it holds.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "lemma/clauses.hpp"
#include "lemma/ghosts.hpp"
#include "smt/command_terms.hpp"

namespace cohort::lemma {

class Stage {
 public:
  // `alphabet` and `census` outlive it.
  Stage(const Alphabet& alphabet, const Census& census, smt::Logic logic, std::uint64_t memory_limit);

  smt::Context& context() { return context_; }
  const smt::Context& context() const { return context_; }
  const smt::Numbers& numbers() const { return numbers_; }
  smt::Translator& translator() { return translator_; }
  smt::CommandTerms& terms() { return terms_; }

  const smt::Unknowns& shared() const { return shared_; }
  const smt::Unknowns& shared_at_start() const { return shared_at_start_; }
  const smt::Unknowns& thread(std::size_t number, model::TemplateId templ);
  const smt::Unknowns& thread_at_start(std::size_t position, model::TemplateId templ);
  const smt::ActiveStep& step(std::size_t command);
  const smt::PassiveStep& passive(std::size_t command, std::size_t number);

  // A step of a clause: under which conditions it happens, and the locals of all threads of the configuration then.
  struct Step {
    std::vector<smt::Term> conditions;
    const smt::SymbolicValuation* shared = nullptr;
    std::vector<const smt::SymbolicValuation*> locals;
  };
  Step step_of(const Clause& clause);

  // What ghosts say of threads at these spots, in the state before.
  smt::Term axioms(const std::vector<SpotId>& spots);
  // A condition over shared variables holds, or nobody can compute it.
  smt::Term holds(model::ExprId condition);
  // What counts as going wrong in this command of thread 0.
  smt::Term wrong(std::size_t command);

  // Constraints of the unknowns that were made since the last call.
  std::vector<smt::Term> take_constraints() { return std::exchange(constraints_, {}); }

 private:
  void constrain(smt::Term constraint);

  const Alphabet& alphabet_;
  const model::Commands& commands_;
  const Census& census_;
  std::vector<Combination> combinations_;
  smt::Context context_;
  smt::Numbers numbers_;
  smt::Translator translator_;
  smt::CommandTerms terms_;
  smt::Unknowns shared_;
  smt::Unknowns shared_at_start_;
  std::map<std::pair<std::size_t, model::TemplateId>, smt::Unknowns> threads_;
  std::map<std::pair<std::size_t, model::TemplateId>, smt::Unknowns> threads_at_start_;
  std::map<std::size_t, smt::ActiveStep> steps_;
  std::map<std::pair<std::size_t, std::size_t>, smt::PassiveStep> passive_steps_;
  std::vector<smt::Term> constraints_;
};

}  // namespace cohort::lemma
