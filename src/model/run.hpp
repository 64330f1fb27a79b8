// An execution of a program: an initial state and the transitions taken from it, each with the state it leads to.
#pragma once

#include <vector>

#include "model/interpreter.hpp"

namespace cohort::model {

struct Run {
  State initial;
  std::vector<Transition> steps;
  // The values of choices that no one can enumerate (an integer of 32 bits): all that such choices take in this run.
  // Whoever executes it makes the interpreter choose among these.
  std::vector<Value> choices{};

  const State& last() const { return steps.empty() ? initial : steps.back().target; }
};

// The interpreter that executes the run, or changes of it.
inline Interpreter interpreter_for(const Program& program, std::optional<std::uint32_t> bound, const Run& run,
                                   Env* env = nullptr) {
  Interpreter interpreter(program, bound, env);
  if (!run.choices.empty()) interpreter.choose_among(run.choices);
  return interpreter;
}

// Values with which choices of wide types are worth trying: the constants of the program and their neighbours.
std::vector<Value> sample_values(const Program& program);

}  // namespace cohort::model
