// SHA-256 (FIPS 180-4), by which documents for other tools name the files that they speak of.
#pragma once

#include <string>
#include <string_view>

namespace cohort {

// 64 hexadecimal digits.
std::string sha256(std::string_view bytes);

}  // namespace cohort
