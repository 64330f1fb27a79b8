// Answers for people.  The first line is the verdict with its scope; UNSAFE goes on with the interleaving.
#pragma once

#include <string>

#include "base/env.hpp"
#include "report/trace_view.hpp"
#include "result/answer.hpp"

namespace cohort::report {

struct TextStyle {
  bool color = false;
  bool trace = true;        // what follows the verdict: the interleaving, or how many threads suffice
  bool statistics = false;  // `key: value` lines; UNKNOWN always shows them
  bool verbose = false;     // UNKNOWN: what each engine did, a line each
};

std::string to_text(const model::Program& program, const result::Answer& answer, const Statistics& statistics,
                    const TextStyle& style);

// The steps of a run, one line each, with a line where another thread takes over.
std::string trace_text(const model::Program& program, const model::Run& run);

// One step: the thread, the place, the statement, and what changed.  `step` is padded to the widths that trace_text()
// uses for a whole run; by themselves the columns are as wide as they need to be.
std::string effect_text(const model::Program& program, const StepView& step);
std::string place_text(const SourceSpan& span);

std::string statistics_text(const Statistics& statistics);

}  // namespace cohort::report
