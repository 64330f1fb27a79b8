#include "load/load.hpp"

#include <fmt/core.h>

#include "base/contract.hpp"
#include "frontend/bp/bp.hpp"
#include "frontend/c/library/calls.hpp"
#include "frontend/pbmc/pbmc.hpp"
#include "frontend/pnml/pnml.hpp"
#include "frontend/red/red.hpp"
#include "frontend/scpl/scpl.hpp"
#include "frontend/spec/spec.hpp"
#include "frontend/tts/tts.hpp"

namespace cohort::load {

namespace {

model::Program load_bp(const std::vector<SourceFilePtr>& files, const Options& options) {
  return frontend::bp::load(files[0], {.error_labels = options.error_labels, .zero_init = options.zero_init});
}

model::Program load_pbmc(const std::vector<SourceFilePtr>& files, const Options& options) {
  return frontend::pbmc::load(files[0], {.zero_init = options.zero_init});
}

model::Program load_scpl(const std::vector<SourceFilePtr>& files, const Options& /*options*/) {
  return frontend::scpl::load(files[0]);
}

model::Program load_tts(const std::vector<SourceFilePtr>& files, const Options& options) {
  return frontend::tts::load(files[0], {.init = options.init, .target = options.target, .property = nullptr});
}

model::Program load_spec(const std::vector<SourceFilePtr>& files, const Options& options) {
  return frontend::spec::load(files[0], {.target = options.target});
}

model::Program load_pnml(const std::vector<SourceFilePtr>& files, const Options& options) {
  return frontend::pnml::load(files[0], {.target = options.target});
}

model::Program load_c(const std::vector<SourceFilePtr>& files, const Options& options) {
  return frontend::c::load(files, options.c);
}

// The first of the options for C that is not as it is by default.
std::optional<std::string_view> option_for_c(const Options& options) {
  const frontend::c::Options& c = options.c;
  const frontend::c::Options usual;
  if (!options.more_files.empty()) return "a second file";
  if (c.defines != usual.defines) return "-D";
  if (c.include_dirs != usual.include_dirs) return "-I";
  if (c.includes != usual.includes) return "--include";
  if (c.pointer_width != usual.pointer_width) return "-m32";
  if (c.spurious_wakeups) return "--spurious-wakeups";
  if (c.linux_names) return "--linux";
  if (c.interleave_statements) return "--interleave";
  if (c.heap_pool != usual.heap_pool) return "--heap-pool";
  if (c.heap_array != usual.heap_array) return "--heap-array";
  if (c.recursion != usual.recursion) return "--recursion";
  if (c.spurious_failures) return "--spurious-failures";
  if (!c.late_naming) return "--no-late-naming";
  if (c.properties != usual.properties) return "--property";
  COHORT_EXPECT(c == usual, "every option for C has its line here");
  return std::nullopt;
}

model::Program load_red(const std::vector<SourceFilePtr>& files, const Options& options) {
  return frontend::red::load(files[0], {.processes = options.processes, .ignore_faults = options.ignore_faults});
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

const std::vector<FrontEnd>& front_ends() {
  static const FrontEnd tts{.ending = ".tts",
                            .purpose = "thread transition systems",
                            .takes_init = true,
                            .takes_target = true,
                            .load = load_tts};
  static const auto ttd = [] {
    FrontEnd copy = tts;
    copy.ending = ".ttd";
    return copy;
  }();
  static const std::vector<FrontEnd> all = {
      {.ending = ".bp",
       .purpose = "Boolean programs",
       .takes_labels = true,
       .takes_zero_init = true,
       .takes_initial = true,
       .load = load_bp},
      {.ending = ".pbmc", .purpose = "process programs", .takes_zero_init = true, .load = load_pbmc},
      {.ending = ".scpl", .purpose = "symmetric concurrent programs", .load = load_scpl},
      tts,
      ttd,
      {.ending = ".c", .purpose = "C programs", .takes_c = true, .load = load_c},
      {.ending = ".i", .purpose = "C programs, preprocessed", .takes_c = true, .load = load_c},
      {.ending = ".spec", .purpose = "Petri nets with transfers (MIST)", .takes_target = true, .load = load_spec},
      {.ending = ".pnml", .purpose = "place/transition nets", .takes_target = true, .load = load_pnml},
      {.ending = ".red",
       .purpose = "concurrent algorithms with pointers between processes",
       .takes_processes = true,
       .takes_faults = true,
       .load = load_red},
  };
  return all;
}

const FrontEnd* front_end_for(std::string_view path) {
  for (const FrontEnd& front_end : front_ends()) {
    if (path.ends_with(front_end.ending)) return &front_end;
  }
  return nullptr;
}

bool is_c(std::string_view path) {
  const FrontEnd* front_end = front_end_for(path);
  return front_end != nullptr && front_end->takes_c;
}

const std::vector<std::string>& c_properties() {
  return frontend::c::property_names();
}

std::optional<std::string> refuses(std::string_view path, const Options& options) {
  const FrontEnd* front_end = front_end_for(path);
  if (front_end == nullptr)
    return fmt::format("{}: no front end reads such files; known endings: {}", path, all_endings());
  const auto meaningless = [&](std::string_view option) {
    return fmt::format("{} means nothing for {} files", option, front_end->ending);
  };
  if (!options.error_labels.empty() && !front_end->takes_labels) return meaningless("--error-label");
  if (options.zero_init && !front_end->takes_zero_init) return meaningless("--zero-init");
  if (options.init && !front_end->takes_init) return meaningless("--init");
  if (options.target && !front_end->takes_target) return meaningless("--target");
  if (options.initial && !front_end->takes_initial) return meaningless("--initial");
  if (const auto option = option_for_c(options); option && !front_end->takes_c) return meaningless(*option);
  for (const std::string& other : options.more_files) {
    const FrontEnd* second = front_end_for(other);
    if (second == nullptr || !second->takes_c)
      return fmt::format("{}: only C programs consist of several files", other);
  }
  if (options.processes && !front_end->takes_processes) return meaningless("--processes");
  if (options.ignore_faults && !front_end->takes_faults) return meaningless("--faults");
  return std::nullopt;
}

model::Program load(const std::string& path, const Options& options) {
  COHORT_EXPECT(!refuses(path, options), "only files and options that are not refused are loaded");
  std::vector<SourceFilePtr> files = {read_source_file(path)};
  for (const std::string& other : options.more_files) files.push_back(read_source_file(other));
  model::Program program = front_end_for(path)->load(files, options);
  if (options.initial) {
    COHORT_EXPECT(program.initial.size() == 1, "a front end that takes --initial starts one group of threads");
    program.initial[0].count = options.initial->count;
  }
  return program;
}

}  // namespace cohort::load
