#include "cli/input_arguments.hpp"

#include <algorithm>
#include <filesystem>
#include <set>
#include <string_view>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "cli/usage_error.hpp"
#include "convert/determinize.hpp"
#include "load/target.hpp"
#include "load/task_definition.hpp"
#include "load/test_description.hpp"
#include "model/passes/inline.hpp"
#include "model/passes/questions.hpp"
#include "model/passes/simplify.hpp"
#include "model/passes/undefined_ends.hpp"
#include "model/validate.hpp"

namespace cohort::cli {

using nlohmann::json;
using nlohmann::ordered_json;

namespace {

// The options that are the same for every format: all but those for C.
std::vector<option::Reference> general_options(const load::Options& options) {
  std::vector<option::Reference> general;
  const option::Members c(options.c);
  for (const option::Reference& option : option::options_of(options)) {
    if (!c.contain(option)) general.push_back(option);
  }
  return general;
}

// ".bp, .pbmc".
std::string formats_that_know(const load::Options& options, const option::Reference& option) {
  std::string endings;
  for (const load::FrontEnd& front_end : load::front_ends()) {
    if (front_end.knows(options).contain(option))
      endings += (endings.empty() ? "" : ", ") + std::string(front_end.ending);
  }
  return endings;
}

option::Value value_from_json(const json& value) {
  if (value.is_null()) return {};
  if (value.is_boolean()) return value.get<bool>();
  if (value.is_number_unsigned()) return value.get<std::uint64_t>();
  if (value.is_string()) return value.get<std::string>();
  if (!value.is_array()) throw option::Refused("neither a switch, a whole number, a text nor a list of texts");
  std::vector<std::string> texts;
  for (const json& member : value) {
    if (!member.is_string()) throw option::Refused("not a list of texts");
    texts.push_back(member.get<std::string>());
  }
  return texts;
}

void add_options(ordered_json& object, const std::vector<option::Reference>& options) {
  for (const option::Reference& option : options) object[option.descriptor().key] = value_to_json(option.value());
}

void read_options(const json& task, const std::vector<option::Reference>& options, const SourceFilePtr& document) {
  for (const option::Reference& option : options) {
    const std::string& key = option.descriptor().key;
    if (!task.is_object() || !task.contains(key))
      throw_malformed({document, 0, 0}, fmt::format("the member \"{}\" of \"task\" is missing", key));
    try {
      option.set(value_from_json(task[key]));
    } catch (const option::Refused& refused) {
      throw_malformed({document, 0, 0},
                      fmt::format("the member \"{}\" of \"task\" is not what it should be: {}", key, refused.what()));
    }
  }
}

// As one would write it in a shell.
std::string quoted(const std::string& text) {
  constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=,./:@%";
  if (!text.empty() && text.find_first_not_of(plain) == std::string::npos) return text;
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

void append_options(std::string& text, const std::vector<option::Reference>& options) {
  for (const option::Reference& option : options) {
    if (!option.differs_from_usual()) continue;
    const option::Descriptor& descriptor = option.descriptor();
    const std::string name = descriptor.names.starts_with('-') ? " " + descriptor.first_name() : "";
    const option::Value value = option.value();
    if (descriptor.kind == option::Kind::Switch) {
      text += name;
    } else if (const auto* list = std::get_if<std::vector<std::string>>(&value);
               list != nullptr && descriptor.kind == option::Kind::Repeatable) {
      for (const std::string& one : *list) text += name + " " + quoted(one);
    } else {
      // A word that may be left out must stand beside its option.
      text += name + (descriptor.value.starts_with("[=") ? "=" : " ") + quoted(option::to_string(value));
    }
  }
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

}  // namespace

ordered_json value_to_json(const option::Value& value) {
  struct Writer {
    ordered_json operator()(std::monostate) const { return nullptr; }
    ordered_json operator()(bool on) const { return on; }
    ordered_json operator()(std::uint64_t number) const { return number; }
    ordered_json operator()(double number) const { return number; }
    ordered_json operator()(const std::string& text) const { return text; }
    ordered_json operator()(const std::vector<std::string>& texts) const { return texts; }
  };
  return std::visit(Writer(), value);
}

void InputArguments::declare_file(OptionTable& table) {
  table.argument("FILE", file, "The program; its ending tells the format");
  table.when_parsed([this] { resolve(); });
}

bool InputArguments::is_given(const void* member) const {
  return std::any_of(given_.begin(), given_.end(),
                     [&](const option::Reference& option) { return option.member() == member; });
}

// Of several properties the first that Cohort looks for, unless the command line says what to look for.
void InputArguments::take_task(const SourceFilePtr& definition) {
  const load::TaskDefinition task = load::read_task_definition(definition);
  file = task.files.front();
  options.c.more_files.insert(options.c.more_files.begin(), task.files.begin() + 1, task.files.end());
  if (task.bits && !is_given(&options.c.pointer_width)) options.c.pointer_width = *task.bits;
  if (is_given(&options.c.properties) || task.properties.empty()) return;
  std::optional<InputError> refusal;
  for (const load::TaskProperty& property : task.properties) {
    try {
      specification_ = load::read_property_file(read_source_file(property.file));
      return;
    } catch (const InputError& error) {
      if (!refusal) refusal = error;
    }
  }
  throw *refusal;
}

// What the command line says goes before.
void InputArguments::take_description(const SourceFilePtr& description) {
  const load::TestDescription test = load::read_test_description(description);
  file = test.file;
  if (!is_given(&options.init)) options.init = test.init;
  if (!is_given(&options.target)) options.target = test.target;
  if (!is_given(&options.error_labels)) options.error_labels = test.error_labels;
}

bool InputArguments::is_several() const {
  if (each_file == nullptr) return false;
  const std::vector<std::string> all = files();
  return *each_file || std::any_of(all.begin(), all.end(), [](const std::string& path) {
    std::error_code ignored;
    return std::filesystem::is_directory(path, ignored);
  });
}

void InputArguments::resolve() {
  if (is_several()) return;
  if (load::is_task_definition(file)) take_task(read_source_file(file));
  if (load::is_test_description(file)) take_description(read_source_file(file));
  if (!property_file_.empty()) specification_ = load::read_property_file(read_source_file(property_file_));
  if (specification_) options.c.properties = specification_->properties;
}

std::vector<std::string> InputArguments::files() const {
  std::vector<std::string> all = {file};
  all.insert(all.end(), options.c.more_files.begin(), options.c.more_files.end());
  return all;
}

void InputArguments::declare(OptionTable& table) {
  declare_file(table);
  declare_options(table);
}

void InputArguments::declare_options(OptionTable& table) {
  table.group("Program");
  for (const option::Reference& option : general_options(options)) {
    table.add(option, given_, formats_that_know(options, option));
  }
  table.add_all(transformation);
  table.add_all(simplification);
  table.group("C programs");
  const auto takes_file = [this](const std::string& text) {
    if (text.ends_with(".prp")) property_file_ = text;
    return text.ends_with(".prp");
  };
  for (const option::Reference& option : option::options_of(options.c)) {
    if (option.member() == &options.c.properties) {
      table.add(option, given_, "or FILE.prp, as SV-COMP writes them", takes_file);
    } else {
      table.add(option, given_);
    }
    if (option.member() != &options.c.pointer_width) continue;
    for (const char* bits : {"32", "64"})
      table.shorthand(std::string("--") + bits, option, bits, given_, std::string("The same as --bits ") + bits);
  }
}

model::Program InputArguments::load_as_written(Env& env, const Watchdog::GiveUp& unheard) const {
  if (load::target_by_values(file, options))
    throw UsageError("--target by values asks about the program with its calls inlined, which this does not show");
  return model::without_undefined_ends(load_with_ends(env, unheard));
}

model::Program InputArguments::load_with_ends(Env& env, const Watchdog::GiveUp& unheard) const {
  if (const auto refusal = load::refuses(file, options, given_)) throw UsageError(*refusal);
  // What a document says is not on the command line.
  if (const auto refusal = load::refuses(file, options)) throw UsageError(*refusal);
  load::Options as_asked = options;
  // What optimises C keeps the answers to the questions in the file, not those to others.
  as_asked.c.simplify = simplification.simplify && !load::target_by_values(file, options);
  const auto read = [&] {
    const Watchdog watchdog(env.limits, unheard);
    return load::load(env, file, as_asked);
  };
  model::Program program = read();
  if (const auto seed = transformation.determinize) program = convert::determinize(std::move(program), *seed);
  if (!transformation.only.empty()) {
    const auto asked = model::questions_at(program, transformation.only);
    if (asked.empty())
      throw UsageError(fmt::format("--only {}: there is no such property; --list-properties says which there are",
                                   transformation.only));
    program = model::asking_only(std::move(program), asked);
  }
  env.poll("validate");
  model::validate(program);
  return program;
}

model::Program InputArguments::load_flat(Env& env, const Watchdog::GiveUp& unheard) const {
  if (summarises())
    throw UsageError("--beyond-recursion summary has executions that the program has not: it is for proofs");
  return load_for_proofs(env, unheard);
}

model::Program InputArguments::load_for_proofs(Env& env, const Watchdog::GiveUp& unheard) const {
  return model::without_undefined_ends(load_flat_with_ends(env, unheard));
}

model::Program InputArguments::load_simplified(Env& env, const Watchdog::GiveUp& unheard) const {
  model::Program flat = load_flat(env, unheard);
  return simplification.simplify ? model::simplify(flat, {}, &env).program : flat;
}

model::Program InputArguments::load_flat_with_ends(Env& env, const Watchdog::GiveUp& unheard) const {
  const model::InlineLimits limits{.recursion = options.recursion,
                                   .beyond = options.beyond_recursion.value_or(model::BeyondRecursion::Cut)};
  model::Program flat = model::inline_calls(load_with_ends(env, unheard), limits, &env);
  if (const auto target = load::target_by_values(file, options))
    flat = load::asking_for(std::move(flat), *target, load::is_c(file));
  model::validate(flat);
  return flat;
}

std::string InputArguments::command_line() const {
  std::string text = quoted(file);
  append_options(text, general_options(options));
  append_options(text, option::options_of(transformation));
  append_options(text, option::options_of(options.c));
  append_options(text, option::options_of(simplification));
  return text;
}

ordered_json InputArguments::to_json(std::optional<std::uint32_t> bound) const {
  ordered_json task = {{"file", file}, {"threads", bound ? ordered_json(*bound) : ordered_json(nullptr)}};
  add_options(task, general_options(options));
  add_options(task, option::options_of(transformation));
  task["c"] = nullptr;
  if (load::is_c(file)) {
    task["c"] = ordered_json::object();
    add_options(task["c"], option::options_of(options.c));
    add_options(task["c"], option::options_of(simplification));
  }
  return task;
}

void InputArguments::read_json(const json& task, const SourceFilePtr& document) {
  read_options(task, general_options(options), document);
  read_options(task, option::options_of(transformation), document);
  if (!task.contains("c") || task["c"].is_null()) return;
  read_options(task["c"], option::options_of(options.c), document);
  read_options(task["c"], option::options_of(simplification), document);
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

json read_json_file(Env& env, const SourceFilePtr& file) {
  // The names of the members so far, of each object that is open: of two with one name nobody says which is meant.
  std::vector<std::set<std::string>> open;
  const auto look = [&](int, json::parse_event_t event, const json& parsed) {
    env.poll("read-json");
    if (event == json::parse_event_t::object_start) open.emplace_back();
    if (event == json::parse_event_t::object_end) open.pop_back();
    if (event == json::parse_event_t::key && !open.back().insert(parsed.get<std::string>()).second) {
      throw_malformed({file, 0, 0}, fmt::format("the member \"{}\" is there twice", parsed.get<std::string>()));
    }
    return true;
  };
  try {
    return json::parse(file->text(), look);
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
