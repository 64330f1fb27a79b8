// What a target language can say.  A writer states its fragment once and the check walks the whole program before a
// line is written: a feature outside is refused by its name and place, so that no writer can drop one.
#pragma once

#include <string_view>

#include "model/program.hpp"

namespace cohort::convert {

struct Fragment {
  std::string_view target;       // the language, for the message
  bool integers = false;         // fixed-width integers and ranges, compared and copied but not computed with
  bool passive_choices = false;  // broadcasts that leave the passive threads a choice
  bool any_passive = false;      // passive threads of other templates, and several that are tied to each other
  bool covers = false;           // properties over the places of several threads
};

// Throws InputError (unsupported) at the first feature outside.  Expects a flat program with one action an edge.
void require_fragment(const model::Program& program, const Fragment& fragment);

}  // namespace cohort::convert
