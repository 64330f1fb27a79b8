// Answers for programs: one JSON document, whose members are described in docs/json.md.
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "base/env.hpp"
#include "result/answer.hpp"

namespace cohort::report {

// The member "schema" of every document; it changes when a member changes its meaning or goes away.
inline constexpr const char* result_schema = "cohort-result-1";

// `task` says how the program was read; it is passed on as it is.
nlohmann::ordered_json to_json(const model::Program& program, const result::Answer& answer,
                               const Statistics& statistics, const nlohmann::ordered_json& task);

// The document as text, with a line break at its end.  Bytes of names and statements that are no UTF-8 are replaced.
std::string document_text(const nlohmann::ordered_json& document);

nlohmann::ordered_json statistics_to_json(const Statistics& statistics);
// {"name": "cohort", "version": ...}
nlohmann::ordered_json tool_to_json();

}  // namespace cohort::report
