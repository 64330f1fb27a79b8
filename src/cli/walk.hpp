// A walk through a program: the run so far, the steps that are possible now, and a way back.
#pragma once

#include <cstdint>
#include <optional>
#include <random>
#include <vector>

#include "base/env.hpp"
#include "model/interpreter.hpp"
#include "model/run.hpp"
#include "report/trace_view.hpp"

namespace cohort::cli {

class Walk {
 public:
  // Starts in an initial state drawn by `random`.  Throws Stopped at the limits of `env`, as taking a step does.
  Walk(const model::Program& program, std::uint32_t bound, std::mt19937_64& random, Env* env = nullptr);

  const model::Program& program() const { return *program_; }
  const model::Run& run() const { return run_; }
  // Sorted by thread; steps that fault are among them.
  const std::vector<model::Transition>& choices() const { return choices_; }
  // A possible step in words.
  report::StepView tell(const model::Transition& step) const { return narrator_.tell(step); }

  // What the run violates as it is, if anything.
  std::optional<model::PropertyId> violated() const { return interpreter_.violated(run_.last()); }
  bool faulted() const { return !run_.steps.empty() && run_.steps.back().fault.has_value(); }
  bool ended() const { return choices_.empty() || faulted() || violated().has_value(); }

  void take(std::size_t choice);
  // Back by one step; at the start it does nothing.
  void undo();

 private:
  void look_around();

  const model::Program* program_;
  model::Interpreter interpreter_;
  model::Run run_;
  report::Narrator narrator_;
  std::vector<model::Transition> choices_;
};

}  // namespace cohort::cli
