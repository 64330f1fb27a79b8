// The front end for C: files in, model out.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/env.hpp"
#include "base/option.hpp"
#include "base/source.hpp"
#include "frontend/c/ir/unit.hpp"
#include "model/program.hpp"

namespace cohort::frontend::c {

// What can be looked for.
const std::vector<std::string>& property_names();

// One line for each option: see base/option.hpp.
struct Options {
  std::vector<std::string> more_files =
      option::texts(more_files, {"MORE", "", "More files of a C program", "more_files"});
  std::vector<std::string> properties = option::words(
      properties, {"--property", "NAME,...", "What to look for", "properties"}, {"assertions"}, property_names());
  // As after -D: NAME or NAME=VALUE.
  std::vector<std::string> defines =
      option::texts(defines, {"-D,--define", "NAME[=VALUE]", "Define a macro (repeatable)", "defines"});
  std::vector<std::string> include_dirs = option::texts(
      include_dirs, {"-I,--include-dir", "FOLDER", "Look for headers here, too (repeatable)", "include_dirs"});
  std::vector<std::string> includes =
      option::texts(includes, {"--include", "HEADER", "Read this header before each file (repeatable)", "includes"});
  std::uint32_t pointer_width = option::choice(
      pointer_width, {"-m,--bits", "BITS", "Pointers and `long` have 32 or 64 bits"}, {{"32", 32}, {"64", 64}}, 64U);
  bool interleave_statements = option::choice(
      interleave_statements,
      {"--interleave", "STEP", "Threads take turns after each `access` to shared memory, or `statement`"},
      {{"access", false}, {"statement", true}});
  // Where nothing is said: unless deadlocks are looked for, which it would hide.
  std::optional<bool> spurious_wakeups = option::choice(
      spurious_wakeups,
      {"--spurious-wakeups", "[=yes|no]",
       "Condition variables may wake a thread for no reason (the default unless deadlocks are looked for)"},
      {{"yes", true}, {"no", false}});
  // Where nothing is said: with the names of the Linux kernel.
  std::optional<bool> volatile_is_atomic = option::choice(
      volatile_is_atomic,
      {"--volatile", "HOW", "Accesses to volatile objects are `plain`, as C11 has it, or `atomic`, as with --linux"},
      {{"plain", false}, {"atomic", true}});
  bool linux_names = option::flag(
      linux_names, {"--linux", "", "Know spin_lock, atomic_t, READ_ONCE and other names of the Linux kernel"});
  std::uint32_t heap_pool = option::number(
      heap_pool, {"--heap-pool", "N", "How many objects a call of malloc that may happen again can hand out"}, 4U);
  std::uint32_t heap_array = option::number(
      heap_array, {"--heap-array", "N", "How many elements an allocation can have whose size is not constant"}, 8U);
  std::uint32_t recursion =
      option::number(recursion, {"--recursion", "N", "How many calls of a function from itself are followed"}, 8U);
  bool spurious_failures = option::choice(
      spurious_failures, {"--spurious-failures", "[=yes|no]", "A weak compare-and-exchange may fail for no reason"},
      {{"yes", true}, {"no", false}}, true);
  // Separated by blanks; none: any arguments.
  std::optional<std::string> arguments = option::text(
      arguments, {"--args", "TEXT", "What main is given (argv[1] and so on), separated by blanks", "args"});
  // Threads get names when somebody waits for one of them.
  bool late_naming = option::flag(
      late_naming,
      {"--no-late-naming", "", "Tell threads that are joined apart from their creation on (a baseline)", "late_naming"},
      true);

  bool operator==(const Options&) const = default;
};

// The files and the models of the library functions they may call, linked.  Throws InputError.
ir::Unit read(const std::vector<SourceFilePtr>& files, const Options& options);

// The program as the engines take it, calls inlined.  Throws InputError.
// With `env`, throws Stopped at its limits.
model::Program load(const std::vector<SourceFilePtr>& files, const Options& options, Env* env = nullptr);

}  // namespace cohort::frontend::c
