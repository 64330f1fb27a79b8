#include "cli/verify_command.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "base/contract.hpp"
#include "cli/certificate_file.hpp"
#include "cli/usage_error.hpp"
#include "engine/engine.hpp"
#include "model/control_flow.hpp"
#include "report/json.hpp"
#include "report/text.hpp"

namespace cohort::cli {

using result::Answer;
using result::Verdict;

namespace {

std::vector<std::string> engine_names() {
  std::vector<std::string> names = {"auto"};
  for (const auto& engine : engine::engines()) names.emplace_back(engine->name());
  return names;
}

// More steps than this make no formula that fits in any memory.
constexpr std::uint64_t most_steps = 1'000'000;

std::uint32_t parse_steps(std::string_view text) {
  std::uint32_t steps = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), steps);
  if (error != std::errc() || end != text.data() + text.size() || steps > most_steps) {
    throw UsageError(fmt::format("'{}' is not a number of steps: write K or A..B, at most {}", text, most_steps));
  }
  return steps;
}

// "K" or "A..B".
void parse_depth(const std::string& text, engine::BmcOptions& options) {
  const std::size_t dots = text.find("..");
  options.first_depth = parse_steps(std::string_view(text).substr(0, dots));
  options.last_depth =
      dots == std::string::npos ? options.first_depth : parse_steps(std::string_view(text).substr(dots + 2));
  if (*options.first_depth > *options.last_depth) throw UsageError(fmt::format("'{}' holds no depth", text));
}

struct Improvement {
  const char* name;
  bool engine::KarpMillerImprovements::*value;
};

constexpr std::array improvements{
    Improvement{"shared-first", &engine::KarpMillerImprovements::shared_first},
    Improvement{"minimal-chains", &engine::KarpMillerImprovements::minimal_chains},
    Improvement{"coverage", &engine::KarpMillerImprovements::coverage},
    Improvement{"subtrees", &engine::KarpMillerImprovements::subtrees},
    Improvement{"index", &engine::KarpMillerImprovements::index},
    Improvement{"turns", &engine::KarpMillerImprovements::turns},
};

std::string improvement_names() {
  std::string names;
  for (const Improvement& improvement : improvements)
    names += (names.empty() ? "" : ", ") + std::string(improvement.name);
  return names;
}

void switch_off(engine::KarpMillerImprovements& options, const std::string& name) {
  for (const Improvement& improvement : improvements) {
    if (name != improvement.name) continue;
    options.*improvement.value = false;
    return;
  }
  throw UsageError(fmt::format("--km-off: '{}' is none of {}", name, improvement_names()));
}

// What is outside Cohort's model leaves the question open: UNKNOWN, with the feature and its place as the reason.
Answer unsupported(const InputError& error, const verify::Threads& threads) {
  Answer answer{.scope = {.bound = threads.bound}};
  const std::string place = to_string(error.span());
  answer.result.reason = fmt::format("unsupported: {}{}", error.what(), place.empty() ? "" : " at " + place);
  return answer;
}

}  // namespace

std::string VerifyCommand::summary() const {
  return "Decide whether a program is safe";
}

std::string VerifyCommand::examples() const {
  return "  cohort verify mutex.bp                       for any number of threads, where an engine can\n"
         "  cohort verify mutex.bp --threads 4           with at most 4 threads alive at a time\n"
         "  cohort verify mutex.bp --initial any --threads 4\n"
         "                                               with 4 copies of main from the start\n"
         "  cohort verify driver.bp -l ERROR --format json > trace.json\n"
         "                                               a trace that `cohort replay` executes";
}

void VerifyCommand::declare(OptionTable& table) {
  input_.declare(table);
  table.group("Threads");
  table.threads({"-n,--threads", "N", "At most this many threads alive at a time"}, threads_);
  table.flag("--unbounded", unbounded_, "Any number of threads");
  table.exclude("--unbounded", "--threads");
  declare_engine(table);
  declare_bmc(table);
  table.group("Output");
  table.choice({"--format", "FORMAT", "text or json"}, format_, {"text", "json"});
  table.text({"--certificate", "OUT", "For SAFE, write a proof that check-certificate verifies; implies --no-simplify"},
             certificate_);
  table.flag("--stats", statistics_, "Print statistics, one `key: value` line each");
  run_.declare(table);
  table.group("Limits");
}

void VerifyCommand::declare_engine(OptionTable& table) {
  table.group("Engine");
  table.choice({"--engine", "NAME", "The engine; `cohort engines` lists them"}, engine_, engine_names());
  table.flag("--por", engine_options_.partial_order, "Partial-order reduction");
  table.off_flag("--no-symmetry", engine_options_.symmetry, "Tell threads apart (a baseline)");
  table.off_flag("--no-inactive", engine_options_.inactive, "Pointer engines: keep the values of inactive variables");
  table.off_flag("--no-merging", engine_options_.merging, "Symbolic engine: do not merge states");
  table.flag("--reorder", engine_options_.reorder, "Symbolic engine: reorder variables when diagrams have grown");
  table.off_flag("--no-simplify", simplify_, "Give the engine the program as it is");
  table.choice({"--search", "ORDER", "bfs (shortest traces), dfs, deviations (fewest first) or random"}, search_,
               {"bfs", "dfs", "deviations", "random"});
  table.choice({"--km", "VARIANT", "Karp-Miller: classic (without its improvements) or symbolic (sets of data)"},
               karp_miller_, {"classic", "symbolic"});
  table.texts({"--km-off", "NAME", "Karp-Miller: without one of its improvements: " + improvement_names()},
              switched_off_, ',');
  table.flag("--whole-cover", engine_options_.whole_cover, "Karp-Miller: go on after a violation until all is covered");
}

void VerifyCommand::declare_bmc(OptionTable& table) {
  engine::BmcOptions& bmc = engine_options_.bmc;
  table.group("Bounded model checking");
  table.parsed({"--depth", "K", "Steps to look at: K, or A..B one after the other; without it, more and more"},
               [&bmc](const std::string& text) { parse_depth(text, bmc); });
  table.off_flag("--no-projection", bmc.projection,
                 "Search all executions, not only their projections on the property");
  table.flag("--mpor", bmc.normal_form, "Of executions that differ in the order of independent steps, search one");
  table.choice({"--int", "MODE", "Integers for the solver: bits (as many as needed) or math"}, integers_,
               {"bits", "math"});
  table.number({"--contexts", "N", "At most N stretches of steps by one thread"}, contexts_);
  table.text({"--smt-dump", "DIR", "Write every formula to this folder, as SMT-LIB"}, bmc.dump_folder);
}

verify::Options VerifyCommand::verify_options() const {
  verify::Options options{.engine = engine_, .threads = {unbounded_, threads_}, .engine_options = engine_options_};
  options.simplify = simplify_;
  if (search_ == "dfs") options.engine_options.order = engine::SearchOrder::DepthFirst;
  if (search_ == "bfs") options.engine_options.order = engine::SearchOrder::BreadthFirst;
  if (search_ == "random") options.engine_options.order = engine::SearchOrder::Random;
  if (search_ == "deviations") options.engine_options.order = engine::SearchOrder::FewestDeviations;
  options.engine_options.classic_karp_miller = karp_miller_ == "classic";
  options.engine_options.symbolic_karp_miller = karp_miller_ == "symbolic";
  for (const std::string& name : switched_off_) switch_off(options.engine_options.karp_miller, name);
  options.engine_options.certificate = !certificate_.empty();
  if (integers_ == "math") options.engine_options.bmc.integers = engine::IntegerMode::Math;
  if (contexts_) options.engine_options.bmc.contexts = static_cast<std::uint32_t>(std::min(*contexts_, most_steps));
  return options;
}

ExitCode VerifyCommand::run(Console& console) {
  Env env;
  run_.apply(console, env);
  const verify::Options options = verify_options();
  model::Program program;
  Answer answer;
  try {
    program = input_.load_flat();
    expect_bound_fits(program, threads_);
    if (program.properties.empty() && !model::violation_in_control_flow(program)) {
      console.warning(fmt::format("{} has no property to check: nothing can be violated", input_.file));
    }
    answer = verify::verify(env, program, options);
  } catch (const InputError& error) {
    if (error.kind() != InputError::Kind::Unsupported) throw;
    console.error(error.render());
    answer = unsupported(error, options.threads);
  }
  if (answer.result.verdict == Verdict::Safe && !certificate_.empty()) write_certificate(program, answer);
  record_resources(env);
  print(console, program, answer, env);
  return exit_code_of(answer.result.verdict);
}

void VerifyCommand::print(Console& console, const model::Program& program, const Answer& answer, Env& env) const {
  if (format_ == "json") {
    const auto task = input_.to_json(answer.scope.bound);
    console.out(report::document_text(report::to_json(program, answer, env.statistics, task)));
    return;
  }
  const report::TextStyle style{.color = console.color(), .trace = !console.quiet(), .statistics = statistics_};
  console.out(report::to_text(program, answer, env.statistics, style));
}

void VerifyCommand::write_certificate(const model::Program& program, const Answer& answer) const {
  COHORT_EXPECT(answer.result.certificate != nullptr, "SAFE comes with a certificate when asked for one");
  write_certificate_file(certificate_, program, *answer.result.certificate, input_.to_json(answer.scope.bound));
}

ExitCode exit_code_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::Safe: return ExitCode::Safe;
    case Verdict::Unsafe: return ExitCode::Unsafe;
    case Verdict::Unknown: return ExitCode::Unknown;
  }
  COHORT_UNREACHABLE("every verdict has an exit code");
}

}  // namespace cohort::cli
