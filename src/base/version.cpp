#include "base/version.hpp"

namespace cohort {

std::string_view version() {
  return COHORT_VERSION;
}

std::string_view build_facts() {
  return COHORT_BUILD_FACTS;
}

}  // namespace cohort
