// Any number of threads where a passive thread can block a broadcast.
//
// Such a program is not monotone: a step that n threads can make may be impossible with one more, so configurations
// that can be driven into a violation are not upward closed, and neither Karp-Miller trees nor backward search apply as
// they are.  The *drop closure* is a program that has more executions and is monotone: before each step, any passive
// threads may disappear.
//
// Theorem.  If backward search over the closure finds the violation unreachable, no number of threads reaches it.
// Proof.  (1) An execution of the program is one of the closure, in which nobody disappears.  (2) The closure is
// monotone: let c step to d, and let c' contain c; c' drops what it has beyond c and makes the step; so it reaches d.
// (3) Configurations are multisets of thread states with a control state, ordered by inclusion: a well-quasi-order.  By
// (2) the configurations from which the closure reaches a violation are upward closed, so they have finitely many
// minimal ones, and iterated predecessors of upward-closed sets end.  (4) The predecessors of all that contains (S', M)
// over a step of a thread at A to A' with broadcast: a thread of the predecessor is A; each other thread q of M,
// without A' where M asks for it, comes from some P such that q is one of the things that the step makes of P.  Threads
// that the step cannot make anything of are among those which disappear, so a predecessor asks for none of them.  This
// is what Backward computes when it is not told that somebody blocks.  If no initial configuration is among the
// predecessors, no execution of the closure, and by (1) none of the program, reaches a violation.
//
// What it says of violations is less: an execution of the closure need not be one of the program.  It is tried on the
// interpreter, with the threads that it names; if one of them blocks a step, the answer is UNKNOWN.  No method whose
// invariants are downward closed can do better, since what the closure covers is the least such invariant.
//
// The checker of upward certificates looks at predecessors as (4) does, and so accepts these proofs as they are.
#pragma once

#include "base/env.hpp"
#include "engine/engine.hpp"
#include "engine/unbounded/counter_system.hpp"
#include "engine/unbounded/possible.hpp"
#include "result/result.hpp"

namespace cohort::engine::unbounded {

// `possible` was made with Blocking::Dropped and is complete.
result::Result check_drop_closure(Env& env, const Task& task, CounterSystem& system, const Possible& possible);

}  // namespace cohort::engine::unbounded
