#include "cli/compiler_flags.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace cohort::cli {

namespace {

bool names_c_program(const std::string& argument) {
  return argument.ends_with(".c") || argument.ends_with(".i");
}

// A flag that means nothing here; those of one letter that are options of ours are not among them.
bool makes_no_difference(std::string_view flag) {
  constexpr std::string_view whole[] = {"-pthread", "-pthreads", "-pedantic", "-pedantic-errors",
                                        "-pipe",    "-static",   "-shared",   "-w",
                                        "-c",       "-ggdb",     "-rdynamic"};
  constexpr std::string_view prefixes[] = {"-W", "-O", "-f", "-g", "-L", "-M"};
  if (std::find(std::begin(whole), std::end(whole), flag) != std::end(whole)) return true;
  if (flag.starts_with("-l") && flag.size() > 2) return true;
  // -m32 and -m64 are ours.
  if (flag.starts_with("-m") && flag.size() > 2 && std::isalpha(static_cast<unsigned char>(flag[2])) != 0) return true;
  return std::any_of(std::begin(prefixes), std::end(prefixes),
                     [&](std::string_view prefix) { return flag.starts_with(prefix); });
}

bool takes_next(std::string_view flag) {
  return flag == "-MF" || flag == "-MT" || flag == "-MQ" || flag == "-L";
}

std::string quoted(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) {
    text += text.empty() ? "'" : " '";
    for (const char character : word) {
      if (character == '\'' || character == '\\') text += '\\';
      text += character;
    }
    text += '\'';
  }
  return text.empty() ? " " : text;  // an option with an empty text has none
}

}  // namespace

std::vector<std::string> without_compiler_flags(const std::vector<std::string>& arguments) {
  const auto words = std::find(arguments.begin(), arguments.end(), "--");
  if (std::none_of(arguments.begin(), words, names_c_program)) return arguments;
  std::vector<std::string> result;
  for (auto it = arguments.begin(); it != words; ++it) {
    const std::string& argument = *it;
    if (argument.starts_with("-std=")) {
      result.push_back("-" + argument);
    } else if (argument == "-ansi") {
      result.emplace_back("--std=c90");
    } else if (argument == "-include") {
      result.emplace_back("--include");
    } else if (argument == "-isystem") {
      result.emplace_back("--system-include-dir");
    } else if (argument == "-iquote") {
      result.emplace_back("--include-dir");
    } else if (!makes_no_difference(argument)) {
      result.push_back(argument);
    } else if (takes_next(argument) && it + 1 != words) {
      ++it;
    }
  }
  if (words != arguments.end()) result.push_back("--args=" + quoted({words + 1, arguments.end()}));
  return result;
}

}  // namespace cohort::cli
