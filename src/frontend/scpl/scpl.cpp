#include "frontend/scpl/scpl.hpp"

#include "frontend/scpl/lower.hpp"
#include "frontend/scpl/parser.hpp"

namespace cohort::frontend::scpl {

model::Program load(const SourceFilePtr& file) {
  return lower(parse(file));
}

}  // namespace cohort::frontend::scpl
