#include "abstraction/cartesian.hpp"

#include <algorithm>

namespace cohort::abstraction {

using model::Command;
using model::ExprId;
using model::Op;
using model::PlaceId;
using model::VarId;

namespace {

bool contains(const Cube& cube, const Cube& part) {
  return std::all_of(part.begin(), part.end(), [&](const Literal& literal) {
    return std::find(cube.begin(), cube.end(), literal) != cube.end();
  });
}

bool is_passive(Role role) {
  return role == Role::PassiveBefore || role == Role::PassiveAfter;
}

}  // namespace

BroadcastStep Cartesian::step(std::uint32_t index) {
  const Command& command = commands_.all()[index];
  BroadcastStep result;
  forbid_guard(index, result);
  for (std::size_t i = 0; i < predicates_.all().size() && !oracle_.stopped(); ++i) {
    const Predicate& predicate = predicates_[i];
    if (changes_own(command, predicate)) {
      result.own.push_back(i);
      forbid_values({index, std::nullopt, before(command, predicate, false)}, {i, Role::ActiveAfter}, result);
    }
    if (!predicate.is_shared() && assigns_shared(command, predicate)) {
      result.others.push_back(i);
      forbid_values({index, predicate.templ, before(command, predicate, true)}, {i, Role::PassiveAfter}, result);
    }
  }
  note_trouble(index, result);
  for (std::size_t child = 0; child < command.children.size(); ++child) {
    result.children.emplace_back();
    const auto role = static_cast<Role>(static_cast<std::size_t>(Role::FirstChild) + child);
    for (const std::size_t i : predicates_.of(commands_.place(command.children[child].place).templ)) {
      result.children.back().push_back(child_value(index, {i, role}));
    }
  }
  return result;
}

bool Cartesian::changes_own(const Command& command, const Predicate& predicate) const {
  if (predicate.is_shared()) return assigns_shared(command, predicate);
  const bool mine =
      predicate.templ == commands_.place(command.from).templ && command.to && predicates_.known(predicate, *command.to);
  return mine && (assigns_shared(command, predicate) || assigns_local(command, predicate) ||
                  !predicates_.known(predicate, command.from));
}

// ---- which literals are worth asking about

void Cartesian::note(ExprId expr, Variables& variables) const {
  for_each_node(commands_.program().exprs, expr, [&](const model::Expr& node, ExprId) {
    if (node.op == Op::SharedVar) variables.shared.insert(node.var);
    if (node.op == Op::LocalVar) variables.active.insert(node.var);
  });
}

// The variables of the predicate's weakest precondition, and of the guard where it has one of them.
Cartesian::Variables Cartesian::before(const Command& command, const Predicate& predicate, bool passive) const {
  Variables result;
  result.shared.insert(predicate.shared_vars.begin(), predicate.shared_vars.end());
  auto& locals = passive ? result.passive : result.active;
  locals.insert(predicate.local_vars.begin(), predicate.local_vars.end());
  for (const model::Assign& assign : command.assigns) {
    const bool shared = assign.target.kind == model::LValue::Kind::Shared;
    const auto& vars = shared ? predicate.shared_vars : predicate.local_vars;
    if ((!shared && passive) || std::find(vars.begin(), vars.end(), assign.target.var) == vars.end()) continue;
    note(assign.value, result);
    if (assign.target.index) note(*assign.target.index, result);
  }
  Variables guard;
  note(command.guard, guard);
  const auto meet = [](const std::set<VarId>& left, const std::set<VarId>& right) {
    return std::any_of(left.begin(), left.end(), [&](VarId var) { return right.contains(var); });
  };
  if (meet(guard.shared, result.shared) || meet(guard.active, result.active)) note(command.guard, result);
  return result;
}

bool Cartesian::is_relevant(const Literal& literal, const Variables& variables) const {
  const Predicate& predicate = predicates_[literal.predicate];
  const auto& locals = is_passive(literal.role) ? variables.passive : variables.active;
  const auto one_of = [](const std::vector<VarId>& vars, const std::set<VarId>& known) {
    return std::any_of(vars.begin(), vars.end(), [&](VarId var) { return known.contains(var); });
  };
  return one_of(predicate.shared_vars, variables.shared) || one_of(predicate.local_vars, locals);
}

std::vector<Literal> Cartesian::literals(const Question& question, Role role) const {
  std::vector<Literal> result;
  const PlaceId from = commands_.all()[question.command].from;
  for (std::size_t i = 0; i < predicates_.all().size(); ++i) {
    const Predicate& predicate = predicates_[i];
    const bool known = is_passive(role) ? !predicate.is_shared() && predicate.templ == *question.passive
                                        : predicates_.known(predicate, from);
    if (!known || !is_relevant({i, role}, question.variables)) continue;
    for (const bool value : {true, false}) result.push_back({i, role, value});
  }
  return result;
}

// Shorter ones first; none has a predicate of one thread twice.
std::vector<Cube> Cartesian::cubes(const Question& question) const {
  std::vector<Literal> all = literals(question, Role::ActiveBefore);
  const std::size_t active = all.size();
  if (question.passive) {
    const std::vector<Literal> passive = literals(question, Role::PassiveBefore);
    all.insert(all.end(), passive.begin(), passive.end());
  }
  const bool both = question.passive && cube_length_ == 1;
  const std::uint32_t longest = both ? 2 : std::max(cube_length_, 1U);
  std::vector<Cube> result{{}};
  std::vector<std::size_t> next{0};  // the first literal that may be appended
  std::size_t begin = 0;
  for (std::uint32_t length = 1; length <= longest; ++length) {
    const std::size_t end = result.size();
    for (std::size_t i = begin; i < end; ++i) {
      const std::size_t first = both && length == 2 ? std::max(next[i], active) : next[i];
      for (std::size_t k = first; k < all.size(); ++k) {
        if (both && length == 2 && result[i].front().role != Role::ActiveBefore) continue;
        Cube longer = result[i];
        longer.push_back(all[k]);
        result.push_back(std::move(longer));
        next.push_back((k / 2 + 1) * 2);  // behind both values of the predicate
      }
    }
    begin = end;
  }
  return result;
}

bool Cartesian::is_minimal(const Cube& cube, const std::vector<Cube>& found) const {
  const auto inside = [&](const Cube& part) { return contains(cube, part); };
  return std::none_of(found.begin(), found.end(), inside) && std::none_of(guard_.begin(), guard_.end(), inside);
}

// ---- constraints

void Cartesian::forbid_guard(std::uint32_t command, BroadcastStep& step) {
  guard_.clear();
  Question question{command, std::nullopt, {}};
  note(commands_.all()[command].guard, question.variables);
  std::vector<Cube> found;
  for (const Cube& cube : cubes(question)) {
    if (oracle_.stopped()) return;
    if (is_minimal(cube, found) && !oracle_.step_possible(command, std::nullopt, cube)) found.push_back(cube);
  }
  guard_ = found;
  step.forbidden = std::move(found);
}

void Cartesian::forbid_values(const Question& question, Literal after, BroadcastStep& step) {
  std::vector<Cube> implying[2];
  const std::vector<Cube> candidates = cubes(question);
  for (const bool value : {true, false}) {
    after.value = !value;
    for (const Cube& cube : candidates) {
      if (oracle_.stopped()) return;
      if (!is_minimal(cube, implying[value ? 1 : 0])) continue;
      Cube asked = cube;
      asked.push_back(after);
      if (!oracle_.step_possible(question.command, question.passive, asked)) implying[value ? 1 : 0].push_back(cube);
    }
  }
  // At precision 0 one predicate must decide the value in both ways.
  const auto decides = [&](const Cube& cube, bool value) {
    if (cube_length_ > 0 || cube.empty()) return true;
    Cube opposite = cube;
    opposite.front().value = !opposite.front().value;
    const auto& others = implying[value ? 0 : 1];
    return std::find(others.begin(), others.end(), opposite) != others.end();
  };
  for (const bool value : {true, false}) {
    after.value = !value;
    for (const Cube& cube : implying[value ? 1 : 0]) {
      if (!decides(cube, value)) continue;
      step.forbidden.push_back(cube);
      step.forbidden.back().push_back(after);
    }
  }
}

void Cartesian::note_trouble(std::uint32_t command, BroadcastStep& step) {
  if (oracle_.stopped() || !oracle_.trouble_possible(command, {})) return;
  step.may_go_wrong = true;
  Question question{command, std::nullopt, {}};
  for (const model::Evaluation& evaluation : commands_.all()[command].evaluations) {
    note(evaluation.when, question.variables);
    note(evaluation.what, question.variables);
  }
  guard_.clear();
  for (const Cube& cube : cubes(question)) {
    if (oracle_.stopped()) return;
    if (is_minimal(cube, step.harmless) && !oracle_.trouble_possible(command, cube)) step.harmless.push_back(cube);
  }
}

ChildValue Cartesian::child_value(std::uint32_t command, Literal value) {
  const auto possible = [&](bool truth, std::optional<Literal> creator) {
    value.value = truth;
    Cube cube{value};
    if (creator) cube.push_back(*creator);
    return oracle_.step_possible(command, std::nullopt, cube);
  };
  if (!possible(true, std::nullopt)) return {false, std::nullopt};
  if (!possible(false, std::nullopt)) return {true, std::nullopt};
  const auto to = commands_.all()[command].to;
  for (std::size_t i = 0; i < predicates_.all().size() && to; ++i) {
    if (!predicates_.known(predicates_[i], *to)) continue;
    for (const bool same : {true, false}) {
      const Literal yes{i, Role::ActiveAfter, same};
      const Literal no{i, Role::ActiveAfter, !same};
      if (!possible(true, no) && !possible(false, yes)) return {std::nullopt, yes};
    }
  }
  return {};
}

}  // namespace cohort::abstraction
