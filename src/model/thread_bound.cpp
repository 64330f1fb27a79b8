// Each edge outside of loops is executed once by each thread of its template at most, so the threads of a template are
// those at the start and one for each edge that creates it, times the threads that can execute the edge.  A program in
// which templates create each other in a circle has no bound.
#include "model/thread_bound.hpp"

#include <vector>

namespace cohort::model {

namespace {

constexpr std::uint64_t too_many = 1000;

// Can control come back to the source of the edge?
bool in_loop(const Template& templ, const OutEdges& out, const Edge& edge) {
  std::vector<bool> seen(templ.locations.size(), false);
  std::vector<LocId> stack{edge.target};
  while (!stack.empty()) {
    const LocId at = stack.back();
    stack.pop_back();
    if (at == edge.source) return true;
    if (seen[at.value]) continue;
    seen[at.value] = true;
    for (const std::uint32_t index : out.of(at)) {
      if (!templ.edges[index].actions.back().ends_thread) stack.push_back(templ.edges[index].target);
    }
  }
  return false;
}

}  // namespace

std::optional<std::uint32_t> most_threads(const Program& program) {
  struct Creation {
    std::size_t creator;
    std::size_t created;
  };
  std::vector<Creation> creations;
  for (std::size_t i = 0; i < program.templates.size(); ++i) {
    const Template& templ = program.templates[i];
    const OutEdges out(templ);
    for (const Edge& edge : templ.edges) {
      for (const Action& action : edge.actions) {
        if (action.spawns.empty()) continue;
        if (in_loop(templ, out, edge)) return std::nullopt;
        for (const Spawn& spawn : action.spawns) creations.push_back({i, spawn.templ.value});
      }
    }
  }
  std::vector<std::uint64_t> counts(program.templates.size(), 0);
  for (bool changed = true; changed;) {
    std::vector<std::uint64_t> next(program.templates.size(), 0);
    for (const InitialThreads& group : program.initial) {
      if (!group.count) return std::nullopt;
      next[group.templ.value] += *group.count;
    }
    for (const Creation& creation : creations) next[creation.created] += counts[creation.creator];
    changed = next != counts;
    counts = std::move(next);
    for (const std::uint64_t count : counts) {
      if (count > too_many) return std::nullopt;
    }
  }
  std::uint64_t total = 0;
  for (const std::uint64_t count : counts) total += count;
  return static_cast<std::uint32_t>(total);
}

}  // namespace cohort::model
