#include "cli/next_command.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include <fmt/core.h>

namespace cohort::cli {

namespace {

// Options that say the same in one letter, and such that leave no room for the other.
constexpr std::array<std::pair<std::string_view, std::string_view>, 2> others = {
    {{"--threads", "-n"}, {"--threads", "--unbounded"}}};

std::string quoted(const std::string& word) {
  constexpr std::string_view plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./,:=+@%-";
  if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
  std::string text = "'";
  for (const char c : word) {
    if (c == '\'') {
      text += "'\\''";
    } else {
      text += c;
    }
  }
  return text + "'";
}

}  // namespace

std::string next_command(const std::vector<std::string>& arguments, const std::string& advice) {
  if (!advice.starts_with("--")) return "";
  const std::size_t name_end = advice.find(' ');
  const std::size_t value_end = name_end == std::string::npos ? name_end : advice.find(' ', name_end + 1);
  if (value_end == std::string::npos) return "";
  const std::string name = advice.substr(0, name_end);
  const std::string value = advice.substr(name_end + 1, value_end - name_end - 1);
  const auto is_replaced = [&](std::string_view argument) {
    return argument == name || std::any_of(others.begin(), others.end(), [&](const auto& other) {
             return other.first == name && other.second == argument;
           });
  };
  std::string command = "cohort verify";
  std::string rest;  // the program's own arguments stay last
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i] == "--") {
      for (; i < arguments.size(); ++i) rest += " " + quoted(arguments[i]);
      break;
    }
    const std::string_view option = std::string_view(arguments[i]).substr(0, arguments[i].find('='));
    if (is_replaced(option)) {
      if (option == arguments[i] && option != "--unbounded") ++i;
      continue;
    }
    command += " " + quoted(arguments[i]);
  }
  return fmt::format("{} {} {}{}   ({})", command, name, value, rest, advice.substr(value_end + 1));
}

}  // namespace cohort::cli
