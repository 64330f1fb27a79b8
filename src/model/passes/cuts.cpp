#include "model/passes/cuts.hpp"

namespace cohort::model {

Program without_cuts(Program program) {
  for (Template& templ : program.templates) {
    for (Location& location : templ.locations) {
      if (location.error && program.properties[location.error->value].kind == Property::Kind::Cut)
        location.error.reset();
    }
  }
  return program;
}

}  // namespace cohort::model
