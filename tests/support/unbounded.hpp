// Comparisons of the engines for any number of threads with brute force: each returns what disagrees, or "" when all
// agrees.
#pragma once

#include <cstdint>
#include <string>

#include "model/program.hpp"

namespace cohort::test {

// A random thread transition system with this many shared and local states, in the `.tts` notation without target
// lines; `broadcasts` adds passive updates and transfers.
std::string random_tts(std::uint64_t seed, unsigned shared, unsigned locals, unsigned transitions, bool broadcasts);

// A random net in the notation of `.spec`: places with a fixed number of tokens, with at least so many, and with any
// number; rules with weights, transfers and resets; one or two targets.
std::string random_net(std::uint64_t seed, unsigned places, unsigned rules, bool transfers);

// All engines that take the program agree, each UNSAFE replays, each SAFE is certified where the engine certifies; and
// breadth-first search over the interpreter with up to `threads` threads finds no violation where they say SAFE, and
// finds one where they name that few threads.
std::string compare_unbounded(const model::Program& program, std::uint32_t threads);

}  // namespace cohort::test
