// Processor time of this process, for budgets: other load on the machine, and the turns of other engines, must not
// decide what is found.
#pragma once

#include <ctime>

namespace cohort {

inline double processor_seconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

}  // namespace cohort
