// A forward analysis of the thread that exists at the start: which creations may have been executed, and which of the
// threads created must have ended.  It is alone where the second set holds all of the first.
//
// That a thread has ended is known from a flag: an element F[k] of an array of Booleans that are false at the start and
// set only by steps that end their thread, each at the index that is the thread's number, a local that nothing but its
// creation assigns.  The first thread has then seen F[k] true in a guard.  That must be the thread of one creation and
// of no other, so the creation must be outside of loops, by the first thread, of which there is only one, and the only
// one that hands out the number k.  A thread that creates others, or whose end no flag tells, never ends as far as this
// analysis goes.  Flags are never reset, so what has ended stays so.
#include "model/analysis/solitude.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "base/poll.hpp"
#include "model/analysis/access.hpp"
#include "model/analysis/bit_set.hpp"
#include "model/analysis/visit.hpp"

namespace cohort::model {

namespace {

// Does every value keep its meaning in the other type?
bool is_widening(const Type& from, const Type& to) {
  if (from.kind() != Type::Kind::Int || to.kind() != Type::Kind::Int) return false;
  return to.is_signed() == from.is_signed() ? to.width() >= from.width() : to.is_signed() && to.width() > from.width();
}

// The locals that hold the numbers under which threads say in `flag` that they end, by template; none if the variable
// is no such flag.
std::optional<std::map<TemplateId, VarId>> numbers_of(const Program& program, TemplateId first, VarId flag) {
  const Variable& variable = program.shared[flag.value];
  const bool false_at_start = !variable.initial.empty() && std::all_of(variable.initial.begin(), variable.initial.end(),
                                                                       [](Value value) { return value == 0; });
  if (!variable.type.is_array() || !variable.type.element().is_bool() || !false_at_start) return std::nullopt;
  std::map<TemplateId, VarId> numbers;
  for (const auto& [action, edge, templ] : actions_of(program)) {
    for (const Assign& assign : action.assigns) {
      if (assign.target.kind != LValue::Kind::Shared || assign.target.var != flag) continue;
      if (!edge.actions.back().ends_thread) return std::nullopt;
      // When the first thread has ended, nobody asks whether it is alone.
      if (templ == first) continue;
      ExprId index = *assign.target.index;
      while (program.exprs[index].op == Op::Cast) {
        const ExprId inner = program.exprs[index].args[0];
        if (!is_widening(program.exprs[inner].type, program.exprs[index].type)) return std::nullopt;
        index = inner;
      }
      if (program.exprs[index].op != Op::LocalVar || !program.exprs[index].args.empty()) return std::nullopt;
      const auto [it, fresh] = numbers.emplace(templ, program.exprs[index].var);
      if (it->second != program.exprs[index].var) return std::nullopt;
    }
  }
  return numbers;
}

bool assigns_local(const Template& templ, VarId var) {
  return any_action(templ, [&](const Action& action) {
    return std::any_of(action.assigns.begin(), action.assigns.end(), [&](const Assign& assign) {
      return assign.target.kind != LValue::Kind::Shared && assign.target.var == var;
    });
  });
}

bool is_in_loop(const Template& templ, const OutEdges& out, const Edge& edge) {
  std::vector<bool> seen(templ.locations.size(), false);
  std::vector<LocId> pending{edge.target};
  while (!pending.empty()) {
    const LocId at = pending.back();
    pending.pop_back();
    if (at == edge.source) return true;
    if (seen[at.value]) continue;
    seen[at.value] = true;
    for (const std::uint32_t index : out.of(at)) pending.push_back(templ.edges[index].target);
  }
  return false;
}

using FlagElement = std::pair<VarId, Value>;

// The creations of the first thread, numbered in the order of edges, with the flag that tells the end of each.
class Creations {
 public:
  Creations(const Program& program, TemplateId first) : program_(program), first_(first) {
    for (std::size_t i = 0; i < program.shared.size(); ++i) {
      if (auto numbers = numbers_of(program, first, VarId(i))) flags_.emplace(VarId(i), std::move(*numbers));
    }
    const Template& templ = program.templ(first);
    const OutEdges out(templ);
    for (std::size_t i = 0; i < templ.edges.size(); ++i) {
      for (const Action& action : templ.edges[i].actions) {
        for (const Spawn& spawn : action.spawns) {
          of_edge_.emplace(i, count_);
          if (!is_in_loop(templ, out, templ.edges[i])) add_flags(spawn, count_);
          ++count_;
        }
      }
    }
  }

  std::size_t count() const { return count_; }

  void start(std::size_t edge, BitSet& started) const {
    const auto [begin, end] = of_edge_.equal_range(edge);
    for (auto it = begin; it != end; ++it) started.insert(it->second);
  }

  // What a guard says has ended.
  void finish(ExprId guard, BitSet& finished) const {
    const Expr& node = program_.exprs[guard];
    if (node.op == Op::And) {
      for (const ExprId arg : node.args) finish(arg, finished);
    }
    if (node.op != Op::SharedVar || node.primed || node.args.empty()) return;
    const Expr& index = program_.exprs[node.args[0]];
    if (index.op != Op::Const) return;
    const auto it = by_flag_.find({node.var, index.value});
    if (it != by_flag_.end() && it->second) finished.insert(*it->second);
  }

 private:
  void add_flags(const Spawn& spawn, std::size_t creation) {
    const Template& child = program_.templ(spawn.templ);
    for (const auto& [flag, numbers] : flags_) {
      const auto number = numbers.find(spawn.templ);
      if (number == numbers.end() || assigns_local(child, number->second) || creates_threads(child)) continue;
      for (const Assign& assign : spawn.locals) {
        if (assign.target.var != number->second || program_.exprs[assign.value].op != Op::Const) continue;
        const auto [it, fresh] = by_flag_.emplace(FlagElement{flag, program_.exprs[assign.value].value}, creation);
        if (!fresh) it->second.reset();
      }
    }
  }

  const Program& program_;
  TemplateId first_;
  std::map<VarId, std::map<TemplateId, VarId>> flags_;
  std::multimap<std::size_t, std::size_t> of_edge_;
  std::map<FlagElement, std::optional<std::size_t>> by_flag_;  // none: several creations have this number
  std::size_t count_ = 0;
};

// Do all creations with numbers go through the first thread, and is there one such thread?
bool is_first_unique(const Program& program, TemplateId first) {
  if (program.initial.size() != 1 || program.initial[0].count != 1) return false;
  for (const auto& [action, edge, templ] : actions_of(program)) {
    if (!action.moves.empty() || !action.takes.empty()) return false;
    for (const Spawn& spawn : action.spawns) {
      // A thread that others create hands out numbers, too; one that another creates is not told apart from it.
      if (spawn.templ == first || templ != first || spawn.copies_locals) return false;
    }
  }
  return true;
}

}  // namespace

Solitude::Solitude(const Program& program, Env* env) {
  if (program.initial.empty()) return;
  first_ = program.initial[0].templ;
  if (!is_first_unique(program, first_)) return;
  const Template& templ = program.templ(first_);
  const Creations creations(program, first_);
  struct Known {
    BitSet started;
    BitSet finished;
  };
  std::vector<std::optional<Known>> known(templ.locations.size());
  std::vector<LocId> pending{program.initial[0].location};
  known[pending.back().value] = Known{BitSet(creations.count()), BitSet(creations.count())};
  const OutEdges out(templ);
  while (!pending.empty()) {
    const LocId at = pending.back();
    pending.pop_back();
    for (const std::uint32_t index : out.of(at)) {
      poll(env, "solitude");
      const Edge& edge = templ.edges[index];
      Known after = *known[at.value];
      creations.start(index, after.started);
      for (const Action& action : edge.actions) {
        if (action.guard) creations.finish(*action.guard, after.finished);
      }
      auto& target = known[edge.target.value];
      const auto before = target;
      if (!target) {
        target = std::move(after);
      } else {
        target->started.unite(after.started);
        target->finished.intersect(after.finished);
      }
      if (!before || before->started != target->started || before->finished != target->finished) {
        pending.push_back(edge.target);
      }
    }
  }
  alone_.assign(templ.locations.size(), false);
  for (std::size_t i = 0; i < known.size(); ++i) {
    if (!known[i]) continue;
    BitSet both = known[i]->started;
    both.intersect(known[i]->finished);
    alone_[i] = both == known[i]->started;
  }
}

}  // namespace cohort::model
