// Which threads are told apart when any number of threads is looked at.  A template of which at most one thread is ever
// created (main, usually) has a slot of its own, always in view; threads of all other templates are replicated, and
// two of them are in view at a time.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/commands.hpp"

namespace cohort::engine::cegar {

struct Layout {
  explicit Layout(const model::Commands& commands);

  struct Single {
    model::TemplateId templ;
    std::optional<std::size_t> group;  // of initial threads; none: it is created later
  };

  std::vector<Single> singles;
  std::vector<std::optional<std::size_t>> single_of;  // by template: its number in `singles`
  std::vector<std::size_t> replicated_groups;         // of initial threads
};

// Does the number of threads at the start have no bound?
bool starts_with_any_number(const model::Program& program);

}  // namespace cohort::engine::cegar
