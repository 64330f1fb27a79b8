// What the checkers of certificates for any number of threads share: threads counted by local state, where a count may
// be omega, and the initial configurations.
#pragma once

#include <cstdint>
#include <functional>
#include <map>

#include "model/step.hpp"
#include "result/checking.hpp"

namespace cohort::result {

constexpr std::uint64_t omega = UINT64_MAX;

// A thread inside an atomic section is one of them.
using OmegaThreads = std::map<model::ThreadState, std::uint64_t>;

// Is there a thread inside an atomic section?
bool has_holder(const OmegaThreads& threads);
// Has `larger` all that `smaller` has?  A thread inside an atomic section stops all others, so that one does not cover
// the other unless both have such a thread or neither has.
bool covers(const OmegaThreads& larger, const OmegaThreads& smaller);
void add(OmegaThreads& threads, const model::ThreadState& thread, std::uint64_t count);
// `thread` must be there; omega stays omega.
void remove(OmegaThreads& threads, const model::ThreadState& thread);

// Every initial configuration; groups of any size give omega to each local state that their threads may start in.
using VisitInitial = std::function<void(const model::Valuation& shared, const OmegaThreads& threads)>;
void for_each_initial(Env& env, const model::Stepper& stepper, const VisitInitial& visit);

}  // namespace cohort::result
