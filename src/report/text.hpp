// Answers for people.  The first line is the verdict with its scope; UNSAFE goes on with the interleaving.
#pragma once

#include <cstdint>
#include <string>

#include "base/env.hpp"
#include "report/story.hpp"
#include "report/trace_view.hpp"
#include "result/answer.hpp"

namespace cohort::report {

enum class TraceDetail : std::uint8_t {
  Story,     // a line for each statement that does something, where the program's front end says enough for that
  Full,      // a line for each step of the model
  Columns,   // as Story, with a column for each thread
  Counters,  // as Full, and after it how many threads are in which local state, step by step
};

// Is the run told step by step?
constexpr bool is_full(TraceDetail detail) {
  return detail == TraceDetail::Full || detail == TraceDetail::Counters;
}

struct TextStyle {
  bool color = false;
  bool trace = true;  // what follows the verdict: the interleaving, or how many threads suffice
  TraceDetail detail = TraceDetail::Story;
  bool statistics = false;     // `key: value` lines
  bool verbose = false;        // what each engine did, a line each
  std::size_t width = 0;       // of the terminal; 0: it is none.  Where they fit, threads get columns
  std::string next_command{};  // what to type after UNKNOWN; empty: the advice is all there is
};

std::string to_text(const model::Program& program, const result::Answer& answer, const Statistics& statistics,
                    const TextStyle& style);

// A run line by line.
std::vector<StoryLine> trace_lines(const model::Program& program, const model::Run& run, TraceDetail detail);

// What the end of the run says of its violation: who waits for what, who is in whose way.
std::vector<std::string> reasons(const model::Program& program, const result::Answer& answer);

// The lines as text, with a line where another thread takes over, or in columns where those fit into the width.
std::string trace_text(const model::Program& program, const model::Run& run, TraceDetail detail, std::size_t width = 0);

// One step: the thread, the place, the statement, and what changed.  `step` is padded to the widths that trace_text()
// uses for a whole run; by themselves the columns are as wide as they need to be.
std::string effect_text(const model::Program& program, const StepView& step);
std::string place_text(const SourceSpan& span);

std::string statistics_text(const Statistics& statistics);

}  // namespace cohort::report
