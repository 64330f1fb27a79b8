#include "cli/error_document.hpp"

#include <nlohmann/json.hpp>

#include "base/version.hpp"
#include "report/json.hpp"

namespace cohort::cli {

std::string error_document(const ErrorReport& error) {
  nlohmann::ordered_json details = {{"kind", error.kind}, {"message", error.message}};
  if (error.span.file != nullptr) details["file"] = error.span.file->name();
  if (error.span.known()) {
    details["line"] = error.span.line;
    details["column"] = error.span.column;
  }
  return report::document_text({{"schema", error_schema},
                                {"version", version()},
                                {"tool", report::tool_to_json()},
                                {"error", details},
                                {"exit_code", static_cast<int>(error.exit_code)}});
}

}  // namespace cohort::cli
