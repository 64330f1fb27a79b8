#include "convert/step_view.hpp"

#include <algorithm>

#include "base/contract.hpp"

namespace cohort::convert {

namespace {

using model::Action;
using model::Assign;
using model::Expr;
using model::ExprId;
using model::ExprPool;
using model::LValue;
using model::Op;
using model::Program;

Op op_of(LValue::Kind kind) {
  switch (kind) {
    case LValue::Kind::Shared: return Op::SharedVar;
    case LValue::Kind::Local: return Op::LocalVar;
    case LValue::Kind::Passive: return Op::PassiveVar;
    case LValue::Kind::Remote: break;
  }
  COHORT_UNREACHABLE("the fragment check has refused remote writes");
}

const Assign* assign_to(const std::vector<Assign>& assigns, const Expr& variable) {
  const auto it = std::find_if(assigns.begin(), assigns.end(), [&](const Assign& assign) {
    return op_of(assign.target.kind) == variable.op && assign.target.var == variable.var;
  });
  return it == assigns.end() ? nullptr : &*it;
}

ExprId over_state_before(Program& program, const Action& action, ExprId root) {
  ExprPool& pool = program.exprs;
  const ExprId before = pool.rewrite(root, [&](ExprId id, ExprId& result) {
    const Expr node = pool[id];
    if (node.op == Op::Nondet) {
      result = id;
      return true;
    }
    if (!node.primed) return false;
    if (const Assign* assign = assign_to(action.assigns, node)) {
      result = assign->value;
    } else {
      Expr unprimed = node;
      unprimed.primed = false;
      result = pool.add(std::move(unprimed));
    }
    return true;
  });
  COHORT_EXPECT(!model::mentions_primed(pool, before), "what is assigned is a term over the state before");
  return before;
}

void collect_choices(const ExprPool& pool, ExprId root, std::vector<ExprId>& choices) {
  model::for_each_node(pool, root, [&](const Expr& node, ExprId id) {
    if (node.op == Op::Nondet && std::find(choices.begin(), choices.end(), id) == choices.end()) choices.push_back(id);
  });
}

bool mentions_node(const ExprPool& pool, ExprId root, ExprId wanted) {
  bool found = false;
  model::for_each_node(pool, root, [&](const Expr&, ExprId id) { found = found || id == wanted; });
  return found;
}

bool reads(const ExprPool& pool, ExprId root, const LValue& target) {
  bool found = false;
  model::for_each_node(pool, root, [&](const Expr& node, ExprId) {
    found = found || (node.op == op_of(target.kind) && node.var == target.var);
  });
  return found;
}

}  // namespace

StepView view_step(Program& program, const model::Edge& edge) {
  COHORT_EXPECT(edge.actions.size() == 1, "a step has one action here");
  StepView view;
  view.edge = &edge;
  view.action = &edge.actions.front();
  const Action& action = *view.action;
  if (action.guard) view.enabled.push_back(*action.guard);
  for (const ExprId conjunct : action.constraint) {
    const bool passive = model::mentions(program.exprs, conjunct, Op::PassiveVar);
    (passive ? view.passive_enabled : view.enabled).push_back(over_state_before(program, action, conjunct));
  }
  for (const Assign& assign : action.assigns) {
    (assign.target.kind == LValue::Kind::Passive ? view.passive_assigns : view.assigns).push_back(assign);
  }
  const ExprPool& pool = program.exprs;
  for (const ExprId condition : view.enabled) collect_choices(pool, condition, view.choices);
  for (const ExprId condition : view.passive_enabled) collect_choices(pool, condition, view.choices);
  for (const Assign& assign : view.assigns) collect_choices(pool, assign.value, view.choices);
  for (const model::Spawn& spawn : action.spawns) {
    for (const Assign& assign : spawn.locals) collect_choices(pool, assign.value, view.choices);
  }
  return view;
}

std::optional<LValue> StepView::free_target(const Program& program, ExprId choice) const {
  const ExprPool& pool = program.exprs;
  const auto mentions_it = [&](ExprId root) { return mentions_node(pool, root, choice); };
  if (std::any_of(enabled.begin(), enabled.end(), mentions_it)) return std::nullopt;
  if (std::any_of(passive_enabled.begin(), passive_enabled.end(), mentions_it)) return std::nullopt;
  for (const model::Spawn& spawn : action->spawns) {
    for (const Assign& assign : spawn.locals) {
      if (mentions_it(assign.value)) return std::nullopt;
    }
  }
  std::optional<LValue> target;
  for (const Assign& assign : assigns) {
    if (!mentions_it(assign.value)) continue;
    if (target || assign.value != choice) return std::nullopt;
    target = assign.target;
  }
  return target;
}

std::vector<SequencedAssign> in_sequence(const ExprPool& pool, const std::vector<Assign>& assigns) {
  struct Pending {
    Assign assign;
    std::optional<std::size_t> temporary;
  };
  std::vector<Pending> pending;
  for (const Assign& assign : assigns) pending.push_back({assign, {}});
  std::vector<SequencedAssign> sequence;
  std::size_t next_temporary = 0;
  while (!pending.empty()) {
    const auto read_by_others = [&](const Pending& candidate) {
      return std::any_of(pending.begin(), pending.end(), [&](const Pending& other) {
        return &other != &candidate && !other.temporary && reads(pool, other.assign.value, candidate.assign.target);
      });
    };
    const auto writable = std::find_if_not(pending.begin(), pending.end(), read_by_others);
    if (writable != pending.end()) {
      sequence.push_back({writable->assign, false, writable->temporary});
      pending.erase(writable);
      continue;
    }
    // Saving helps only where it takes a read of another target away.
    const auto unsaved = std::find_if(pending.begin(), pending.end(), [&](const Pending& reader) {
      return !reader.temporary && std::any_of(pending.begin(), pending.end(), [&](const Pending& other) {
        return &other != &reader && reads(pool, reader.assign.value, other.assign.target);
      });
    });
    COHORT_EXPECT(unsaved != pending.end(), "where nothing can be written, something is read");
    unsaved->temporary = next_temporary++;
    sequence.push_back({unsaved->assign, true, unsaved->temporary});
  }
  COHORT_EXPECT(sequence.size() == assigns.size() + next_temporary, "each assignment is written once");
  return sequence;
}

std::size_t temporaries(const std::vector<SequencedAssign>& sequence) {
  return static_cast<std::size_t>(
      std::count_if(sequence.begin(), sequence.end(), [](const SequencedAssign& assign) { return assign.save; }));
}

}  // namespace cohort::convert
