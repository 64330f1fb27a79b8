#include "exchange/ranks.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string>

#include "base/module.hpp"

namespace cohort::exchange {

namespace {

// Set by Open MPI's mpirun, by launchers that speak PMIx (srun --mpi=pmix), and by those that speak PMI (srun, MPICH).
constexpr std::array rank_variables = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK"};
// As for other modules (base/module.cpp).
constexpr std::array module_paths = {"/cohort_mpi.so", "/../cohort_mpi.so", "/../lib/cohort/cohort_mpi.so"};

using Entry = Exchange* (*)();

}  // namespace

bool is_rank() {
  return std::any_of(rank_variables.begin(), rank_variables.end(),
                     [](const char* name) { return std::getenv(name) != nullptr; });
}

bool names_a_rank(std::string_view variable) {
  return std::any_of(rank_variables.begin(), rank_variables.end(), [&](std::string_view name) {
    return variable.starts_with(name) && variable.substr(name.size()).starts_with('=');
  });
}

std::unique_ptr<Exchange> join_ranks() {
  if (!is_rank()) return nullptr;
  void* module = nullptr;
  std::string failures;
  for (const char* path : module_paths) {
    module = dlopen((program_folder() + path).c_str(), RTLD_NOW | RTLD_GLOBAL);
    if (module != nullptr) break;
    failures += std::string("; ") + dlerror();
  }
  if (module == nullptr) throw RankLost("started as one of several ranks, but built without MPI" + failures);
  auto* const entry = reinterpret_cast<Entry>(dlsym(module, "cohort_join_ranks"));
  if (entry == nullptr) throw RankLost("cohort_mpi.so is not of this version");
  std::unique_ptr<Exchange> exchange(entry());
  return exchange->size() > 1 ? std::move(exchange) : nullptr;
}

}  // namespace cohort::exchange
