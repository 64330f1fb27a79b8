// The thread states that a Karp-Miller tree has found reachable, and how many threads suffice to reach them all (STAR
// paper, chapter 4).
//
// n = 1, 2, ... threads are searched completely until all have been seen; the last one seen is the witness that fewer
// do not suffice.  "n threads" means at most n alive at a time: groups of any size start with any number that fits, and
// a thread creation at the bound does nothing.  More threads never reach less, for a thread that exists need not move.
#pragma once

#include <cstdint>
#include <optional>
#include <set>

#include "base/env.hpp"
#include "engine/unbounded/counter_system.hpp"
#include "engine/unbounded/karp_miller.hpp"

namespace cohort::engine::unbounded {

// A thread state by the system's numbers: the control state without the thread inside an atomic section, and the local
// state.
struct ThreadStateKey {
  model::SharedId shared = 0;
  std::uint32_t local = 0;

  auto operator<=>(const ThreadStateKey&) const = default;
};

template <class Visit>
void for_each_thread_state(const CounterSystem& system, ControlId control, TokenView tokens, Visit&& visit) {
  const Control& here = system.control(control);
  if (here.holder != model::no_id) visit(ThreadStateKey{here.shared, here.holder});
  for (const Token& token : tokens) visit(ThreadStateKey{here.shared, token.place});
}

// After Covered.
std::set<ThreadStateKey> reachable_thread_states(const KarpMiller& tree);

struct SufficientThreads {
  bool known = false;         // false: `threads` are too many to search within the limits
  std::uint32_t threads = 0;  // the fewest that reach every wanted thread state
  ThreadStateKey last;        // one that fewer do not reach; nothing when none is wanted
};

// `max_states` bounds the configurations visited with all numbers of threads together.
SufficientThreads sufficient_threads(Env& env, CounterSystem& system, std::set<ThreadStateKey> wanted,
                                     std::size_t max_states);

}  // namespace cohort::engine::unbounded
