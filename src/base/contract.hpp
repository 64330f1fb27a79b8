// Contracts that stay on in every build.  A broken contract is a bug of Cohort, never of the input: it throws
// InternalError, which the command line turns into exit code 6, so that no verdict can follow from a broken state.
#pragma once

#include <stdexcept>
#include <string>

namespace cohort {

class InternalError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

[[noreturn]] void contract_failed(const char* condition, const char* meaning, const char* file, int line);

}  // namespace cohort

// What the caller or the data structure owes: `meaning` says what should hold, in words.
#define COHORT_EXPECT(condition, meaning) \
  (static_cast<bool>(condition) ? void(0) : ::cohort::contract_failed(#condition, meaning, __FILE__, __LINE__))

#define COHORT_UNREACHABLE(meaning) ::cohort::contract_failed("unreachable", meaning, __FILE__, __LINE__)
