// Atomic sections on the flat graph.
#pragma once

#include <cstdint>
#include <vector>

#include "frontend/c/lower/flat.hpp"

namespace cohort::frontend::c::lower {

// Puts AtomicBegin and AtomicEnd around nodes that are one step together: those of an atomic group and, where the
// options say so, those of a statement.
void bracket_groups(Flat& flat, Body& body);

// How deep inside sections a thread may be when it is at a node: bit d for depth d.
using Depths = std::uint32_t;
constexpr Depths outside = 1;

// For each node.  Deeper than the last bit counts as the last.
std::vector<Depths> section_depths(const Body& body);

}  // namespace cohort::frontend::c::lower
