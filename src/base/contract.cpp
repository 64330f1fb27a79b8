#include "base/contract.hpp"

#include <fmt/core.h>

namespace cohort {

void contract_failed(const char* condition, const char* meaning, const char* file, int line) {
  throw InternalError(fmt::format("{}:{}: {} ({})", file, line, meaning, condition));
}

}  // namespace cohort
