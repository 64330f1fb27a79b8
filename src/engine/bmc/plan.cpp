#include "engine/bmc/plan.hpp"

#include <algorithm>

#include "base/contract.hpp"
#include "model/interpreter.hpp"

namespace cohort::engine::bmc {

using model::Edge;
using model::LocId;
using model::Program;
using model::Template;
using model::TemplateId;

namespace {

// More slots of their own than this for spawned threads are not worth it.
constexpr std::size_t most_own_slots = 64;

// Locations that control can reach from `start`.
std::vector<bool> reachable_from(const Template& templ, LocId start) {
  std::vector<bool> reached(templ.locations.size(), false);
  std::vector<LocId> stack{start};
  reached[start.value] = true;
  const model::OutEdges out(templ);
  while (!stack.empty()) {
    const LocId at = stack.back();
    stack.pop_back();
    for (const std::uint32_t edge : out.of(at)) {
      const LocId next = templ.edges[edge].target;
      if (reached[next.value]) continue;
      reached[next.value] = true;
      stack.push_back(next);
    }
  }
  return reached;
}

// Edges of the longest path from `start` along edges that are usable; none where there is a cycle.
std::optional<std::uint64_t> longest_path(const Template& templ, LocId start, const std::vector<bool>& usable) {
  std::vector<bool> reached(templ.locations.size(), false);
  reached[start.value] = true;
  std::vector<std::uint64_t> longest(templ.locations.size(), 0);
  // Without a cycle, lengths are final after as many rounds as there are locations.
  bool changes = true;
  for (std::size_t round = 0; changes; ++round) {
    if (round > longest.size()) return std::nullopt;
    changes = false;
    for (std::size_t i = 0; i < templ.edges.size(); ++i) {
      const Edge& edge = templ.edges[i];
      if (!usable[i] || !reached[edge.source.value]) continue;
      const std::uint64_t length = longest[edge.source.value] + 1;
      if (reached[edge.target.value] && length <= longest[edge.target.value]) continue;
      reached[edge.target.value] = true;
      longest[edge.target.value] = length;
      changes = true;
    }
  }
  return *std::max_element(longest.begin(), longest.end());
}

const std::vector<model::Spawn>& spawns_of(const Edge& edge) {
  static const std::vector<model::Spawn> none;
  for (const model::Action& action : edge.actions) {
    if (!action.spawns.empty()) return action.spawns;
  }
  return none;
}

bool has_spawns(const Program& program) {
  for (const Template& templ : program.templates) {
    for (const Edge& edge : templ.edges) {
      if (!spawns_of(edge).empty()) return true;
    }
  }
  return false;
}

}  // namespace

std::optional<std::string> Plan::refusal(const Program& program, std::optional<std::uint32_t> bound) {
  std::size_t open = 0;
  for (const model::InitialThreads& group : program.initial) open += group.count ? 0 : 1;
  if (open > 0 && !bound) return "any number of threads at the start needs a bound on the number of threads";
  if (open > 1) return "several groups of any number of threads at the start";
  if (bound) return std::nullopt;
  Plan plan = Plan(program, std::nullopt);
  if (plan.slots_.empty() && has_spawns(program))
    return "threads that create threads in a loop need a bound on the number of threads";
  return std::nullopt;
}

Plan::Plan(const Program& program, std::optional<std::uint32_t> bound) {
  // References name slots as the interpreter numbers them, which own slots would change.
  const bool renumbers = has_spawns(program) && model::uses_thread_refs(program);
  if (!renumbers && give_own_slots(program, bound)) return;
  slots_.clear();
  children_.clear();
  if (bound) share_slots(program, *bound);
}

void Plan::add_initial(const Program& program, std::optional<std::uint32_t> bound) {
  const auto counts = model::initial_thread_counts(program, bound);
  COHORT_EXPECT(counts.size() == 1, "there is one way to share the initial threads out");
  for (std::uint32_t group = 0; group < program.initial.size(); ++group) {
    const model::InitialThreads& threads = program.initial[group];
    for (std::uint32_t i = 0; i < counts[0][group]; ++i) slots_.push_back({{threads.templ}, threads.location, group});
  }
}

bool Plan::give_own_slots(const Program& program, std::optional<std::uint32_t> bound) {
  add_initial(program, bound);
  for (const Slot& slot : slots_) starts_.push_back(*slot.initial);
  const std::size_t most = std::min<std::size_t>(bound.value_or(UINT32_MAX), slots_.size() + most_own_slots);
  for (std::size_t slot = 0; slot < slots_.size(); ++slot) {
    const Template& templ = program.templ(slots_[slot].templates[0]);
    const auto reached = reachable_from(templ, starts_[slot]);
    for (std::uint32_t edge = 0; edge < templ.edges.size(); ++edge) {
      const auto& spawns = spawns_of(templ.edges[edge]);
      const LocId source = templ.edges[edge].source;
      if (spawns.empty() || !reached[source.value]) continue;
      if (reachable_from(templ, templ.edges[edge].target)[source.value]) return false;
      for (std::size_t i = 0; i < spawns.size(); ++i) {
        if (slots_.size() >= most) return false;
        children_[{slot, edge, i}] = slots_.size();
        slots_.push_back({{spawns[i].templ}, std::nullopt, std::nullopt});
        starts_.push_back(spawns[i].location);
      }
    }
  }
  return true;
}

void Plan::share_slots(const Program& program, std::uint32_t bound) {
  reuses_ = true;
  add_initial(program, bound);
  slots_.resize(bound);
  for (const Template& templ : program.templates) {
    for (const Edge& edge : templ.edges) {
      for (const model::Spawn& spawn : spawns_of(edge)) {
        for (Slot& slot : slots_) {
          auto& templates = slot.templates;
          if (std::find(templates.begin(), templates.end(), spawn.templ) == templates.end())
            templates.push_back(spawn.templ);
        }
      }
    }
  }
}

std::optional<std::uint64_t> Plan::longest_execution(const Program& program, const Usable& usable) const {
  if (reuses_) return std::nullopt;
  std::uint64_t total = 0;
  for (std::size_t slot = 0; slot < slots_.size(); ++slot) {
    const TemplateId id = slots_[slot].templates[0];
    const Template& templ = program.templ(id);
    std::vector<bool> edges;
    for (std::uint32_t i = 0; i < templ.edges.size(); ++i) edges.push_back(usable(slot, model::EdgeRef{id, i}));
    const auto longest = longest_path(templ, starts_[slot], edges);
    if (!longest) return std::nullopt;
    total += *longest;
  }
  return total;
}

std::vector<bool> Plan::reachable_places(const Program& program, std::size_t slot, TemplateId templ) const {
  if (reuses_) return std::vector<bool>(program.templ(templ).locations.size(), true);
  return reachable_from(program.templ(templ), starts_[slot]);
}

std::size_t Plan::child(std::size_t slot, std::uint32_t edge, std::size_t spawn) const {
  const auto it = children_.find({slot, edge, spawn});
  COHORT_EXPECT(it != children_.end(), "every reachable spawn has its slot");
  return it->second;
}

}  // namespace cohort::engine::bmc
