// How often a thread that starts at a place can create others is the most creations along a path of its control flow.
// Paths are followed with what is known of the thread's own variables: constants and what is computed from them; what
// depends on other threads or on choices is unknown, and a guard over it may go either way.  So a loop that counts to
// three creates three threads, and a loop that nobody counts creates any number.
//
// Along each path creations are counted for each place where threads start; the counts at a control state are the most
// over all paths to it, found by iteration.  A cycle that creates makes them grow beyond every bound, where it ends.
//
// Only variables that decide where control goes are followed; the others would only make states that differ in nothing.
//
// From these follow the threads of a program: those at the start, and what each of them creates.  Places that create
// each other in a circle have no bound.
#include "model/analysis/thread_bound.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "model/analysis/access.hpp"
#include "model/analysis/visit.hpp"
#include "model/eval.hpp"

namespace cohort::model {

namespace {

constexpr std::uint64_t too_many = 128;      // threads, of one kind
constexpr std::size_t most_states = 4000;    // of one thread, with the values that are known
constexpr std::size_t most_cells = 200'000;  // in all of them

using Place = std::pair<TemplateId, LocId>;
using Counts = std::map<Place, std::uint64_t>;
using Cells = std::vector<std::optional<Value>>;

// Does an action change the locals or the location of other threads?
bool changes_others(const Program& program) {
  return any_action(program, [](const Action& action) {
    const auto concerns = [](const Assign& assign) {
      return assign.target.kind == LValue::Kind::Passive || assign.target.kind == LValue::Kind::Remote;
    };
    return !action.takes.empty() || !action.moves.empty() ||
           std::any_of(action.assigns.begin(), action.assigns.end(), concerns);
  });
}

// Shared variables that nobody assigns: their values at the start stay.
std::vector<bool> constants_of(const Program& program) {
  std::vector<bool> constant(program.shared.size(), true);
  for (const auto& [action, edge, templ] : actions_of(program)) {
    for (const Assign& assign : action.assigns) {
      if (assign.target.kind == LValue::Kind::Shared) constant[assign.target.var.value] = false;
    }
  }
  return constant;
}

void fill(Cells& cells, const Variable& variable) {
  for (std::uint32_t i = 0; i < variable.type.slots(); ++i) {
    if (variable.initial.empty()) continue;
    cells[variable.slot + i] = variable.initial.size() == 1 ? variable.initial[0] : variable.initial[i];
  }
}

// What a thread creates that starts at a place, found on the states of its control with the values it knows.
class Follower {
 public:
  Follower(const Program& program, const Cells& shared) : program_(program), shared_(shared) {}

  // None: more than too_many of one kind, or the states are too many to tell.
  std::optional<Counts> follow(Place start, Cells locals) {
    templ_ = start.first;
    find_deciding();
    for (const Variable& variable : program_.templ(templ_).locals) {
      for (std::uint32_t i = 0; i < variable.type.slots(); ++i) {
        if (!deciding_[variable.slot]) locals[variable.slot + i].reset();
      }
    }
    states_.clear();
    found_.clear();
    total_ = {};
    const OutEdges out(program_.templ(templ_));
    if (!reach({start.second, std::move(locals)}, {})) return std::nullopt;
    while (!work_.empty()) {
      const std::size_t index = work_.front();
      work_.pop_front();
      queued_[index] = false;
      const State state = states_[index];
      for (const std::uint32_t edge : out.of(state.location)) {
        if (!take(program_.templ(templ_).edges[edge], state, found_[index])) {
          work_.clear();
          return std::nullopt;
        }
      }
    }
    return total_;
  }

 private:
  struct State {
    LocId location;
    Cells locals;

    auto operator<=>(const State&) const = default;
  };

  // False: too much.
  bool reach(State state, const Counts& counts) {
    const auto [it, is_new] = indices_.try_emplace(state, states_.size());
    if (is_new) {
      if (states_.size() >= most_states || states_.size() * (state.locals.size() + 1) >= most_cells) return give_up();
      states_.push_back(std::move(state));
      found_.push_back(counts);
      queued_.push_back(true);
      work_.push_back(it->second);
    }
    Counts& here = found_[it->second];
    bool grew = false;
    for (const auto& [place, count] : counts) {
      if (count > too_many) return give_up();
      std::uint64_t& known = here[place];
      grew = grew || count > known;
      known = std::max(known, count);
      total_[place] = std::max(total_[place], count);
    }
    if (grew && !queued_[it->second]) {
      queued_[it->second] = true;
      work_.push_back(it->second);
    }
    return true;
  }

  // Variables in guards, and those that they are computed from.
  void find_deciding() {
    const Template& templ = program_.templ(templ_);
    deciding_.assign(templ.local_slots(), false);
    bool changed = false;
    const auto add = [&](ExprId root) {
      for_each_node(program_.exprs, root, [&](const Expr& node, ExprId) {
        if (node.op != Op::LocalVar || deciding_[templ.local(node.var).slot]) return;
        deciding_[templ.local(node.var).slot] = changed = true;
      });
    };
    do {
      changed = false;
      for (const Edge& edge : templ.edges) {
        for (const Action& action : edge.actions) {
          if (action.guard) add(*action.guard);
          for (const Assign& assign : action.assigns) {
            if (assign.target.kind != LValue::Kind::Local || !deciding_[templ.local(assign.target.var).slot]) continue;
            add(assign.value);
            if (assign.target.index) add(*assign.target.index);
          }
        }
      }
    } while (changed);
  }

  bool give_up() {
    indices_.clear();
    return false;
  }

  bool take(const Edge& edge, State state, Counts counts) {
    for (const Action& action : edge.actions) {
      if (action.guard && known(*action.guard, state.locals) == Value{0}) return true;
      const Cells before = state.locals;
      for (const Assign& assign : action.assigns) {
        if (assign.target.kind == LValue::Kind::Local) write(assign, before, state.locals);
      }
      for (const Spawn& spawn : action.spawns) {
        const std::uint64_t count = ++counts[{spawn.templ, spawn.location}];
        total_[{spawn.templ, spawn.location}] = std::max(total_[{spawn.templ, spawn.location}], count);
        if (count > too_many) return give_up();
      }
      if (action.ends_thread) return true;
    }
    state.location = edge.target;
    return reach(std::move(state), counts);
  }

  void write(const Assign& assign, const Cells& before, Cells& after) {
    const Variable& variable = program_.templ(templ_).local(assign.target.var);
    if (!deciding_[variable.slot]) return;
    const auto value = known(assign.value, before);
    if (!assign.target.index) {
      after[variable.slot] = value;
      return;
    }
    const auto index = known(*assign.target.index, before);
    for (std::uint32_t i = 0; i < variable.type.slots(); ++i) {
      if (!index) after[variable.slot + i].reset();
      if (index == static_cast<Value>(i)) after[variable.slot + i] = value;
    }
  }

  using Found = std::unordered_map<ExprId, std::optional<Value>>;

  // The value of an expression, where what is known tells it.  An expression is a graph: each part is looked at once.
  std::optional<Value> known(ExprId root, const Cells& locals) {
    Found found;
    return known(root, locals, found);
  }

  std::optional<Value> known(ExprId id, const Cells& locals, Found& found) {
    if (const auto it = found.find(id); it != found.end()) return it->second;
    const auto value = known_by_parts(id, locals, found);
    found.emplace(id, value);
    return value;
  }

  std::optional<Value> known_by_parts(ExprId id, const Cells& locals, Found& found) {
    const Expr& node = program_.exprs[id];
    if (node.op == Op::Const) return node.value;
    if (node.op == Op::And || node.op == Op::Or) {
      const auto left = known(node.args[0], locals, found);
      const auto right = known(node.args[1], locals, found);
      const Value decisive = node.op == Op::And ? 0 : 1;
      if ((left && (*left != 0) == (decisive != 0)) || (right && (*right != 0) == (decisive != 0))) return decisive;
      if (!left || !right) return std::nullopt;
      return 1 - decisive;
    }
    if (node.op == Op::Not) {
      const auto operand = known(node.args[0], locals, found);
      return operand ? std::optional<Value>(*operand == 0 ? 1 : 0) : std::nullopt;
    }
    if (!is_known(id, locals)) return std::nullopt;
    return evaluate_known(id, locals);
  }

  // Are all variables known that the expression reads?
  bool is_known(ExprId id, const Cells& locals) const {
    bool all = true;
    for_each_node(program_.exprs, id, [&](const Expr& node, ExprId) {
      const auto has = [&](const Cells& cells, const Variable& variable) {
        for (std::uint32_t i = 0; i < variable.type.slots(); ++i) all = all && cells[variable.slot + i].has_value();
      };
      switch (node.op) {
        case Op::SharedVar: has(shared_, program_.shared[node.var.value]); break;
        case Op::LocalVar: has(locals, program_.templ(templ_).local(node.var)); break;
        case Op::Nondet:
        case Op::PassiveVar:
        case Op::RemoteVar:
        case Op::Self:
        case Op::BoundThread:
        case Op::AtLocation:
        case Op::ForallThread:
        case Op::ExistsThread: all = false; break;
        default: all = all && !node.primed && node.type.kind() != Type::Kind::ThreadRef; break;
      }
      all = all && !node.primed;
    });
    return all;
  }

  std::optional<Value> evaluate_known(ExprId id, const Cells& locals) {
    const auto values = [](const Cells& cells) {
      Valuation plain(cells.size());
      for (std::size_t i = 0; i < cells.size(); ++i) plain[i] = cells[i].value_or(0);
      return plain;
    };
    const ThreadState thread{.templ = templ_, .locals = values(locals)};
    if (shared_values_.size() != shared_.size()) shared_values_ = values(shared_);
    EvalContext context;
    context.program = &program_;
    context.shared = &shared_values_;
    context.self = &thread;
    const Value value = evaluate(context, id);
    return context.fault ? std::nullopt : std::optional<Value>(value);
  }

  const Program& program_;
  const Cells& shared_;
  Valuation shared_values_;
  TemplateId templ_;
  std::vector<bool> deciding_;  // by the first slot of a local variable
  std::map<State, std::size_t> indices_;
  std::vector<State> states_;
  std::vector<Counts> found_;  // by state: the most on a path to it
  std::vector<bool> queued_;
  std::deque<std::size_t> work_;
  Counts total_;
};

class Counter {
 public:
  explicit Counter(const Program& program) : program_(program), shared_(program.shared_slots()) {
    const std::vector<bool> constant = constants_of(program);
    for (std::size_t i = 0; i < program.shared.size(); ++i) {
      if (constant[i]) fill(shared_, program.shared[i]);
    }
  }

  std::optional<std::uint32_t> count() {
    Counts initial;
    for (const InitialThreads& group : program_.initial) {
      if (!group.count) return std::nullopt;
      initial[{group.templ, group.location}] += *group.count;
    }
    std::map<Place, Counts> created;
    Counts counts;
    for (bool changed = true; changed;) {
      Counts next = initial;
      for (const auto& [place, count] : counts) {
        if (!created.contains(place)) {
          auto of_place = creations(place);
          if (!of_place) return std::nullopt;
          created.emplace(place, std::move(*of_place));
        }
        for (const auto& [child, times] : created.at(place)) next[child] += count * times;
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

 private:
  // What a thread knows at its start: what is declared, unless its creator says otherwise.
  Cells start_of(Place place) const {
    const Template& templ = program_.templ(place.first);
    Cells locals(templ.local_slots());
    for (const Variable& variable : templ.locals) fill(locals, variable);
    for (const auto& [action, edge, creator] : actions_of(program_)) {
      for (const Spawn& spawn : action.spawns) {
        if (Place(spawn.templ, spawn.location) == place) forget(spawn, templ, locals);
      }
    }
    return locals;
  }

  static void forget(const Spawn& spawn, const Template& templ, Cells& locals) {
    if (spawn.copies_locals) std::fill(locals.begin(), locals.end(), std::nullopt);
    for (const Assign& assign : spawn.locals) {
      const Variable& variable = templ.local(assign.target.var);
      for (std::uint32_t i = 0; i < variable.type.slots(); ++i) locals[variable.slot + i].reset();
    }
  }

  std::optional<Counts> creations(Place place) const {
    if (!creates_threads(program_.templ(place.first))) return Counts{};
    return Follower(program_, shared_).follow(place, start_of(place));
  }

  const Program& program_;
  Cells shared_;
};

}  // namespace

std::optional<std::uint32_t> most_threads(const Program& program) {
  // Where threads are moved by others, following one alone tells nothing.
  if (creates_threads(program) && changes_others(program)) return std::nullopt;
  return Counter(program).count();
}

}  // namespace cohort::model
