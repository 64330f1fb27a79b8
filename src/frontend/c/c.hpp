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
  std::vector<std::string> undefines =
      option::texts(undefines, {"-U,--undefine", "NAME", "Forget a macro (repeatable)", "undefines"});
  std::vector<std::string> system_dirs =
      option::texts(system_dirs, {"--system-include-dir", "FOLDER",
                                  "Look for headers here after all -I, as after -isystem (repeatable)", "system_dirs"});
  std::optional<std::string> standard =
      option::text(standard, {"--std", "NAME", "The standard that the program is written in, as after -std="});
  std::optional<std::string> build_dir = option::text(
      build_dir, {"-p,--build-dir", "FOLDER", "Take each file's flags from the compile_commands.json in this folder"});
  std::optional<std::string> entry =
      option::text(entry, {"--entry", "FUNCTION", "Where the program starts, with any arguments, instead of main"});
  bool failing_calls =
      option::flag(failing_calls, {"--failing-calls", "", "malloc and its kind and the creation of threads may fail"});
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
  std::uint32_t told_apart = option::number(
      told_apart, {"--told-apart", "N", "How many threads that are created in loops can be told apart"}, 16U);
  // A new object may have the address of one that was freed.
  bool reuse = option::flag(
      reuse, {"--no-reuse", "", "malloc never returns the address of an object that was freed", "reuse"}, true);
  ir::Undefined undefined = option::choice(
      undefined,
      {"--undefined", "HOW",
       "Functions that nobody defines return any value and write through pointers (`havoc`), write nothing (`pure`) or "
       "`refuse` the program"},
      {{"havoc", ir::Undefined::Havoc}, {"pure", ir::Undefined::Pure}, {"refuse", ir::Undefined::Refuse}});
  bool spurious_failures = option::choice(
      spurious_failures, {"--spurious-failures", "[=yes|no]", "A weak compare-and-exchange may fail for no reason"},
      {{"yes", true}, {"no", false}}, true);
  // Separated by blanks, which do not count between single quotes; none: any arguments.
  std::optional<std::string> arguments = option::text(
      arguments,
      {"--args", "TEXT", "What main is given (argv[1] and so on), separated by blanks; or -- and the words", "args"});
  // Threads get names when somebody waits for one of them, objects on the heap do without.
  bool late_naming =
      option::flag(late_naming,
                   {"--no-late-naming", "",
                    "Tell threads that are joined, and objects on the heap, apart from their creation on (a baseline)",
                    "late_naming"},
                   true);
  std::optional<std::string> any_number = option::text(
      any_number,
      {"--any", "NAME", "This macro or constant of the program stands for every number from 1 on", "any_number"});

  // Labels that must not be reached: an option that other formats have, too.
  std::vector<std::string> error_labels{};
  // So many calls of a function from itself are followed: likewise.
  std::uint32_t recursion = 8;
  // With the stages of lowering that optimise: likewise.
  bool simplify = true;

  bool operator==(const Options&) const = default;
};

// The files and the models of the library functions they may call, linked.  Throws InputError.
ir::Unit read(const std::vector<SourceFilePtr>& files, const Options& options);

// The program as the engines take it, calls inlined.  Throws InputError.
// With `env`, throws Stopped at its limits.
model::Program load(const std::vector<SourceFilePtr>& files, const Options& options, Env* env = nullptr);

}  // namespace cohort::frontend::c
