// Threads that wait for ever while others go on, on the interpreter: what a property of kind Deadlock means beyond the
// state in which nobody can move.
#pragma once

#include <cstddef>

#include "model/interpreter.hpp"

namespace cohort::model {

enum class Waiting {
  ForEver,    // an execution from here comes to where some threads can never go on, whatever the others do
  Ends,       // none does
  Undecided,  // there are more states than were to be looked at
};

// By trying all executions from `state`, of at most `most` states.
Waiting waits_for_ever(const Interpreter& interpreter, const State& state, std::size_t most);

}  // namespace cohort::model
