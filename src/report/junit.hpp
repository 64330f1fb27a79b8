// Answers about several files as a report of JUnit, which build servers show as tests: a violation is a failure, what
// could not be decided is skipped, input that cannot be taken is an error.
#pragma once

#include <string>
#include <vector>

namespace cohort::report {

struct JunitCase {
  enum class Kind { Passed, Failed, Skipped, Error };

  std::string name;
  double seconds = 0;
  Kind kind = Kind::Passed;
  std::string message{};  // one line
  std::string details{};
};

std::string to_junit(const std::vector<JunitCase>& cases, double seconds);

}  // namespace cohort::report
