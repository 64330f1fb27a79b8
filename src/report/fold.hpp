// A story that is longer than a page, made shorter where that hides little: calls that nobody else came into become a
// line each, and so do lines that have been told before with other values.
#pragma once

#include <vector>

#include "report/story.hpp"

namespace cohort::report {

// The lines themselves where they fit on a page.
std::vector<StoryLine> folded(std::vector<StoryLine> lines);

}  // namespace cohort::report
