// Two steps are independent when they are of different threads, neither writes a cell that the other reads or writes,
// neither makes the thread of the other, and neither begins or ends an atomic section.  Neighbours that are independent
// may change places: the result is an execution with the same end.  That holds for steps that change other threads as
// well, since a thread's own step reads the cell of its place where others can move it.  Classes under such changes are
// Mazurkiewicz traces.
//
// Kahlon, Wang and Gupta (CAV 2009) constrain executions to be quasi-monotonic, which leaves one of each class; they
// keep chains of dependencies between all pairs of threads.  Here the one that is kept is the first in lexicographic
// order of the sequence of threads.  By Anisimov and Knuth it is the only one in which no step a of thread l directly
// follows a block of steps b u, where b is of a higher thread than l and a is independent of every step of the block.
// It is as strong (one of each class), needs no chains, and composes with symmetry breaking, which also goes down in
// this order, and with projections (see engine/bmc/ending.cpp); quasi-monotonic executions need not be least in any
// such order.
//
// Encoding.  The block before a step a can reach back to the last step that a depends on.  For a cell, let its suffix
// be the steps after its last write (after its last access, if a writes it); also the suffix after the last step of a's
// own thread and after the last change of an atomic section.  All are suffixes of the execution so far, so they are
// nested and the block is the shortest of them; a thread t has a step in the shortest exactly if it has one in each. So
// with one term for each cell and thread, "t has moved since", the constraint on a step a of thread l is, for each t >
// l, that t has not moved since in at least one of the suffixes that a looks at.  Cost: depth times cells times
// threads.
#include "engine/bmc/normal_form.hpp"

#include <algorithm>

namespace cohort::engine::bmc {

using smt::Term;

NormalForm::NormalForm(const model::Program& program, const Unrolling& unrolling, smt::Context& context,
                       smt::Solver& solver)
    : program_(program), context_(context), solver_(solver) {
  const std::size_t threads = unrolling.plan().slots().size();
  const ByThread never(threads, context.falsity());
  since_write_.assign(unrolling.cells().size(), never);
  since_access_.assign(unrolling.cells().size(), never);
  since_move_.assign(threads, never);
  since_atomic_.assign(1, never);
  moved_ = never;
}

void NormalForm::add_step(const Step& step) {
  for (const Instruction& instruction : step.instructions) constrain(instruction);
  advance(step);
}

bool NormalForm::touches_atomic(const Instruction& instruction) const {
  const model::Edge& edge = program_.edge(instruction.edge);
  return std::any_of(edge.actions.begin(), edge.actions.end(), [](const model::Action& action) {
    return action.atomic != model::AtomicChange::None || action.ends_thread;
  });
}

void NormalForm::constrain(const Instruction& instruction) {
  if (touches_atomic(instruction)) return;  // it depends on every step of another thread
  for (std::size_t thread = instruction.thread + 1; thread < moved_.size(); ++thread) {
    if (context_.is_false(moved_[thread])) continue;
    std::vector<Term> ways{context_.negate(instruction.taken)};
    const auto look_at = [&](const ByThread& since, Term when) {
      // Moved at all is what moved since the last step of the own thread says already.
      if (since[thread] != moved_[thread]) ways.push_back(context_.conj(when, context_.negate(since[thread])));
    };
    ways.push_back(context_.negate(since_move_[instruction.thread][thread]));
    look_at(since_atomic_[0], context_.truth());
    for (const Access& read : instruction.effect.reads) look_at(since_write_[read.cell], read.when);
    for (const Access& write : instruction.effect.writes) look_at(since_access_[write.cell], write.when);
    for (const Child& child : instruction.effect.children) look_at(since_move_[child.slot], child.when);
    solver_.add(context_.disj(ways));
  }
}

void NormalForm::advance(const Step& step) {
  std::vector<Term> writes(since_write_.size(), context_.falsity());
  std::vector<Term> accesses(since_access_.size(), context_.falsity());
  std::vector<Term> moves = step.runs;
  std::vector<Term> atomics{context_.falsity()};
  const auto add = [&](Term& to, Term taken, Term when) { to = context_.disj(to, context_.conj(taken, when)); };
  for (const Instruction& instruction : step.instructions) {
    for (const Access& write : instruction.effect.writes) {
      add(writes[write.cell], instruction.taken, write.when);
      add(accesses[write.cell], instruction.taken, write.when);
    }
    for (const Access& read : instruction.effect.reads) add(accesses[read.cell], instruction.taken, read.when);
    for (const Child& child : instruction.effect.children) add(moves[child.slot], instruction.taken, child.when);
    if (touches_atomic(instruction)) add(atomics[0], instruction.taken, context_.truth());
  }
  update(since_write_, writes, step);
  update(since_access_, accesses, step);
  update(since_move_, moves, step);
  update(since_atomic_, atomics, step);
  for (std::size_t thread = 0; thread < moved_.size(); ++thread)
    moved_[thread] = context_.disj(moved_[thread], step.runs[thread]);
}

void NormalForm::update(std::vector<ByThread>& since, const std::vector<Term>& resets, const Step& step) {
  for (std::size_t i = 0; i < since.size(); ++i) {
    const Term stays = context_.negate(resets[i]);
    for (std::size_t thread = 0; thread < since[i].size(); ++thread) {
      since[i][thread] = context_.conj(stays, context_.disj(since[i][thread], step.runs[thread]));
    }
  }
}

}  // namespace cohort::engine::bmc
