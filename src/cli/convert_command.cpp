#include "cli/convert_command.hpp"

#include <fstream>

#include <fmt/core.h>

#include "cli/unheard.hpp"
#include "cli/usage_error.hpp"
#include "cli/whole_model.hpp"
#include "convert/writers.hpp"

namespace cohort::cli {

namespace {

std::string known_endings() {
  std::string text;
  for (const convert::Writer& writer : convert::writers()) {
    text += fmt::format("{}{} ({})", text.empty() ? "" : ", ", writer.ending, writer.language);
  }
  return text;
}

}  // namespace

std::string ConvertCommand::examples() const {
  return "  cohort convert mutex.bp -o mutex.m --threads 4     Murphi, for Rumur\n"
         "  cohort convert mutex.bp -o mutex.pml --threads 4   Promela, for Spin\n"
         "  cohort convert mutex.bp -o mutex.dot               the control flow, for Graphviz\n"
         "  cohort convert mutex.bp -o mutex.states.dot --threads 2\n"
         "                                                     all states that two threads reach\n"
         "  cohort convert mutex.bp -o mutex.m --threads 4 --determinize 7\n"
         "                                                     with every * replaced by 0 or 1";
}

void ConvertCommand::declare(OptionTable& table) {
  input_.declare(table);
  table.group("Threads");
  table.threads({"-n,--threads", "N", "At most this many threads alive at a time, for languages that need a bound"},
                threads_);
  table.group("Output");
  table.required_text({"-o,--output", "OUT", "The file to write; its ending tells the language: " + known_endings()},
                      output_);
  run_.declare(table);
}

ExitCode ConvertCommand::run(Console& console) {
  const convert::Writer* writer = convert::writer_for(output_);
  if (writer == nullptr) {
    throw UsageError(fmt::format("{}: no writer for such files; known endings: {}", output_, known_endings()));
  }
  if (writer->needs_threads && !threads_) {
    throw UsageError(fmt::format("{} needs a bound on the threads: --threads N", writer->language));
  }
  if (!writer->needs_threads && threads_) {
    throw UsageError(fmt::format("--threads means nothing for {}", writer->language));
  }
  Env env;
  run_.apply(console, env);
  const auto unheard = end_unheard(*this, console);
  const model::Program program =
      writer->takes_calls ? input_.load_as_written(env, unheard) : input_.load_flat(env, unheard);
  if (writer->needs_threads) expect_bound_fits(program, threads_);
  // In C there are many places where a model ends, and who reads what is written gets them as errors.
  if (!writer->takes_calls && !load::is_c(input_.file)) {
    const strategy::Threads threads{.any_number = !threads_, .bound = threads_};
    if (const auto reason = leaves_model(env, program, threads))
      return say_undecided(*this, console, "unsupported", *reason);
  }
  const auto write = [&] {
    // A part of the text is worth nothing, so that writers need not ask.
    const Watchdog watchdog(env.limits, unheard);
    return writer->write(program, threads_.value_or(0));
  };
  const std::string text = write();
  std::ofstream out(output_, std::ios::binary);
  out << text;
  out.flush();
  if (!out) throw UsageError(fmt::format("cannot write {}", output_));
  return ExitCode::Safe;
}

}  // namespace cohort::cli
