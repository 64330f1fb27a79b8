// Workers that are processes, on one machine or many: the ranks that `mpirun`, or `srun` with PMI, started.
//
// What needs MPI is a module (mpi_module.cpp) that is loaded only where the environment says that this process is one
// of several ranks: an installation without MPI does everything else, and starting costs nothing.
#pragma once

#include <memory>
#include <stdexcept>
#include <string_view>

#include "exchange/exchange.hpp"

namespace cohort::exchange {

// Another process left, or cannot be reached any more.
class RankLost : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Has a launcher started this process as a rank?
bool is_rank();
// Is this variable of the environment, NAME=VALUE, one that says so?
bool names_a_rank(std::string_view variable);
// Joins the others; null where there are none.  At most once in a process.  Throws RankLost with the reason where MPI
// cannot be used.
std::unique_ptr<Exchange> join_ranks();

}  // namespace cohort::exchange
