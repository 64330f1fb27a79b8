// A certificate on disk: the certificate itself, and the question that it answers: how the program was read, what was
// asked of it, and what was taken for granted.  The question is for comparison only: whoever checks a certificate asks
// their own.
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "model/program.hpp"
#include "result/certificate.hpp"

namespace cohort::cli {

inline constexpr const char* certificate_schema = "cohort-certificate-1";

// Throws UsageError when the file cannot be written.
void write_certificate_file(const std::string& path, const model::Program& program,
                            const result::Certificate& certificate, const nlohmann::ordered_json& task);

// The properties of a program, as documents have them.
nlohmann::ordered_json properties_to_json(const model::Program& program);

// How the question of a certificate's document differs from `task` and `program`, one line for each difference; empty:
// it is the same.
std::string other_question(const nlohmann::json& document, const nlohmann::ordered_json& task,
                           const model::Program& program);

}  // namespace cohort::cli
