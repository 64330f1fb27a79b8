#include "load/load.hpp"

#include <charconv>

#include <fmt/core.h>

#include "base/contract.hpp"
#include "frontend/bp/bp.hpp"
#include "frontend/c/library/calls.hpp"
#include "frontend/lola/lola.hpp"
#include "frontend/pbmc/pbmc.hpp"
#include "frontend/pnml/pnml.hpp"
#include "frontend/red/red.hpp"
#include "frontend/scpl/scpl.hpp"
#include "frontend/spec/spec.hpp"
#include "frontend/tts/tts.hpp"
#include "load/target.hpp"

namespace cohort::load {

namespace {

model::Program load_bp(Env& env, const std::vector<SourceFilePtr>& files, const Options& options) {
  return frontend::bp::load(files[0], {.error_labels = options.error_labels, .zero_init = options.zero_init}, &env);
}

model::Program load_pbmc(Env& env, const std::vector<SourceFilePtr>& files, const Options& options) {
  return frontend::pbmc::load(files[0], {.zero_init = options.zero_init}, &env);
}

model::Program load_scpl(Env& env, const std::vector<SourceFilePtr>& files, const Options& /*options*/) {
  env.poll("load-scpl");
  return frontend::scpl::load(files[0]);
}

model::Program load_tts(Env& env, const std::vector<SourceFilePtr>& files, const Options& options) {
  const bool by_values = options.target && is_by_values(*options.target);
  return frontend::tts::load(
      files[0], {.init = options.init, .target = by_values ? std::nullopt : options.target, .property = nullptr}, &env);
}

model::Program load_spec(Env& env, const std::vector<SourceFilePtr>& files, const Options& options) {
  return frontend::spec::load(files[0], {.target = options.target}, &env);
}

model::Program load_pnml(Env& env, const std::vector<SourceFilePtr>& files, const Options& options) {
  return frontend::pnml::load(files[0], {.target = options.target}, &env);
}

model::Program load_lola(Env& env, const std::vector<SourceFilePtr>& files, const Options& options) {
  env.poll("load-lola");
  return frontend::lola::load(files[0], {.target = options.target});
}

model::Program load_c(Env& env, const std::vector<SourceFilePtr>& files, const Options& options) {
  frontend::c::Options with_labels = options.c;
  with_labels.error_labels = options.error_labels;
  with_labels.recursion = options.recursion;
  return frontend::c::load(files, with_labels, &env);
}

model::Program load_red(Env& env, const std::vector<SourceFilePtr>& files, const Options& options) {
  frontend::red::Options red{.processes = {}, .any_number = false, .faults = options.faults};
  if (options.processes) {
    constexpr std::uint32_t most_processes = 1U << 20U;
    if (options.processes->count.value_or(0) > most_processes) {
      throw_unsupported({}, fmt::format("more than {} processes", most_processes));
    }
    red.processes = options.processes->count;
    red.any_number = !options.processes->count;
  }
  return frontend::red::load(files[0], red, &env);
}

option::Members knows_bp(const Options& options) {
  return option::Members(options.error_labels, options.zero_init, options.initial, options.target, options.recursion,
                         options.beyond_recursion);
}

option::Members knows_pbmc(const Options& options) {
  return option::Members(options.zero_init, options.target);
}

option::Members knows_red(const Options& options) {
  return option::Members(options.processes, options.faults, options.target);
}

option::Members knows_tts(const Options& options) {
  return option::Members(options.init, options.target);
}

option::Members knows_target(const Options& options) {
  return option::Members(options.target);
}

option::Members knows_c(const Options& options) {
  return option::Members(options.c, options.error_labels, options.recursion, options.target);
}

std::string all_endings() {
  std::string text;
  for (const FrontEnd& front_end : front_ends()) text += (text.empty() ? "" : ", ") + std::string(front_end.ending);
  return text;
}

}  // namespace

std::string c_calls_document() {
  return frontend::c::library::calls_document();
}

void InitialCount::parse(const std::string& text) {
  count.reset();
  if (text == "any") return;
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number == 0) {
    throw option::Refused(fmt::format("'{}' is neither a positive number nor 'any'", text));
  }
  count = number;
}

std::string InitialCount::written() const {
  return count ? std::to_string(*count) : "any";
}

const std::vector<FrontEnd>& front_ends() {
  static const std::vector<FrontEnd> all = {
      {.ending = ".bp", .purpose = "Boolean programs", .load = load_bp, .knows = knows_bp},
      {.ending = ".pbmc", .purpose = "process programs", .load = load_pbmc, .knows = knows_pbmc},
      {.ending = ".scpl", .purpose = "symmetric concurrent programs", .load = load_scpl, .knows = knows_target},
      {.ending = ".tts", .purpose = "thread transition systems", .load = load_tts, .knows = knows_tts},
      {.ending = ".ttd", .purpose = "thread transition systems", .load = load_tts, .knows = knows_tts},
      {.ending = ".c", .purpose = "C programs", .load = load_c, .knows = knows_c},
      {.ending = ".i", .purpose = "C programs, preprocessed", .load = load_c, .knows = knows_c},
      {.ending = ".spec", .purpose = "Petri nets with transfers (MIST)", .load = load_spec, .knows = knows_target},
      {.ending = ".lola", .purpose = "place/transition nets (LoLA)", .load = load_lola, .knows = knows_target},
      {.ending = ".pnml", .purpose = "place/transition nets", .load = load_pnml, .knows = knows_target},
      {.ending = ".red",
       .purpose = "concurrent algorithms with pointers between processes",
       .load = load_red,
       .knows = knows_red},
  };
  return all;
}

std::optional<std::string> target_by_values(std::string_view path, const Options& options) {
  const FrontEnd* front_end = front_end_for(path);
  if (front_end == nullptr || !options.target) return std::nullopt;
  const bool is_net = front_end->load == load_spec || front_end->load == load_lola || front_end->load == load_pnml;
  const bool has_notation = is_net || (front_end->load == load_tts && !is_by_values(*options.target));
  return has_notation ? std::nullopt : options.target;
}

const FrontEnd* front_end_for(std::string_view path) {
  for (const FrontEnd& front_end : front_ends()) {
    if (path.ends_with(front_end.ending)) return &front_end;
  }
  return nullptr;
}

bool is_c(std::string_view path) {
  const FrontEnd* front_end = front_end_for(path);
  return front_end != nullptr && front_end->load == load_c;
}

std::optional<std::string> refuses(std::string_view path, const Options& options,
                                   const std::vector<option::Reference>& given) {
  const FrontEnd* front_end = front_end_for(path);
  if (front_end == nullptr)
    return fmt::format("{}: no front end reads such files; known endings: {}", path, all_endings());
  const option::Members known = front_end->knows(options);
  for (const option::Reference& option : given) {
    if (known.contain(option)) continue;
    if (option.member() == &options.c.more_files)
      return fmt::format("a second file means nothing for {} files", front_end->ending);
    return fmt::format("{} means nothing for {} files", option.descriptor().long_name(), front_end->ending);
  }
  for (const std::string& other : options.c.more_files) {
    if (!is_c(other)) return fmt::format("{}: only C programs consist of several files", other);
  }
  return std::nullopt;
}

std::optional<std::string> refuses(std::string_view path, const Options& options) {
  std::vector<option::Reference> given;
  for (const option::Reference& option : option::options_of(options)) {
    if (option.differs_from_usual()) given.push_back(option);
  }
  return refuses(path, options, given);
}

model::Program load(Env& env, const std::string& path, const Options& options) {
  COHORT_EXPECT(!refuses(path, options), "only files and options that are not refused are loaded");
  env.poll("load");
  std::vector<SourceFilePtr> files = {read_source_file(path)};
  for (const std::string& other : options.c.more_files) files.push_back(read_source_file(other));
  model::Program program = front_end_for(path)->load(env, files, options);
  if (options.initial) {
    COHORT_EXPECT(program.initial.size() == 1, "a front end that takes --initial starts one group of threads");
    program.initial[0].count = options.initial->count;
  }
  return program;
}

}  // namespace cohort::load
