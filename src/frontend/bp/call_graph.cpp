#include "frontend/bp/call_graph.hpp"

#include "base/contract.hpp"

namespace cohort::frontend::bp {

void CallGraph::add_call(std::size_t caller, std::size_t callee) {
  COHORT_EXPECT(caller < calls_.size() && callee < calls_.size(), "both procedures exist");
  calls_[caller].push_back(callee);
  called_[callee] = true;
}

bool CallGraph::reaches(std::size_t caller, std::size_t callee) const {
  std::vector<bool> seen(calls_.size(), false);
  std::vector<std::size_t> open{caller};
  while (!open.empty()) {
    const std::size_t procedure = open.back();
    open.pop_back();
    for (const std::size_t next : calls_[procedure]) {
      if (next == callee) return true;
      if (seen[next]) continue;
      seen[next] = true;
      open.push_back(next);
    }
  }
  return false;
}

}  // namespace cohort::frontend::bp
