// How many threads of a template are ever created: those at the start, and for each edge that creates one, as many as
// threads take it, which is at most one for each thread that can reach it where the edge lies on no cycle.
#include "engine/cegar/layout.hpp"

#include <algorithm>
#include <cstdint>

namespace cohort::engine::cegar {

using model::LocId;
using model::Program;
using model::Template;
using model::TemplateId;

namespace {

constexpr std::uint64_t many = 2;

// Can `to` be reached from `from` by edges?
bool reaches(const Template& templ, LocId from, LocId to) {
  std::vector<bool> seen(templ.locations.size(), false);
  std::vector<LocId> stack{from};
  seen[from.value] = true;
  const model::OutEdges out(templ);
  while (!stack.empty()) {
    const LocId at = stack.back();
    stack.pop_back();
    if (at == to) return true;
    for (const std::uint32_t edge : out.of(at)) {
      const LocId next = templ.edges[edge].target;
      if (!seen[next.value]) stack.push_back(next);
      seen[next.value] = true;
    }
  }
  return false;
}

class Creations {
 public:
  explicit Creations(const Program& program) : program_(program), state_(program.templates.size()) {}

  // 0, 1 or many.
  std::uint64_t of(TemplateId templ) {
    Memo& memo = state_[templ.value];
    if (memo.busy) return many;
    if (memo.value) return *memo.value;
    memo.busy = true;
    std::uint64_t count = 0;
    for (const model::InitialThreads& group : program_.initial) {
      if (group.templ == templ) count += group.count ? std::min<std::uint64_t>(*group.count, many) : many;
    }
    for (std::size_t creator = 0; creator < program_.templates.size(); ++creator) {
      for (const model::Edge& edge : program_.templates[creator].edges) count += by(TemplateId(creator), edge, templ);
    }
    state_[templ.value] = {false, std::min(count, many)};
    return std::min(count, many);
  }

 private:
  struct Memo {
    bool busy = false;
    std::optional<std::uint64_t> value;
  };

  std::uint64_t by(TemplateId creator, const model::Edge& edge, TemplateId templ) {
    std::uint64_t spawns = 0;
    for (const model::Action& action : edge.actions) {
      for (const model::Spawn& spawn : action.spawns) spawns += spawn.templ == templ ? 1 : 0;
    }
    if (spawns == 0) return 0;
    if (reaches(program_.templ(creator), edge.target, edge.source)) return many;
    return std::min(many, spawns * of(creator));
  }

  const Program& program_;
  std::vector<Memo> state_;
};

}  // namespace

Layout::Layout(const Program& program) : single_of(program.templates.size()) {
  Creations creations(program);
  for (std::size_t i = 0; i < program.templates.size(); ++i) {
    if (creations.of(TemplateId(i)) != 1) continue;
    single_of[i] = singles.size();
    singles.push_back({TemplateId(i), std::nullopt});
  }
  for (std::size_t group = 0; group < program.initial.size(); ++group) {
    const auto single = single_of[program.initial[group].templ.value];
    if (single && program.initial[group].count != 0U) {
      singles[*single].group = group;
    } else if (!single) {
      replicated_groups.push_back(group);
    }
  }
}

bool creates_threads(const Program& program) {
  const auto creates = [](const model::Edge& edge) {
    return std::any_of(edge.actions.begin(), edge.actions.end(),
                       [](const model::Action& action) { return !action.spawns.empty(); });
  };
  return std::any_of(program.templates.begin(), program.templates.end(), [&](const Template& templ) {
    return std::any_of(templ.edges.begin(), templ.edges.end(), creates);
  });
}

bool starts_with_any_number(const Program& program) {
  return std::any_of(program.initial.begin(), program.initial.end(),
                     [](const model::InitialThreads& group) { return !group.count; });
}

}  // namespace cohort::engine::cegar
