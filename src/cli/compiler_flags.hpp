// The flags of compilers, as they stand in build scripts, for the C programs on the command line.
#pragma once

#include <string>
#include <vector>

namespace cohort::cli {

// The arguments with what compilers call -std=c11, -include X or -isystem X as our options are called, without what
// makes no difference to what a program means (-Wall, -O2, -g, -pthread, -lm, ...), and with the words after `--` as
// the arguments of the program.  Arguments that name no C program stay as they are.
std::vector<std::string> without_compiler_flags(const std::vector<std::string>& arguments);

}  // namespace cohort::cli
