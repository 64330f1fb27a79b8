// Cuts: locations where a front end gave up modelling the input.  A violation found without passing them is real;
// safety holds only if none of them is reachable.  So a program with cuts stands for two questions.
//
// Some cuts are bounds that an execution exceeds, and that an option raises.  Their text names the option with its
// value at the end, "more than 4 objects allocated here (--heap-pool 4)": whoever reads it knows what to do, and so
// does a search that raises it by itself.  Others end executions in which a simplification does not hold, and name the
// option that switches it off: "a thread that is joined twice (needs --no-late-naming)".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "model/program.hpp"

namespace cohort::model {

// Executions end at cuts, and no cut is an error.
Program without_cuts(Program program);

// Of the properties only the cuts are left.
Program asking_for_cuts(Program program);

// The text of a cut that an execution comes to when it exceeds the bound that `option` sets to `value`.
std::string exceeded_bound_text(std::string_view what, std::string_view option, std::uint64_t value);
// The text of a cut where something holds no longer that `option` does not rely on.
std::string needed_switch_text(std::string_view what, std::string_view option);
struct ExceededBound {
  std::string option;       // with its dashes
  std::uint64_t value = 0;  // of no use for a switch
  bool is_switch = false;
};
// The bound that the cut stands for; none: it is something else.
std::optional<ExceededBound> exceeded_bound(const Property& property);

}  // namespace cohort::model
