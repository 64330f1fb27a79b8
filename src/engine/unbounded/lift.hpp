// Proofs about a reduced net become proofs about the whole net, which certificates speak of.  See lift.cpp.
#pragma once

#include <cstddef>
#include <memory>

#include "base/env.hpp"
#include "engine/unbounded/backward.hpp"
#include "engine/unbounded/net.hpp"
#include "result/certificate.hpp"

namespace cohort::engine::unbounded {

// `search`: the backward search that ended on a reduced net; none: the marking equation proved it, with at most so many
// traps.  None where a limit of the run was reached.
std::unique_ptr<result::Certificate> lift(Env& env, const Net& whole, const Backward* search, std::size_t traps);

}  // namespace cohort::engine::unbounded
