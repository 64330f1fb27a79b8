// Answers to the questions of property files, which are narrower than those of the C front end: a program that fails an
// assertion does not call reach_error(), and one that divides by zero accesses no invalid memory.
#pragma once

#include <string>

#include "load/property_file.hpp"
#include "result/answer.hpp"

namespace cohort::cli {

// The answer, or UNKNOWN where the violation is none of what the specification speaks of: whether there is another one
// is not known then.
result::Answer as_specified(const model::Program& program, result::Answer answer,
                            const load::Specification& specification);

// The last line of the answer, as tools of competitions read it: `VERDICT: TRUE`, `VERDICT: FALSE(no-data-race)`,
// `VERDICT: UNKNOWN(reason)`.
std::string verdict_line(const model::Program& program, const result::Answer& answer, bool claims_all);

}  // namespace cohort::cli
