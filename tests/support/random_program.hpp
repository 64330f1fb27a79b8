// Random small programs for differential tests: the same seed and options give the same program on every machine.
// Programs are valid (see model/validate.hpp); with `calls` they have procedures and need inlining before they run.
#pragma once

#include <cstdint>

#include "model/program.hpp"

namespace cohort::test {

struct RandomProgramOptions {
  unsigned max_shared = 3;     // Boolean shared variables, at least one
  unsigned max_locals = 2;     // Boolean locals of each template
  unsigned max_locations = 6;  // of each template, without error locations
  bool calls = true;           // procedures, parameters, results
  bool recursion = false;      // with calls: of procedures from themselves and from each other
  bool spawns = true;          // thread creation, by copy and by template
  bool ends = true;            // end_thread
  bool atomic = true;          // atomic sections, also badly nested ones
  bool choices = true;         // `*`
  bool constraints = true;     // constrain over current and primed values
  bool broadcasts = false;     // passive variables
  bool foreign = false;        // with broadcasts: of other templates, too
  bool ties = false;           // with broadcasts: constraints over two and three passive threads
  bool moves = false;          // passive moves
  bool takes = false;          // rendezvous
  bool mixed = false;          // those three, spawns and ends in one action
  bool references = false;     // thread references: remote reads and writes, choices, quantifiers
  bool deadlock = false;       // a Deadlock property, and locations that wait
  bool any_number = false;     // initial groups without a count
  bool numbers = false;        // ranges, fixed-width integers and arrays, with faults
  bool cover = false;          // a Cover property beside the assertions
};

model::Program random_program(std::uint64_t seed, const RandomProgramOptions& options = {});

}  // namespace cohort::test
