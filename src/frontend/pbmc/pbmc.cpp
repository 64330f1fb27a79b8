#include "frontend/pbmc/pbmc.hpp"

#include "base/poll.hpp"
#include "frontend/pbmc/lower.hpp"
#include "frontend/pbmc/parser.hpp"

namespace cohort::frontend::pbmc {

model::Program load(const SourceFilePtr& file, const Options& options, Env* env) {
  poll(env, "parse-pbmc");
  const auto program = parse(file);
  poll(env, "lower-pbmc");
  return lower(program, options);
}

}  // namespace cohort::frontend::pbmc
