#include "report/junit.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "base/contract.hpp"

namespace cohort::report {

namespace {

// XML 1.0 has no way to write most control characters, and wants valid UTF-8: both become question marks.
std::string escaped(const std::string& text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte >= 0x80U) {
      const std::size_t length = byte >= 0xF0U ? 4 : byte >= 0xE0U ? 3 : 2;
      bool valid = byte >= 0xC2U && byte <= 0xF4U && i + length <= text.size();
      for (std::size_t k = 1; valid && k < length; ++k) {
        valid = (static_cast<unsigned char>(text[i + k]) & 0xC0U) == 0x80U;
      }
      result += valid ? text.substr(i, length) : "?";
      i += valid ? length - 1 : 0;
    } else if (byte < 0x20U && byte != '\n' && byte != '\t') {
      result += '?';
    } else if (byte == '&' || byte == '<' || byte == '>' || byte == '"') {
      result += fmt::format("&#{};", byte);
    } else {
      result += text[i];
    }
  }
  return result;
}

std::string_view element(JunitCase::Kind kind) {
  switch (kind) {
    case JunitCase::Kind::Passed: return "";
    case JunitCase::Kind::Failed: return "failure";
    case JunitCase::Kind::Skipped: return "skipped";
    case JunitCase::Kind::Error: return "error";
  }
  COHORT_UNREACHABLE("every outcome has an element");
}

}  // namespace

std::string to_junit(const std::vector<JunitCase>& cases, double seconds) {
  const auto count = [&](JunitCase::Kind kind) {
    return std::count_if(cases.begin(), cases.end(), [&](const JunitCase& one) { return one.kind == kind; });
  };
  std::string text = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n  <testsuite name=\"cohort\" tests=\"{}\" "
      "failures=\"{}\" errors=\"{}\" skipped=\"{}\" time=\"{:.3f}\">\n",
      cases.size(), count(JunitCase::Kind::Failed), count(JunitCase::Kind::Error), count(JunitCase::Kind::Skipped),
      seconds);
  for (const JunitCase& one : cases) {
    text +=
        fmt::format("    <testcase classname=\"cohort\" name=\"{}\" time=\"{:.3f}\"", escaped(one.name), one.seconds);
    if (one.kind == JunitCase::Kind::Passed) {
      text += "/>\n";
      continue;
    }
    const std::string_view name = element(one.kind);
    text += fmt::format(">\n      <{} message=\"{}\"", name, escaped(one.message));
    text += one.details.empty() ? "/>\n" : fmt::format(">{}</{}>\n", escaped(one.details), name);
    text += "    </testcase>\n";
  }
  return text + "  </testsuite>\n</testsuites>\n";
}

}  // namespace cohort::report
