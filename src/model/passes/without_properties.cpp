// Violations end searches and say nothing of what lies behind them.  A step into a location that was marked as an error
// is an ordinary step here; one that faults leads nowhere in the program itself, so that it reaches nothing.
#include "model/passes/without_properties.hpp"

namespace cohort::model {

Program without_properties(Program program) {
  program.properties.clear();
  program.faults = FaultPolicy::Drop;
  for (Template& templ : program.templates) {
    for (Location& location : templ.locations) location.error.reset();
  }
  return program;
}

}  // namespace cohort::model
