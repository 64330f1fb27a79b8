#include "cli/replay_command.hpp"

#include <algorithm>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "base/sha256.hpp"
#include "cli/unheard.hpp"
#include "cli/usage_error.hpp"
#include "load/property_file.hpp"
#include "report/json.hpp"
#include "report/text.hpp"
#include "report/trace_json.hpp"
#include "result/replay.hpp"
#include "witness/follow.hpp"

namespace cohort::cli {

using result::Answer;

namespace {

bool is_witness(const std::string& path) {
  return path.ends_with(".yml") || path.ends_with(".yaml");
}

// The trace of a document, or of the answer to a witness, as a violation of what it really violates.
Answer executed(const model::Program& program, std::optional<std::uint32_t> bound, model::Run run, Env& env,
                const SourceFilePtr& file) {
  Answer answer{.scope = {.bound = bound}};
  answer.result.verdict = result::Verdict::Unsafe;
  answer.result.run = std::move(run);
  const result::Replay replay = result::replay(program, bound, *answer.result.run, &env);
  if (!replay.succeeded) throw_malformed({file, 0, 0}, replay.message);
  answer.result.property = replay.violated;
  return answer;
}

}  // namespace

std::string ReplayCommand::examples() const {
  return "  cohort verify mutex.bp --threads 2 --format json > trace.json\n"
         "  cohort replay mutex.bp trace.json\n"
         "  cohort replay server.i witness.yml           a run that follows a witness of SV-COMP, whoever wrote it";
}

void ReplayCommand::declare(OptionTable& table) {
  input_.declare_file(table);
  table.argument("TRACE", trace_,
                 "What `cohort verify --format json` printed for UNSAFE, or a violation witness in YAML");
  input_.declare_options(table);
  run_.declare(table);
}

Answer ReplayCommand::replay_trace(Env& env, Console& console, model::Program& program) {
  if (input_.has_options()) throw UsageError("a trace says itself how its program is read: give no options for that");
  const SourceFilePtr file = read_source_file(trace_);
  const nlohmann::json document = read_json_file(env, file);
  const nlohmann::json& task = task_of(document, report::result_schema, file);
  input_.read_json(task, file);
  const auto bound = bound_from_json(task, file);
  if (!document.contains("trace") || document["trace"].is_null()) {
    throw_malformed({file, 0, 0}, "there is no trace in this document: its verdict is not UNSAFE");
  }
  program = input_.load_flat(env, end_unheard(*this, console));
  return executed(program, bound, report::trace_from_json(program, bound, document["trace"], file), env, file);
}

Answer ReplayCommand::follow_witness(Env& env, Console& console, model::Program& program) {
  if (!load::is_c(input_.file)) throw UsageError("witnesses are about C programs");
  const SourceFilePtr file = read_source_file(trace_);
  const witness::ReadWitness read = witness::read_yaml(file);
  const load::Specification specification = load::read_specification(read.specification, {file, 0, 0});
  input_.options.c.properties = specification.properties;
  input_.options.c.pointer_width = read.bits;
  const std::string hash = sha256(read_source_file(input_.file)->text());
  const auto same = [&](const auto& entry) { return entry.second == hash; };
  if (std::none_of(read.hashes.begin(), read.hashes.end(), same))
    console.warning(fmt::format("the witness was made for another version of {}", input_.file));
  program = input_.load_flat(env, end_unheard(*this, console));
  witness::Followed followed = witness::follow(env, program, read.witness);
  for (const std::string& remark : followed.remarks) console.warning(remark);
  if (!followed.run) {
    throw_malformed({file, 0, 0}, fmt::format("no run follows the witness: at most {} of its {} segments are passed",
                                              followed.passed, read.witness.segments.size()));
  }
  return executed(program, std::nullopt, std::move(*followed.run), env, file);
}

ExitCode ReplayCommand::run(Console& console) {
  Env env;
  run_.apply(console, env);
  model::Program program;
  const Answer answer =
      is_witness(trace_) ? follow_witness(env, console, program) : replay_trace(env, console, program);
  const report::TextStyle style{.color = console.color(), .trace = !console.quiet()};
  console.out(report::to_text(program, answer, env.statistics, style));
  return ExitCode::Unsafe;
}

}  // namespace cohort::cli
