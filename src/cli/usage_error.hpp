// Arguments that parse but make no sense together.
#pragma once

#include <stdexcept>

namespace cohort::cli {

class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace cohort::cli
