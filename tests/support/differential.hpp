// Comparisons of engines with brute force over the interpreter, shared by the tests and the fuzzer.  Each returns what
// disagrees, or "" when all agrees.
#pragma once

#include <cstdint>
#include <string>

#include "model/program.hpp"

namespace cohort::test {

// More states than this make a comparison give up (it then returns "").
constexpr std::size_t max_compared_states = 20'000;

// The states of explicit counter abstraction, and of the plain search, are exactly the interpreter's reachable states;
// verdicts agree; every UNSAFE replays with a run of the shortest length, and every SAFE has a certificate that the
// checker accepts.  `program` is flat.
std::string compare_explicit(const model::Program& program, std::uint32_t bound);

}  // namespace cohort::test
