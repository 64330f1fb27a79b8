#include "cli/certificate_file.hpp"

#include <fstream>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "cli/usage_error.hpp"
#include "model/passes/undefined_ends.hpp"
#include "model/property.hpp"
#include "report/json.hpp"

namespace cohort::cli {

using nlohmann::json;
using nlohmann::ordered_json;

namespace {

// The differences between two JSON values, one line each, with the way to the place.
void compare(const std::string& place, const json& asked, const json& certified, std::string& differences) {
  if (asked.is_object() && certified.is_object()) {
    for (const auto& [name, value] : asked.items()) {
      const std::string within = place.empty() ? name : place + "." + name;
      compare(within, value, certified.contains(name) ? certified[name] : json("(nothing)"), differences);
    }
    for (const auto& [name, value] : certified.items()) {
      if (!asked.contains(name)) differences += fmt::format("\n  {}: the certificate has a member more", name);
    }
    return;
  }
  const auto shown = [](const json& value) { return value.dump(-1, ' ', false, json::error_handler_t::replace); };
  if (asked != certified) {
    differences +=
        fmt::format("\n  {}: asked {}, the certificate was made for {}", place, shown(asked), shown(certified));
  }
}

// Which files the program consists of is the user's to say: they may have moved.
json without_files(json task) {
  if (!task.is_object()) return task;
  task.erase("file");
  if (task.contains("c") && task["c"].is_object()) task["c"].erase("more_files");
  return task;
}

}  // namespace

ordered_json properties_to_json(const model::Program& program) {
  ordered_json list = ordered_json::array();
  for (const model::Property& property : program.properties) {
    // Where executions end is not what was asked.
    if (model::is_undefined_end(property)) continue;
    list.push_back({{"kind", to_string(property.kind)}, {"text", property.text}});
  }
  return list;
}

void write_certificate_file(const std::string& path, const model::Program& program,
                            const result::Certificate& certificate, const nlohmann::ordered_json& task) {
  nlohmann::ordered_json document = {{"schema", certificate_schema}, {"tool", report::tool_to_json()}, {"task", task}};
  document["properties"] = properties_to_json(program);
  document["assumptions"] = program.assumptions;
  document["certificate"] = certificate.to_json(program);
  std::ofstream out(path);
  // Without line breaks: a closed set has many small numbers.
  out << document.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) << "\n";
  out.flush();
  if (!out) throw UsageError(fmt::format("cannot write the certificate to {}", path));
}

std::string other_question(const json& document, const ordered_json& task, const model::Program& program) {
  std::string differences;
  const auto part = [&](const char* name) { return document.contains(name) ? document[name] : json("(nothing)"); };
  compare("", without_files(json(task)), without_files(part("task")), differences);
  compare("properties", json(properties_to_json(program)), part("properties"), differences);
  compare("assumptions", program.assumptions, part("assumptions"), differences);
  return differences;
}

}  // namespace cohort::cli
