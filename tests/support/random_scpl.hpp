// Random symmetric concurrent programs, small enough for brute force: variables of one or two bits, a handful of
// statements, one kind of threads or two, sometimes a main thread that starts others.
#pragma once

#include <cstdint>
#include <string>

namespace cohort::test {

std::string random_scpl_program(std::uint64_t seed);

}  // namespace cohort::test
