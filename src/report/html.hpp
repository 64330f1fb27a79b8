// An answer as one page that opens from disk: the verdict in words, the interleaving in lanes to step through with the
// values and the source, and what was assumed.  The page is `html/report.html`, which the build puts into the program.
#pragma once

#include <string>

#include "base/env.hpp"
#include "report/text.hpp"
#include "result/answer.hpp"

namespace cohort::report {

std::string to_html(const model::Program& program, const result::Answer& answer, const Statistics& statistics,
                    TraceDetail detail);

// The page without data.
const std::string& html_page();

}  // namespace cohort::report
