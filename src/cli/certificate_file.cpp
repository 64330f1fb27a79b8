#include "cli/certificate_file.hpp"

#include <fstream>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "cli/usage_error.hpp"
#include "report/json.hpp"

namespace cohort::cli {

void write_certificate_file(const std::string& path, const model::Program& program,
                            const result::Certificate& certificate, const nlohmann::ordered_json& task) {
  nlohmann::ordered_json document = {{"schema", certificate_schema}, {"tool", report::tool_to_json()}, {"task", task}};
  document["certificate"] = certificate.to_json(program);
  std::ofstream out(path);
  // Without line breaks: a closed set has many small numbers.
  out << document.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) << "\n";
  out.flush();
  if (!out) throw UsageError(fmt::format("cannot write the certificate to {}", path));
}

}  // namespace cohort::cli
