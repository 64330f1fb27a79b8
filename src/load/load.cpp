#include "load/load.hpp"

#include <fmt/core.h>

#include "base/contract.hpp"
#include "frontend/bp/bp.hpp"
#include "frontend/pbmc/pbmc.hpp"
#include "frontend/pnml/pnml.hpp"
#include "frontend/spec/spec.hpp"
#include "frontend/tts/tts.hpp"

namespace cohort::load {

namespace {

model::Program load_bp(const SourceFilePtr& file, const Options& options) {
  return frontend::bp::load(file, {.error_labels = options.error_labels, .zero_init = options.zero_init});
}

model::Program load_pbmc(const SourceFilePtr& file, const Options& options) {
  return frontend::pbmc::load(file, {.zero_init = options.zero_init});
}

model::Program load_tts(const SourceFilePtr& file, const Options& options) {
  return frontend::tts::load(file, {.init = options.init, .target = options.target, .property = nullptr});
}

model::Program load_spec(const SourceFilePtr& file, const Options& options) {
  return frontend::spec::load(file, {.target = options.target});
}

model::Program load_pnml(const SourceFilePtr& file, const Options& options) {
  return frontend::pnml::load(file, {.target = options.target});
}

std::string all_endings() {
  std::string text;
  for (const FrontEnd& front_end : front_ends()) text += (text.empty() ? "" : ", ") + std::string(front_end.ending);
  return text;
}

}  // namespace

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
      tts,
      ttd,
      {.ending = ".spec", .purpose = "Petri nets with transfers (MIST)", .takes_target = true, .load = load_spec},
      {.ending = ".pnml", .purpose = "place/transition nets", .takes_target = true, .load = load_pnml},
  };
  return all;
}

const FrontEnd* front_end_for(std::string_view path) {
  for (const FrontEnd& front_end : front_ends()) {
    if (path.ends_with(front_end.ending)) return &front_end;
  }
  return nullptr;
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
  return std::nullopt;
}

model::Program load(const std::string& path, const Options& options) {
  COHORT_EXPECT(!refuses(path, options), "only files and options that are not refused are loaded");
  model::Program program = front_end_for(path)->load(read_source_file(path), options);
  if (options.initial) {
    COHORT_EXPECT(program.initial.size() == 1, "a front end that takes --initial starts one group of threads");
    program.initial[0].count = options.initial->count;
  }
  return program;
}

}  // namespace cohort::load
