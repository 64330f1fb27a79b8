#include "cli/input_arguments.hpp"

#include <charconv>

#include <fmt/core.h>
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
  table.number({"--determinize", "SEED", "Replace each * by 0 or 1, drawn by this seed"}, determinize);
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
  if (determinize) text += fmt::format(" --determinize {}", *determinize);
  return text;
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
          {"determinize", or_null(determinize)}};
}

void InputArguments::read_json(const json& task, const SourceFilePtr& document) {
  read_member(task, "error_labels", document, options.error_labels);
  read_member(task, "zero_init", document, options.zero_init);
  options.init = optional_text(task, "init", document);
  options.target = optional_text(task, "target", document);
  json seed;
  read_member(task, "determinize", document, seed);
  if (!seed.is_null()) read_member(task, "determinize", document, determinize.emplace());
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
