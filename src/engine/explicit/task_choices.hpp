// What a task says about how its states are searched, whoever searches them.
#pragma once

#include <algorithm>

#include "engine/engine.hpp"
#include "engine/explicit/heap_names.hpp"

namespace cohort::engine::explicit_ {

inline SearchOrder order_of(const Task& task) {
  return task.options.order.value_or(SearchOrder::BreadthFirst);
}

// Is the reduction taken where nobody asked for it?  Who asks for an order means that order, and a certificate has all
// states.
inline bool reduces_unasked(const Task& task) {
  const EngineOptions& options = task.options;
  return !options.partial_order && !options.all_orders && !options.order && options.symmetry && !options.certificate;
}

inline bool reduces(const Task& task) {
  return task.options.partial_order || reduces_unasked(task);
}

// May objects on the heap do without names?  A certificate has the program's own states; of threads that wait for ever
// their local states are followed, addresses and all; and searches by deviations or at random are made for runs.
inline bool forgets_names(const Task& task) {
  const EngineOptions& options = task.options;
  const bool in_order = order_of(task) == SearchOrder::BreadthFirst || order_of(task) == SearchOrder::DepthFirst;
  return options.symmetry && !options.certificate && in_order && !model::looks_for_deadlocks(task.program) &&
         HeapNames::cover(task.program);
}

// Is there a group of any number of threads at the start?  Then a search with a bound says nothing of more threads.
inline bool opens_with_any_number(const model::Program& program) {
  return std::any_of(program.initial.begin(), program.initial.end(),
                     [](const model::InitialThreads& group) { return !group.count.has_value(); });
}

}  // namespace cohort::engine::explicit_
