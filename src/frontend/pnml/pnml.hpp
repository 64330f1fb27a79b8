// Place/transition nets in PNML, the interchange format for Petri nets.  What is read and what is refused is in
// docs/formats.md.
#pragma once

#include <optional>
#include <string>

#include "base/env.hpp"
#include "base/source.hpp"
#include "model/program.hpp"

namespace cohort::frontend::pnml {

struct Options {
  // `p>=2,q`, by the ids or the names of places; PNML itself has no targets, so none: no property.
  std::optional<std::string> target;
};

model::Program load(const SourceFilePtr& file, const Options& options, Env* env = nullptr);

}  // namespace cohort::frontend::pnml
