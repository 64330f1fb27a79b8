// Whether a thread at a place can always go on, whatever others have done.
#pragma once

#include <span>

#include "model/program.hpp"

namespace cohort::model {

// Can one of these edges out of one place of the template always be taken, if the thread may move at all?  One that has
// no condition, or one of two with a condition and its opposite.  The bound on threads may block who creates some.
bool can_always_go_on(const Program& program, TemplateId templ, std::span<const Edge* const> out);

}  // namespace cohort::model
