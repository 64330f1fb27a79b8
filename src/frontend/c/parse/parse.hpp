// From C source text to one ir::Unit: Clang parses each file, and what the files define is linked by name as it comes.
// The rest of this folder is a module, loaded with the first C program that is read (frontend/c/load_parser.cpp).
#pragma once

#include <string>
#include <vector>

#include "base/source.hpp"
#include "frontend/c/ir/unit.hpp"

namespace cohort::frontend::c::parse {

struct Options {
  std::vector<std::string> defines;       // as after -D: NAME or NAME=VALUE
  std::vector<std::string> include_dirs;  // as after -I
  std::vector<std::string> includes;      // headers read before each file, as after -include
  std::vector<std::string> undefines;     // as after -U
  std::vector<std::string> system_dirs;   // as after -isystem
  std::string standard;                   // as after -std=; empty: that of GCC
  std::string build_dir;                  // where compile_commands.json lies; empty: nowhere
  std::vector<std::string> error_labels;  // that must not be reached
  std::string prelude;                    // text of a header that is read before each file
  unsigned pointer_width = 64;            // 32: ILP32, 64: LP64
  bool spurious_failures = false;         // a weak compare-and-exchange may fail for no reason
  bool overflow_matters = false;          // signed arithmetic must not be done where C does not do it
  bool exact_floats = false;              // floating-point numbers have values, and models compute with them
  bool lives_matter = false;              // locals that are used when they live no more are looked for
  bool text_is_read = false;              // what is printed is read as text: that may go wrong, or be half of a race
};

struct Input {
  SourceFilePtr file;       // a name that ends in .i: already preprocessed
  bool is_library = false;  // a model of library functions; a definition elsewhere replaces it
};

// Models of the library come first: the records they define under `cohort_` + the name of a type stand for that type in
// all later files.  Throws InputError with Clang's first error when a file is not C, and when the
// module is not found.
ir::Unit parse(const std::vector<Input>& inputs, const Options& options);

}  // namespace cohort::frontend::c::parse
