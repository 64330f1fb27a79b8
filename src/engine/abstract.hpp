// The abstraction that predicate abstraction with refinement ends with, for people to read.
// Implemented by engine/cegar.
#pragma once

#include <cstdint>
#include <string>

#include "base/env.hpp"
#include "engine/engine.hpp"
#include "result/result.hpp"

namespace cohort::engine {

struct Abstraction {
  result::Result result;
  std::string text;  // the Boolean program of the last iteration; empty: a limit stopped it
};

// The engine `cegar` takes the task.  `cube_length` is for the oracle's predicates; `checker` checks Boolean programs.
Abstraction abstract_program(Env& env, const Task& task, std::uint32_t cube_length, const Engine* checker);

}  // namespace cohort::engine
