// When an expression has a value: what the paper calls not being a memory fault, as a condition that never faults
// itself.
//
// It lets faults of guards and of actions be treated apart: a step that must not be taken where its guard has no value
// gets `defined(guard)` before the guard, and so do assignments.  The condition has as many nodes as the expression, up
// to a constant.
#pragma once

#include <cstdint>

#include "model/program.hpp"

namespace cohort::frontend::red {

// The expression has a value, in a program with processes 1 to `processes`.
model::ExprId defined(model::ExprPool& exprs, model::ExprId expression, std::uint32_t processes);
// The assignment can be made: its target exists, its value is defined and one that a variable of `type` can hold.
model::ExprId can_assign(model::ExprPool& exprs, const model::Assign& assign, const model::Type& type,
                         std::uint32_t processes);

}  // namespace cohort::frontend::red
