#include "cli/input_arguments.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/core.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/usage_error.hpp"
#include "convert/determinize.hpp"
#include "model/passes/inline.hpp"
#include "model/validate.hpp"

namespace cohort::cli {

using nlohmann::json;
using nlohmann::ordered_json;

namespace {

load::InitialCount parse_initial(const std::string& text) {
  if (text == "any") return {};
  std::uint32_t count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc() || end != text.data() + text.size() || count == 0) {
    throw UsageError(fmt::format("'{}' is neither a positive number nor 'any'", text));
  }
  return {count};
}

std::vector<std::string> parse_properties(const std::string& text) {
  std::vector<std::string> chosen;
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    chosen.push_back(text.substr(begin, end - begin));
    const auto& known = load::c_properties();
    if (std::find(known.begin(), known.end(), chosen.back()) == known.end()) {
      throw UsageError(fmt::format("'{}' is not a property; known are {}", chosen.back(), fmt::join(known, ", ")));
    }
    begin = end + 1;
  }
  return chosen;
}

std::uint32_t parse_bits(const std::string& text) {
  if (text == "32") return 32;
  if (text == "64") return 64;
  throw UsageError(fmt::format("'{}' is neither 32 nor 64", text));
}

bool parse_interleave(const std::string& text) {
  if (text == "statement") return true;
  if (text == "access") return false;
  throw UsageError(fmt::format("'{}' is neither 'access' nor 'statement'", text));
}

ordered_json c_to_json(const load::Options& options) {
  const frontend::c::Options& c = options.c;
  return {{"more_files", options.more_files},
          {"properties", c.properties},
          {"defines", c.defines},
          {"include_dirs", c.include_dirs},
          {"includes", c.includes},
          {"bits", c.pointer_width},
          {"interleave", c.interleave_statements ? "statement" : "access"},
          {"spurious_wakeups", c.spurious_wakeups},
          {"linux", c.linux_names},
          {"heap_pool", c.heap_pool},
          {"heap_array", c.heap_array},
          {"recursion", c.recursion},
          {"spurious_failures", c.spurious_failures},
          {"late_naming", c.late_naming}};
}

bool parse_faults(const std::string& text) {
  if (text != "report" && text != "ignore")
    throw UsageError(fmt::format("'{}' is neither 'report' nor 'ignore'", text));
  return text == "ignore";
}

template <class T>
void read_member(const json& task, const char* name, const SourceFilePtr& document, T& value) {
  try {
    task.at(name).get_to(value);
  } catch (const json::exception&) {
    throw_malformed({document, 0, 0},
                    fmt::format("the member \"{}\" of \"task\" is missing or not what it should be", name));
  }
}

std::optional<std::string> optional_text(const json& task, const char* name, const SourceFilePtr& document) {
  json value;
  read_member(task, name, document, value);
  if (value.is_null()) return std::nullopt;
  std::string text;
  read_member(task, name, document, text);
  return text;
}

void read_c(const json& task, const SourceFilePtr& document, load::Options& options) {
  frontend::c::Options& c = options.c;
  std::string interleave;
  read_member(task, "more_files", document, options.more_files);
  read_member(task, "properties", document, c.properties);
  read_member(task, "defines", document, c.defines);
  read_member(task, "include_dirs", document, c.include_dirs);
  read_member(task, "includes", document, c.includes);
  read_member(task, "bits", document, c.pointer_width);
  read_member(task, "interleave", document, interleave);
  read_member(task, "spurious_wakeups", document, c.spurious_wakeups);
  read_member(task, "linux", document, c.linux_names);
  read_member(task, "heap_pool", document, c.heap_pool);
  read_member(task, "heap_array", document, c.heap_array);
  read_member(task, "recursion", document, c.recursion);
  read_member(task, "spurious_failures", document, c.spurious_failures);
  read_member(task, "late_naming", document, c.late_naming);
  c.interleave_statements = interleave == "statement";
}

std::string c_command_line(const load::Options& options) {
  const frontend::c::Options& c = options.c;
  const frontend::c::Options usual;
  std::string text;
  for (const std::string& other : options.more_files) text += " " + other;
  for (const std::string& define : c.defines) text += " -D " + define;
  for (const std::string& folder : c.include_dirs) text += " -I " + folder;
  for (const std::string& header : c.includes) text += " --include " + header;
  if (c.properties != usual.properties) text += fmt::format(" --property {}", fmt::join(c.properties, ","));
  if (c.pointer_width != usual.pointer_width) text += fmt::format(" -m {}", c.pointer_width);
  if (c.interleave_statements) text += " --interleave statement";
  if (c.spurious_wakeups) text += " --spurious-wakeups";
  if (c.linux_names) text += " --linux";
  if (c.heap_pool != usual.heap_pool) text += fmt::format(" --heap-pool {}", c.heap_pool);
  if (c.heap_array != usual.heap_array) text += fmt::format(" --heap-array {}", c.heap_array);
  if (c.recursion != usual.recursion) text += fmt::format(" --recursion {}", c.recursion);
  if (c.spurious_failures) text += " --spurious-failures";
  if (!c.late_naming) text += " --no-late-naming";
  return text;
}

}  // namespace

void InputArguments::declare_file(OptionTable& table) {
  table.argument("FILE", file, "The program; its ending tells the format");
}

void InputArguments::declare(OptionTable& table) {
  declare_file(table);
  table.group("Program");
  table.texts({"-l,--error-label", "LABEL", "A label that must not be reached (repeatable)"}, options.error_labels);
  table.flag("--zero-init", options.zero_init, "Uninitialised variables start as 0 instead of any value");
  table.parsed(
      {"--initial", "K|any", "Copies of main at the start: a number, or 'any' for as many as the bound allows"},
      [this](const std::string& text) { options.initial = parse_initial(text); });
  table.text({"--init", "CONFIGURATION", "Configurations at the start, in the notation of the format (.tts)"},
             options.init);
  table.text(
      {"--target", "CONFIGURATION", "What must not be covered, in the notation of the format (.tts, .spec, .pnml)"},
      options.target);
  table.threads({"--processes", "M", "The number of processes, instead of the file's (.red)"}, options.processes);
  table.parsed({"--faults", "POLICY",
                "What a step that faults is: a violation (report, the default) or no step at all (ignore) (.red)"},
               [this](const std::string& text) { options.ignore_faults = parse_faults(text); });
  table.number({"--determinize", "SEED", "Replace each * by 0 or 1, drawn by this seed"}, determinize);
  declare_c(table);
}

void InputArguments::declare_c(OptionTable& table) {
  frontend::c::Options& c = options.c;
  table.group("C programs");
  table.more_arguments("MORE", options.more_files, "More files of a C program");
  table.parsed(
      {"--property", "NAME,...", "What to look for: " + fmt::format("{}", fmt::join(load::c_properties(), ", "))},
      [&c](const std::string& text) { c.properties = parse_properties(text); });
  table.texts({"-D,--define", "NAME[=VALUE]", "Define a macro (repeatable)"}, c.defines);
  table.texts({"-I,--include-dir", "FOLDER", "Look for headers here, too (repeatable)"}, c.include_dirs);
  table.texts({"--include", "HEADER", "Read this header before each file (repeatable)"}, c.includes);
  table.parsed({"-m,--bits", "BITS", "Pointers and `long` have 32 or 64 bits"},
               [&c](const std::string& text) { c.pointer_width = parse_bits(text); });
  table.parsed({"--interleave", "STEP", "Threads take turns after each `access` to shared memory, or `statement`"},
               [&c](const std::string& text) { c.interleave_statements = parse_interleave(text); });
  table.flag("--spurious-wakeups", c.spurious_wakeups, "Condition variables may wake a thread for no reason");
  table.flag("--linux", c.linux_names, "Know spin_lock, atomic_t, READ_ONCE and other names of the Linux kernel");
  table.threads({"--heap-pool", "N", "How many objects a call of malloc that may happen again can hand out"},
                c.heap_pool);
  table.threads({"--heap-array", "N", "How many elements an allocation can have whose size is not constant"},
                c.heap_array);
  table.threads({"--recursion", "N", "How many calls of a function from itself are followed"}, c.recursion);
  table.flag("--spurious-failures", c.spurious_failures, "A weak compare-and-exchange may fail for no reason");
  table.off_flag("--no-late-naming", c.late_naming, "Tell threads apart from their creation on (a baseline)");
}

model::Program InputArguments::load_as_written() const {
  if (const auto refusal = load::refuses(file, options)) throw UsageError(*refusal);
  model::Program program = load::load(file, options);
  if (determinize) program = convert::determinize(std::move(program), *determinize);
  model::validate(program);
  return program;
}

model::Program InputArguments::load_flat() const {
  model::Program flat = model::inline_calls(load_as_written());
  model::validate(flat);
  return flat;
}

std::string InputArguments::command_line() const {
  std::string text = file;
  for (const std::string& label : options.error_labels) text += " -l " + label;
  if (options.zero_init) text += " --zero-init";
  if (options.initial) {
    text += " --initial " + (options.initial->count ? std::to_string(*options.initial->count) : "any");
  }
  if (options.init) text += " --init " + *options.init;
  if (options.target) text += " --target " + *options.target;
  if (options.processes) text += fmt::format(" --processes {}", *options.processes);
  if (options.ignore_faults) text += " --faults ignore";
  if (determinize) text += fmt::format(" --determinize {}", *determinize);
  return text + c_command_line(options);
}

ordered_json InputArguments::to_json(std::optional<std::uint32_t> bound) const {
  const auto or_null = [](const auto& value) { return value ? ordered_json(*value) : ordered_json(nullptr); };
  ordered_json initial = nullptr;
  if (options.initial) initial = options.initial->count ? ordered_json(*options.initial->count) : ordered_json("any");
  return {{"file", file},
          {"threads", or_null(bound)},
          {"error_labels", options.error_labels},
          {"zero_init", options.zero_init},
          {"initial", initial},
          {"init", or_null(options.init)},
          {"target", or_null(options.target)},
          {"processes", or_null(options.processes)},
          {"faults", options.ignore_faults ? "ignore" : "report"},
          {"determinize", or_null(determinize)},
          {"c", load::is_c(file) ? c_to_json(options) : ordered_json(nullptr)}};
}

void InputArguments::read_json(const json& task, const SourceFilePtr& document) {
  read_member(task, "error_labels", document, options.error_labels);
  read_member(task, "zero_init", document, options.zero_init);
  options.init = optional_text(task, "init", document);
  options.target = optional_text(task, "target", document);
  json processes;
  read_member(task, "processes", document, processes);
  if (!processes.is_null()) read_member(task, "processes", document, options.processes.emplace());
  std::string faults;
  read_member(task, "faults", document, faults);
  options.ignore_faults = faults == "ignore";
  json seed;
  read_member(task, "determinize", document, seed);
  if (!seed.is_null()) read_member(task, "determinize", document, determinize.emplace());
  if (task.contains("c") && !task["c"].is_null()) read_c(task["c"], document, options);
  json initial;
  read_member(task, "initial", document, initial);
  if (initial.is_string() && initial == "any") {
    options.initial = load::InitialCount{};
  } else if (!initial.is_null()) {
    std::uint32_t count = 0;
    read_member(task, "initial", document, count);
    options.initial = load::InitialCount{count};
  }
}

std::optional<std::uint32_t> bound_from_json(const json& task, const SourceFilePtr& document) {
  json threads;
  read_member(task, "threads", document, threads);
  if (threads.is_null()) return std::nullopt;
  if (!threads.is_number_unsigned() || threads == 0 || threads > UINT32_MAX) {
    throw_malformed({document, 0, 0}, "the member \"threads\" of \"task\" is neither null nor a positive number");
  }
  return threads.get<std::uint32_t>();
}

void expect_bound_fits(const model::Program& program, std::optional<std::uint32_t> bound) {
  std::uint64_t at_start = 0;
  for (const model::InitialThreads& group : program.initial) at_start += group.count.value_or(0);
  if (bound && at_start > *bound) {
    throw UsageError(fmt::format("the program starts with {} threads, more than the bound of {}", at_start, *bound));
  }
}

const json& task_of(const json& document, const char* schema, const SourceFilePtr& file) {
  if (!document.is_object() || !document.contains("schema") || document["schema"] != schema) {
    throw_malformed({file, 0, 0}, fmt::format("expected a document with the schema \"{}\"", schema));
  }
  if (!document.contains("task")) throw_malformed({file, 0, 0}, "the member \"task\" is missing");
  return document["task"];
}

json read_json_file(const SourceFilePtr& file) {
  try {
    return json::parse(file->text());
  } catch (const json::parse_error& error) {
    SourceSpan span{file, 1, 1};
    for (std::size_t i = 0; i + 1 < error.byte && i < file->text().size(); ++i) {
      const bool newline = file->text()[i] == '\n';
      span.line += newline ? 1 : 0;
      span.column = newline ? 1 : span.column + 1;
    }
    throw_malformed(span, "this is not JSON");
  }
}

}  // namespace cohort::cli
