// The manual page, made from the options of all commands: what `man cohort` shows is what the program knows.
#pragma once

#include <string>
#include <vector>

namespace CLI {  // NOLINT(readability-identifier-naming): the library's name
class App;
}  // namespace CLI

namespace cohort::cli {

// In the macros of man(7).
std::string manual_page(const CLI::App& app, const std::vector<CLI::App*>& commands);

}  // namespace cohort::cli
