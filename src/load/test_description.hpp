// Test descriptions as the regression suites of BFC and of boppo have them, which are the only files in which these
// tools keep options: a `.desc` file names a program in its second line and the options in its third; what follows is
// what the tool should print, which says nothing about the question.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/source.hpp"

namespace cohort::load {

struct TestDescription {
  std::string file;  // as a path from here
  // In the notation of thread transition systems.
  std::optional<std::string> init;
  std::optional<std::string> target;
  std::vector<std::string> error_labels;  // of a Boolean program
};

bool is_test_description(std::string_view path);

// Throws InputError: malformed, or unsupported for options that ask for something else than a verdict.  Options that
// say how the tool searches and what it prints are read and mean nothing.
TestDescription read_test_description(const SourceFilePtr& file);

}  // namespace cohort::load
