// All states of a program with a few threads, as a picture.
#pragma once

#include <cstdint>
#include <string>

#include "model/program.hpp"

namespace cohort::convert {

// The states that at most `threads` threads reach: where each thread is, what the variables hold.  States that differ
// in the order of threads only are one, unless threads are known by reference.  Steps carry their statements, states at
// the start are bold, those that violate a property red, with nothing behind them.  Takes every program that the
// interpreter executes; one with more than `most_drawn_states` is refused, since nobody could look at the picture.
inline constexpr std::size_t most_drawn_states = 2000;
std::string to_state_graph(const model::Program& program, std::uint32_t threads);

}  // namespace cohort::convert
