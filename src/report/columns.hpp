// A run with a column for each thread, as one reads interleavings on a wide terminal: time goes down, and each
// statement stands below its thread.
#pragma once

#include <string>
#include <vector>

#include "report/story.hpp"

namespace cohort::report {

// Empty: the columns would be too narrow to read; not where they are forced.
std::string columns_text(const std::vector<StoryLine>& lines, std::size_t width, bool forced);

}  // namespace cohort::report
