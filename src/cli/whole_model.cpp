#include "cli/whole_model.hpp"

#include "model/passes/cuts.hpp"
#include "strategy/verify.hpp"

namespace cohort::cli {

std::optional<std::string> leaves_model(Env& env, const model::Program& flat, const strategy::Threads& threads) {
  const model::Program asking = model::asking_for_cuts(flat);
  if (asking.properties.empty()) return std::nullopt;
  Env own = env;
  const result::Answer answer = strategy::verify(own, asking, {.threads = threads});
  if (answer.result.verdict == result::Verdict::Safe) return std::nullopt;
  return answer.result.reason;
}

}  // namespace cohort::cli
