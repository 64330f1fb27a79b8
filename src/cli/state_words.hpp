// States in the words of commands that print sets of them.
#pragma once

#include <string>
#include <vector>

#include "model/program.hpp"
#include "model/state.hpp"

namespace cohort::cli {

// "x=1 a[0]=2"; empty where there are no variables.
std::string values_words(const std::vector<model::Variable>& variables, const model::Valuation& values);

// Where a thread is: its label, with the template's name in front where the program has several templates.
std::string place_words(const model::Program& program, const model::ThreadState& thread);

// Place and locals: "L x=1"; with a remark on a thread inside an atomic section.
std::string thread_words(const model::Program& program, const model::ThreadState& thread);

// The threads at the start: "1 thread of main", "any number of threads of worker".
std::string start_words(const model::Program& program);

}  // namespace cohort::cli
