// A certificate on disk: the certificate itself, and how the program it speaks of was read.
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

}  // namespace cohort::cli
