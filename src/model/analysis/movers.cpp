// Lipton's movers (Reduction, CACM 1975) by locks, which are not part of the model and have to be found first.
//
// A *lock* is a scalar shared variable m that every edge of the program uses in one of these ways or not at all: it
// acquires m (a guard says that m is 0, and later in the edge m gets another value), releases it (m gets the value 0
// and is not read), or does both, in this order.  A thread *owns* m after an edge that acquires it until one that
// releases it; where it must own it is a forward analysis over locations.  m is a lock only if edges that release it
// start where it is owned: a candidate that fails is dropped, and the analysis repeated.  Then, by induction along
// every run: who owns m sees it different from 0, and no two threads own it, since acquiring needs 0, and only the
// owner makes it 0.
//
// A variable x is *protected* by m if every edge that reads or writes x starts where m is owned or acquires it itself.
// An edge that may fault, where that is a violation, does not count as acquiring: the fault shows even if the edge
// fails to acquire m later on. Let A own m before and after a step that touches, of what is shared, only x.  Between
// two steps of A no other thread acquires m, so none touches x: the step changes places with each of theirs.
//  - A step that acquires m, and perhaps touches what m protects, moves to the right: after it others neither acquire
//    nor release m, and nobody else reads it.
//  - A step that releases m, and perhaps touches what m protected, moves to the left, for the same reason.
//  - What is never written moves both ways.
// Where a thread is alone (model/passes/solitude.hpp) nobody is there to change places with, so its edges there count
// neither as uses of a lock nor as accesses; if they write a lock, they no longer own it.
//
// Nothing is a mover here that spawns, ends, begins or ends an atomic section that it does not close, or touches what
// other threads see in other ways.  Programs with broadcasts, moves, takes and references are left alone.  Cost: rounds
// of a data-flow analysis, at most one for each candidate.
#include "model/analysis/movers.hpp"
#include "model/analysis/may_fault.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "base/poll.hpp"
#include "model/analysis/access.hpp"
#include "model/analysis/bit_set.hpp"
#include "model/analysis/solitude.hpp"
#include "model/analysis/visit.hpp"

namespace cohort::model {

namespace {

enum class LockUse : std::uint8_t { None, Acquires, Releases, Both, Other };

// What an edge, as one step, does to shared variables.
struct Summary {
  BitSet touched;
  BitSet written;
  std::vector<LockUse> uses;  // of each shared variable
  bool plain = true;          // no effect but on variables, and none that others see otherwise
  bool violates = false;      // may run into a fault that is a violation
};

// Locations where a thread may be inside an atomic section: the least solution of a forward analysis.
class InsideSections {
 public:
  explicit InsideSections(const Program& program) {
    for (const Template& templ : program.templates) {
      auto& inside = inside_.emplace_back(templ.locations.size(), false);
      for (bool changed = true; changed;) {
        changed = false;
        for (const Edge& edge : templ.edges) {
          if (inside[edge.target.value] || !after(edge, inside[edge.source.value])) continue;
          inside[edge.target.value] = changed = true;
        }
      }
    }
  }

  bool possible(TemplateId templ, LocId location) const { return inside_[templ.value][location.value]; }

 private:
  static bool after(const Edge& edge, bool inside) {
    for (const Action& action : edge.actions) {
      if (action.atomic != AtomicChange::None) inside = action.atomic == AtomicChange::Enter;
    }
    return inside;
  }

  std::vector<std::vector<bool>> inside_;
};

class Summaries {
 public:
  Summaries(const Program& program, const Observed& observed)
      : program_(program), observed_(observed), inside_(program) {}

  Summary of(TemplateId templ, const Edge& edge) const {
    const std::size_t count = program_.shared.size();
    Summary summary{BitSet(count), BitSet(count), std::vector<LockUse>(count, LockUse::None), true, false};
    Events events;
    bool inside = false;
    for (const Action& action : edge.actions) {
      add(templ, action, summary, events);
      summary.violates = summary.violates || (program_.faults == FaultPolicy::Violation &&
                                              may_fault(program_, program_.templ(templ), action));
      if (action.atomic == AtomicChange::None) continue;
      inside = action.atomic == AtomicChange::Enter;
      // The end of a section that began before would let others move.
      if (inside_.possible(templ, edge.source)) summary.plain = false;
    }
    summary.plain = summary.plain && !inside;
    for (const auto& [var, list] : events) summary.uses[var.value] = use_of(list);
    return summary;
  }

 private:
  enum class Event : std::uint8_t { IsZero, SetZero, SetOther, Other };
  using Events = std::map<VarId, std::vector<Event>>;

  static LockUse use_of(const std::vector<Event>& events) {
    using enum Event;
    if (events == std::vector{IsZero, SetOther}) return LockUse::Acquires;
    if (events == std::vector{SetZero}) return LockUse::Releases;
    if (events == std::vector{IsZero, SetOther, SetZero}) return LockUse::Both;
    return LockUse::Other;
  }

  void add(TemplateId templ, const Action& action, Summary& summary, Events& events) const {
    if (action.guard) add_guard(*action.guard, events);
    const auto read = [&](ExprId root) { add_reads(root, events); };
    for (const ExprId conjunct : action.constraint) read(conjunct);
    for (const Assign& assign : action.assigns) {
      if (assign.target.index) read(*assign.target.index);
      if (assign.target.ref) read(*assign.target.ref);
      read(assign.value);
    }
    for (const Spawn& spawn : action.spawns) {
      for (const Assign& assign : spawn.locals) read(assign.value);
    }
    for (const Assign& assign : action.assigns) add_write(templ, assign, summary, events);
    for (const auto& [var, list] : events) summary.touched.insert(var.value);
    for_each_node(program_.exprs, action, [&](const Expr& node, ExprId) {
      if (node.op == Op::LocalVar && observed_.local(templ, node.var)) summary.plain = false;
      if (node.op == Op::Nondet && node.type.kind() == Type::Kind::ThreadRef) summary.plain = false;
    });
    if (uses_other_threads(program_.exprs, action) || !action.spawns.empty() || action.ends_thread) {
      summary.plain = false;
    }
  }

  void add_guard(ExprId guard, Events& events) const {
    const Expr& node = program_.exprs[guard];
    if (node.op == Op::And) {
      for (const ExprId arg : node.args) add_guard(arg, events);
      return;
    }
    if (const auto var = tested_for_zero(guard, true)) {
      events[*var].push_back(Event::IsZero);
    } else {
      add_reads(guard, events);
    }
  }

  // The scalar shared variable that is 0 whenever `root` is `truth`, and the only one it reads.
  std::optional<VarId> tested_for_zero(ExprId root, bool truth) const {
    const Expr& node = program_.exprs[root];
    if (node.op == Op::Not) return tested_for_zero(node.args[0], !truth);
    if (node.op == Op::SharedVar) return node.type.is_bool() && !truth ? scalar(root) : std::nullopt;
    const bool equal = node.op == Op::Eq ? truth : node.op == Op::Ne && !truth;
    if (!equal || !program_.exprs.is_const(node.args[1], 0)) return std::nullopt;
    return scalar(node.args[0]);
  }

  std::optional<VarId> scalar(ExprId root) const {
    const Expr& node = program_.exprs[root];
    const bool is_scalar = node.op == Op::SharedVar && node.args.empty() && !node.primed &&
                           !program_.shared[node.var.value].type.is_array();
    return is_scalar ? std::optional(node.var) : std::nullopt;
  }

  void add_reads(ExprId root, Events& events) const {
    for_each_node(program_.exprs, root, [&](const Expr& node, ExprId) {
      if (node.op == Op::SharedVar) events[node.var].push_back(Event::Other);
    });
  }

  void add_write(TemplateId templ, const Assign& assign, Summary& summary, Events& events) const {
    const LValue& target = assign.target;
    if (target.kind != LValue::Kind::Shared) {
      const bool own = target.kind == LValue::Kind::Local && !observed_.local(templ, target.var);
      summary.plain = summary.plain && own;
      return;
    }
    summary.written.insert(target.var.value);
    const Expr& value = program_.exprs[assign.value];
    const bool constant = value.op == Op::Const && !target.index;
    const Event set = value.value == 0 ? Event::SetZero : Event::SetOther;
    events[target.var].push_back(constant ? set : Event::Other);
  }

  const Program& program_;
  const Observed& observed_;
  InsideSections inside_;
};

class LockAnalysis {
 public:
  LockAnalysis(const Program& program, Env* env)
      : program_(program), env_(env), solitude_(program, env), locks_(program.shared.size()) {
    const Observed observed(program);
    const Summaries summaries(program, observed);
    for (std::size_t i = 0; i < program.templates.size(); ++i) {
      auto& of_template = summaries_.emplace_back();
      for (const Edge& edge : program.templates[i].edges) of_template.push_back(summaries.of(TemplateId(i), edge));
    }
    for (std::size_t i = 0; i < program.shared.size(); ++i) {
      if (!program.shared[i].type.is_array() && is_used_as_lock(i)) locks_.insert(i);
    }
    do {
      find_owned();
    } while (drop_released_by_others());
    find_protection();
  }

  bool right(std::size_t templ, std::size_t edge) const {
    const BitSet owned = owned_after(templ, edge);
    return is_mover(templ, edge, LockUse::Acquires, owned);
  }

  bool left(std::size_t templ, std::size_t edge) const {
    return is_mover(templ, edge, LockUse::Releases, owned_before(templ, edge));
  }

 private:
  template <class Visit>
  void for_each_edge(Visit&& visit) const {
    for (std::size_t i = 0; i < summaries_.size(); ++i) {
      for (std::size_t j = 0; j < summaries_[i].size(); ++j) {
        poll(env_, "movers");
        visit(i, j, summaries_[i][j]);
      }
    }
  }

  const Edge& edge_of(std::size_t templ, std::size_t edge) const { return program_.templates[templ].edges[edge]; }
  bool alone(std::size_t templ, std::size_t edge) const {
    return solitude_.alone(TemplateId(templ), edge_of(templ, edge).source);
  }
  const BitSet& owned_before(std::size_t templ, std::size_t edge) const {
    return owned_[templ][edge_of(templ, edge).source.value];
  }

  bool is_used_as_lock(std::size_t var) const {
    bool result = true;
    for_each_edge([&](std::size_t templ, std::size_t edge, const Summary& summary) {
      result = result && (summary.uses[var] != LockUse::Other || alone(templ, edge));
    });
    return result;
  }

  BitSet owned_after(std::size_t templ, std::size_t edge) const {
    BitSet owned = owned_before(templ, edge);
    const Summary& summary = summaries_[templ][edge];
    for (std::size_t i = 0; i < owned.size(); ++i) {
      if (!locks_.contains(i) || summary.uses[i] == LockUse::None) continue;
      summary.uses[i] == LockUse::Acquires ? owned.insert(i) : owned.erase(i);
    }
    return owned;
  }

  // The greatest solution: what is owned on every way to a location.
  void find_owned() {
    owned_.clear();
    for (const Template& templ : program_.templates) owned_.emplace_back(templ.locations.size(), locks_);
    const BitSet nothing(program_.shared.size());
    for (const InitialThreads& group : program_.initial) owned_[group.templ.value][group.location.value] = nothing;
    for (const auto& [action, edge, templ] : actions_of(program_)) {
      for (const Spawn& spawn : action.spawns) owned_[spawn.templ.value][spawn.location.value] = nothing;
    }
    for (bool changed = true; changed;) {
      changed = false;
      for_each_edge([&](std::size_t templ, std::size_t edge, const Summary&) {
        BitSet& target = owned_[templ][edge_of(templ, edge).target.value];
        BitSet met = target;
        met.intersect(owned_after(templ, edge));
        changed = changed || met != target;
        target = std::move(met);
      });
    }
  }

  bool drop_released_by_others() {
    bool dropped = false;
    for_each_edge([&](std::size_t templ, std::size_t edge, const Summary& summary) {
      if (alone(templ, edge)) return;
      for (std::size_t i = 0; i < summary.uses.size(); ++i) {
        if (!locks_.contains(i) || summary.uses[i] != LockUse::Releases) continue;
        if (owned_before(templ, edge).contains(i)) continue;
        locks_.erase(i);
        dropped = true;
      }
    });
    return dropped;
  }

  void find_protection() {
    protection_.assign(program_.shared.size(), locks_);
    written_ = BitSet(program_.shared.size());
    for_each_edge([&](std::size_t templ, std::size_t edge, const Summary& summary) {
      if (alone(templ, edge)) return;
      written_.unite(summary.written);
      BitSet held = owned_before(templ, edge);
      for (std::size_t i = 0; !summary.violates && i < summary.uses.size(); ++i) {
        if (locks_.contains(i) && (summary.uses[i] == LockUse::Acquires || summary.uses[i] == LockUse::Both)) {
          held.insert(i);
        }
      }
      for (std::size_t i = 0; i < summary.uses.size(); ++i) {
        if (summary.touched.contains(i)) protection_[i].intersect(held);
      }
    });
  }

  bool is_mover(std::size_t templ, std::size_t edge, LockUse allowed, const BitSet& owned) const {
    const Summary& summary = summaries_[templ][edge];
    if (!summary.plain) return false;
    if (alone(templ, edge)) return true;
    for (std::size_t i = 0; i < summary.uses.size(); ++i) {
      if (!summary.touched.contains(i)) continue;
      if (locks_.contains(i)) {
        if (summary.uses[i] != allowed) return false;
        continue;
      }
      BitSet protecting = protection_[i];
      protecting.intersect(owned);
      if (written_.contains(i) && protecting == BitSet(owned.size())) return false;
    }
    return true;
  }

  const Program& program_;
  Env* env_;
  Solitude solitude_;
  std::vector<std::vector<Summary>> summaries_;  // [template][edge]
  BitSet locks_;
  std::vector<std::vector<BitSet>> owned_;  // [template][location]
  std::vector<BitSet> protection_;          // the locks that protect each shared variable
  BitSet written_;                          // what is written where a thread is not alone
};

bool is_left_alone(const Program& program) {
  if (uses_thread_refs(program)) return true;
  for (const auto& [action, edge, templ] : actions_of(program)) {
    if (!action.moves.empty() || !action.takes.empty() || is_broadcast(program.exprs, action)) return true;
  }
  return false;
}

}  // namespace

Movers::Movers(const Program& program, Env* env) {
  for (const Template& templ : program.templates) {
    right_.emplace_back(templ.edges.size(), false);
    left_.emplace_back(templ.edges.size(), false);
  }
  if (is_left_alone(program)) return;
  const LockAnalysis analysis(program, env);
  for (std::size_t i = 0; i < program.templates.size(); ++i) {
    for (std::size_t j = 0; j < program.templates[i].edges.size(); ++j) {
      right_[i][j] = analysis.right(i, j);
      left_[i][j] = analysis.left(i, j);
    }
  }
}

}  // namespace cohort::model
