// What the checkers of certificates for any number of threads share: threads counted by local state, where a count may
// be omega, and the initial configurations.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string_view>
#include <utility>

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

// Never above omega.
std::uint64_t sum_of_counts(std::uint64_t one, std::uint64_t other);

using TargetPlace = std::pair<model::TemplateId, model::LocId>;
// Refutes what has these shared values and so many threads, up to omega, at each place, if that is a target or a bad
// condition holds there.
void expect_no_target(const model::Program& program, const model::Valuation& shared,
                      const std::function<std::uint64_t(const TargetPlace&)>& count_at, std::string_view what);

// Every initial configuration; groups of any size give omega to each local state that their threads may start in.
using VisitInitial = std::function<void(const model::Valuation& shared, const OmegaThreads& threads)>;
void for_each_initial(Env& env, const model::Stepper& stepper, const VisitInitial& visit);

}  // namespace cohort::result
