// Petri nets with transfers in MIST's format, `.spec`.  The syntax and what each rule means are in docs/formats.md.
#pragma once

#include <optional>
#include <string>

#include "base/env.hpp"
#include "base/source.hpp"
#include "model/program.hpp"

namespace cohort::frontend::spec {

struct Options {
  // `x>=2,y` instead of the targets of the file.
  std::optional<std::string> target;
};

model::Program load(const SourceFilePtr& file, const Options& options, Env* env = nullptr);

}  // namespace cohort::frontend::spec
