#include "cli/replay_command.hpp"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "report/json.hpp"
#include "report/text.hpp"
#include "report/trace_json.hpp"
#include "result/replay.hpp"

namespace cohort::cli {

std::string ReplayCommand::examples() const {
  return "  cohort verify mutex.bp --threads 2 --format json > trace.json\n"
         "  cohort replay mutex.bp trace.json";
}

void ReplayCommand::declare(OptionTable& table) {
  input_.declare_file(table);
  table.argument("TRACE", trace_, "What `cohort verify --format json` printed for UNSAFE");
  run_.declare_quiet(table);
}

ExitCode ReplayCommand::run(Console& console) {
  Env env;
  run_.apply(console, env);
  const SourceFilePtr file = read_source_file(trace_);
  const nlohmann::json document = read_json_file(env, file);
  const nlohmann::json& task = task_of(document, report::result_schema, file);
  input_.read_json(task, file);
  const auto bound = bound_from_json(task, file);
  if (!document.contains("trace") || document["trace"].is_null()) {
    throw_malformed({file, 0, 0}, "there is no trace in this document: its verdict is not UNSAFE");
  }
  const model::Program program = input_.load_flat(env);
  result::Answer answer{.scope = {.bound = bound}};
  answer.result.verdict = result::Verdict::Unsafe;
  answer.result.run = report::trace_from_json(program, bound, document["trace"], file);
  const result::Replay replay = result::replay(program, bound, *answer.result.run, &env);
  if (!replay.succeeded) throw_malformed({file, 0, 0}, replay.message);
  answer.result.property = replay.violated;
  const report::TextStyle style{.color = console.color(), .trace = !console.quiet()};
  console.out(report::to_text(program, answer, env.statistics, style));
  return ExitCode::Unsafe;
}

}  // namespace cohort::cli
