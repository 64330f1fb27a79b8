#include "cli/specified.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "report/violation_class.hpp"

namespace cohort::cli {

using result::Answer;
using result::Verdict;

namespace {

// Is it an assertion of the C library, which the property of unreachable calls does not speak of?  A program may define
// a macro of that name for itself.
bool is_library_assertion(const report::Violation& violation) {
  if (violation.text.find("__assert_fail") != std::string::npos) return true;
  if (!violation.text.starts_with("assert")) return false;
  return !violation.span.known() || violation.span.file->text().find("define assert") == std::string::npos;
}

bool is_meant(const report::Violation& violation, const load::Specification& specification) {
  const report::ViolationClass& kind = report::class_of(violation);
  if (kind.id == "assertion" && specification.text.find("__assert_fail") == std::string::npos &&
      is_library_assertion(violation)) {
    return false;
  }
  const auto& meant = specification.subproperties;
  return meant.empty() || std::find(meant.begin(), meant.end(), kind.subproperty) != meant.end();
}

}  // namespace

Answer as_specified(const model::Program& program, Answer answer, const load::Specification& specification) {
  if (answer.result.verdict != Verdict::Unsafe) return answer;
  const report::Violation violation = report::violation_of(program, answer);
  if (is_meant(violation, specification)) return answer;
  const std::string place = violation.span.known() ? " at " + to_string(violation.span) : "";
  Answer other{.result = result::Result::unknown(fmt::format(
                   "the violation that was found is not of the property asked for: {}{}", violation.text, place)),
               .scope = answer.scope,
               .engine = answer.engine};
  other.attempts = std::move(answer.attempts);
  return other;
}

std::string verdict_line(const model::Program& program, const Answer& answer, bool claims_all) {
  if (answer.result.verdict == Verdict::Unsafe) {
    const auto& kind = report::class_of(report::violation_of(program, answer));
    return fmt::format("VERDICT: FALSE({})", kind.subproperty.empty() ? kind.id : kind.subproperty);
  }
  if (answer.result.verdict == Verdict::Safe && claims_all) return "VERDICT: TRUE";
  if (answer.result.verdict == Verdict::Safe)
    return fmt::format("VERDICT: UNKNOWN({})", answer.up_to.empty() ? "safe for a bounded number of threads"
                                                                    : "safe up to undefined behaviour");
  std::string reason = answer.result.reason;
  std::replace(reason.begin(), reason.end(), '\n', ' ');
  return fmt::format("VERDICT: UNKNOWN({})", reason);
}

}  // namespace cohort::cli
