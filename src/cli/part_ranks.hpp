// `cohort verify` on several programs under MPI: the first rank gives a part to each of the others whenever it has
// none, and gets back what the process of that part said.
//
// All ranks find the same parts, in the same order; a rank that sees other files says so instead of an answer.  A part
// whose rank has left is given to somebody else.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/env.hpp"
#include "cli/part_processes.hpp"
#include "exchange/exchange.hpp"

namespace cohort::cli {

// What the first rank knows of the others; null exchange: there are none.
class PartRanks {
 public:
  PartRanks(const SeveralFiles& task, exchange::Exchange* exchange);
  ~PartRanks();
  PartRanks(const PartRanks&) = delete;
  PartRanks& operator=(const PartRanks&) = delete;

  // Parts that ranks have now.
  std::size_t running() const;
  // False if all of them are busy or have left.
  bool start(std::size_t number);
  void stop_all();
  // One that has come, if there is one.
  std::optional<PartResult> collect();
  // A part whose rank has left before it had an answer.
  std::optional<std::size_t> lost();

 private:
  struct Rank {
    std::optional<std::size_t> part;
    bool told_to_stop = false;
    bool gone = false;
  };

  const SeveralFiles& task_;
  exchange::Exchange* exchange_;
  std::vector<Rank> ranks_;  // by number; the first one is this process
  std::vector<std::size_t> lost_;
};

// What the other ranks do, until the first one has no more for them or is gone.
void serve_parts(Env& env, const SeveralFiles& task, exchange::Exchange& exchange);

}  // namespace cohort::cli
