// Strongly live variables, the classical backward data flow, on whole variables (a write to an array element kills
// nothing): the operands of an assignment count as used only if its target is live or it can fault.  Peculiar to
// threads:
//  - a spawn that copies the locals uses what is live where the child starts, except what it sets itself;
//  - a passive move or take carries its thread, locals and all, to another location: what is live there is live here;
//  - what other threads or properties can see is live everywhere (model/access.hpp), so passive and remote
//    writes need no mention here;
//  - a thread that ends uses nothing.
// Within an action the order is: guard and operands read the state before, primed variables in the constraint the state
// after.
//
// The reset needs, beside liveness, the locals that may differ from their default ("dirty", a forward analysis), so
// that only edges on which something dies get an action.  Why it is sound: two thread states that agree on the shared
// state, the location and all live locals have the same steps, faults included, and their successors agree likewise (by
// the transfer function); a reset changes dead locals only.  A location that is both initial and a loop head needs no
// care of its own: liveness does not depend on how it is reached, and a declared value changes only if the variable is
// dead at every location where threads start as declared.
#include "model/passes/liveness.hpp"
#include "model/analysis/may_fault.hpp"
#include "model/analysis/visit.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "base/contract.hpp"
#include "base/poll.hpp"
#include "model/analysis/access.hpp"

namespace cohort::model {

namespace {

// Larger arrays keep their dead values: resetting them would cost more than it saves.
constexpr std::uint32_t max_reset_slots = 64;

using Locals = std::vector<VarId>;

void sort_unique(Locals& locals) {
  std::sort(locals.begin(), locals.end());
  locals.erase(std::unique(locals.begin(), locals.end()), locals.end());
}

// Adds the locals of the executing thread that `root` reads; primed and unprimed apart.
void collect_reads(const ExprPool& exprs, ExprId root, Locals& before, Locals& after) {
  for_each_node(exprs, root, [&](const Expr& node, ExprId) {
    if (node.op == Op::LocalVar) (node.primed ? after : before).push_back(node.var);
  });
}

bool is_local_scalar(const LValue& target) {
  return target.kind == LValue::Kind::Local && !target.index;
}

// What an action reads and writes of its thread's locals, in the order backward analysis needs.
struct ActionFlow {
  struct Store {
    VarId var;
    bool removable = false;  // scalar, and the assignment cannot fault
    Locals operands;
  };
  struct Child {
    std::optional<LocId> copied_to;  // set: the child copies the locals and starts here
    Locals set;                      // scalars that the spawn sets
    Locals operands;
  };

  Locals reads_after;  // primed in the constraint
  Locals kills;        // scalar targets
  std::vector<Store> stores;
  Locals reads_before;  // guard, constraint, indices, operands of assignments to other things than local scalars
  std::vector<Child> children;
  bool ends = false;

  ActionFlow(const Program& program, const Template& templ, const Action& action) : ends(action.ends_thread) {
    const ExprPool& exprs = program.exprs;
    Locals unused;
    if (action.guard) collect_reads(exprs, *action.guard, reads_before, unused);
    for (const ExprId conjunct : action.constraint) collect_reads(exprs, conjunct, reads_before, reads_after);
    for (const Assign& assign : action.assigns) add_assign(exprs, templ, assign);
    for (const Spawn& spawn : action.spawns) add_child(exprs, spawn);
    sort_unique(reads_after);
    sort_unique(reads_before);
  }

  // Is the assignment to `store` worth nothing when only `after` is live after the action?
  bool is_dead(const Store& store, const BitSet& after) const {
    return store.removable && !after.contains(store.var.value) &&
           !std::binary_search(reads_after.begin(), reads_after.end(), store.var);
  }

 private:
  void add_assign(const ExprPool& exprs, const Template& templ, const Assign& assign) {
    Locals unused;
    if (is_local_scalar(assign.target)) {
      Store store{
          assign.target.var, !may_fault(exprs, assign.target, templ.local(assign.target.var).type, assign.value), {}};
      collect_reads(exprs, assign.value, store.operands, unused);
      kills.push_back(store.var);
      stores.push_back(std::move(store));
      return;
    }
    collect_reads(exprs, assign.value, reads_before, unused);
    if (assign.target.index) collect_reads(exprs, *assign.target.index, reads_before, unused);
    if (assign.target.ref) collect_reads(exprs, *assign.target.ref, reads_before, unused);
  }

  void add_child(const ExprPool& exprs, const Spawn& spawn) {
    Locals unused;
    Child child;
    if (spawn.copies_locals) child.copied_to = spawn.location;
    for (const Assign& assign : spawn.locals) {
      if (is_local_scalar(assign.target)) child.set.push_back(assign.target.var);
      collect_reads(exprs, assign.value, child.operands, unused);
      if (assign.target.index) collect_reads(exprs, *assign.target.index, child.operands, unused);
    }
    children.push_back(std::move(child));
  }
};

// Live before the action, given what is live after it and at each location.
void transfer(const ActionFlow& flow, const std::vector<BitSet>& live_at, BitSet& live) {
  const BitSet after = live;
  const auto use = [&](const Locals& locals) {
    for (const VarId var : locals) live.insert(var.value);
  };
  for (const VarId var : flow.kills) live.erase(var.value);
  // A primed variable that the action does not assign has its value from before.
  for (const VarId var : flow.reads_after) {
    if (std::find(flow.kills.begin(), flow.kills.end(), var) == flow.kills.end()) live.insert(var.value);
  }
  for (const ActionFlow::Store& store : flow.stores) {
    if (!flow.is_dead(store, after)) use(store.operands);
  }
  use(flow.reads_before);
  for (const ActionFlow::Child& child : flow.children) {
    if (child.copied_to) {
      BitSet inherited = live_at[child.copied_to->value];
      for (const VarId var : child.set) inherited.erase(var.value);
      live.unite(inherited);
    }
    use(child.operands);
  }
}

using EdgeFlow = std::vector<ActionFlow>;

EdgeFlow flow_of(const Program& program, const Template& templ, const Edge& edge) {
  EdgeFlow flow;
  for (const Action& action : edge.actions) flow.emplace_back(program, templ, action);
  return flow;
}

bool ends_thread(const EdgeFlow& flow) {
  return std::any_of(flow.begin(), flow.end(), [](const ActionFlow& action) { return action.ends; });
}

BitSet observed_locals(const Observed& observed, TemplateId id, const Template& templ) {
  BitSet result(templ.locals.size());
  for (std::size_t var = 0; var < templ.locals.size(); ++var) {
    if (observed.local(id, VarId(var))) result.insert(var);
  }
  return result;
}

// Pairs (from, to) of passive moves and takes of threads of `id`.
std::vector<std::pair<LocId, LocId>> passive_ways(const Program& program, TemplateId id) {
  std::vector<std::pair<LocId, LocId>> ways;
  for (const auto& [action, edge, templ] : actions_of(program)) {
    for (const PassiveMove& move : action.moves) {
      if (move.templ == id) ways.emplace_back(move.from, move.to);
    }
    for (const Take& take : action.takes) {
      if (take.templ == id && take.to) ways.emplace_back(take.from, *take.to);
    }
  }
  return ways;
}

// The backward fixpoint for one template.
class Analysis {
 public:
  Analysis(const Program& program, TemplateId id, BitSet base, Env* env)
      : env_(env),
        templ_(program.templ(id)),
        base_(std::move(base)),
        live_(templ_.locations.size(), base_),
        waiting_(live_.size()) {
    edges_at_.resize(live_.size());
    sources_at_.resize(live_.size());
    for (std::uint32_t i = 0; i < templ_.edges.size(); ++i) {
      const Edge& edge = templ_.edges[i];
      flows_.push_back(flow_of(program, templ_, edge));
      if (!ends_thread(flows_.back())) edges_at_[edge.target.value].push_back(i);
      for (const ActionFlow& action : flows_.back()) {
        for (const ActionFlow::Child& child : action.children) {
          if (child.copied_to) edges_at_[child.copied_to->value].push_back(i);
        }
      }
    }
    for (const auto& [from, to] : passive_ways(program, id)) sources_at_[to.value].push_back(from);
  }

  std::vector<BitSet> run() {
    for (std::size_t i = templ_.edges.size(); i-- > 0;) visit_edge(static_cast<std::uint32_t>(i));
    while (!pending_.empty()) {
      const LocId location = pending_.back();
      pending_.pop_back();
      waiting_[location.value] = false;
      for (const std::uint32_t edge : edges_at_[location.value]) visit_edge(edge);
      for (const LocId from : sources_at_[location.value]) add(from, live_[location.value]);
    }
    return std::move(live_);
  }

 private:
  void visit_edge(std::uint32_t index) {
    poll(env_, "liveness");
    const Edge& edge = templ_.edges[index];
    const EdgeFlow& flow = flows_[index];
    BitSet live = ends_thread(flow) ? base_ : live_[edge.target.value];
    for (std::size_t i = flow.size(); i-- > 0;) transfer(flow[i], live_, live);
    add(edge.source, live);
  }

  void add(LocId location, const BitSet& live) {
    if (!live_[location.value].unite(live) || waiting_[location.value]) return;
    waiting_[location.value] = true;
    pending_.push_back(location);
  }

  Env* env_;
  const Template& templ_;
  const BitSet base_;
  std::vector<BitSet> live_;
  std::vector<EdgeFlow> flows_;
  std::vector<std::vector<std::uint32_t>> edges_at_;  // edges to look at again when more is live at a location
  std::vector<std::vector<LocId>> sources_at_;        // where passive threads come from
  std::vector<LocId> pending_;
  std::vector<bool> waiting_;
};

// A place where threads of a template start with their locals as declared, but for those that a spawn sets.
struct Start {
  LocId location;
  Locals set;
};

std::vector<std::vector<Start>> declared_starts(const Program& program) {
  std::vector<std::vector<Start>> starts(program.templates.size());
  for (const InitialThreads& group : program.initial) starts[group.templ.value].push_back({group.location, {}});
  for (const auto& [action, edge, templ] : actions_of(program)) {
    for (const Spawn& spawn : action.spawns) {
      if (spawn.copies_locals) continue;
      Start start{spawn.location, {}};
      for (const Assign& assign : spawn.locals) start.set.push_back(assign.target.var);
      starts[spawn.templ.value].push_back(std::move(start));
    }
  }
  return starts;
}

// Resets the dead locals of one template.  Assignments first, then values that are left over.
class Resetter {
 public:
  Resetter(Program& program, TemplateId id, const LiveLocals& live, BitSet observed, Env* env)
      : env_(env), program_(program), id_(id), templ_(program.templ(id)), observed_(std::move(observed)) {
    BitSet never_reset = observed_;
    for (std::size_t var = 0; var < templ_.locals.size(); ++var) {
      if (templ_.locals[var].type.slots() > max_reset_slots) never_reset.insert(var);
    }
    for (std::size_t i = 0; i < templ_.locations.size(); ++i) {
      live_at_.push_back(live.at(id, LocId(i)));
      kept_at_.push_back(live_at_.back());
      kept_at_.back().unite(never_reset);
    }
  }

  void remove_dead_stores() {
    for (Edge& edge : templ_.edges) {
      poll(env_, "liveness");
      const EdgeFlow flow = flow_of(program_, templ_, edge);
      BitSet live = ends_thread(flow) ? observed_ : live_at_[edge.target.value];
      for (std::size_t i = edge.actions.size(); i-- > 0;) {
        for (const ActionFlow::Store& store : flow[i].stores) {
          if (!flow[i].is_dead(store, live)) continue;
          std::erase_if(edge.actions[i].assigns, [&](const Assign& assign) {
            return is_local_scalar(assign.target) && assign.target.var == store.var;
          });
        }
        transfer(flow[i], live_at_, live);
      }
    }
  }

  void reset_initial_values(const std::vector<Start>& starts) {
    for (std::size_t var = 0; var < templ_.locals.size(); ++var) {
      const auto is_live = [&](const Start& start) { return live_at_[start.location.value].contains(var); };
      if (observed_.contains(var) || std::any_of(starts.begin(), starts.end(), is_live)) continue;
      templ_.locals[var].initial = {templ_.locals[var].type.default_value()};
    }
  }

  // Finds the locals that may differ from their default at each location, then resets those that die on the way there.
  void reset_left_over(const std::vector<Start>& starts) {
    find_dirty(starts);
    for (Edge& edge : templ_.edges) {
      BitSet dirty = dirty_[edge.source.value];
      bool ends = false;
      for (Action& action : edge.actions) {
        for (Spawn& spawn : action.spawns) {
          if (spawn.copies_locals) reset_child(spawn, dirty);
        }
        write(action, dirty);
        ends = ends || action.ends_thread;
      }
      if (ends) continue;
      Action reset;
      for (std::size_t var = 0; var < templ_.locals.size(); ++var) {
        if (dirty.contains(var) && dies(var, edge.target)) assign_default(VarId(var), reset.assigns);
      }
      if (!reset.assigns.empty()) edge.actions.push_back(std::move(reset));
    }
  }

  // Gives locals that are dead where a new thread of this template starts their default, if they are in `dirty` or the
  // spawn sets them.
  void reset_child(Spawn& spawn, const BitSet& dirty) {
    for (std::size_t var = 0; var < templ_.locals.size(); ++var) {
      if (!dies(var, spawn.location)) continue;
      // What a spawn sets cannot fault, so it can be dropped.
      const auto dropped =
          std::erase_if(spawn.locals, [&](const Assign& assign) { return assign.target.var == VarId(var); });
      if (dropped != 0 || dirty.contains(var)) assign_default(VarId(var), spawn.locals);
    }
  }

  // The locals that need not have their default when a thread starts as declared.
  BitSet declared() const {
    BitSet result(templ_.locals.size());
    for (std::size_t var = 0; var < templ_.locals.size(); ++var) {
      const Variable& variable = templ_.locals[var];
      const auto is_default = [&](Value value) { return value == variable.type.default_value(); };
      const bool clean =
          !variable.initial.empty() && std::all_of(variable.initial.begin(), variable.initial.end(), is_default);
      if (!clean) result.insert(var);
    }
    return result;
  }

 private:
  bool dies(std::size_t var, LocId at) const { return !kept_at_[at.value].contains(var); }

  void assign_default(VarId var, std::vector<Assign>& assigns) {
    const Type& type = templ_.local(var).type;
    const ExprId value = program_.exprs.constant(type.default_value(), type.element());
    for (std::uint32_t i = 0; i < type.slots(); ++i) {
      LValue target;
      target.kind = LValue::Kind::Local;
      target.var = var;
      if (type.is_array()) target.index = program_.exprs.constant(i, Type::integer());
      assigns.push_back({target, value});
    }
  }

  void find_dirty(const std::vector<Start>& starts) {
    dirty_.assign(templ_.locations.size(), BitSet(templ_.locals.size()));
    for (const Start& start : starts) {
      BitSet dirty = declared();
      for (const VarId var : start.set) dirty.insert(var.value);
      dirty_[start.location.value].unite(dirty);
    }
    const auto ways = passive_ways(program_, id_);
    bool changed = true;
    while (changed) {
      changed = false;
      for (const Edge& edge : templ_.edges) changed = flow_forward(edge) || changed;
      for (const auto& [from, to] : ways) changed = dirty_[to.value].unite(dirty_[from.value]) || changed;
    }
  }

  bool flow_forward(const Edge& edge) {
    poll(env_, "liveness");
    BitSet dirty = dirty_[edge.source.value];
    bool changed = false;
    bool ends = false;
    for (const Action& action : edge.actions) {
      for (const Spawn& spawn : action.spawns) {
        if (!spawn.copies_locals) continue;
        BitSet inherited = dirty;
        for (const Assign& assign : spawn.locals) inherited.insert(assign.target.var.value);
        changed = arrive(spawn.location, std::move(inherited)) || changed;
      }
      write(action, dirty);
      ends = ends || action.ends_thread;
    }
    if (!ends) changed = arrive(edge.target, std::move(dirty)) || changed;
    return changed;
  }

  bool arrive(LocId at, BitSet dirty) {
    dirty.intersect(kept_at_[at.value]);
    return dirty_[at.value].unite(dirty);
  }

  void write(const Action& action, BitSet& dirty) const {
    for (const Assign& assign : action.assigns) {
      if (assign.target.kind != LValue::Kind::Local) continue;
      const Type& type = templ_.local(assign.target.var).type;
      if (!assign.target.index && program_.exprs.is_const(assign.value, type.default_value())) {
        dirty.erase(assign.target.var.value);
      } else {
        dirty.insert(assign.target.var.value);
      }
    }
  }

  Env* env_;
  Program& program_;
  const TemplateId id_;
  Template& templ_;
  const BitSet observed_;
  std::vector<BitSet> live_at_;
  std::vector<BitSet> kept_at_;  // live, or never reset
  std::vector<BitSet> dirty_;
};

}  // namespace

LiveLocals::LiveLocals(const Program& program, Env* env) {
  COHORT_EXPECT(is_flat(program), "liveness is for flat programs");
  const Observed observed(program);
  for (std::size_t i = 0; i < program.templates.size(); ++i) {
    const TemplateId id(i);
    live_.push_back(Analysis(program, id, observed_locals(observed, id, program.templ(id)), env).run());
  }
}

LiveLocals LiveLocals::everything(const Program& program) {
  LiveLocals result;
  for (const Template& templ : program.templates) {
    BitSet all(templ.locals.size());
    for (std::size_t var = 0; var < templ.locals.size(); ++var) all.insert(var);
    result.live_.emplace_back(templ.locations.size(), all);
  }
  return result;
}

Program reset_dead_locals(Program program, const LiveLocals& live, Env* env) {
  const Observed observed(program);
  const auto starts = declared_starts(program);
  std::vector<Resetter> resetters;
  resetters.reserve(program.templates.size());
  for (std::size_t i = 0; i < program.templates.size(); ++i) {
    const TemplateId id(i);
    Resetter& resetter =
        resetters.emplace_back(program, id, live, observed_locals(observed, id, program.templ(id)), env);
    resetter.remove_dead_stores();
    resetter.reset_initial_values(starts[i]);
    resetter.reset_left_over(starts[i]);
  }
  for (const auto& [action, edge, templ] : actions_of(program)) {
    for (Spawn& spawn : action.spawns) {
      Resetter& child = resetters[spawn.templ.value];
      if (!spawn.copies_locals) child.reset_child(spawn, child.declared());
    }
  }
  return program;
}

}  // namespace cohort::model
