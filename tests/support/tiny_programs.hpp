// Every program of a small shape: one shared Boolean, two locations and an error location, and a given number of edges
// from a fixed alphabet that has one edge for each combination of source, target, guard and effect.
#pragma once

#include <cstddef>
#include <vector>

#include "model/program.hpp"

namespace cohort::test {

// Number of edges in the alphabet.
std::size_t tiny_alphabet_size();

// The program with these edges of the alphabet.
model::Program tiny_program(const std::vector<std::size_t>& letters);

}  // namespace cohort::test
