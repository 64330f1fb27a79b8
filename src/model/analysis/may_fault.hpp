// The one place that says which expressions and actions may fault: a division by zero, an access through a reference
// that leads to no thread, an index or a value out of its range, a mathematical integer that leaves 64 bits.  It is an
// over-approximation by syntax of what eval.cpp does: what may not fault here never does there.
#pragma once

#include <cstdint>

#include "model/program.hpp"

namespace cohort::model {

// Does a reference lead to a thread if it names one, is bound by a quantifier or stands for the executing thread?  Only
// the caller knows: it does where all threads are of one template and none ever ends.
enum class NamedThreads : std::uint8_t { MayBeMissing, Exist };

// May evaluating `root` fault?
bool may_fault(const ExprPool& pool, ExprId root, NamedThreads threads = NamedThreads::MayBeMissing);
// May writing `value` to a variable of type `type` through `target` fault?
bool may_fault(const ExprPool& pool, const LValue& target, const Type& type, ExprId value);
// `templ` is the template whose edge holds the action.
bool may_fault(const Program& program, const Template& templ, const Action& action);

}  // namespace cohort::model
