// Parts of the program that are loaded when they are first needed: merely starting with the libraries behind them would
// cost more than most runs.  A module has its own copies of the functions of base/ that it calls; objects and
// exceptions pass freely, since both sides are compiled from the same headers.
#pragma once

#include <string>

namespace cohort {

// Where the program is, for dlopen().
std::string program_folder();

// The function with this name in the module `file` ("cohort_clp.so"), which lies beside the program, one folder up (the
// tests), or where a package keeps such files, and stays loaded to the end.  `what` it is for messages: InputError
// (unsupported) where the module is missing, or is one of another version.
void* module_function(const std::string& file, const std::string& function, const std::string& what);

}  // namespace cohort
