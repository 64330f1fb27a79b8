// The registry of front ends: which one reads a file is decided by the ending of its name.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/env.hpp"
#include "base/option.hpp"
#include "base/source.hpp"
#include "frontend/c/c.hpp"
#include "frontend/red/red.hpp"
#include "model/passes/inline.hpp"
#include "model/program.hpp"

namespace cohort::load {

// How many copies of the first thread exist at the start.
struct InitialCount {
  std::optional<std::uint32_t> count;  // none: any number

  void parse(const std::string& text);
  std::string written() const;
};

// One line for each option (see base/option.hpp); which of them a format knows is said by its front end.
struct Options {
  std::vector<std::string> error_labels = option::texts(
      error_labels, {"-l,--error-label", "LABEL", "A label that must not be reached (repeatable)", "error_labels"});
  bool zero_init =
      option::flag(zero_init, {"--zero-init", "", "Uninitialised variables start as 0 instead of any value"});
  std::optional<InitialCount> initial = option::parsed(
      initial,
      {"--initial", "K|any", "Copies of main at the start: a number, or 'any' for as many as the bound allows"});
  std::optional<std::string> init =
      option::text(init, {"--init", "CONFIGURATION", "Configurations at the start, in the notation of the format"});
  std::optional<std::string> target =
      option::text(target, {"--target", "CONFIGURATION", "What must not be covered, in the notation of the format"});
  std::optional<InitialCount> processes = option::parsed(
      processes, {"--processes", "M|any", "The number of processes, instead of the file's, or 'any' for all numbers"});
  frontend::red::Faults faults = option::choice(
      faults,
      {"--faults", "POLICY",
       "Which faults of steps are violations: report (all, the default), guards, actions or ignore (none); a step with "
       "another fault is no step at all"},
      {{"report", frontend::red::Faults::Report},
       {"guards", frontend::red::Faults::Guards},
       {"actions", frontend::red::Faults::Actions},
       {"ignore", frontend::red::Faults::Ignore}});
  std::uint32_t recursion =
      option::number(recursion, {"--recursion", "N", "How many calls of a function from itself are followed"}, 8U);
  // None: a cut, and a summary where `verify` comes to the cut.
  std::optional<model::BeyondRecursion> beyond_recursion =
      option::choice(beyond_recursion,
                     {"--beyond-recursion", "HOW",
                      "A call beyond --recursion ends the model (`cut`), or may do all that it can do and more "
                      "(`summary`, for proofs); usually summary where that proves what cut does not"},
                     {{"cut", model::BeyondRecursion::Cut}, {"summary", model::BeyondRecursion::Summary}});
  frontend::c::Options c;
};

struct FrontEnd {
  std::string_view ending;  // with its dot
  std::string_view purpose;
  model::Program (*load)(Env& env, const std::vector<SourceFilePtr>& files, const Options& options);
  // The options that mean something to it, as members of `options`: others are refused.
  option::Members (*knows)(const Options& options) = [](const Options&) { return option::Members(); };
};

const std::vector<FrontEnd>& front_ends();
// What becomes of each library function that a C program may call, as Markdown.
std::string c_calls_document();
// None when no front end reads files with this ending.
const FrontEnd* front_end_for(std::string_view path);

// Is it a C program?
bool is_c(std::string_view path);

// Why the file cannot be loaded with these options, before looking into it: an ending that no front end reads, or an
// option that means nothing to the format.  None: nothing stands in the way.
std::optional<std::string> refuses(std::string_view path, const Options& options);
// The same for options by their references, whatever their values.
std::optional<std::string> refuses(std::string_view path, const Options& options,
                                   const std::vector<option::Reference>& given);

// Reads the file, which must not be refused.  Throws InputError, and Stopped at the limits of `env`.
model::Program load(Env& env, const std::string& path, const Options& options);

}  // namespace cohort::load
