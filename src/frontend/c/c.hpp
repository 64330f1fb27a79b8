// The front end for C: files in, model out.
#pragma once

#include <string>
#include <vector>

#include "base/source.hpp"
#include "frontend/c/ir/unit.hpp"

namespace cohort::frontend::c {

struct Options {
  std::vector<std::string> defines;       // as after -D: NAME or NAME=VALUE
  std::vector<std::string> include_dirs;  // as after -I
  std::vector<std::string> includes;      // headers read before each file, as after -include
  unsigned pointer_width = 64;            // 32 or 64
  bool check_locks = false;               // misuse of locks is a violation
  bool spurious_wakeups = false;          // condition variables may wake a thread for no reason
  bool linux_names = false;               // the names of the Linux kernel are known
};

// The files and the models of the library functions they may call, linked.  Throws InputError.
ir::Unit read(const std::vector<SourceFilePtr>& files, const Options& options);

}  // namespace cohort::frontend::c
