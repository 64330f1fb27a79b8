#include "engine/bmc/plan.hpp"

#include <algorithm>

#include "base/contract.hpp"
#include "model/analysis/access.hpp"
#include "model/analysis/visit.hpp"
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

// Edges of a control flow: those of a thread are steps of its own, the others happen to it.
struct Arc {
  LocId from;
  LocId to;
  std::uint64_t steps = 1;
};

// Own steps on the longest path from one of `starts`; none where a cycle has some.
std::optional<std::uint64_t> longest_path(std::size_t locations, const std::vector<LocId>& starts,
                                          const std::vector<Arc>& arcs) {
  std::vector<bool> reached(locations, false);
  for (const LocId start : starts) reached[start.value] = true;
  std::vector<std::uint64_t> longest(locations, 0);
  // Without such a cycle, lengths are final after as many rounds as there are locations.
  bool changes = true;
  for (std::size_t round = 0; changes; ++round) {
    if (round > longest.size()) return std::nullopt;
    changes = false;
    for (const Arc& arc : arcs) {
      if (!reached[arc.from.value]) continue;
      const std::uint64_t length = longest[arc.from.value] + arc.steps;
      if (reached[arc.to.value] && length <= longest[arc.to.value]) continue;
      reached[arc.to.value] = true;
      longest[arc.to.value] = length;
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

bool is_reference(const model::Type& type) {
  return type.kind() == model::Type::Kind::ThreadRef;
}

// References are kept in variables, made of numbers or threads, or chosen; quantified threads alone do not tell one
// from the other.
bool has_references(const Program& program) {
  const auto any = [](const std::vector<model::Variable>& variables) {
    return std::any_of(variables.begin(), variables.end(),
                       [](const model::Variable& variable) { return is_reference(variable.type); });
  };
  if (model::uses_thread_refs(program) || any(program.shared)) return true;
  const auto names = [&](const model::Expr& node) {
    return is_reference(node.type) && (node.op == model::Op::Nondet || node.op == model::Op::Cast);
  };
  bool found = false;
  const auto look_at = [&](const std::optional<model::ExprId>& condition) {
    if (!condition) return;
    model::for_each_node(program.exprs, *condition,
                         [&](const model::Expr& node, model::ExprId) { found = found || names(node); });
  };
  look_at(program.initial_condition);
  for (const model::Property& property : program.properties) look_at(property.condition);
  for (const Template& templ : program.templates) found = found || any(templ.locals);
  for (const auto& [action, edge, templ] : model::actions_of(program)) {
    model::for_each_node(program.exprs, action,
                         [&](const model::Expr& node, model::ExprId) { found = found || names(node); });
  }
  return found;
}

}  // namespace

std::vector<Shift> shifts_of(const Program& program) {
  std::vector<Shift> shifts;
  for (std::uint32_t id = 0; id < program.templates.size(); ++id) {
    const auto& edges = program.templates[id].edges;
    for (std::uint32_t i = 0; i < edges.size(); ++i) {
      const model::EdgeRef by{TemplateId(id), i};
      for (const model::Action& action : edges[i].actions) {
        for (const model::PassiveMove& move : action.moves) shifts.push_back({move.templ, move.from, move.to, by});
        for (const model::Take& take : action.takes) shifts.push_back({take.templ, take.from, take.to, by});
      }
    }
  }
  return shifts;
}

std::optional<std::string> Plan::refusal(const Program& program, std::optional<std::uint32_t> bound) {
  std::size_t open = 0;
  for (const model::InitialThreads& group : program.initial) open += group.count ? 0 : 1;
  if (open > 0 && !bound) return "any number of threads at the start needs a bound on the number of threads";
  if (open > 1 && has_references(program)) {
    return "several groups of any number of threads at the start, where threads have names";
  }
  if (bound) return std::nullopt;
  Plan plan = Plan(program, std::nullopt);
  if (plan.slots_.empty() && model::creates_threads(program))
    return "threads that create threads in a loop need a bound on the number of threads";
  return std::nullopt;
}

Plan::Plan(const Program& program, std::optional<std::uint32_t> bound)
    : shifts_(shifts_of(program)), names_threads_(has_references(program)) {
  // References name slots as the interpreter numbers them, which own slots would change.
  const bool renumbers = model::creates_threads(program) && names_threads_;
  if (!renumbers && give_own_slots(program, bound)) return;
  slots_.clear();
  children_.clear();
  if (bound) share_slots(program, *bound);
}

void Plan::add_initial(const Program& program, std::optional<std::uint32_t> bound) {
  std::vector<Home> open;
  for (std::uint32_t group = 0; group < program.initial.size(); ++group) {
    const model::InitialThreads& threads = program.initial[group];
    if (!threads.count) open.push_back({threads.templ, threads.location, group});
  }
  // There is one way to share the threads out, or the groups without a count come last.
  const auto counts = model::initial_thread_counts(program, bound);
  COHORT_EXPECT(!counts.empty() && (counts.size() == 1 || open.size() > 1), "threads can be shared out");
  const bool shared = open.size() > 1;
  for (std::uint32_t group = 0; group < program.initial.size(); ++group) {
    const model::InitialThreads& threads = program.initial[group];
    if (shared && !threads.count) continue;
    const Home start{threads.templ, threads.location, group};
    for (std::uint32_t i = 0; i < counts[0][group]; ++i) slots_.push_back({{threads.templ}, {start}});
  }
  if (!shared) return;
  std::vector<TemplateId> templates;
  std::uint32_t remaining = 0;
  for (const Home& start : open) {
    remaining += counts[0][start.group];
    if (std::find(templates.begin(), templates.end(), start.templ) == templates.end()) templates.push_back(start.templ);
  }
  for (std::uint32_t i = 0; i < remaining; ++i) slots_.push_back({templates, open});
}

// Locations that control can reach from one of `starts`.
std::vector<bool> Plan::reachable_from(const Program& program, TemplateId id, const std::vector<LocId>& starts) const {
  const Template& templ = program.templ(id);
  std::vector<bool> reached(templ.locations.size(), false);
  std::vector<LocId> stack = starts;
  for (const LocId start : starts) reached[start.value] = true;
  const auto reach = [&](LocId next) {
    if (reached[next.value]) return;
    reached[next.value] = true;
    stack.push_back(next);
  };
  const model::OutEdges out(templ);
  while (!stack.empty()) {
    const LocId at = stack.back();
    stack.pop_back();
    for (const std::uint32_t edge : out.of(at)) reach(templ.edges[edge].target);
    for (const Shift& shift : shifts_) {
      if (shift.templ == id && shift.from == at && shift.to) reach(*shift.to);
    }
  }
  return reached;
}

bool Plan::give_own_slots(const Program& program, std::optional<std::uint32_t> bound) {
  add_initial(program, bound);
  for (const Slot& slot : slots_) {
    if (slot.templates.size() > 1) return false;
    auto& starts = starts_.emplace_back();
    for (const Home& start : slot.starts) starts.push_back(start.location);
  }
  const std::size_t most = std::min<std::size_t>(bound.value_or(UINT32_MAX), slots_.size() + most_own_slots);
  for (std::size_t slot = 0; slot < slots_.size(); ++slot) {
    const TemplateId id = slots_[slot].templates[0];
    const Template& templ = program.templ(id);
    const auto reached = reachable_from(program, id, starts_[slot]);
    for (std::uint32_t edge = 0; edge < templ.edges.size(); ++edge) {
      const auto& spawns = spawns_of(templ.edges[edge]);
      const LocId source = templ.edges[edge].source;
      if (spawns.empty() || !reached[source.value]) continue;
      if (reachable_from(program, id, {templ.edges[edge].target})[source.value]) return false;
      for (std::size_t i = 0; i < spawns.size(); ++i) {
        if (slots_.size() >= most) return false;
        children_[{slot, edge, i}] = slots_.size();
        slots_.push_back({{spawns[i].templ}, {}});
        starts_.push_back({spawns[i].location});
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
    std::vector<Arc> arcs;
    for (std::uint32_t i = 0; i < templ.edges.size(); ++i) {
      if (usable(slot, model::EdgeRef{id, i})) arcs.push_back({templ.edges[i].source, templ.edges[i].target, 1});
    }
    for (const Shift& shift : shifts_) {
      if (shift.templ != id || !shift.to) continue;
      for (std::size_t other = 0; other < slots_.size(); ++other) {
        if (other == slot || slots_[other].templates[0] != shift.by.templ || !usable(other, shift.by)) continue;
        arcs.push_back({shift.from, *shift.to, 0});
        break;
      }
    }
    const auto longest = longest_path(templ.locations.size(), starts_[slot], arcs);
    if (!longest) return std::nullopt;
    total += *longest;
  }
  return total;
}

std::vector<bool> Plan::reachable_places(const Program& program, std::size_t slot, TemplateId templ) const {
  if (reuses_) return std::vector<bool>(program.templ(templ).locations.size(), true);
  return reachable_from(program, templ, starts_[slot]);
}

std::size_t Plan::child(std::size_t slot, std::uint32_t edge, std::size_t spawn) const {
  const auto it = children_.find({slot, edge, spawn});
  COHORT_EXPECT(it != children_.end(), "every reachable spawn has its slot");
  return it->second;
}

}  // namespace cohort::engine::bmc
