// A run as machine formats tell it: one entry for each statement that a thread executes without interruption, though it
// may take several steps of the model, and of what changes only what has a name in the program.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "report/trace_view.hpp"

namespace cohort::report {

struct FlowStep {
  std::string thread;        // "T1"
  std::uint32_t number = 0;  // 1
  model::TemplateId templ;
  std::size_t first = 0;  // of the run's steps
  SourceSpan span;
  std::string statement;
  bool begins = true;     // false: the thread goes on with a statement in which it was interrupted
  bool switches = false;  // another thread was at work before
  bool violates = false;
  std::vector<Changes> changes;
  std::vector<std::string> created;
  std::vector<std::string> ended;
  std::optional<model::FaultKind> fault;
};

std::vector<FlowStep> flow_of(const TraceView& view);

// Is this something in the program, rather than what a front end made?
bool is_in_program(const NamedValue& value);

// "counter = 1, T1.mine = 0, creates T2"; only what is in the program.
std::string effects_of(const FlowStep& step);

}  // namespace cohort::report
