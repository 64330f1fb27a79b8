// From an execution over counters to a run over concrete threads, which the replayer can execute.
#pragma once

#include <optional>

#include "base/env.hpp"
#include "engine/unbounded/unroll.hpp"
#include "model/run.hpp"

namespace cohort::engine::unbounded {

// `goals[i]`, where present, is what the configuration after rule i must cover: it settles what passive threads choose
// in a broadcast.  None: a broadcast blocks.  With `env`, throws Stopped at its limits.
std::optional<model::Run> realize(CounterSystem& system, const Execution& execution,
                                  const std::vector<Tokens>& goals = {}, Env* env = nullptr);

// The most threads alive at a time.
std::uint64_t peak_threads(const CounterSystem& system, const Execution& execution);
std::uint64_t peak_threads(const model::Run& run);

}  // namespace cohort::engine::unbounded
