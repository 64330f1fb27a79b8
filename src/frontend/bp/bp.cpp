#include "frontend/bp/bp.hpp"

#include "base/poll.hpp"
#include "frontend/bp/lower.hpp"
#include "frontend/bp/parser.hpp"
#include "frontend/bp/resolve.hpp"

namespace cohort::frontend::bp {

model::Program load(const SourceFilePtr& file, const Options& options, Env* env) {
  poll(env, "parse-bp");
  Program program = parse(file);
  poll(env, "lower-bp");
  resolve(program);
  return lower(program, options);
}

}  // namespace cohort::frontend::bp
