#include "report/json.hpp"

#include <nlohmann/json.hpp>

#include "base/version.hpp"
#include "report/trace_json.hpp"
#include "report/violation_class.hpp"
#include "report/words.hpp"

namespace cohort::report {

using nlohmann::ordered_json;
using result::Answer;
using result::Verdict;

namespace {

ordered_json scope_to_json(const model::Program& program, const Answer& answer) {
  ordered_json threads = nullptr;
  if (answer.result.verdict == Verdict::Unsafe) {
    threads = result::threads_needed(*answer.result.run);
  } else if (answer.scope.bound) {
    threads = *answer.scope.bound;
  }
  return {{"threads", threads}, {"words", scope_words(program, answer)}};
}

ordered_json attempts_to_json(const Answer& answer) {
  ordered_json list = ordered_json::array();
  for (const result::Attempt& attempt : answer.attempts) {
    list.push_back(
        {{"engine", attempt.engine}, {"title", attempt.title}, {"seconds", attempt.seconds}, {"said", attempt.said}});
  }
  return list;
}

ordered_json sufficient_to_json(const Answer& answer) {
  if (answer.scope.bound || !answer.result.sufficient_threads) return nullptr;
  return *answer.result.sufficient_threads;
}

ordered_json property_to_json(const model::Program& program, const Answer& answer) {
  const Violation violation = violation_of(program, answer);
  const ViolationClass& kind = class_of(violation);
  ordered_json object = {{"kind", violation.kind}, {"class", kind.id}, {"cwe", kind.cwes}, {"text", violation.text}};
  if (violation.span.known()) {
    object["file"] = violation.span.file->name();
    object["line"] = violation.span.line;
    object["column"] = violation.span.column;
  }
  return object;
}

std::vector<std::string> assumptions_of(const model::Program& program, const Answer& answer) {
  std::vector<std::string> all = program.assumptions;
  all.insert(all.end(), answer.remarks.begin(), answer.remarks.end());
  return all;
}

}  // namespace

ordered_json statistics_to_json(const Statistics& statistics) {
  ordered_json object = ordered_json::object();
  for (const auto& [name, value] : statistics.entries()) {
    std::visit([&, key = name](const auto& number) { object[key] = number; }, value);
  }
  return object;
}

std::string document_text(const ordered_json& document) {
  return document.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

ordered_json tool_to_json() {
  return {{"name", "cohort"}, {"version", version()}};
}

ordered_json to_json(const model::Program& program, const Answer& answer, const Statistics& statistics,
                     const ordered_json& task) {
  const bool unsafe = answer.result.verdict == Verdict::Unsafe;
  const bool unknown = answer.result.verdict == Verdict::Unknown;
  return {{"schema", result_schema},
          {"version", version()},
          {"tool", tool_to_json()},
          {"task", task},
          {"verdict", verdict_word(answer.result.verdict)},
          {"scope", scope_to_json(program, answer)},
          {"sufficient_threads", sufficient_to_json(answer)},
          {"engine", answer.engine.empty() ? ordered_json(nullptr) : ordered_json(answer.engine)},
          {"property", unsafe ? property_to_json(program, answer) : ordered_json(nullptr)},
          {"reason", unknown ? ordered_json(answer.result.reason) : ordered_json(nullptr)},
          {"attempts", attempts_to_json(answer)},
          {"advice", answer.advice.empty() ? ordered_json(nullptr) : ordered_json(answer.advice)},
          {"up_to", answer.up_to.empty() ? ordered_json(nullptr) : ordered_json(answer.up_to)},
          {"checks_nothing", answer.checks_nothing},
          {"assumptions", assumptions_of(program, answer)},
          {"raised", answer.raised},
          {"trace", unsafe ? trace_to_json(program, *answer.result.run) : ordered_json(nullptr)},
          {"statistics", statistics_to_json(statistics)}};
}

}  // namespace cohort::report
