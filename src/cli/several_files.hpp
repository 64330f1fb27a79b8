// `cohort verify` on several programs, or on one program for each of its properties: each is verified by a process of
// its own, so that what one of them needs or breaks is no matter of the others; then a table, a summary, and the
// reports for machines.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/env.hpp"
#include "cli/console.hpp"
#include "cli/exit_code.hpp"
#include "exchange/exchange.hpp"

namespace cohort::cli {

// A row of the table.
struct Part {
  std::string name;                    // a file, or a property
  std::vector<std::string> arguments;  // that no other row has
};

struct SeveralFiles {
  std::vector<Part> parts;
  std::vector<std::string> arguments;  // of `cohort verify`, for each of them
  const char* kind = "file";           // what the rows are
  std::uint32_t jobs = 0;              // files at a time; 0: as many as there are processors
  bool json = false;
  std::string sarif{};
  std::string junit{};
  exchange::Exchange* ranks = nullptr;  // set: other processes that take parts, too, each one at a time
};

std::vector<Part> parts_of_files(const std::vector<std::string>& files);

// The programs that the arguments stand for: folders are searched for files that a front end reads, without those in
// folders whose names begin with a dot.  Throws UsageError where there is none.
std::vector<std::string> programs_in(const std::vector<std::string>& arguments);

// What was given to `cohort verify`, without the files and without what is about all of them.
std::vector<std::string> arguments_for_each(const std::vector<std::string>& given,
                                            const std::vector<std::string>& files);

// Under MPI every rank calls it, and the first one speaks.  The exit code of the worst: UNSAFE, then an internal error,
// malformed input, bad usage, UNKNOWN, SAFE.
ExitCode verify_each(Console& console, Env& env, const SeveralFiles& task);

}  // namespace cohort::cli
