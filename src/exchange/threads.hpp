// Workers that are threads of this process: a mailbox for each.
//
// A mailbox is a queue behind a lock.  What is sent are batches of hundreds of states, so the lock is taken some
// thousand times a second and never in the inner loop of a search; queues without locks were not worth their proofs.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "exchange/exchange.hpp"

namespace cohort::exchange {

// Calls `work` in `workers` threads at once, in this one as worker 0, and returns when all have returned.  What one of
// them throws is thrown here; of several, the exception of the lowest worker.
void run_in_threads(std::uint32_t workers, const std::function<void(Exchange&)>& work);

}  // namespace cohort::exchange
