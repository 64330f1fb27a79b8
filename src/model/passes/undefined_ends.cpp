#include "model/passes/undefined_ends.hpp"

#include <algorithm>
#include <string_view>

namespace cohort::model {

namespace {

constexpr std::string_view mark = "undefined behaviour: ";

bool is_marked(const Program& program, const Location& location) {
  return location.error && is_undefined_end(program.properties[location.error->value]);
}

}  // namespace

std::string undefined_end_text(const std::string& what) {
  return std::string(mark) + what;
}

bool is_undefined_end(const Property& property) {
  return property.kind == Property::Kind::Cut && std::string_view(property.text).starts_with(mark);
}

// The steps to the ends can never be taken, so that engines need not look at their conditions.  But who waits goes
// there: a thread whose execution ends in the condition that it waits for has given up, and waits no more.
Program without_undefined_ends(Program program) {
  for (Template& templ : program.templates) {
    for (Edge& edge : templ.edges) {
      const bool waits = templ.locations[edge.source.value].waits;
      if (waits || !is_marked(program, templ.locations[edge.target.value])) continue;
      edge.actions.front().guard = program.exprs.falsity();
    }
    for (Location& location : templ.locations) {
      if (is_marked(program, location)) location.error.reset();
    }
  }
  while (!program.properties.empty() && is_undefined_end(program.properties.back())) program.properties.pop_back();
  return program;
}

Program asking_for_undefined_ends(Program program) {
  for (Property& property : program.properties) {
    if (is_undefined_end(property)) property.kind = Property::Kind::Assertion;
  }
  for (Template& templ : program.templates) {
    for (Location& location : templ.locations) {
      const bool asked = location.error && program.properties[location.error->value].text.starts_with(mark);
      if (!asked) location.error.reset();
    }
  }
  // Of the others none is asked; those that speak of states must not be left to be looked at.
  for (Property& property : program.properties) {
    if (property.text.starts_with(mark)) continue;
    property = {.kind = Property::Kind::Assertion, .text = property.text, .span = property.span};
  }
  return program;
}

}  // namespace cohort::model
