#include "cli/answer_files.hpp"

#include <csignal>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "base/version.hpp"
#include "cli/usage_error.hpp"
#include "report/json.hpp"
#include "report/sarif.hpp"
#include "report/violation_class.hpp"
#include "witness/witness.hpp"

namespace cohort::cli {

using nlohmann::ordered_json;
using result::Verdict;

namespace {

bool is_graphml(const std::string& path) {
  return path.ends_with(".graphml") || path.ends_with(".xml");
}

bool is_yaml(const std::string& path) {
  return path.ends_with(".yml") || path.ends_with(".yaml");
}

// What the verdict is about, as other tools write it: of a violation what it violates.
std::string specification_of(const InputArguments& input, const model::Program& program, const result::Answer& answer) {
  if (input.specification()) return input.specification()->text;
  if (answer.result.verdict != Verdict::Unsafe) return load::specification_text(input.options.c.properties);
  const report::Violation violation = report::violation_of(program, answer);
  const report::ViolationClass& kind = report::class_of(violation);
  const bool asserts = kind.id == "assertion" && violation.text.find("error") == std::string::npos;
  return load::check_line(asserts ? "G ! call(__assert_fail())" : kind.formula);
}

}  // namespace

void write_file(const std::string& path, const std::string& text) {
  std::ofstream out(path, std::ios::binary);
  out << text;
  out.flush();
  if (!out) throw UsageError(fmt::format("cannot write {}", path));
}

void expect_writable(const std::string& path) {
  if (!path.empty() && !std::ofstream(path, std::ios::app)) throw UsageError(fmt::format("cannot write {}", path));
}

EventStream::EventStream(const std::string& path) {
  if (path.empty()) return;
  // Who reads the events from a pipe may go away; the verdict does not depend on it.
  std::signal(SIGPIPE, SIG_IGN);
  out_.open(path, std::ios::binary);
  if (!out_) throw UsageError(fmt::format("cannot write {}", path));
}

void EventStream::write(const char* event, ordered_json members) {
  if (!is_open()) return;
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin_;
  ordered_json line = {{"event", event}, {"seconds", elapsed.count()}};
  line.update(members);
  out_ << line.dump(-1, ' ', false, ordered_json::error_handler_t::replace) << "\n" << std::flush;
}

void EventStream::start(const ordered_json& task) {
  write("start", {{"tool", report::tool_to_json()}, {"task", task}});
}

void EventStream::progress(std::string_view text) {
  constexpr double mebibyte = 1U << 20U;
  write("progress", {{"memory_mib", static_cast<double>(resident_memory()) / mebibyte}, {"text", text}});
}

void EventStream::answer(std::string_view verdict, const std::string& headline) {
  write("answer", {{"verdict", verdict}, {"headline", headline}});
}

void EventStream::error(const std::string& message) {
  write("error", {{"message", message}});
}

AnswerFiles::AnswerFiles(const AnswerFileOptions& options, const InputArguments& input)
    : options_(options), input_(input) {
  if (!options.witness.empty()) {
    if (!is_graphml(options.witness) && !is_yaml(options.witness))
      throw UsageError(fmt::format("{}: a witness ends in .yml or .graphml", options.witness));
    if (!load::is_c(input.file)) throw UsageError("--witness means nothing for other programs than C");
  }
  expect_writable(options.sarif);
  expect_writable(options.witness);
}

std::string AnswerFiles::write(const model::Program& program, const result::Answer& answer, bool claims_all,
                               int exit_code) const {
  if (!options_.sarif.empty()) {
    report::SarifLog log;
    log.add(input_.file, program, answer);
    write_file(options_.sarif, report::document_text(log.document(exit_code)));
  }
  return options_.witness.empty() ? "" : write_witness(program, answer, claims_all);
}

std::string AnswerFiles::write_witness(const model::Program& program, const result::Answer& answer,
                                       bool claims_all) const {
  if (answer.result.verdict == Verdict::Unknown) return "there is no witness for UNKNOWN";
  const bool violates = answer.result.verdict == Verdict::Unsafe;
  if (!violates && !claims_all) return "there is no witness: the answer is not about all executions";
  witness::Task task{.specification = specification_of(input_, program, answer),
                     .bits = input_.options.c.pointer_width,
                     .command_line = "cohort verify " + input_.command_line()};
  for (const std::string& file : input_.files()) task.files.push_back(read_source_file(file));
  if (is_graphml(options_.witness)) {
    write_file(options_.witness, witness::to_graphml(program, answer, task));
  } else {
    const auto made =
        violates ? witness::violation_witness(program, answer) : witness::correctness_witness(program, answer);
    write_file(options_.witness, witness::to_yaml(made, task));
  }
  return "";
}

void AnswerFiles::write_error(const InputError& error, int exit_code) const {
  if (options_.sarif.empty()) return;
  report::SarifLog log;
  log.add_error(input_.file, error);
  write_file(options_.sarif, report::document_text(log.document(exit_code)));
}

}  // namespace cohort::cli
