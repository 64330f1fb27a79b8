// The options of commands that print a document: one line for each (see base/option.hpp).
#pragma once

#include <cstdint>
#include <string>

#include "base/option.hpp"
#include "report/text.hpp"

namespace cohort::cli {

enum class Format : std::uint8_t { Text, Json };

struct ReportOptions {
  Format format =
      option::choice(format, {"--format", "FORMAT", "text or json"}, {{"text", Format::Text}, {"json", Format::Json}});
  bool statistics = option::flag(statistics, {"--stats", "", "Print statistics, one `key: value` line each"});
};

struct StoryOptions {
  std::string report = option::text(
      report, {"--report", "OUT", "Write the answer as one HTML page: a violation to step through, with the source"});
  report::TraceDetail trace =
      option::choice(trace,
                     {"--trace", "DETAIL",
                      "A violation of a C program statement by statement (story), step by step (full), with a column a "
                      "thread (columns), "
                      "or step by step with the numbers of threads in each local state (counters)"},
                     {{"story", report::TraceDetail::Story},
                      {"full", report::TraceDetail::Full},
                      {"columns", report::TraceDetail::Columns},
                      {"counters", report::TraceDetail::Counters}});
  bool verbose = option::flag(
      verbose, {"-v,--verbose", "", "Also which engine answered, what each of them did, and the statistics"});
};

struct ProofOptions {
  std::string certificate = option::text(
      certificate,
      {"--certificate", "OUT",
       "For SAFE, write a proof that check-certificate verifies; engines then get the program without passes"});
};

// Several programs at once.
struct SeveralOptions {
  bool each_file = option::flag(
      each_file,
      {"--each-file", "", "Each file is a program of its own (as it is where a folder is given): a table of verdicts"});
  bool each = option::flag(each, {"--each", "", "Each property for itself: a table of verdicts"});
  bool list_properties =
      option::flag(list_properties, {"--list-properties", "", "Say which properties there are, and decide nothing"});
  std::string junit = option::text(
      junit, {"--junit", "OUT", "With several programs, write a report of JUnit, as build servers show them"});
};

// Files that are written beside the answer on standard output.
struct AnswerFileOptions {
  std::string sarif =
      option::text(sarif, {"--sarif", "OUT", "Write the answer as a log of SARIF 2.1.0, the format of code scanners"});
  std::string witness = option::text(
      witness,
      {"--witness", "OUT", "For C, write a witness as SV-COMP has them: .yml (version 2.2) or .graphml (1.0)"});
  std::string events =
      option::text(events, {"--events", "OUT", "Write what goes on as it happens, one JSON object a line"});
};

}  // namespace cohort::cli
