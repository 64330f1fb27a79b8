#include "cli/verify_command.hpp"

#include <algorithm>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "base/contract.hpp"
#include "cli/certificate_file.hpp"
#include "cli/deepen.hpp"
#include "cli/next_command.hpp"
#include "cli/progress.hpp"
#include "cli/several_files.hpp"
#include "cli/specified.hpp"
#include "cli/unheard.hpp"
#include "cli/usage_error.hpp"
#include "engine/engine.hpp"
#include "exchange/ranks.hpp"
#include "model/analysis/control_flow.hpp"
#include "model/passes/questions.hpp"
#include "report/html.hpp"
#include "report/json.hpp"
#include "report/text.hpp"
#include "report/words.hpp"
#include "strategy/certificate.hpp"

namespace cohort::cli {

using result::Answer;
using result::Verdict;

namespace {

std::vector<std::string> engine_names() {
  std::vector<std::string> names = {"auto"};
  for (const auto& engine : engine::engines()) names.emplace_back(engine->name());
  return names;
}

// "explicit, symbolic": those that know the option.
std::string engines_that_know(const engine::EngineOptions& options, const option::Reference& option) {
  std::string names;
  for (const auto& engine : engine::engines()) {
    if (engine->knows(options).contain(option)) names += (names.empty() ? "" : ", ") + std::string(engine->name());
  }
  return names;
}

// What is outside Cohort's model leaves the question open: UNKNOWN, with the feature and its place as the reason.
Answer unsupported(const InputError& error, const strategy::Threads& threads) {
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
  input_.each_file = &several_.each_file;
  input_.declare(table);
  table.add_all(several_);
  table.group("Threads");
  table.threads({"-n,--threads", "N", "At most this many threads alive at a time"}, threads_);
  table.flag("--unbounded", unbounded_, "Any number of threads");
  table.exclude("--unbounded", "--threads");
  declare_engine(table);
  table.exclude("--por", "--no-por");
  table.group("Output");
  table.add_all(report_);
  table.add_all(files_);
  table.add_all(proof_);
  table.add_all(story_);
  run_.declare(table);
}

void VerifyCommand::declare_engine(OptionTable& table) {
  table.group("Engine");
  table.choice({"--engine", "NAME", "The engine; `cohort engines` lists them"}, engine_, engine_names());
  table.add_all(plan_);
  for (const option::Reference& option : option::options_of(engine_options_)) {
    table.add(option, given_, engines_that_know(engine_options_, option));
    if (option.member() == &engine_options_.bmc.projection)
      table.shorthand("--no-projection", option, "off", given_, "The same as --projection off");
  }
}

// An option that the named engine does not know would be ignored, and a comparison made with it would be void.
void VerifyCommand::expect_known_options() const {
  const engine::Engine* engine = engine::find_engine(engine_);
  if (engine == nullptr) return;  // `auto` asks those that know them
  if (plan_.jobs > 1 && !engine->divides_work() && !input_.is_several())
    throw UsageError(fmt::format("the engine {} works alone; --jobs means something to auto and explicit", engine_));
  const option::Members known = engine->knows(engine_options_);
  for (const option::Reference& option : given_) {
    if (known.contain(option)) continue;
    throw UsageError(fmt::format("the engine {} does not know {}; it means something to {}", engine_,
                                 option.descriptor().long_name(), engines_that_know(engine_options_, option)));
  }
}

strategy::Options VerifyCommand::verify_options() const {
  strategy::Options options{.engine = engine_, .threads = {unbounded_, threads_}, .engine_options = engine_options_};
  options.simplify = input_.simplification.simplify;
  options.jobs = plan_.jobs;
  options.engine_options.certificate = !proof_.certificate.empty();
  options.engine_options.ranks = ranks_.get();
  return options;
}

// What the document says of how the question was answered, beside how the program was read.
nlohmann::ordered_json VerifyCommand::task_to_json(const Answer& answer) const {
  auto task = input_.to_json(answer.scope.bound);
  nlohmann::ordered_json engine = {{"name", engine_}};
  for (const option::Reference& option : given_) engine[option.descriptor().key] = value_to_json(option.value());
  task["engine"] = std::move(engine);
  return task;
}

Answer VerifyCommand::find_answer(Env& env, Console& console, model::Program& program, const AnswerFiles& files) {
  const strategy::Options options = verify_options();
  const auto unheard = end_unheard([&](const std::string& reason) {
    record_resources(env);
    print(console, {}, {.result = result::Result::unknown(reason), .scope = {.bound = threads_}}, env);
  });
  try {
    Answer answer = verify_deepening(env, input_, options, program, unheard);
    if (input_.specification()) answer = as_specified(program, std::move(answer), *input_.specification());
    return answer;
  } catch (const Stopped& stopped) {
    return {.result = result::Result::unknown(stopped.what()), .scope = {.bound = threads_}};
  } catch (const InputError& error) {
    if (error.kind() != InputError::Kind::Unsupported) {
      files.write_error(error, static_cast<int>(ExitCode::Malformed));
      throw;
    }
    console.error(error.render());
    return unsupported(error, options.threads);
  }
}

// Under mpirun each process does the same, so that all come to the same questions; the first one speaks.
void VerifyCommand::join_ranks(Console& console) {
  try {
    ranks_ = exchange::join_ranks();
  } catch (const exchange::RankLost& error) {
    throw UsageError(error.what());
  }
  if (ranks_ == nullptr) return;
  if (ranks_->self() != 0) console.mute();
  const engine::Engine* engine = engine::find_engine(engine_);
  const bool divides = engine != nullptr && engine->divides_work();
  if (!divides && !input_.is_several() && !several_.each)
    throw UsageError(
        "several ranks search one program by an engine that divides its work, --engine explicit, or take one program "
        "each, of a folder or with --each-file");
  if (plan_.jobs > 1)
    throw UsageError("ranks and --jobs exclude each other: start as many ranks as there are processors");
}

ExitCode VerifyCommand::run(Console& console) {
  expect_known_options();
  join_ranks(console);
  const ExitCode code = answer(console);
  // The launcher reports what the first one says.
  return ranks_ == nullptr || ranks_->self() == 0 ? code : ExitCode::Safe;
}

ExitCode VerifyCommand::answer(Console& console) {
  Env env;
  if (input_.is_several()) {
    run_.apply_without_limits(console, env);
    return run_each(console, env);
  }
  run_.apply(console, env);
  if (several_.list_properties || several_.each) return run_questions(console, env);
  if (!several_.junit.empty())
    throw UsageError("--junit is for several verdicts: of a folder, with --each-file, or with --each");
  const AnswerFiles files(files_, input_);
  expect_writable(story_.report);
  EventStream events(files_.events);
  Progress progress(console, env);
  if (events.is_open() || console.shows_progress()) {
    // The parts of `auto` say by themselves which engine they speak of.
    const std::string prefix = engine_ == "auto" ? "" : engine_ + ": ";
    env.set_progress([&, prefix](std::string_view text) {
      progress.show(text.empty() ? "" : prefix + std::string(text));
      if (!text.empty()) events.progress(prefix + std::string(text));
    });
  }
  if (events.is_open()) events.start(input_.to_json(threads_));
  progress.show("reads the program");
  model::Program program;
  Answer answer;
  try {
    answer = find_answer(env, console, program, files);
    // The page shows what the proof says of each place.
    if (!story_.report.empty()) strategy::add_certificate(env, program, verify_options(), answer);
    progress.wipe();
  } catch (const std::exception& error) {
    progress.wipe();
    events.error(error.what());
    throw;
  }
  const ExitCode code = exit_code_of(answer.result.verdict);
  if (ranks_ != nullptr && ranks_->self() != 0) return code;
  events.answer(report::verdict_word(answer.result.verdict), report::headline(program, answer));
  if (answer.result.verdict == Verdict::Safe && !proof_.certificate.empty()) write_certificate(program, answer);
  const std::string missing = files.write(program, answer, claims_all(answer), static_cast<int>(code));
  if (!missing.empty()) console.warning(missing);
  record_resources(env);
  if (!story_.report.empty()) {
    write_file(story_.report, report::to_html(program, answer, env.statistics, story_.trace));
  }
  print(console, program, answer, env);
  return code;
}

void VerifyCommand::expect_no_single_file() const {
  for (const auto& [name, value] :
       {std::pair{"--witness", &files_.witness}, std::pair{"--events", &files_.events},
        std::pair{"--certificate", &proof_.certificate}, std::pair{"--report", &story_.report}}) {
    if (!value->empty()) throw UsageError(fmt::format("{} is for one answer, not for several", name));
  }
}

// Of one program, what it asks; and each of that for itself.
ExitCode VerifyCommand::run_questions(Console& console, Env& env) {
  const std::vector<model::Question> asked = model::questions(input_.load_as_written(env, end_unheard(*this, console)));
  if (several_.list_properties) {
    for (const model::Question& question : asked) console.out(fmt::format("{}  {}\n", question.id, question.text));
    return ExitCode::Safe;
  }
  expect_no_single_file();
  if (asked.empty()) throw UsageError("--each: there is no property");
  SeveralFiles task{.parts = {},
                    .arguments = arguments_for_each(arguments_, {}),
                    .kind = "property",
                    .jobs = plan_.jobs,
                    .json = report_.format == Format::Json,
                    .sarif = files_.sarif,
                    .junit = several_.junit,
                    .ranks = ranks_.get()};
  for (const model::Question& question : asked) task.parts.push_back({question.id, {"--only", question.id}});
  // The limits are those of each.
  Env all;
  run_.apply_without_limits(console, all);
  return verify_each(console, all, task);
}

ExitCode VerifyCommand::run_each(Console& console, Env& env) const {
  expect_no_single_file();
  const std::vector<std::string> files = input_.files();
  return verify_each(console, env,
                     {.parts = parts_of_files(programs_in(files)),
                      .arguments = arguments_for_each(arguments_, files),
                      .jobs = plan_.jobs,
                      .json = report_.format == Format::Json,
                      .sarif = files_.sarif,
                      .junit = several_.junit,
                      .ranks = ranks_.get()});
}

// Are all executions meant, as other tools understand a verdict?
bool VerifyCommand::claims_all(const Answer& answer) const {
  return !threads_ && answer.up_to.empty();
}

void VerifyCommand::print(Console& console, const model::Program& program, const Answer& answer, Env& env) const {
  if (report_.format == Format::Json) {
    console.out(report::document_text(report::to_json(program, answer, env.statistics, task_to_json(answer))));
    return;
  }
  const report::TextStyle style{.color = console.color(),
                                .trace = !console.quiet(),
                                .detail = story_.trace,
                                .statistics = report_.statistics || (story_.verbose && !console.quiet()),
                                .verbose = story_.verbose,
                                .width = output_width(),
                                .next_command = next_command(arguments_, answer.advice)};
  console.out(report::to_text(program, answer, env.statistics, style));
  if (input_.specification()) console.out(verdict_line(program, answer, claims_all(answer)) + "\n");
}

void VerifyCommand::write_certificate(const model::Program& program, const Answer& answer) const {
  COHORT_EXPECT(answer.result.certificate != nullptr, "SAFE comes with a certificate when asked for one");
  write_certificate_file(proof_.certificate, program, *answer.result.certificate, input_.to_json(threads_));
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
