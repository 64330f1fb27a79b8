#include "cli/convert_command.hpp"

#include <fstream>

#include <fmt/core.h>

#include "cli/usage_error.hpp"
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
}

ExitCode ConvertCommand::run(Console&) {
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
  const model::Program program = writer->takes_calls ? input_.load_as_written(env) : input_.load_flat(env);
  if (writer->needs_threads) expect_bound_fits(program, threads_);
  const std::string text = writer->write(program, threads_.value_or(0));
  std::ofstream out(output_, std::ios::binary);
  out << text;
  out.flush();
  if (!out) throw UsageError(fmt::format("cannot write {}", output_));
  return ExitCode::Safe;
}

}  // namespace cohort::cli
