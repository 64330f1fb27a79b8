// Sheeran, Singh and Stålmarck's k-induction over the unrolling from any state.  Suppose that no execution of at most
// n - 1 steps violates a property, and that some execution does.  A shortest one then has at least n steps.  Its last n
// steps begin in a state that the types allow, no state before the last violates, and no two of its states are the same
// (what lies between two equal ones could be left out).  proves(n) asks the solver for exactly such n steps; if there
// are none, no execution violates.
//
// What makes it sound is that the unrolling from any state has every such piece of an execution among its models: each
// variable takes every value of its type (64 bits for mathematical integers, which is as far as the interpreter goes),
// each thread slot is empty or holds a thread at any place, and a step that would overflow or fault counts as a
// violation exactly as it does from the start.  Reductions are left out: they keep one of several executions from the
// start, and the last steps of that one need not be what they keep of its last steps.  That the states before the last
// violate nothing is used for conditions and error locations; for properties that cover places it is not, which only
// makes fewer proofs.  That they are no deadlocks goes without saying: a step follows.
//
// The first state may be strengthened by facts that hold in every state of the program (engine/bmc/lemmas.hpp): such a
// piece of an execution begins in one.
//
// Rejected: to strengthen the first state by what engine/bmc/knowledge.cpp has found, which holds for executions of a
// bounded length only.
//
// Cost: states are compared pair by pair, so the formula is quadratic in the number of steps; the caller gives a
// budget.
#include "engine/bmc/induction.hpp"

#include <fmt/core.h>

#include "engine/bmc/ending.hpp"

namespace cohort::engine::bmc {

using model::Property;
using smt::Term;

Induction::Induction(Env& env, const Task& task, const Plan& plan, smt::Translator& translator,
                     const smt::SolverOptions& options)
    : env_(env),
      program_(task.program),
      translator_(translator),
      context_(translator.context()),
      solver_(env, context_, options),
      unrolling_(env, task, plan, translator, solver_, Start::Anywhere) {}

bool Induction::proves(std::uint32_t steps, double seconds) {
  const double start = env_.limits.elapsed_seconds();
  const Term ends = context_.fresh_boolean(fmt::format("induction.{}", steps));
  while (unrolling_.depth() < steps) {
    if (env_.poll_now("bmc-induction") || env_.limits.elapsed_seconds() - start > seconds) return false;
    unrolling_.extend(unrolling_.depth() + 1 == steps ? ends : context_.falsity());
    if (unrolling_.depth() == 1) solver_.add(unrolling_.step(0).moves);  // and then so do all others
  }
  for (; fine_ < unrolling_.depth(); ++fine_) assume_fine(fine_);
  Ending ending(program_, unrolling_, translator_, solver_, ends);
  ending.require_violation();
  const Term assumptions[] = {ends};
  const double left = seconds - (env_.limits.elapsed_seconds() - start);
  const smt::Answer answer = solver_.check(assumptions, {.seconds = left, .conflicts = {}});
  solver_.add(context_.negate(ends));
  return answer == smt::Answer::Unsatisfiable;
}

// The state violates no condition, and is none of those before it.
void Induction::assume_fine(std::size_t index) {
  const SymbolicState& state = unrolling_.state(index);
  for (const Property& property : program_.properties) {
    if (property.kind != Property::Kind::Condition) continue;
    std::vector<Access> reads;
    solver_.add(context_.negate(unrolling_.executor().is_bad(state, *property.condition, reads)));
  }
  for (std::size_t i = 0; i < index; ++i) solver_.add(differ(unrolling_.state(i), state));
}

Term Induction::differ(const SymbolicState& one, const SymbolicState& other) {
  std::vector<Term> ways;
  const auto compare = [&](const smt::SymbolicValuation& left, const smt::SymbolicValuation& right) {
    for (std::size_t i = 0; i < left.size(); ++i) ways.push_back(context_.negate(translator_.equal(left[i], right[i])));
  };
  compare(one.shared, other.shared);
  for (std::size_t slot = 0; slot < one.threads.size(); ++slot) {
    const smt::SymbolicThread& left = one.threads[slot];
    const smt::SymbolicThread& right = other.threads[slot];
    ways.push_back(context_.negate(context_.iff(left.alive, right.alive)));
    ways.push_back(context_.negate(context_.iff(left.atomic, right.atomic)));
    for (std::size_t id = 0; id < left.at.size(); ++id) {
      compare(left.locals[id], right.locals[id]);
      for (std::size_t place = 0; place < left.at[id].size(); ++place) {
        ways.push_back(context_.negate(context_.iff(left.at[id][place], right.at[id][place])));
      }
    }
  }
  return context_.disj(ways);
}

}  // namespace cohort::engine::bmc
