#include "base/version.hpp"

namespace cohort {

std::string_view version() {
  return COHORT_VERSION;
}

}  // namespace cohort
