#include "engine/pointer/concretize.hpp"

#include <algorithm>

#include "base/contract.hpp"

namespace cohort::engine::pointer {

Walk::Walk(const Layout& layout, const Cells& initial)
    : layout_(layout),
      interpreter_(layout.program(), std::nullopt),
      run_{layout.to_state(initial), {}},
      names_(identity(layout.processes())) {}

void Walk::permute(const Permutation& permutation) {
  const Permutation names = names_;
  for (std::size_t i = 1; i < names.size(); ++i) names_[permutation[i]] = names[i];
}

void Walk::unpermute(const Permutation& permutation) {
  const Permutation names = names_;
  for (std::size_t i = 1; i < names.size(); ++i) names_[i] = names[permutation[i]];
}

std::vector<model::Transition> Walk::steps(const Cells& representative) const {
  return interpreter_.successors(layout_.to_state(representative));
}

void Walk::take(const model::Transition& step) {
  auto taken = interpreter_.successors(run_.last(), names_[step.thread + 1] - 1, step.edge);
  COHORT_EXPECT(taken.size() == 1 && taken[0].fault == step.fault,
                "the processes can do what those of the representative can");
  run_.steps.push_back(std::move(taken[0]));
}

void Walk::take_fault(const Cells& representative) {
  const auto all = steps(representative);
  const auto faulty = std::find_if(all.begin(), all.end(), [](const auto& step) { return step.fault.has_value(); });
  COHORT_EXPECT(faulty != all.end(), "the last state has a step that faults");
  take(*faulty);
}

model::Run concretize(const Layout& layout, const Cells& initial, const std::vector<Cells>& path, bool faults,
                      const std::function<Permutation(Cells&)>& represent) {
  Walk walk(layout, initial);
  Cells start = initial;
  walk.permute(represent(start));
  COHORT_EXPECT(start == path.front(), "the path starts with the representative of the initial state");
  for (std::size_t i = 0; i + 1 < path.size(); ++i) {
    bool found = false;
    for (const model::Transition& step : walk.steps(path[i])) {
      if (step.fault) continue;
      Cells next = layout.to_cells(step.target);
      const Permutation permutation = represent(next);
      if (next != path[i + 1]) continue;
      walk.take(step);
      walk.permute(permutation);
      found = true;
      break;
    }
    COHORT_EXPECT(found, "every step between representatives is a step of the program");
  }
  if (faults) walk.take_fault(path.back());
  return walk.run();
}

}  // namespace cohort::engine::pointer
