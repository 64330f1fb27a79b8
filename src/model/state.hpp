// Concrete states.  A thread lives in a slot; a slot whose thread has ended is empty and may be taken by a new thread.
// Slots make states comparable; that a thread keeps one name along a trace is the trace's business.
#pragma once

#include <compare>
#include <cstddef>
#include <optional>
#include <vector>

#include "model/ids.hpp"
#include "model/type.hpp"

namespace cohort::model {

using Valuation = std::vector<Value>;

struct ThreadState {
  TemplateId templ;
  LocId location;
  bool atomic = false;  // inside an atomic section; at most one thread of a state is
  Valuation locals;

  auto operator<=>(const ThreadState&) const = default;
};

struct State {
  Valuation shared;
  std::vector<std::optional<ThreadState>> threads;

  auto operator<=>(const State&) const = default;

  std::size_t alive() const;
  // The slot of the thread inside an atomic section, if any.
  std::optional<std::size_t> atomic_thread() const;
};

// The same state with empty slots dropped and threads sorted: equal for states that differ only by a permutation of
// threads.
State canonical(State state);

struct StateHash {
  std::size_t operator()(const State& state) const noexcept;
};

struct ThreadStateHash {
  std::size_t operator()(const ThreadState& thread) const noexcept;
};

struct ValuationHash {
  std::size_t operator()(const Valuation& values) const noexcept;
};

}  // namespace cohort::model
