// Which programs linear arithmetic over integers says exactly: those that add and subtract, multiply and divide by
// constants, and mask low bits of what is not negative.  Wrap-around is no obstacle (see smt/number.hpp).
#pragma once

#include "model/commands.hpp"

namespace cohort::smt {

bool is_linear(const model::ExprPool& exprs, model::ExprId root);
// All expressions of the commands, and the conditions of the program.
bool is_linear(const model::Commands& commands);

}  // namespace cohort::smt
