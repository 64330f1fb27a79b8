// An answer as one page that opens from disk: the verdict in words, the interleaving in lanes to step through with the
// values, the source and the control flow, what holds at each place where that was proved, and what was assumed.  The
// page is `html/report.html`, which the build puts into the program; it is made of the sources in report/html.
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
