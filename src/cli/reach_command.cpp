// The engine is asked for the proof that a program without properties is safe: that proof is a closed set of all
// reachable counter states, from which the thread states are read off.  For any number of threads it is the set of
// labels of the Karp-Miller tree, which covers exactly what is reachable.
#include "cli/reach_command.hpp"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "base/contract.hpp"
#include "base/version.hpp"
#include "cli/unheard.hpp"
#include "cli/usage_error.hpp"
#include "cli/whole_model.hpp"
#include "model/passes/without_properties.hpp"
#include "report/json.hpp"
#include "report/text.hpp"
#include "report/words.hpp"
#include "strategy/verify.hpp"

namespace cohort::cli {

namespace {

constexpr const char* reach_schema = "cohort-reach-1";

}  // namespace

std::string ReachCommand::examples() const {
  return "  cohort reach mutex.bp --threads 2                  the reachable locations\n"
         "  cohort reach mutex.bp --threads 2 --show lock      with the value of lock at each\n"
         "  cohort reach mutex.bp --unbounded                  the locations that any number of threads reaches\n"
         "  cohort reach mutex.bp --threads 2 --location L --show lock,x\n"
         "                                                     the values while a thread is at L";
}

void ReachCommand::declare(OptionTable& table) {
  input_.declare(table);
  table.group("Threads");
  table.threads({"-n,--threads", "N", "At most this many threads alive at a time"}, threads_);
  table.flag("--unbounded", unbounded_, "Any number of threads");
  table.exclude("--unbounded", "--threads");
  table.group("What is shown");
  table.texts({"--show", "VARIABLE,...", "Variables, separated by commas"}, view_.variables, ',');
  table.text({"--location", "LABEL", "Only threads at the location with this label"}, view_.location);
  table.off_flag("--no-locations", view_.locations, "Do not tell locations apart: only the variables");
  table.group("Output");
  table.add_all(report_);
  run_.declare(table);
}

ExitCode ReachCommand::run(Console& console) {
  Env env;
  run_.apply(console, env);
  const model::Program flat = input_.load_flat(env, end_unheard(*this, console));
  const model::Program program = model::without_properties(flat);
  if (!threads_ && !unbounded_) threads_ = strategy::bound_by_default(program);
  if (threads_) expect_bound_fits(program, *threads_);
  if (const auto refusal = report::refuses(program, view_)) throw UsageError(*refusal);
  if (const auto reason = leaves_model(env, flat, {unbounded_, threads_}))
    return say_undecided(*this, console, "unsupported", *reason, report::bound_words(program, threads_));
  strategy::Options options{
      .engine = unbounded_ ? "karp-miller" : std::string(strategy::closed_set_engine(program, threads_)),
      .threads = {unbounded_, threads_}};
  options.engine_options.certificate = true;
  options.engine_options.karp_miller.whole_cover = unbounded_;
  const result::Answer answer = strategy::verify(env, program, options);
  record_resources(env);
  if (answer.result.verdict != result::Verdict::Safe) {
    COHORT_EXPECT(answer.result.verdict == result::Verdict::Unknown, "a program without properties violates none");
    return say_undecided(*this, console, env.stop_reason() == StopReason::None ? "unsupported" : "stopped",
                         answer.result.reason, report::bound_words(program, threads_));
  }
  COHORT_EXPECT(answer.result.certificate != nullptr, "a certificate was asked for");
  const auto states = report::reached_states(program, *answer.result.certificate, view_);
  if (report_.format == Format::Json) {
    const nlohmann::ordered_json document = {{"schema", reach_schema},
                                             {"version", version()},
                                             {"tool", report::tool_to_json()},
                                             {"task", input_.to_json(threads_)},
                                             {"states", report::reach_json(program, view_, states)},
                                             {"statistics", report::statistics_to_json(env.statistics)}};
    console.out(report::document_text(document));
  } else {
    console.out(report::reach_text(program, view_, states));
    if (report_.statistics) console.out(report::statistics_text(env.statistics));
  }
  return ExitCode::Safe;
}

}  // namespace cohort::cli
