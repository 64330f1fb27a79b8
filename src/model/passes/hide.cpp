// Localization (Kurshan, Computer-Aided Verification of Coordinating Processes, 1994): the value of a hidden variable
// is unknown, so a condition that reads one may be true or false, and a value computed from one may be any value of its
// type.  A condition is weakened no further than needed: below conjunctions and disjunctions only the parts that
// read hidden variables become true, or false below a negation.
//
// Why it keeps violations: map a state to the one in which every hidden variable has its fixed value.  If an action of
// the program leads from s to t, the same action of the result leads from the image of s to the image of t: its guard
// and its constraint are implied by the original ones; an assignment to a hidden variable makes no difference to the
// image; an assignment of an expression over visible variables gives the same value, and any other one may choose that
// value; spawns, takes, ends and atomic sections are the same.  A step that faults cannot be taken (can_hide() sees to
// it), so that dropping an operation that faults only adds steps.  Error locations, and the conditions of properties,
// which read no hidden variable, are the same, so an image of a violating state violates, too.  Hence, if the result is
// safe, so is the program, for the same bound on the threads or for none.
//
// A choice of very many values is no use to engines that enumerate them, so a number is put together from choices of
// its parts (1 or 0 for a comparison); where that cannot be, the variable that it is assigned to is hidden, too, and so
// is an array whose elements are written at a hidden index.  Numbers that the program itself chooses from a wide type
// count as hidden values.
//
// Many of these are only there in case a number is read that was never written, and are never made.  Choices that are
// left alone are no hidden values; they are made to be choices of 64 bits, cut to the type, so that an engine that
// enumerates refuses them where it comes to one.
//
// Expressions are graphs, and one written as a tree may be exponentially larger: what is found out of a node is
// remembered.  Cost: linear in the program for hide(), times the number of variables for the closure.
#include "model/passes/hide.hpp"
#include "model/analysis/visit.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

#include "base/contract.hpp"
#include "base/poll.hpp"
#include "model/analysis/access.hpp"

namespace cohort::model {

namespace {

// Choices of more values than this are not made.
constexpr std::uint64_t most_values = 16;

bool is_wide(const Type& type) {
  const std::uint64_t values = type.element().cardinality();
  return values == 0 || values > most_values;
}

// What is hidden, asked of expressions of one program.
class Hidden {
 public:
  Hidden(const Program& program, const VariableSet& set) : program_(program), set_(set) {}

  bool reads(TemplateId templ, ExprId root) const {
    Memo& known = reads_[templ.value];
    std::vector<ExprId> open{root};
    while (!open.empty()) {
      const ExprId id = open.back();
      const auto& parts = program_.exprs[id].args;
      const auto unseen = [&](ExprId part) { return !known.contains(part); };
      const std::size_t before = open.size();
      if (unseen(id)) std::copy_if(parts.begin(), parts.end(), std::back_inserter(open), unseen);
      if (open.size() > before) continue;
      open.pop_back();
      known.emplace(id, is_unknown(templ, id) ||
                            std::any_of(parts.begin(), parts.end(), [&](ExprId part) { return known.at(part); }));
    }
    return known.at(root);
  }

  // `owner`: the template whose local a local target is.
  bool is_target(TemplateId owner, const LValue& target) const {
    if (target.kind == LValue::Kind::Shared) return set_.shared[target.var.value];
    return target.kind == LValue::Kind::Local && set_.locals[owner.value][target.var.value];
  }

  // Is `root` itself a value that is not known?
  bool is_unknown(TemplateId templ, ExprId id) const {
    const Expr& root = program_.exprs[id];
    return (root.op == Op::SharedVar && set_.shared[root.var.value]) ||
           (root.op == Op::LocalVar && set_.locals[templ.value][root.var.value]) ||
           (is_wide_choice(root) && !set_.left_alone.contains(id));
  }

  // Can the values of `root` be chosen from: those of its type, or of its parts?
  bool is_choosable(TemplateId templ, ExprId root) const {
    if (!reads(templ, root) || !is_wide(program_.exprs[root].type)) return true;
    Memo& known = choosable_[templ.value];
    if (const auto it = known.find(root); it != known.end()) return it->second;
    const bool choosable = !is_unknown(templ, root) && has_choosable_parts(templ, root);
    known.emplace(root, choosable);
    return choosable;
  }

  bool has_choosable_parts(TemplateId templ, ExprId root) const {
    const auto& parts = program_.exprs[root].args;
    return std::all_of(parts.begin(), parts.end(), [&](ExprId part) { return is_choosable(templ, part); });
  }

  // Can `target` not be kept, because of where or what is written?
  bool must_hide(TemplateId reader, const Assign& assign) const {
    if (assign.target.index && reads(reader, *assign.target.index)) return true;
    return !is_choosable(reader, assign.value);
  }

 private:
  using Memo = std::unordered_map<ExprId, bool>;

  const Program& program_;
  const VariableSet& set_;
  mutable std::unordered_map<std::size_t, Memo> reads_;  // by template
  mutable std::unordered_map<std::size_t, Memo> choosable_;
};

// Calls visit(template that evaluates, template that owns a local target, assignment).
template <class Visit>
void for_each_assign(const Program& program, Visit&& visit) {
  for (const auto& [action, edge, id] : actions_of(program)) {
    for (const Assign& assign : action.assigns) visit(id, id, assign);
    for (const Spawn& spawn : action.spawns) {
      for (const Assign& assign : spawn.locals) visit(id, spawn.templ, assign);
    }
  }
}

// Does a property, the initial condition or another thread look at a hidden variable?
bool is_seen(const Program& program, const VariableSet& hidden) {
  const Hidden asked(program, hidden);
  const Observed observed(program);
  for (std::size_t i = 0; i < program.templates.size(); ++i) {
    for (std::size_t j = 0; j < program.templates[i].locals.size(); ++j) {
      if (hidden.locals[i][j] && observed.local(TemplateId(i), VarId(j))) return true;
    }
  }
  // Outside of threads there are no locals to read; any template will do.
  if (program.initial_condition && asked.reads(TemplateId(0), *program.initial_condition)) return true;
  return std::any_of(program.properties.begin(), program.properties.end(), [&](const Property& property) {
    return property.condition && asked.reads(TemplateId(0), *property.condition);
  });
}

class Hiding {
 public:
  Hiding(Program& program, const VariableSet& hidden) : program_(program), hidden_(program, hidden) {}

  void operator()(TemplateId id, Action& action) {
    if (action.guard) action.guard = weaken(id, *action.guard, true);
    std::erase_if(action.constraint, [&](ExprId conjunct) { return hidden_.reads(id, conjunct); });
    loosen(id, id, action.assigns);
    for (Spawn& spawn : action.spawns) loosen(id, spawn.templ, spawn.locals);
  }

 private:
  using Key = std::pair<TemplateId, ExprId>;

  // Implied by `root` where `positive`, else implies it.
  ExprId weaken(TemplateId templ, ExprId root, bool positive) {
    if (!hidden_.reads(templ, root)) return root;
    std::map<Key, ExprId>& known = weakened_[positive ? 1 : 0];
    if (const auto it = known.find({templ, root}); it != known.end()) return it->second;
    const ExprId result = weaken_node(templ, program_.exprs[root], positive);
    known.emplace(Key{templ, root}, result);
    return result;
  }

  ExprId weaken_node(TemplateId templ, const Expr node, bool positive) {
    switch (node.op) {
      case Op::And:
        return program_.exprs.conj(weaken(templ, node.args[0], positive), weaken(templ, node.args[1], positive));
      case Op::Or:
        return program_.exprs.disj(weaken(templ, node.args[0], positive), weaken(templ, node.args[1], positive));
      case Op::Not: return program_.exprs.negate(weaken(templ, node.args[0], !positive));
      default: return program_.exprs.boolean(positive);
    }
  }

  void loosen(TemplateId reader, TemplateId owner, std::vector<Assign>& assigns) {
    std::erase_if(assigns, [&](const Assign& assign) { return hidden_.is_target(owner, assign.target); });
    for (Assign& assign : assigns) {
      COHORT_EXPECT(!hidden_.must_hide(reader, assign), "what is hidden is closed");
      assign.value = choose(reader, assign.value);
    }
  }

  // An expression that can have every value that `root` has.
  ExprId choose(TemplateId templ, ExprId root) {
    if (!hidden_.reads(templ, root)) return root;
    if (const auto it = chosen_.find({templ, root}); it != chosen_.end()) return it->second;
    const ExprId result = choose_node(templ, root);
    chosen_.emplace(Key{templ, root}, result);
    return result;
  }

  ExprId choose_node(TemplateId templ, ExprId root) {
    Expr node = program_.exprs[root];
    if (hidden_.is_unknown(templ, root) || !hidden_.has_choosable_parts(templ, root)) {
      return program_.exprs.nondet(node.type);
    }
    for (ExprId& part : node.args) part = choose(templ, part);
    return program_.exprs.add(std::move(node));
  }

  Program& program_;
  Hidden hidden_;
  std::map<Key, ExprId> weakened_[2];  // by the sign
  std::map<Key, ExprId> chosen_;
};

// Makes choices of numbers that are left alone ones of 64 bits.
class OutOfReach {
 public:
  OutOfReach(ExprPool& exprs, const std::set<ExprId>& choices) : exprs_(exprs) {
    const Type wide = Type::fixed(64, true);
    for (const ExprId choice : choices) {
      const Type type = exprs[choice].type;
      if (type.kind() == Type::Kind::Int && type != wide)
        known_[choice] = exprs.unary(Op::Cast, exprs.nondet(wide), type);
    }
  }

  void operator()(Action& action) {
    if (known_.empty()) return;
    if (action.guard) action.guard = rewrite(*action.guard);
    for (ExprId& conjunct : action.constraint) conjunct = rewrite(conjunct);
    rewrite(action.assigns);
    for (Spawn& spawn : action.spawns) rewrite(spawn.locals);
  }

 private:
  void rewrite(std::vector<Assign>& assigns) {
    for (Assign& assign : assigns) {
      assign.value = rewrite(assign.value);
      if (assign.target.index) assign.target.index = rewrite(*assign.target.index);
    }
  }

  // One choice stays one, wherever in the action it is seen.
  ExprId rewrite(ExprId root) {
    if (const auto it = known_.find(root); it != known_.end()) return it->second;
    Expr node = exprs_[root];
    bool changed = false;
    for (ExprId& part : node.args) {
      const ExprId before = part;
      part = rewrite(before);
      changed = changed || part != before;
    }
    const ExprId result = changed ? exprs_.add(std::move(node)) : root;
    known_.emplace(root, result);
    return result;
  }

  ExprPool& exprs_;
  std::unordered_map<ExprId, ExprId> known_;
};

}  // namespace

bool is_wide_choice(const Expr& node) {
  return node.op == Op::Nondet && is_wide(node.type);
}

VariableSet VariableSet::of(const Program& program, bool all) {
  VariableSet result;
  result.shared.assign(program.shared.size(), all);
  for (const Template& templ : program.templates) result.locals.emplace_back(templ.locals.size(), all);
  return result;
}

bool can_hide(const Program& program) {
  return is_flat(program) && program.faults == FaultPolicy::Drop && !looks_for_deadlocks(program) &&
         !uses_thread_refs(program) && !program.templates.empty() &&
         !any_action(program, [&](const Action& action) { return is_broadcast(program.exprs, action); });
}

VariableSet close_hidden(const Program& program, VariableSet hidden, Env* env) {
  for (bool changed = true; changed;) {
    changed = false;
    for_each_assign(program, [&](TemplateId reader, TemplateId owner, const Assign& assign) {
      poll(env, "hide");
      const Hidden asked(program, hidden);
      if (asked.is_target(owner, assign.target) || !asked.must_hide(reader, assign)) return;
      if (assign.target.kind == LValue::Kind::Shared) {
        hidden.shared[assign.target.var.value] = true;
      } else {
        hidden.locals[owner.value][assign.target.var.value] = true;
      }
      changed = true;
    });
  }
  return hidden;
}

std::optional<Program> hide(Program program, const VariableSet& hidden, Env* env) {
  COHORT_EXPECT(can_hide(program), "variables of this program may be hidden");
  if (is_seen(program, hidden)) return std::nullopt;
  // What is unknown may be an address: nothing is known of where objects lie any more.
  program.atlas.reset();
  Hiding hiding(program, hidden);
  OutOfReach out_of_reach(program.exprs, hidden.left_alone);
  const auto fix = [](Variable& variable) { variable.initial = {variable.type.element().default_value()}; };
  for (std::size_t i = 0; i < program.shared.size(); ++i) {
    if (hidden.shared[i]) fix(program.shared[i]);
  }
  for (std::size_t i = 0; i < program.templates.size(); ++i) {
    Template& templ = program.templates[i];
    for (std::size_t j = 0; j < templ.locals.size(); ++j) {
      if (hidden.locals[i][j]) fix(templ.locals[j]);
    }
    for (Edge& edge : templ.edges) {
      poll(env, "hide");
      for (Action& action : edge.actions) {
        hiding(TemplateId(i), action);
        out_of_reach(action);
      }
    }
  }
  return program;
}

}  // namespace cohort::model
