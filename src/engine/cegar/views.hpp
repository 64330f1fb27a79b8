// Any number of threads: views of two threads over the image oracle.
//
// Problem.  Prove that no thread of any number of threads reaches an error.  A view is what can be seen of a state when
// two replicated threads are looked at: the shared predicates, the single threads (see layout.hpp), and two others.
// X is the least set of views that contains the views of all initial states and is closed under
//   own:   a thread of the view makes a step, and the others in it become what the oracle says;
//   other: a third thread t steps, where the three views of the pairs of {t, p, q} are in X; (p, q) become what the
//          oracle says of each of them with t.
// A place for a thread that does not exist counts as a thread (`absent`): a command that creates threads turns an
// absent one into the new one, an ended thread becomes absent.
//
// Theorem.  If no view of X has an error, the program is safe for every number of threads.  Proof.  A step reads and
// writes shared variables and the locals of the thread that steps (the engine refuses anything else).  Give a state
// infinitely many absent threads.  Claim: every view of every reachable state is in X.  At the start so by definition.
// Let t step from c to c', and take two threads p, q of c'.  If t is among p, q or single, the view of {p, q} before is
// in X, the concrete step is in the image that the oracle computes, and so is what it does to each other thread of the
// view: `own`.  Else the views of {t, p}, {t, q} and {p, q} are in X: `other`; a thread that the step creates was
// absent before, which both rules turn into it.  Inside an atomic section of u nobody else steps, and u is seen by
// whoever would (singles are always in view; in `other` all three pairs are checked).  An error is seen in any view
// that its thread belongs to.  With a bound on threads a creation at the bound does nothing; the thread that it would
// create may as well exist and never move, so bounded executions are among those covered.
//
// Views in which two threads contradict the lemmas that the oracle was given are left out: no state has them.
//
// A pair that blocks a step needs no treatment: no real state makes that step.
//
// Cost: cubic in the number of thread states that share a context, at worst.  Rejected: views of one thread (they lose
// every lock), configurations with counters for "many" (a thread that blocks a step makes them unsound).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "abstraction/oracle.hpp"
#include "base/env.hpp"
#include "engine/cegar/layout.hpp"

namespace cohort::engine::cegar {

class Views {
 public:
  enum class Outcome : std::uint8_t { Safe, Error, Stopped };

  Views(Env& env, abstraction::Oracle& oracle, const Layout& layout);
  virtual ~Views() = default;
  Views(const Views&) = delete;
  Views& operator=(const Views&) = delete;

  // Stops at the first error.
  Outcome run();
  std::size_t count() const { return count_; }

  using SharedState = abstraction::SharedState;
  using ThreadState = abstraction::ThreadState;
  using ContextId = std::uint32_t;

  // What every view has: the shared predicates and the single threads.
  struct Context {
    SharedState shared;
    std::vector<ThreadState> singles;

    auto operator<=>(const Context&) const = default;
  };
  struct View {
    ContextId context = 0;
    ThreadState first;
    ThreadState second;
  };
  const Context& context(ContextId id) const { return contexts_[id]; }
  // In the order in which they were found.
  const std::vector<View>& views() const { return views_; }

 protected:
  // The rule `other`; virtual for tests, which leave it out.
  virtual void step_outsider(ContextId context, ThreadState active, ThreadState first, ThreadState second);

 private:
  // A step of one thread, as far as it is the same for all views of a context.
  struct Move {
    std::uint32_t command = 0;
    std::uint32_t step = 0;  // of the oracle's post
    ThreadState before;      // of the thread that moves
    ThreadState after;
    ContextId context = 0;              // after the step
    std::vector<ThreadState> children;  // replicated ones
  };
  struct Found {
    std::unordered_set<std::uint64_t> pairs;
    std::unordered_map<std::uint32_t, std::vector<ThreadState>> partners;
  };

  void start();
  void start(const abstraction::Start& start, Context context, std::size_t single);
  void start_pairs(const abstraction::Start& start, ContextId context);
  ContextId intern(const Context& context);
  void add(ContextId context, ThreadState first, ThreadState second);
  void step(const View& view);
  void step_single(const View& view, std::size_t single);
  void step_member(ContextId context, ThreadState active, ThreadState other);
  bool is_consistent(ContextId context, ThreadState first, ThreadState second);
  bool knows(ContextId context, ThreadState first, ThreadState second) const;
  const std::vector<Move>& moves(ContextId context, ThreadState active, std::size_t single);
  void extend(const Context& before, const Context& after, const Move& move, const abstraction::Successor& successor,
              std::size_t single, std::size_t next, std::vector<Move>& moves);
  std::vector<ThreadState> others(ContextId context, const Move& move, ThreadState other);
  bool is_atomic(ThreadState thread);
  bool is_error(ThreadState thread);
  void note_context(const Context& context);

  Env& env_;
  abstraction::Oracle& oracle_;
  const Layout& layout_;
  std::map<Context, ContextId> context_numbers_;
  std::vector<Context> contexts_;
  std::vector<Found> found_;
  std::vector<View> views_;
  std::map<std::tuple<ContextId, ThreadState, std::size_t>, std::vector<Move>> moves_;
  std::size_t count_ = 0;
  bool error_ = false;
};

}  // namespace cohort::engine::cegar
