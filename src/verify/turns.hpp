// Several engines in turn on one program with numbers, each for its share of the time: what `auto` does where no single
// engine is the right one.
#pragma once

#include "base/env.hpp"
#include "model/program.hpp"
#include "result/answer.hpp"
#include "verify/choose_engine.hpp"

namespace cohort::verify {

// Has the program integers of fixed width, as C programs have?
bool has_numbers(const model::Program& program);

// The first verdict of the engines; else UNKNOWN with what each of them says.
result::Answer ask_in_turns(Env& env, const model::Program& program, const Threads& threads,
                            const engine::EngineOptions& options);

}  // namespace cohort::verify
