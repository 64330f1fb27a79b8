#include "frontend/bp/bp.hpp"

#include "frontend/bp/lower.hpp"
#include "frontend/bp/parser.hpp"
#include "frontend/bp/resolve.hpp"

namespace cohort::frontend::bp {

model::Program load(const SourceFilePtr& file, const Options& options) {
  Program program = parse(file);
  resolve(program);
  return lower(program, options);
}

}  // namespace cohort::frontend::bp
