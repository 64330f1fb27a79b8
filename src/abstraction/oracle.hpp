// The image oracle: what a step of one thread does to the predicates, asked of a solver when somebody wants to know.
//
// Problem.  A Boolean program whose constraints say how predicates change is large before anybody has looked at a
// state.  The oracle computes the same, exactly, for the states that are met: for a command [g] x := e of the active
// thread a, gamma(S) the predicate values of a state, and phi@r the predicate over the locals of the thread in role r,
//     post(S, A)             all (S', A', children) such that some concrete state of gamma(S), gamma(A)@a steps there,
//     passive(S, A, step, P) all P' such that some concrete state of gamma(S), gamma(A)@a, gamma(P)@p makes this very
//                            step and leaves the thread p, whose locals do not change, with these predicate values.
// The assigned values are over the active thread's locals; mixed predicates of p change with the shared variables.
// No P' at all: this pair of threads cannot make this step.  Both are existential images, computed by enumeration of
// the models of the affected predicates; the others keep their values.  Where no predicate of p is affected the answer
// is {P} without a query, which forgets that p might forbid the step (`ask_unaffected` asks nevertheless).
//
// Known predicates.  A predicate that is not known at the place before the step but at the place after it is affected:
// its value before is open, and may be any that fits the others.  Setting it to a fixed value instead would be unsound.
//
// Lemmas.  Facts that hold of one thread, or of every pair of threads, in every reachable state may be given: queries
// assume them of the state before a step, and consistent() says whether a pair of abstract threads may exist at all.
// Shared variables that no command writes have the values that they start with.
//
// Invariants.  Everything is bit-precise.  Every query either answers or sets stopped(); what was computed then means
// nothing.  Answers are remembered until the next reset(), which must follow a change of the predicates.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "abstraction/predicates.hpp"
#include "abstraction/states.hpp"
#include "base/env.hpp"
#include "lemma/houdini.hpp"
#include "smt/command_terms.hpp"
#include "smt/solver.hpp"

namespace cohort::abstraction {

struct Successor {
  SharedState shared;
  ThreadState self;  // absent: the thread has ended
  std::vector<ThreadState> children;

  auto operator<=>(const Successor&) const = default;
};

struct Start {
  SharedState shared;
  std::vector<std::vector<ThreadState>> groups;  // what a thread of each group of initial threads may be

  auto operator<=>(const Start&) const = default;
};

// Which thread, and which moment, a literal speaks of; shared predicates have a moment only.  Children are new threads,
// after the step: the first one, and so on.
enum class Role : std::uint8_t { ActiveBefore, ActiveAfter, PassiveBefore, PassiveAfter, FirstChild };

struct Literal {
  std::size_t predicate = 0;
  Role role = Role::ActiveBefore;
  bool value = true;

  bool operator==(const Literal&) const = default;
};

class Oracle {
 public:
  // All must outlive the oracle.
  Oracle(Env& env, model::Commands& commands, const Predicates& predicates);
  virtual ~Oracle();
  Oracle(const Oracle&) = delete;
  Oracle& operator=(const Oracle&) = delete;

  // Forgets abstract states and answers, not the formulas.
  void reset(bool ask_unaffected);
  // From now on; `houdini` ran on views of two threads, its result is inductive, and all outlive the oracle.  The
  // axioms of `census`, with which it ran, join the lemmas.
  void use_lemmas(const lemma::Houdini& houdini, const lemma::Invariant& invariant, const lemma::Census& census);

  States& states() { return states_; }
  const model::Commands& commands() const { return commands_; }
  // Shared variables that no command writes keep their initial values, which every image relies on.
  bool is_fixed(std::size_t shared) const {
    return !written_[shared] && !commands_.program().shared[shared].initial.empty();
  }

  // Images are virtual for tests, which plant faults in them.
  virtual const std::vector<Successor>& post(std::uint32_t command, SharedState shared, ThreadState self);
  // May the command go wrong: fault, or leave the numbers that can be represented?
  bool troubled(std::uint32_t command, SharedState shared, ThreadState self);
  // `step` is an index into post(command, shared, self).
  virtual const std::vector<ThreadState>& passive(std::uint32_t command, SharedState shared, ThreadState self,
                                                  std::uint32_t step, ThreadState other);

  // May two threads be in these states at once?  Without lemmas nobody says no.
  bool consistent(SharedState shared, ThreadState first, ThreadState second);

  // The states at the start; two threads may be `first` and `second` of groups `i` and `j` at once.
  const std::vector<Start>& starts();
  bool start_together(SharedState shared, std::size_t i, ThreadState first, std::size_t j, ThreadState second);

  // Is there a step of the command, beside a thread of the template, with these values of predicates?
  bool step_possible(std::uint32_t command, std::optional<model::TemplateId> passive,
                     const std::vector<Literal>& literals);
  // May the command go wrong with these values before it?
  bool trouble_possible(std::uint32_t command, const std::vector<Literal>& literals);
  // May a condition over the shared variables hold?
  bool possible(model::ExprId condition, SharedState shared);
  // 1 or 0: the expression is equivalent to a constant; 2: to a tracked predicate or its negation; none: it is new.
  std::optional<int> redundant(model::ExprId expr, model::TemplateId templ);

  bool stopped() const { return stopped_; }
  const std::string& stop_reason() const { return reason_; }
  std::uint64_t queries() const { return queries_; }

 private:
  struct Formula;
  using Literals = std::vector<smt::Term>;

  Formula& formula(std::uint32_t command, std::optional<model::TemplateId> passive);
  bool possible_with(Formula& formula, smt::Term what, const std::vector<Literal>& literals);
  Formula& start_formula();
  Formula& state_formula(model::TemplateId templ);
  Formula& pair_formula(model::TemplateId first, model::TemplateId second);
  smt::Unknowns any_shared();
  // What the lemmas say of the threads in two roles at these places; one role: of that thread.
  smt::Term facts(const Formula& formula, std::uint32_t role, model::PlaceId place);
  smt::Term facts(const Formula& formula, std::uint32_t first, model::PlaceId first_place, std::uint32_t second,
                  model::PlaceId second_place);
  smt::Term axioms(const Formula& formula, std::uint32_t role, const std::vector<lemma::SpotId>& spots);
  smt::Term pair_facts(const Formula& formula, std::uint32_t first, model::PlaceId first_place, std::uint32_t second,
                       model::PlaceId second_place);
  void assume_facts(Formula& formula, std::uint32_t first, model::PlaceId first_place, std::uint32_t second,
                    model::PlaceId second_place, Literals& literals);
  smt::Term proxy(Formula& formula, std::size_t predicate, std::uint32_t role);
  void assume_shared(Formula& formula, SharedState shared, std::uint32_t role, Literals& literals);
  void assume_thread(Formula& formula, ThreadState thread, std::uint32_t role, Literals& literals);
  bool check(Formula& formula, const Literals& literals);
  // All values of `wanted` in models under `literals`.
  std::vector<Bits> enumerate(Formula& formula, const Literals& literals, const std::vector<smt::Term>& wanted);
  std::vector<Successor> compute_post(std::uint32_t command, SharedState shared, ThreadState self);
  std::vector<ThreadState> compute_passive(std::uint32_t command, SharedState shared, ThreadState self,
                                           const Successor& step, ThreadState other);
  std::vector<Start> compute_starts();

  Env& env_;
  model::Commands& commands_;
  const Predicates& predicates_;
  States states_;
  smt::Context context_;
  smt::Numbers numbers_;
  smt::Translator translator_;
  smt::CommandTerms terms_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::unique_ptr<Formula>> formulas_;
  std::vector<std::unique_ptr<Formula>> state_formulas_;
  std::unique_ptr<Formula> start_formula_;
  std::map<std::tuple<std::uint32_t, SharedState, ThreadState>, std::vector<Successor>> posts_;
  std::map<std::tuple<std::uint32_t, SharedState, ThreadState>, bool> troubles_;
  std::map<std::tuple<std::uint32_t, SharedState, ThreadState, std::uint32_t, ThreadState>, std::vector<ThreadState>>
      passives_;
  std::map<std::pair<model::TemplateId, model::TemplateId>, std::unique_ptr<Formula>> pair_formulas_;
  std::map<std::tuple<SharedState, ThreadState, ThreadState>, bool> consistent_;
  std::optional<std::vector<Start>> starts_;
  std::vector<bool> written_;  // by shared variable
  const lemma::Houdini* houdini_ = nullptr;
  const lemma::Invariant* invariant_ = nullptr;
  const lemma::Census* census_ = nullptr;
  std::optional<lemma::SpotId> idle_;  // a thread that may always be there, with the locals of its start
  bool ask_unaffected_ = false;
  bool stopped_ = false;
  std::string reason_;
  std::uint64_t queries_ = 0;
};

}  // namespace cohort::abstraction
