#include "cli/check_certificate_command.hpp"

#include <map>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "base/source.hpp"
#include "cli/certificate_file.hpp"
#include "cli/unheard.hpp"
#include "model/property.hpp"
#include "result/certificate.hpp"

namespace cohort::cli {

namespace {

// "assertion (3), deadlock"
std::string properties_in_words(const model::Program& program) {
  std::map<std::string_view, std::size_t> counts;
  for (const model::Property& property : program.properties) ++counts[to_string(property.kind)];
  std::string words;
  for (const auto& [kind, count] : counts) {
    words += fmt::format("{}{}{}", words.empty() ? "" : ", ", kind, count > 1 ? fmt::format(" ({})", count) : "");
  }
  return words.empty() ? "none" : words;
}

ExitCode unknown(Console& console, std::string_view reason) {
  console.out(fmt::format("UNKNOWN: {}\n", reason));
  return ExitCode::Unknown;
}

}  // namespace

std::string CheckCertificateCommand::summary() const {
  return "Verify a certificate of SAFE without any engine";
}

std::string CheckCertificateCommand::examples() const {
  return "  cohort verify mutex.bp --threads 3 --certificate proof.json\n"
         "  cohort check-certificate mutex.bp proof.json --threads 3";
}

void CheckCertificateCommand::declare(OptionTable& table) {
  input_.declare_file(table);
  table.argument("CERTIFICATE", certificate_, "What `cohort verify --certificate` wrote");
  input_.declare_options(table);
  table.group("Threads");
  table.threads({"-n,--threads", "N", "At most this many threads alive at a time"}, threads_);
  table.flag("--unbounded", unbounded_, "Any number of threads, as without --threads");
  table.exclude("--unbounded", "--threads");
  run_.declare(table);
}

ExitCode CheckCertificateCommand::run(Console& console) {
  Env env;
  run_.apply(console, env);
  try {
    return check(console, env);
  } catch (const InputError& error) {
    if (error.kind() != InputError::Kind::Unsupported) throw;
    console.error(error.render());
    return unknown(console, fmt::format("unsupported: {}", error.what()));
  }
}

ExitCode CheckCertificateCommand::check(Console& console, Env& env) const {
  const SourceFilePtr file = read_source_file(certificate_);
  const nlohmann::json document = read_json_file(env, file);
  task_of(document, certificate_schema, file);
  if (!document.contains("certificate")) throw_malformed({file, 0, 0}, "the member \"certificate\" is missing");
  const model::Program program = input_.load_for_proofs(env, end_unheard(*this, console));
  expect_bound_fits(program, threads_);
  const std::string differences = other_question(document, input_.to_json(threads_), program);
  if (!differences.empty()) {
    throw_malformed({file, 0, 0}, "the certificate answers another question than the one asked:" + differences);
  }
  const result::CertificateCheck check = result::check_certificate(env, program, threads_, document["certificate"]);
  if (!check.complete) return unknown(console, check.message);
  if (!check.valid) throw_malformed({file, 0, 0}, fmt::format("the certificate does not hold: {}", check.message));
  const std::string bound = threads_ ? fmt::format(" --threads {}", *threads_) : "";
  console.out(fmt::format("SAFE: {}\nprogram: {}{}\nproperty: {}\n", check.message, input_.command_line(), bound,
                          properties_in_words(program)));
  for (const std::string& assumption : program.assumptions) console.out(fmt::format("assumed: {}\n", assumption));
  return ExitCode::Safe;
}

}  // namespace cohort::cli
