#include "report/sarif.hpp"

#include <algorithm>
#include <map>

#include <fmt/core.h>

#include "base/sha256.hpp"
#include "base/version.hpp"
#include "report/flow.hpp"
#include "report/waiting.hpp"

namespace cohort::report {

using nlohmann::ordered_json;
using result::Answer;
using result::Verdict;

namespace {

ordered_json text_of(const std::string& text) {
  return {{"text", text}};
}

ordered_json cwe_reference(unsigned cwe) {
  return {{"id", std::to_string(cwe)}, {"toolComponent", {{"name", "CWE"}}}};
}

ordered_json rule_of(const ViolationClass& one) {
  ordered_json rule = {{"id", one.id},
                       {"shortDescription", text_of(std::string(one.title))},
                       {"defaultConfiguration", {{"level", "error"}}}};
  ordered_json tags = ordered_json::array({"correctness", "concurrency"});
  ordered_json relationships = ordered_json::array();
  for (const unsigned cwe : one.cwes) {
    tags.push_back(fmt::format("external/cwe/cwe-{:03}", cwe));
    relationships.push_back({{"target", cwe_reference(cwe)}, {"kinds", {"superset"}}});
  }
  if (!relationships.empty()) rule["relationships"] = relationships;
  rule["properties"] = {{"tags", tags}};
  return rule;
}

ordered_json driver() {
  ordered_json rules = ordered_json::array();
  for (const ViolationClass& one : violation_classes()) rules.push_back(rule_of(one));
  return {{"name", "Cohort"}, {"version", version()}, {"semanticVersion", version()}, {"rules", rules}};
}

ordered_json taxonomy() {
  std::vector<unsigned> numbers;
  for (const ViolationClass& one : violation_classes()) numbers.insert(numbers.end(), one.cwes.begin(), one.cwes.end());
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  ordered_json taxa = ordered_json::array();
  for (const unsigned number : numbers) taxa.push_back({{"id", std::to_string(number)}});
  return {{"name", "CWE"},
          {"organization", "MITRE"},
          {"shortDescription", text_of("The MITRE Common Weakness Enumeration")},
          {"taxa", taxa}};
}

std::size_t rule_index(const ViolationClass& one) {
  return static_cast<std::size_t>(&one - violation_classes().data());
}

// The values of the program's variables after the step.
ordered_json state_of(const std::map<std::string, std::string>& values) {
  ordered_json state = ordered_json::object();
  for (const auto& [name, value] : values) state[name] = text_of(value);
  return state;
}

void take_values(const Changes& changes, std::map<std::string, std::string>& values) {
  for (const NamedValue& value : changes.values) {
    if (!is_in_program(value)) continue;
    values[changes.thread.empty() ? value.shown : changes.thread + "." + value.shown] = value.text;
  }
}

std::string violation_text(const Violation& violation) {
  return violation.text.empty() ? violation.words : fmt::format("{}: {}", violation.words, violation.text);
}

// Columns of places count bytes, those of SARIF units of UTF-16.
std::size_t utf16_column(const SourceSpan& span) {
  std::size_t units = 1;
  for (const char c : span.file->line(span.line).substr(0, span.column - 1)) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte & 0xC0U) == 0x80U) continue;
    units += byte >= 0xF0U ? 2 : 1;
  }
  return units;
}

// Where the mistake is, if the property has no place of its own: the last step that has one.
SourceSpan last_place(const std::vector<FlowStep>& flow) {
  for (auto it = flow.rbegin(); it != flow.rend(); ++it) {
    if (it->span.known()) return it->span;
  }
  return {};
}

}  // namespace

std::string uri_of(const std::string& path) {
  std::string uri = path.starts_with('/') ? "file://" : "";
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || (byte >= '0' && byte <= '9') ||
                       std::string_view("-._~/").find(c) != std::string_view::npos;
    uri += plain ? std::string(1, c) : fmt::format("%{:02X}", byte);
  }
  return uri;
}

SarifLog::SarifLog() = default;

ordered_json SarifLog::artifact(const SourceFilePtr& file) {
  const std::string uri = uri_of(file->name());
  std::size_t index = 0;
  while (index < artifacts_.size() && artifacts_[index]["location"]["uri"] != uri) ++index;
  if (index == artifacts_.size()) {
    artifacts_.push_back({{"location", {{"uri", uri}}}, {"hashes", {{"sha-256", sha256(file->text())}}}});
  }
  return {{"uri", uri}, {"index", index}};
}

ordered_json SarifLog::place(const SourceSpan& span) {
  ordered_json location = {{"physicalLocation", {{"artifactLocation", artifact(span.file)}}}};
  ordered_json region = {{"startLine", span.line}};
  if (span.column != 0) region["startColumn"] = utf16_column(span);
  location["physicalLocation"]["region"] = region;
  return location;
}

ordered_json SarifLog::flows_of(const model::Program& program, const model::Run& run, const Violation& violation) {
  const TraceView view = view_of(program, run);
  const std::vector<FlowStep> flow = flow_of(view);
  std::map<std::string, std::string> values;
  take_values({"", view.shared}, values);
  const ordered_json at_start = state_of(values);
  std::map<std::uint32_t, ordered_json> threads;
  for (std::size_t i = 0; i < flow.size(); ++i) {
    const FlowStep& step = flow[i];
    for (const Changes& changes : step.changes) take_values(changes, values);
    const bool last = i + 1 == flow.size();
    std::string effects = effects_of(step);
    if (last && !step.violates && !step.fault) effects += (effects.empty() ? "" : ", ") + violation.words;
    const std::string text =
        fmt::format("{}: {}{}{}", step.thread, step.statement, effects.empty() ? "" : " -- ", effects);
    ordered_json location = step.span.known() ? place(step.span) : ordered_json::object();
    location["message"] = text_of(text);
    threads[step.number].push_back({{"location", location},
                                    {"executionOrder", i + 1},
                                    {"importance", step.switches || last ? "essential" : "important"},
                                    {"state", state_of(values)}});
  }
  ordered_json flows = ordered_json::array();
  for (auto& [number, locations] : threads) {
    flows.push_back(
        {{"id", thread_name(program, number)}, {"initialState", at_start}, {"locations", std::move(locations)}});
  }
  return flows;
}

ordered_json SarifLog::result_of(const model::Program& program, const Answer& answer) {
  const Violation violation = violation_of(program, answer);
  const ViolationClass& kind = class_of(violation);
  const model::Run& run = *answer.result.run;
  std::string message = violation_text(violation) + " (" + scope_words(program, answer) + ")";
  if (violation.kind == "deadlock") {
    for (const std::string& words : waiting_words(program, run)) message += "\n" + words;
  }
  ordered_json result = {{"ruleId", kind.id},
                         {"ruleIndex", rule_index(kind)},
                         {"level", "error"},
                         {"kind", "fail"},
                         {"message", text_of(message)}};
  const SourceSpan span = violation.span.known() ? violation.span : last_place(flow_of(view_of(program, run)));
  if (span.known()) result["locations"] = ordered_json::array({place(span)});
  if (ordered_json flows = flows_of(program, run, violation); !flows.empty()) {
    result["codeFlows"] = ordered_json::array({{{"threadFlows", std::move(flows)}}});
  }
  // The same mistake has the same fingerprint, though lines above it come and go.
  const std::string file = span.known() ? span.file->name() : program.name;
  const std::string what = fmt::format("{}\n{}\n{}", kind.id, file.substr(file.find_last_of('/') + 1), violation.text);
  result["partialFingerprints"] = {{"cohortViolation/v1", sha256(what).substr(0, 32)}};
  ordered_json taxa = ordered_json::array();
  for (const unsigned cwe : kind.cwes) taxa.push_back(cwe_reference(cwe));
  if (!taxa.empty()) result["taxa"] = taxa;
  return result;
}

void SarifLog::notify(const char* level, const std::string& message, ordered_json location) {
  notifications_.push_back(
      {{"level", level}, {"message", text_of(message)}, {"locations", ordered_json::array({std::move(location)})}});
}

void SarifLog::add(const std::string& file, const model::Program& program, const Answer& answer) {
  verdicts_.push_back({{"file", file},
                       {"verdict", verdict_word(answer.result.verdict)},
                       {"headline", headline(program, answer)},
                       {"assumptions", program.assumptions}});
  if (answer.result.verdict == Verdict::Unsafe) results_.push_back(result_of(program, answer));
  if (answer.result.verdict == Verdict::Unknown) {
    notify("warning", headline(program, answer),
           {{"physicalLocation", {{"artifactLocation", {{"uri", uri_of(file)}}}}}});
  }
}

void SarifLog::add_error(const std::string& file, const InputError& error) {
  if (!error.span().known()) return add_error(file, error.what());
  succeeded_ = false;
  notify("error", error.what(), place(error.span()));
}

void SarifLog::add_error(const std::string& file, const std::string& message) {
  succeeded_ = false;
  notify("error", message, {{"physicalLocation", {{"artifactLocation", {{"uri", uri_of(file)}}}}}});
}

void SarifLog::add_log(const ordered_json& other) {
  const ordered_json& run = other.at("runs").at(0);
  // The other's artifacts get numbers here.
  std::vector<std::size_t> numbers;
  for (const ordered_json& artifact : run.at("artifacts")) {
    std::size_t index = 0;
    while (index < artifacts_.size() && artifacts_[index]["location"] != artifact.at("location")) ++index;
    if (index == artifacts_.size()) artifacts_.push_back(artifact);
    numbers.push_back(index);
  }
  const auto renumber = [&](auto&& self, ordered_json& value) -> void {
    if (value.is_object() && value.contains("uri") && value.contains("index"))
      value["index"] = numbers.at(value["index"].get<std::size_t>());
    if (value.is_structured()) {
      for (ordered_json& member : value) self(self, member);
    }
  };
  const auto append = [&](ordered_json& list, ordered_json more) {
    renumber(renumber, more);
    for (ordered_json& one : more) list.push_back(std::move(one));
  };
  const ordered_json& invocation = run.at("invocations").at(0);
  succeeded_ = succeeded_ && invocation.at("executionSuccessful").get<bool>();
  append(results_, run.at("results"));
  append(verdicts_, run.at("properties").at("answers"));
  if (invocation.contains("toolExecutionNotifications"))
    append(notifications_, invocation.at("toolExecutionNotifications"));
}

ordered_json SarifLog::document(int exit_code) const {
  ordered_json invocation = {{"executionSuccessful", succeeded_}, {"exitCode", exit_code}};
  if (!notifications_.empty()) invocation["toolExecutionNotifications"] = notifications_;
  ordered_json run = {{"tool", {{"driver", driver()}}},
                      {"automationDetails", {{"id", "cohort/"}}},
                      {"columnKind", "utf16CodeUnits"},
                      {"taxonomies", ordered_json::array({taxonomy()})},
                      {"invocations", ordered_json::array({invocation})},
                      {"artifacts", artifacts_},
                      {"results", results_},
                      {"properties", {{"answers", verdicts_}}}};
  return {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
          {"version", "2.1.0"},
          {"runs", ordered_json::array({run})}};
}

}  // namespace cohort::report
