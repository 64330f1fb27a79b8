// A program as rules over counters, complete and self-contained: the common source of the writers for thread transition
// systems and Petri nets.
//
// A control state stands for the shared state and, inside an atomic section, for the local state of the thread there
// (which waits at the place `inside`); a place stands for a local state.  Whatever violates the properties leads to the
// control state `bad`.  Only control states and places that could be reached are listed, by an analysis that forgets
// how many threads there are.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/program.hpp"

namespace cohort::convert {

struct CounterRules {
  using Index = std::uint32_t;

  struct Rule {
    Index from = 0;
    Index to = 0;
    std::vector<Index> takes;  // places, one entry a thread; the active thread first
    std::vector<Index> gives;
    std::vector<std::pair<Index, Index>> moves;  // where passive threads go; a place not listed stays
  };

  std::vector<std::string> controls;  // what each stands for
  std::vector<std::string> places;
  Index start = 0;
  Index bad = 0;
  std::vector<std::pair<Index, std::optional<std::uint32_t>>> initial;  // none: any number of threads
  std::vector<Rule> rules;
};

// Refuses programs with references between threads, and broadcasts that a thread can block.
CounterRules counter_rules(const model::Program& program);

}  // namespace cohort::convert
