// Is what commands other than `verify` tell of a program all of it?  Where the model ends before the program does, they
// would tell less: what is reached there would be missing.
#pragma once

#include <optional>
#include <string>

#include "base/env.hpp"
#include "model/program.hpp"
#include "strategy/question.hpp"

namespace cohort::cli {

// Why not: the end of the model that an execution comes to, or may come to.
std::optional<std::string> leaves_model(Env& env, const model::Program& flat, const strategy::Threads& threads);

}  // namespace cohort::cli
