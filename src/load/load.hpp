// The registry of front ends: which one reads a file is decided by the ending of its name.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/source.hpp"
#include "frontend/c/c.hpp"
#include "model/program.hpp"

namespace cohort::load {

// How many copies of the first thread exist at the start.
struct InitialCount {
  std::optional<std::uint32_t> count;  // none: any number
};

struct Options {
  std::vector<std::string> error_labels;
  bool zero_init = false;               // uninitialised variables start as 0
  std::optional<std::string> init;      // the configurations at the start, in the notation of the format
  std::optional<std::string> target;    // the states to be reached, likewise
  std::optional<InitialCount> initial;  // none: as the program says
  std::vector<std::string> more_files;  // of the same program
  frontend::c::Options c;
  std::optional<std::uint32_t> processes;  // likewise
  bool ignore_faults = false;              // steps that fault are not taken, instead of being violations
};

struct FrontEnd {
  std::string_view ending;  // with its dot
  std::string_view purpose;
  // Which of the options mean something to it.
  bool takes_labels = false;
  bool takes_zero_init = false;
  bool takes_init = false;
  bool takes_target = false;
  bool takes_initial = false;
  bool takes_c = false;  // the options for C, and several files
  bool takes_processes = false;
  bool takes_faults = false;
  model::Program (*load)(const std::vector<SourceFilePtr>& files, const Options& options);
};

const std::vector<FrontEnd>& front_ends();
// What becomes of each library function that a C program may call, as Markdown.
std::string c_calls_document();
// None when no front end reads files with this ending.
const FrontEnd* front_end_for(std::string_view path);

// Is it a C program?
bool is_c(std::string_view path);
// What can be looked for in C programs.
const std::vector<std::string>& c_properties();

// Why the file cannot be loaded with these options, before looking into it: an ending that no front end reads, or an
// option that means nothing to the format.  None: nothing stands in the way.
std::optional<std::string> refuses(std::string_view path, const Options& options);

// Reads the file, which must not be refused.  Throws InputError.
model::Program load(const std::string& path, const Options& options);

}  // namespace cohort::load
