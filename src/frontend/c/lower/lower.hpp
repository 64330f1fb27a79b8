// From a linked unit of C to the model: the part of the C front end that knows threads and memory and not Clang.
//
// The stages on the flat form of the program are the table of stages.cpp, each a file of its own; then come what
// pointers point to (points_to), what is shared (sharing), where memory lies (layout), and the edges of the model
// (emit).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/env.hpp"
#include "frontend/c/ir/names.hpp"
#include "frontend/c/ir/unit.hpp"
#include "model/program.hpp"

namespace cohort::frontend::c::lower {

using ir::Wrong;

struct Options {
  // Kinds of violation that are asked for; others end the execution silently.
  std::vector<Wrong> properties = {Wrong::Assertion};
  bool interleave_statements = false;
  bool volatile_is_atomic = false;  // accesses to volatile objects are atomic operations
  std::uint32_t heap_pool = 4;   // objects that an allocation in a loop, or in a routine of many threads, can hand out
  std::uint32_t heap_array = 8;  // elements of an allocation whose size is not constant
  std::uint32_t recursion = 8;   // calls of a function from itself
  std::uint32_t numbered_threads = 16;  // created in loops, where threads are joined
  bool reuse = true;                    // freed addresses come back
  ir::Undefined undefined = ir::Undefined::Havoc;
  std::string entry = "main";  // the function that the program starts with
  bool late_naming = true;     // threads that nobody can tell apart have no numbers
  bool simplify = true;        // with the stages that optimise
  bool self_check = true;      // validate after each stage
  std::size_t max_nodes = 200'000;
  Env* env = nullptr;  // throws Stopped at its limits; none: there are no limits

  bool asks_for(Wrong kind) const;
};

struct Lowered {
  model::Program program;
  std::vector<std::string> notes;  // what was assumed
};

// Throws InputError: unsupported, where something that is not modelled cannot be avoided.
Lowered lower(ir::Unit unit, const std::string& name, const Options& options);

}  // namespace cohort::frontend::c::lower
