// Which permutations of the processes leave the program, its initial condition and its properties as they are (section
// 6 of the RED paper).  Only these may be used to identify states: under a larger group the reduced system may contain
// images of reachable states that are not reachable themselves, and answer wrongly (the anomaly of image false
// reachability, figure 2).
//
// A process that the program's steps name stays where it is, and where steps calculate with process numbers, all do.
// In conditions processes may be named and still be exchanged: a permutation is admissible if it turns the syntax of
// every condition into itself, up to the order of operands that can be exchanged.  Transpositions are tried one by one;
// they generate a product of full symmetric groups, whose orbits are the classes.  Other automorphisms of the graph of
// the conditions' syntax come from bliss.  If there are any, and the whole group is small, it is listed; else the
// product is used alone, which is sound and identifies less.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/pointer/layout.hpp"
#include "engine/pointer/syntax.hpp"

namespace cohort::engine::pointer {

struct Symmetry {
  static constexpr std::size_t most_listed = 5000;

  // By process (from 0): the number of its class.  Within a class every permutation is admissible.
  std::vector<std::uint32_t> classes;
  // When not empty: the whole group, which is more than what the classes give.
  std::vector<Permutation> listed;

  bool trivial() const;
};

// No two processes are exchanged.
Symmetry no_symmetry(const Layout& layout);
Symmetry find_symmetry(const Layout& layout);

// Is the permutation admissible, by the syntax?
bool is_admissible(const Layout& layout, const Permutation& permutation);

// Do the steps and the starting modes allow it, whatever the conditions say?
bool keeps_steps(const Layout& layout, const Permutation& permutation);

// Classes from an oracle for transpositions of two processes (from 0), which must come from a group.
template <class Oracle>
std::vector<std::uint32_t> classes_by_transpositions(std::uint32_t processes, Oracle&& admissible) {
  std::vector<std::uint32_t> classes(processes, UINT32_MAX);
  std::uint32_t next = 0;
  for (std::uint32_t i = 0; i < processes; ++i) {
    for (std::uint32_t j = 0; j < i && classes[i] == UINT32_MAX; ++j) {
      // One member speaks for its class.
      bool first = true;
      for (std::uint32_t k = 0; k < j; ++k) first = first && classes[k] != classes[j];
      if (first && admissible(j, i)) classes[i] = classes[j];
    }
    if (classes[i] == UINT32_MAX) classes[i] = next++;
  }
  return classes;
}

}  // namespace cohort::engine::pointer
