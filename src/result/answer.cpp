#include "result/answer.hpp"

#include <algorithm>

namespace cohort::result {

std::size_t threads_needed(const model::Run& run) {
  std::size_t most = run.initial.alive();
  for (const model::Transition& step : run.steps) most = std::max(most, step.target.alive());
  return most;
}

}  // namespace cohort::result
