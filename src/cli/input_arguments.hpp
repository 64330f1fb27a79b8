// The options that say what the program is: the file and how to read it.  A trace and a certificate carry them along,
// so that the same program can be read again.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "base/env.hpp"
#include "base/source.hpp"
#include "base/watchdog.hpp"
#include "cli/option_table.hpp"
#include "load/load.hpp"
#include "load/property_file.hpp"

namespace cohort::cli {

// What is done to the program after it was read, whatever its format.
struct Transformation {
  // The seed.
  std::optional<std::uint64_t> determinize = option::number(
      determinize, {"--determinize", "SEED", "Replace each * by 0 or 1, drawn by this seed"}, {}, {0, UINT64_MAX});
  std::string only = option::text(
      only,
      {"--only", "PLACE", "Ask only for the property at this place, or of this name, as --list-properties says it"});
};

// The program as it is: a switch that front ends and commands share.  How C is read depends on it.
struct Simplification {
  bool simplify = option::flag(
      simplify,
      {"--no-simplify", "", "Take the program as it is: without the passes, and without what optimises C", "simplify"},
      true);
};

class InputArguments {
 public:
  std::string file;
  // The files are programs of their own: nothing is looked up in them here.
  const bool* each_file = nullptr;
  load::Options options;
  Transformation transformation;
  Simplification simplification;

  InputArguments() = default;
  InputArguments(const InputArguments&) = delete;
  InputArguments& operator=(const InputArguments&) = delete;
  ~InputArguments() = default;

  void declare(OptionTable& table);
  // All but the file.
  void declare_options(OptionTable& table);
  void declare_file(OptionTable& table);

  // Throws InputError and UsageError, and Stopped at the limits of `env`.  Where a limit is met in a library that asks
  // nobody whether it may go on, as Clang's, `unheard` ends the run (cli/unheard.hpp).
  model::Program load_as_written(Env& env, const Watchdog::GiveUp& unheard) const;
  // The program as the engines take it: calls inlined, and validated.
  model::Program load_flat(Env& env, const Watchdog::GiveUp& unheard) const;
  // The same, or with more executions where the options say so.
  model::Program load_for_proofs(Env& env, const Watchdog::GiveUp& unheard) const;
  // The program as the engines take it after the passes, unless they are left out.
  model::Program load_simplified(Env& env, const Watchdog::GiveUp& unheard) const;
  // As load_for_proofs(), with the ends of executions in undefined behaviour still marked.
  model::Program load_flat_with_ends(Env& env, const Watchdog::GiveUp& unheard) const;

  // What a property file asks for; none: properties were given by their names.
  const std::optional<load::Specification>& specification() const { return specification_; }
  // Is the option with this member on the command line?
  bool is_given(const void* member) const;
  // Are there options on the command line that say how the program is read?
  bool has_options() const { return !given_.empty(); }
  // May the program that is read have executions that are none of the file's?
  bool summarises() const { return options.beyond_recursion == model::BeyondRecursion::Summary; }
  // The files of the program.
  std::vector<std::string> files() const;
  // Are they programs of their own?  So they are where it was said, or where one is a folder.
  bool is_several() const;

  // The file and the options as one would write them.
  std::string command_line() const;
  // The member "task" of documents.
  nlohmann::ordered_json to_json(std::optional<std::uint32_t> bound) const;
  // Takes over the options that a document was made with; `document` is the file it was read from.
  void read_json(const nlohmann::json& task, const SourceFilePtr& document);

 private:
  model::Program load_with_ends(Env& env, const Watchdog::GiveUp& unheard) const;
  // Where the files are one program, replaces a task definition or the description of a test by what it names, and
  // reads the property file.
  void resolve();
  void take_task(const SourceFilePtr& file);
  void take_description(const SourceFilePtr& file);

  std::string property_file_;
  std::optional<load::Specification> specification_;
  std::vector<option::Reference> given_;  // on the command line
};

// An option's value in a document.
nlohmann::ordered_json value_to_json(const option::Value& value);

// The bound on threads that the member "task" of a document names; none: any number.
std::optional<std::uint32_t> bound_from_json(const nlohmann::json& task, const SourceFilePtr& document);

// Refuses a bound that the threads at the start exceed already.
void expect_bound_fits(const model::Program& program, std::optional<std::uint32_t> bound);

// The member "task" of a document, which must have the given schema.
const nlohmann::json& task_of(const nlohmann::json& document, const char* schema, const SourceFilePtr& file);

// Reads a JSON document; throws InputError (malformed) with line and column, and Stopped at a limit.
nlohmann::json read_json_file(Env& env, const SourceFilePtr& file);

}  // namespace cohort::cli
