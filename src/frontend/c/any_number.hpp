// `--any NAME`: a macro or constant of the program stands for every number from 1 on.
#pragma once

#include <string>
#include <vector>

#include "base/source.hpp"

namespace cohort::frontend::c {

struct AnyNumber {
  std::vector<SourceFilePtr> files;  // with the constant taken away; every line stays where it is
  std::string prelude;               // to be read before each of them
};

// Throws InputError where the name is not defined, or is used where C wants a constant.
AnyNumber with_any_number(const std::vector<SourceFilePtr>& files, const std::string& name);

// What the number is called in the files, and what it was called.
std::string any_number_object(const std::string& name);

}  // namespace cohort::frontend::c
