// Place/transition nets in LoLA's format, `.lola`.  The syntax and what is refused are in docs/formats.md.
#pragma once

#include <optional>
#include <string>

#include "base/source.hpp"
#include "model/program.hpp"

namespace cohort::frontend::lola {

struct Options {
  // `p>=2,q` instead of the formula of the file.
  std::optional<std::string> target;
};

model::Program load(const SourceFilePtr& file, const Options& options);

}  // namespace cohort::frontend::lola
