// The front end for C: files in, model out.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/source.hpp"
#include "frontend/c/ir/unit.hpp"
#include "model/program.hpp"

namespace cohort::frontend::c {

struct Options {
  std::vector<std::string> defines;       // as after -D: NAME or NAME=VALUE
  std::vector<std::string> include_dirs;  // as after -I
  std::vector<std::string> includes;      // headers read before each file, as after -include
  std::uint32_t pointer_width = 64;       // 32 or 64
  bool spurious_wakeups = false;          // condition variables may wake a thread for no reason
  bool linux_names = false;               // the names of the Linux kernel are known
  bool interleave_statements = false;     // a statement is one step, not each access to a shared object
  std::uint32_t heap_pool = 4;            // objects that an allocation that may happen again can hand out
  std::uint32_t heap_array = 8;           // elements of an allocation whose size is not constant
  std::uint32_t recursion = 8;            // calls of a function from itself that are followed
  bool spurious_failures = false;         // a weak compare-and-exchange may fail for no reason
  bool late_naming = true;                // threads get names when somebody waits for one of them
  std::vector<std::string> properties = {"assertions"};  // what to look for; see property_names

  bool operator==(const Options&) const = default;
};

const std::vector<std::string>& property_names();

// The files and the models of the library functions they may call, linked.  Throws InputError.
ir::Unit read(const std::vector<SourceFilePtr>& files, const Options& options);

// The program as the engines take it, calls inlined.  Throws InputError.
model::Program load(const std::vector<SourceFilePtr>& files, const Options& options);

}  // namespace cohort::frontend::c
