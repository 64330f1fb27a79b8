// The questions that a program asks, one by one.  A program has properties, and calls of a function that has an
// assertion have one each; people ask whether *the assertion* holds.  A question is what stands at one place, or is
// called by one name: its properties belong together.
//
// Asked alone, a question is judged on the executions that come before any violation of another one: whoever runs into
// another assertion ends the execution, as `abort` does, and a step that faults is none where faults are not asked for.
// Labels that were errors are only labels then, and states that were bad only states.  So every execution that violates
// the question alone violates it, or has violated an earlier one, in the program as it was.
#pragma once

#include <string>
#include <vector>

#include "model/program.hpp"

namespace cohort::model {

struct Question {
  std::string id;  // "pool.c:36:5", "pool.c:36:5 signed overflow", "deadlock": what `asking_only` knows it by
  std::string text;
  std::vector<PropertyId> properties;
};

// In the order of their places; those without a place come last.
std::vector<Question> questions(const Program& program);

// The questions whose id is `id` or begins with it, up to a colon or a blank: "pool.c:36".
std::vector<Question> questions_at(const Program& program, const std::string& id);

// Only the given questions; properties, locations and edges keep their numbers.
Program asking_only(Program program, const std::vector<Question>& asked);

}  // namespace cohort::model
