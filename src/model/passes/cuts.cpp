#include "model/passes/cuts.hpp"

#include <algorithm>

namespace cohort::model {

namespace {

bool is_cut(const Program& program, const Location& location) {
  return location.error && program.properties[location.error->value].kind == Property::Kind::Cut;
}

template <class Remove>
void remove_errors(Program& program, Remove&& remove) {
  for (Template& templ : program.templates) {
    for (Location& location : templ.locations) {
      if (location.error && remove(location)) location.error.reset();
    }
  }
}

}  // namespace

bool has_cuts(const Program& program) {
  return std::any_of(program.templates.begin(), program.templates.end(), [&](const Template& templ) {
    return std::any_of(templ.locations.begin(), templ.locations.end(),
                       [&](const Location& location) { return is_cut(program, location); });
  });
}

Program without_cuts(Program program) {
  const Program& before = program;
  remove_errors(program, [&](const Location& location) { return is_cut(before, location); });
  return program;
}

Program only_cuts(Program program) {
  const Program& before = program;
  remove_errors(program, [&](const Location& location) { return !is_cut(before, location); });
  // Properties of states would still be asked; those of locations are gone with their marks.
  for (Property& property : program.properties) {
    if (property.kind == Property::Kind::Cut) continue;
    property.kind = Property::Kind::Assertion;
    property.condition.reset();
    property.threads.clear();
  }
  program.faults = FaultPolicy::Drop;
  return program;
}

}  // namespace cohort::model
