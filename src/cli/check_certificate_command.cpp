#include "cli/check_certificate_command.hpp"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "cli/certificate_file.hpp"
#include "result/certificate.hpp"

namespace cohort::cli {

std::string CheckCertificateCommand::summary() const {
  return "Verify a certificate of SAFE without any engine";
}

std::string CheckCertificateCommand::examples() const {
  return "  cohort verify mutex.bp --threads 3 --certificate proof.json\n"
         "  cohort check-certificate mutex.bp proof.json";
}

void CheckCertificateCommand::declare(OptionTable& table) {
  input_.declare_file(table);
  table.argument("CERTIFICATE", certificate_, "What `cohort verify --certificate` wrote");
  run_.declare(table);
}

ExitCode CheckCertificateCommand::run(Console& console) {
  Env env;
  run_.apply(console, env);
  const SourceFilePtr file = read_source_file(certificate_);
  const nlohmann::json document = read_json_file(file);
  input_.read_json(task_of(document, certificate_schema, file), file);
  if (!document.contains("certificate")) throw_malformed({file, 0, 0}, "the member \"certificate\" is missing");
  const model::Program program = input_.load_flat();
  const result::CertificateCheck check = result::check_certificate(env, program, document["certificate"]);
  if (!check.complete) {
    console.out(fmt::format("UNKNOWN: {}\n", check.message));
    return ExitCode::Unknown;
  }
  if (!check.valid) throw_malformed({file, 0, 0}, fmt::format("the certificate does not hold: {}", check.message));
  // What holds is said by the checker, and how the program was read by its options: the document's own claims count for
  // nothing.
  console.out(fmt::format("SAFE: {}\nprogram: {}\n", check.message, input_.command_line()));
  return ExitCode::Safe;
}

}  // namespace cohort::cli
