// What a command that was asked for a document prints when it comes to no answer: the input cannot be taken, a limit
// was reached, or something went wrong.
#pragma once

#include <string>

#include "base/source.hpp"
#include "cli/exit_code.hpp"

namespace cohort::cli {

inline constexpr const char* error_schema = "cohort-error-1";

struct ErrorReport {
  const char* kind;  // "usage", "malformed", "unsupported", "stopped", "memory", "output" or "internal"
  std::string message;
  ExitCode exit_code;
  SourceSpan span{};
};

std::string error_document(const ErrorReport& error);

}  // namespace cohort::cli
