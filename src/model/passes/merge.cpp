// Lipton's reduction (movers) on the control-flow graph.  Eliminating location L replaces each pair of an edge e into L
// and an edge f out of L by the edge e;f, which executes the actions of both.  Every run of the result is a run of the
// original in which a thread that enters L goes on at once, so nothing becomes reachable that was not.  What must be
// argued is that nothing is lost: that in every run of the original the two steps e, f of a thread can be brought
// together without changing anybody else's steps.
//
// Call an edge *local* if it reads and writes only locals of its thread that no other thread, property or initial
// condition can see, and does not spawn, end, broadcast, take others along or change the atomic flag; and call a
// location *observed* if AtLocation, a Cover property, a passive move or a take speaks of it, or if threads wait there
// and deadlocks are looked for.  L is never observed, an
// error location, or a place where threads start or are moved to.
//
// (a) All edges e into L are local, and neither L nor their sources are observed.  Then e commutes to the right with
// every step of another thread: it neither reads nor writes what they touch, they cannot see whether it has happened,
// and the number of threads alive is the same before and after it (so a spawn at the bound stays one).  Move e right
// until f.  If no f follows, drop e: the thread then stands at e's source, nobody else notices.  If another thread is
// inside an atomic section when e moves past it, f comes after the section anyway.
//
// (b) The thread is inside an atomic section whenever it is at L.  Then no other thread moves between e and f to begin
// with.  If no f follows (all blocked: such a run is stuck for everybody) the state at L is lost, and with it what
// others could be seen doing in it; their locations and locals were the same before e, except for threads that e
// itself spawned, moved, took or wrote to.  Hence e must not put a thread at an error location.  Where Cover properties
// ask for places of threads and nothing else, e must not do anything to other threads: L itself is not observed, so
// what is asked for holds before e already if it holds at L.  The rule is off for Cover properties that look at shared
// variables and for Condition properties.  For deadlocks it is off where all edges out of L may be blocked, since a
// thread that gives up at L would be seen waiting where e begins; and where e begins and f arrives at places where
// threads wait, since one that waits in a loop there would not be seen to leave it.
//
// (c) Exactly one edge f leaves L, it is local, it has no guard or constraint and cannot fault (so it can always run),
// and neither L nor its target are observed.  Then f commutes to the left, up to e, by the same argument; where no f
// follows e, let it run.
//
// After a first round with these rules, edges that make up one operation on a lock are one edge, and locks are looked
// for (model/passes/movers.hpp).  In a second round (a) takes edges into L that move to the right, and (c) an edge out
// of L that moves to the left, though they read or write shared variables; a critical section so becomes one step.  The
// arguments are the same, but for the state at the end of a run: where e is dropped, or f added, shared variables have
// other values, which no step sees any more.  So this round, like (b), is off when a Cover or Condition property could
// hold of that state.  For deadlocks, (a) is off in it: a thread that waits at L for ever would be seen at the
// beginning of e.
//
// Who waits for ever is seen in a bottom component of the graph of states, one that no step leaves.  Nobody
// stays at L there: f can always run, unless another thread is inside of an atomic section for good, and where one may
// wait there, nothing is merged.  So each such component has a state with nobody at L, and
// between two of these the runs of the original are, up to the order of steps, those of the result.  A thread that
// waits in a loop does not pass L, since nobody waits there or at the target of f.
//
// So: every state of the original in which each thread stands at a location that is left is a state of the result, and
// vice versa; every reachable error location stays reachable; without (b) and the second round the same holds of every
// thread state (shared, local) at a location that is left.  This is for any bound on the number of threads, and for
// none.  A Condition property that reads locals switches merging off: it could hold at a location that is eliminated.
//
// What the interpreter asks of an edge limits what may be joined: one action at most that spawns, broadcasts, takes,
// ends or writes remotely; no look at other threads after an action that is not local, since they are seen as before
// the edge; nothing that can fault after a broadcast or take, which may turn out to block only at the end; no choice
// node twice in one edge (two edges may share one).
//
// Cost: each elimination touches the edges at L; only locations with one edge in or one edge out go, so edges never
// become more.
#include "model/passes/merge.hpp"
#include "model/analysis/may_fault.hpp"
#include "model/analysis/visit.hpp"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "base/contract.hpp"
#include "base/poll.hpp"
#include "model/analysis/access.hpp"
#include "model/analysis/goes_on.hpp"
#include "model/analysis/movers.hpp"
#include "model/property.hpp"

namespace cohort::model {

namespace {

// Where more edges leave a location, executing what comes before it once for each of them costs more than an
// interleaving.
constexpr std::size_t max_branches = 8;

std::vector<ExprId> choices_of(const ExprPool& exprs, const Edge& edge) {
  std::vector<ExprId> choices;
  for (const Action& action : edge.actions) {
    for_each_node(exprs, action, [&](const Expr& node, ExprId id) {
      if (node.op == Op::Nondet) choices.push_back(id);
    });
  }
  std::sort(choices.begin(), choices.end());
  choices.erase(std::unique(choices.begin(), choices.end()), choices.end());
  return choices;
}

// Locations where the thread is inside an atomic section, however it got there: the greatest solution of a forward
// analysis.
class AtomicLocations {
 public:
  explicit AtomicLocations(const Program& program) {
    for (const Template& templ : program.templates) inside_.emplace_back(templ.locations.size(), true);
    for (const InitialThreads& group : program.initial) leave(group.templ, group.location);
    // New threads and threads that another thread moves are outside.
    for (const auto& [action, edge, templ] : actions_of(program)) {
      for_each_placed(action, [&](TemplateId placed, LocId location) { leave(placed, location); });
    }
    for (std::size_t i = 0; i < program.templates.size(); ++i) close(program.templates[i], i);
  }

  bool inside(TemplateId templ, LocId location) const { return inside_[templ.value][location.value]; }

 private:
  void leave(TemplateId templ, LocId location) { inside_[templ.value][location.value] = false; }

  static bool inside_after(const Edge& edge, bool inside) {
    for (const Action& action : edge.actions) {
      if (action.atomic != AtomicChange::None) inside = action.atomic == AtomicChange::Enter;
    }
    return inside;
  }

  // From each location outside on, along edges that do not enter a section.
  void close(const Template& templ, std::size_t id) {
    const OutEdges out(templ);
    std::vector<LocId> pending;
    for (std::size_t i = 0; i < templ.locations.size(); ++i) pending.emplace_back(i);
    while (!pending.empty()) {
      const LocId at = pending.back();
      pending.pop_back();
      for (const std::uint32_t index : out.of(at)) {
        const Edge& edge = templ.edges[index];
        if (ends_thread(edge) || !inside_[id][edge.target.value]) continue;
        if (inside_after(edge, inside_[id][at.value])) continue;
        inside_[id][edge.target.value] = false;
        pending.push_back(edge.target);
      }
    }
  }

  std::vector<std::vector<bool>> inside_;
};

// What decides whether an edge may be joined with others.
struct EdgeTraits {
  bool local = true;        // see the essay
  bool moves_right = true;  // past steps of other threads; a local edge moves both ways
  bool moves_left = true;
  bool can_block = false;         // has a guard or constraint
  bool faults = false;            // can fault
  bool effect = false;            // spawns, broadcasts, takes, ends or writes remotely
  bool waits_for_others = false;  // broadcasts or takes: may block after all actions have run
  bool sees_others = false;
  bool places_error = false;  // puts another thread at an error location
};

class TraitsFinder {
 public:
  TraitsFinder(const Program& program, const Observed& observed) : program_(program), observed_(observed) {}

  EdgeTraits of(TemplateId templ, const Edge& edge) const {
    EdgeTraits traits;
    for (const Action& action : edge.actions) add(templ, action, traits);
    traits.moves_right = traits.moves_left = traits.local;
    return traits;
  }

 private:
  void add(TemplateId templ, const Action& action, EdgeTraits& traits) const {
    const bool broadcast = is_broadcast(program_.exprs, action);
    const bool remote = std::any_of(action.assigns.begin(), action.assigns.end(),
                                    [](const Assign& assign) { return assign.target.kind == LValue::Kind::Remote; });
    const bool effect = broadcast || remote || !action.takes.empty() || !action.spawns.empty() || action.ends_thread;
    traits.can_block = traits.can_block || action.guard || !action.constraint.empty();
    traits.faults = traits.faults || may_fault(program_, program_.templ(templ), action);
    traits.effect = traits.effect || effect;
    traits.waits_for_others = traits.waits_for_others || broadcast || !action.takes.empty();
    traits.sees_others = traits.sees_others || uses_other_threads(program_.exprs, action);
    traits.places_error = traits.places_error || places_error(action);
    traits.local =
        traits.local && !effect && action.atomic == AtomicChange::None && touches_private_only(templ, action);
  }

  bool touches_private_only(TemplateId templ, const Action& action) const {
    bool is_private = std::all_of(action.assigns.begin(), action.assigns.end(), [&](const Assign& assign) {
      return assign.target.kind == LValue::Kind::Local && !observed_.local(templ, assign.target.var);
    });
    for_each_node(program_.exprs, action, [&](const Expr& node, ExprId) {
      switch (node.op) {
        case Op::LocalVar: is_private = is_private && !observed_.local(templ, node.var); break;
        case Op::SharedVar:
        case Op::PassiveVar:
        case Op::RemoteVar:
        case Op::AtLocation:
        case Op::ForallThread:
        case Op::ExistsThread: is_private = false; break;
        default: break;
      }
      // How many threads there are decides what a choice among them may be.
      if (node.op == Op::Nondet && node.type.kind() == Type::Kind::ThreadRef) is_private = false;
    });
    return is_private;
  }

  bool places_error(const Action& action) const {
    const auto is_error = [&](TemplateId templ, LocId location) {
      return program_.templ(templ).locations[location.value].error.has_value();
    };
    return std::any_of(action.spawns.begin(), action.spawns.end(),
                       [&](const Spawn& s) { return is_error(s.templ, s.location); }) ||
           std::any_of(action.moves.begin(), action.moves.end(),
                       [&](const PassiveMove& m) { return is_error(m.templ, m.to); }) ||
           std::any_of(action.takes.begin(), action.takes.end(),
                       [&](const Take& t) { return t.to && is_error(t.templ, *t.to); });
  }

  const Program& program_;
  const Observed& observed_;
};

// Locations that stay whatever the edges say, for all templates.
std::vector<std::vector<bool>> fixed_locations(const Program& program, const Observed& observed) {
  std::vector<std::vector<bool>> fixed;
  for (std::size_t i = 0; i < program.templates.size(); ++i) {
    const Template& templ = program.templates[i];
    auto& of_template = fixed.emplace_back(templ.locations.size(), false);
    for (std::size_t j = 0; j < templ.locations.size(); ++j) {
      of_template[j] = templ.locations[j].error.has_value() || observed.location(TemplateId(i), LocId(j));
    }
    of_template[templ.entry.value] = true;
  }
  for (const InitialThreads& group : program.initial) fixed[group.templ.value][group.location.value] = true;
  for (const auto& [action, edge, templ] : actions_of(program)) {
    for_each_placed(action, [&](TemplateId placed, LocId at) { fixed[placed.value][at.value] = true; });
  }
  return fixed;
}

class Merger {
 public:
  // `inside` is null where rule (b) is off, `movers` in the first round.  `places`: is somebody asking where threads
  // are?  `deadlocks`: or who waits for ever?
  Merger(const Program& program, TemplateId id, const Observed& observed, const AtomicLocations* inside, bool places,
         const Movers* movers, bool deadlocks, const MergeOptions& options, Env* env)
      : id_(id),
        observed_(observed),
        inside_(inside),
        places_(places),
        deadlocks_(deadlocks),
        program_(program),
        options_(options),
        env_(env),
        finder_(program, observed) {
    const Template& templ = program.templ(id);
    in_.resize(templ.locations.size());
    out_.resize(templ.locations.size());
    for (std::uint32_t i = 0; i < templ.edges.size(); ++i) {
      poll(env_, "merge");
      EdgeTraits traits = finder_.of(id, templ.edges[i]);
      traits.moves_right = traits.moves_right || (movers != nullptr && !deadlocks && movers->right({id, i}));
      traits.moves_left = traits.moves_left || (movers != nullptr && movers->left({id, i}));
      add(templ.edges[i], traits, choices_of(program.exprs, templ.edges[i]));
    }
  }

  std::vector<Edge> run(const std::vector<bool>& fixed) {
    bool changed = true;
    while (changed) {
      changed = false;
      for (std::size_t i = 0; i < fixed.size(); ++i) {
        poll(env_, "merge");
        if (fixed[i] || !may_eliminate(LocId(i))) continue;
        eliminate(LocId(i));
        changed = true;
      }
    }
    std::vector<Edge> edges;
    for (Item& item : items_) {
      if (item.alive) edges.push_back(std::move(item.edge));
    }
    std::stable_sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) { return a.source < b.source; });
    return edges;
  }

 private:
  struct Item {
    Edge edge;
    EdgeTraits traits;
    std::vector<ExprId> choices;  // sorted
    bool alive = true;
  };
  using Indices = std::vector<std::uint32_t>;

  void add(Edge edge, const EdgeTraits& traits, std::vector<ExprId> choices) {
    const auto index = static_cast<std::uint32_t>(items_.size());
    out_[edge.source.value].push_back(index);
    // An edge that ends its thread leads nowhere.
    if (!ends_thread(edge)) in_[edge.target.value].push_back(index);
    items_.push_back({std::move(edge), traits, std::move(choices)});
  }

  const Indices& living(Indices& indices) const {
    std::erase_if(indices, [&](std::uint32_t index) { return !items_[index].alive; });
    return indices;
  }

  bool may_eliminate(LocId at) {
    const Indices& in = living(in_[at.value]);
    const Indices& out = living(out_[at.value]);
    if (in.empty() || out.empty() || (in.size() > 1 && out.size() > 1) || out.size() > max_branches) return false;
    for (const std::uint32_t e : in) {
      if (items_[e].edge.source == at) return false;
      for (const std::uint32_t f : out) {
        if (!can_join(items_[e], items_[f])) return false;
      }
    }
    return moves_right(in) || moves_left(out) || stays_inside(at, in, out);
  }

  bool can_join(const Item& e, const Item& f) const {
    if (e.edge.actions.size() + f.edge.actions.size() > options_.max_actions) return false;
    if (e.traits.effect && f.traits.effect) return false;
    if (share_choices(e, f)) return false;
    if (f.traits.sees_others && !(e.traits.local && !observed_.location(id_, e.edge.source))) return false;
    return !(e.traits.waits_for_others && f.traits.faults);
  }

  static bool share_choices(const Item& e, const Item& f) {
    std::vector<ExprId> shared;
    std::set_intersection(e.choices.begin(), e.choices.end(), f.choices.begin(), f.choices.end(),
                          std::back_inserter(shared));
    return !shared.empty();
  }

  // Rule (a).
  bool moves_right(const Indices& in) const {
    return std::all_of(in.begin(), in.end(), [&](std::uint32_t e) {
      return items_[e].traits.moves_right && !observed_.location(id_, items_[e].edge.source);
    });
  }

  // Rule (c).
  bool moves_left(const Indices& out) const {
    if (out.size() != 1) return false;
    const Item& f = items_[out.front()];
    return f.traits.moves_left && !f.traits.can_block && !f.traits.faults && !observed_.location(id_, f.edge.target);
  }

  // Rule (b).
  bool stays_inside(LocId at, const Indices& in, const Indices& out) const {
    if (inside_ == nullptr || !inside_->inside(id_, at)) return false;
    if (deadlocks_ && (!goes_on(out) || (waits_at(in, &Edge::source) && waits_at(out, &Edge::target)))) return false;
    return std::none_of(in.begin(), in.end(), [&](std::uint32_t e) {
      return items_[e].traits.places_error || (places_ && items_[e].traits.effect);
    });
  }

  bool waits_at(const Indices& edges, LocId Edge::*end) const {
    return std::any_of(edges.begin(), edges.end(),
                       [&](std::uint32_t index) { return observed_.location(id_, items_[index].edge.*end); });
  }

  bool goes_on(const Indices& out) const {
    std::vector<const Edge*> edges;
    for (const std::uint32_t index : out) edges.push_back(&items_[index].edge);
    return can_always_go_on(program_, id_, edges);
  }

  void eliminate(LocId at) {
    const Indices in = in_[at.value];
    const Indices out = out_[at.value];
    for (const std::uint32_t e : in) {
      for (const std::uint32_t f : out) {
        poll(env_, "merge");
        join(e, f);
      }
    }
    for (const std::uint32_t e : in) items_[e].alive = false;
    for (const std::uint32_t f : out) items_[f].alive = false;
  }

  void join(std::uint32_t e, std::uint32_t f) {
    Edge edge = items_[e].edge;
    const Edge& next = items_[f].edge;
    COHORT_EXPECT(edge.target == next.source && !ends_thread(edge), "the second edge goes on where the first arrives");
    edge.actions.insert(edge.actions.end(), next.actions.begin(), next.actions.end());
    edge.target = next.target;
    std::vector<ExprId> choices;
    std::merge(items_[e].choices.begin(), items_[e].choices.end(), items_[f].choices.begin(), items_[f].choices.end(),
               std::back_inserter(choices));
    const EdgeTraits traits = united(items_[e].traits, items_[f].traits);
    add(std::move(edge), traits, std::move(choices));
  }

  static EdgeTraits united(const EdgeTraits& e, const EdgeTraits& f) {
    return {.local = e.local && f.local,
            .moves_right = e.moves_right && f.moves_right,
            .moves_left = e.moves_left && f.moves_left,
            .can_block = e.can_block || f.can_block,
            .faults = e.faults || f.faults,
            .effect = e.effect || f.effect,
            .waits_for_others = e.waits_for_others || f.waits_for_others,
            .sees_others = e.sees_others || f.sees_others,
            .places_error = e.places_error || f.places_error};
  }

  const TemplateId id_;
  const Observed& observed_;
  const AtomicLocations* inside_;
  const bool places_;
  const bool deadlocks_;
  const Program& program_;
  const MergeOptions options_;
  Env* env_;
  const TraitsFinder finder_;
  std::vector<Item> items_;
  std::vector<Indices> in_;
  std::vector<Indices> out_;
};

bool reads_locals(const Program& program, const Property& property) {
  return property.kind == Property::Kind::Condition && mentions(program.exprs, *property.condition, Op::RemoteVar);
}

bool asks_for_places(const Property& property) {
  return property.kind == PropertyKind::Cover && !property.condition;
}

bool is_state_property(const Property& property) {
  return !is_at_location(property.kind) && property.kind != PropertyKind::Fault;
}

}  // namespace

bool may_wait_inside(const Program& program) {
  const AtomicLocations inside(program);
  for (std::size_t i = 0; i < program.templates.size(); ++i) {
    const Template& templ = program.templates[i];
    std::vector<std::vector<const Edge*>> out(templ.locations.size());
    for (const Edge& edge : templ.edges) out[edge.source.value].push_back(&edge);
    for (std::size_t at = 0; at < out.size(); ++at) {
      const bool waits = templ.locations[at].waits && inside.inside(TemplateId(i), LocId(at));
      if (waits && !can_always_go_on(program, TemplateId(i), out[at])) return true;
    }
  }
  return false;
}

Program merge_steps(Program program, const MergeOptions& options, Env* env) {
  COHORT_EXPECT(is_flat(program), "steps are merged after inlining");
  const auto& properties = program.properties;
  if (std::any_of(properties.begin(), properties.end(), [&](const Property& p) { return reads_locals(program, p); }))
    return program;
  const Observed observed(program);
  const bool deadlocks = looks_for_deadlocks(program);
  if (deadlocks && may_wait_inside(program)) return program;
  const auto allows_sections = [](const Property& p) {
    return asks_for_places(p) || p.kind == PropertyKind::Deadlock || !is_state_property(p);
  };
  const bool sections = options.atomic_sections && std::all_of(properties.begin(), properties.end(), allows_sections);
  const bool places = std::any_of(properties.begin(), properties.end(), asks_for_places);
  const auto fixed = fixed_locations(program, observed);
  const auto merge_round = [&](const Movers* movers) {
    const AtomicLocations inside(program);
    Program merged = program;
    for (std::size_t i = 0; i < program.templates.size(); ++i) {
      Merger merger(program, TemplateId(i), observed, sections ? &inside : nullptr, places, movers, deadlocks, options,
                    env);
      merged.templates[i].edges = merger.run(fixed[i]);
    }
    program = std::move(merged);
  };
  merge_round(nullptr);
  if (!sections || places || !options.locks) return program;
  const Movers movers(program, env);
  merge_round(&movers);
  return program;
}

}  // namespace cohort::model
