// A thread executes an edge outside of loops once at most, so the threads that start at a place are those at the start
// of the program and one for each edge that creates them there, times the threads that can come to the edge.  A program
// in which places create each other in a circle has no bound.
#include "model/thread_bound.hpp"

#include <map>
#include <utility>
#include <vector>

namespace cohort::model {

namespace {

constexpr std::uint64_t too_many = 1000;

using Place = std::pair<TemplateId, LocId>;

std::vector<bool> reachable_from(const Template& templ, const OutEdges& out, const std::vector<LocId>& starts) {
  std::vector<bool> seen(templ.locations.size(), false);
  std::vector<LocId> stack = starts;
  while (!stack.empty()) {
    const LocId at = stack.back();
    stack.pop_back();
    if (seen[at.value]) continue;
    seen[at.value] = true;
    for (const std::uint32_t index : out.of(at)) {
      if (!templ.edges[index].actions.back().ends_thread) stack.push_back(templ.edges[index].target);
    }
  }
  return seen;
}

// The places where a thread that starts at `start` creates others, once for each time; none if that may be in a loop.
std::optional<std::vector<Place>> creations(const Program& program, Place start) {
  const Template& templ = program.templ(start.first);
  const OutEdges out(templ);
  const std::vector<bool> reached = reachable_from(templ, out, {start.second});
  std::vector<Place> result;
  for (const Edge& edge : templ.edges) {
    if (!reached[edge.source.value]) continue;
    for (const Action& action : edge.actions) {
      if (action.spawns.empty()) continue;
      if (reachable_from(templ, out, {edge.target})[edge.source.value]) return std::nullopt;
      for (const Spawn& spawn : action.spawns) result.emplace_back(spawn.templ, spawn.location);
    }
  }
  return result;
}

}  // namespace

std::optional<std::uint32_t> most_threads(const Program& program) {
  std::map<Place, std::uint64_t> initial;
  for (const InitialThreads& group : program.initial) {
    if (!group.count) return std::nullopt;
    initial[{group.templ, group.location}] += *group.count;
  }
  std::map<Place, std::vector<Place>> created;
  std::map<Place, std::uint64_t> counts;
  for (bool changed = true; changed;) {
    std::map<Place, std::uint64_t> next = initial;
    for (const auto& [place, count] : counts) {
      if (!created.contains(place)) {
        auto of_place = creations(program, place);
        if (!of_place) return std::nullopt;
        created.emplace(place, std::move(*of_place));
      }
      for (const Place& child : created.at(place)) next[child] += count;
    }
    changed = next != counts;
    counts = std::move(next);
    for (const auto& [place, count] : counts) {
      if (count > too_many) return std::nullopt;
    }
  }
  std::uint64_t total = 0;
  for (const auto& [place, count] : counts) total += count;
  return static_cast<std::uint32_t>(total);
}

}  // namespace cohort::model
