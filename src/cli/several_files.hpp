// `cohort verify` on several programs: each file is verified by a process of its own, so that what one of them needs or
// breaks is no matter of the others; then a table, a summary, and the reports for machines.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/env.hpp"
#include "cli/console.hpp"
#include "cli/exit_code.hpp"

namespace cohort::cli {

struct SeveralFiles {
  std::vector<std::string> files;      // programs, in the order of the table
  std::vector<std::string> arguments;  // of `cohort verify`, for each of them
  std::uint32_t jobs = 0;              // files at a time; 0: as many as there are processors
  bool json = false;
  std::string sarif{};
  std::string junit{};
};

// The programs that the arguments stand for: folders are searched for files that a front end reads, without those in
// folders whose names begin with a dot.  Throws UsageError where there is none.
std::vector<std::string> programs_in(const std::vector<std::string>& arguments);

// What was given to `cohort verify`, without the files and without what is about all of them.
std::vector<std::string> arguments_for_each(const std::vector<std::string>& given,
                                            const std::vector<std::string>& files);

// The exit code of the worst: UNSAFE, then an internal error, malformed input, bad usage, UNKNOWN, SAFE.
ExitCode verify_each(Console& console, Env& env, const SeveralFiles& task);

}  // namespace cohort::cli
