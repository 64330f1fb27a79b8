// What some processes can see: an upper approximation of the reachable states, for the search from the bad states.
//
// Backward, most states that a set holds are unreachable, and worse than useless: they break every invariant of the
// data structures, so that nothing about them is regular.  The approximation (that of overlapping projections, after
// Govindaraju and Dill) keeps, for every choice of a few processes, the values that the shared variables and the cells
// of these processes take together in the states reached so far; the set of states is the conjunction of these *views*.
// Images of the whole set are projected onto every view again, until nothing is added.  With one process to a view this
// finds, for instance, which pointers cannot be NULL in which mode; the diagrams stay small, since the cells of the
// processes lie one after the other below the shared ones and depend on nothing but these.
//
// The least fixpoint is unique, so it is the same after every exchange of processes that leaves the program and its
// initial states as they are, as a search that exchanges processes needs it.
#pragma once

#include "engine/pointer/forgetting.hpp"
#include "engine/pointer/steps.hpp"

namespace cohort::engine::pointer {

// A superset of the states that can be reached from `initial` by steps and resets of inactive variables, by views of
// `size` processes; `within` is another one, perhaps coarser, which the result is part of.  Throws dd::OutOfMemory.
dd::Bdd reachable_by_views(const Steps& steps, const Forgetting& forgetting, const dd::Bdd& initial,
                           const dd::Bdd& within, std::size_t size);

}  // namespace cohort::engine::pointer
