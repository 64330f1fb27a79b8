#include "frontend/pbmc/pbmc.hpp"

#include "frontend/pbmc/lower.hpp"
#include "frontend/pbmc/parser.hpp"

namespace cohort::frontend::pbmc {

model::Program load(const SourceFilePtr& file, const Options& options) {
  return lower(parse(file), options);
}

}  // namespace cohort::frontend::pbmc
