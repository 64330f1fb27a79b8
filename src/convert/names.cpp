#include "convert/names.hpp"

#include <fmt/format.h>

#include <utility>

#include "base/contract.hpp"

namespace cohort::convert {

namespace {

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

std::string lower_case(std::string_view text) {
  std::string result;
  for (const char c : text) result += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return result;
}

}  // namespace

Names::Names(std::string_view reserved) {
  std::string word;
  for (const char c : lower_case(reserved)) {
    if (c != ' ') {
      word += c;
    } else if (!word.empty()) {
      reserved_.insert(std::exchange(word, {}));
    }
  }
  if (!word.empty()) reserved_.insert(word);
}

bool Names::is_free(const std::string& name) const {
  const std::string lower = lower_case(name);
  const std::size_t last_letter = lower.find_last_not_of("0123456789");
  COHORT_EXPECT(last_letter != std::string::npos, "a name has a character that is no digit");
  const bool numbered = last_letter + 1 < lower.size() && reserved_.contains(lower.substr(0, last_letter + 1) + '*');
  return !numbered && !reserved_.contains(lower) && !taken_.contains(name);
}

std::string Names::fresh(std::string_view wanted) {
  std::string base = wanted.empty() || !is_letter(wanted.front()) ? "v" : "";
  for (const char c : wanted) base += is_letter(c) || is_digit(c) ? c : '_';
  std::string name = base;
  for (std::size_t suffix = 2; !is_free(name); ++suffix) name = fmt::format("{}_v{}", base, suffix);
  taken_.insert(name);
  COHORT_EXPECT(is_letter(name.front()), "an identifier begins with a letter");
  return name;
}

}  // namespace cohort::convert
