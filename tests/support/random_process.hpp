// Random process programs as text: small, with few values, and with every construct of the language.
#pragma once

#include <cstdint>
#include <string>

namespace cohort::test {

// The same seed gives the same program.  Values stay between -3 and 3, arrays have two elements, and every program has
// a property.
std::string random_process_program(std::uint64_t seed);

}  // namespace cohort::test
