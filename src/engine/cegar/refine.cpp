#include "engine/cegar/refine.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include "base/contract.hpp"

namespace cohort::engine::cegar {

using model::Command;
using model::Expr;
using model::ExprId;
using model::Op;
using model::Type;
using model::VarId;

namespace {

constexpr std::size_t most_atoms = 200;
// What one choice is compared with on a path; their pairs are atoms.
constexpr std::size_t most_bounds = 6;
// Equalities of two variables up to a constant, before their order is tried.
constexpr std::size_t most_offsets = 2;

// left == right + offset, over two variables.
struct Distance {
  ExprId left;
  ExprId right;
  model::Value offset = 0;
};

std::optional<Distance> distance_of(const model::ExprPool& pool, ExprId expr) {
  const auto is_variable = [&](ExprId id) {
    return (pool[id].op == Op::SharedVar || pool[id].op == Op::LocalVar) && pool[id].args.empty();
  };
  if (pool[expr].op != Op::Eq) return std::nullopt;
  std::optional<Distance> result;
  const auto read = [&](ExprId left, ExprId right) {
    if (result || !is_variable(left) || pool[left].type.kind() != Type::Kind::Int) return;
    if (is_variable(right)) result = Distance{left, right, 0};
    if (pool[right].op != Op::Add) return;
    const ExprId variable = pool[right].args[0];
    const ExprId constant = pool[right].args[1];
    if (!is_variable(variable) || pool[constant].op != Op::Const) return;
    result = Distance{left, variable, pool[constant].value};
  };
  read(pool[expr].args[0], pool[expr].args[1]);
  read(pool[expr].args[1], pool[expr].args[0]);
  if (result && result->right < result->left) {
    std::swap(result->left, result->right);
    result->offset = pool[result->left].type.wrap(-result->offset);
  }
  return result;
}

}  // namespace

Refiner::Refiner(model::Commands& commands, abstraction::Predicates& predicates, abstraction::Oracle& oracle)
    : commands_(commands), predicates_(predicates), oracle_(oracle), terms_(commands.exprs(), commands.program()) {}

std::size_t Refiner::from_preconditions(const Path& path, Simulation& simulation) {
  trace_templates(path);
  offered_.clear();
  involved_.clear();
  Atoms atoms;
  std::size_t fresh = 0;
  std::size_t last = 0;
  for (const Simulation::Need& need : simulation.core()) last = std::max(last, need.step);
  for (std::size_t position = last + 1; position-- > 0;) {
    const Atoms after = std::move(atoms);
    atoms = position < last ? step_back(path, position, after) : Atoms();
    add_needs(path, simulation, position, atoms);
    if (position < path.steps.size()) compare_bounds(path, simulation, position, after, atoms);
    separate(simulation, position, atoms);
    fresh += offer(atoms, position);
  }
  return fresh;
}

// Who runs which template at each position of the path.
void Refiner::trace_templates(const Path& path) {
  const model::Program& program = commands_.program();
  std::vector<model::TemplateId> now;
  for (const auto& group : path.groups) now.push_back(group ? program.initial[*group].templ : model::TemplateId{});
  templates_.assign(1, now);
  for (const PathStep& step : path.steps) {
    const Command& command = commands_.all()[step.command];
    for (std::size_t i = 0; i < step.children.size(); ++i) {
      if (step.children[i]) now[*step.children[i]] = commands_.place(command.children[i].place).templ;
    }
    templates_.push_back(now);
  }
}

void Refiner::add(ExprId condition, Atoms& atoms) {
  const model::ExprPool& pool = commands_.program().exprs;
  for (const ExprId atom : atoms_of(commands_.exprs(), condition)) {
    for_each_node(pool, atom, [&](const Expr& node, ExprId) {
      if (node.op == Op::SharedVar) involved_.insert(node.var);
    });
    if (atoms.size() >= most_atoms || mentions(pool, atom, Op::Nondet)) continue;
    if (std::find(atoms.begin(), atoms.end(), atom) == atoms.end()) atoms.push_back(atom);
  }
}

void Refiner::add_needs(const Path& path, const Simulation& simulation, std::size_t position, Atoms& atoms) {
  for (const Simulation::Need& need : simulation.core()) {
    if (need.step != position) continue;
    if (position == path.steps.size()) {
      add(need.expr, atoms);
      continue;
    }
    const PathStep& step = path.steps[position];
    if (need.kind == Simulation::Need::Kind::Condition) {
      add(terms_.of_thread(need.expr, step.thread), atoms);
    } else {
      add_trouble(commands_.all()[step.command], step.thread, atoms);
    }
  }
}

// When evaluations go wrong: a zero divisor, an index or a value out of its bounds.
void Refiner::add_trouble(const Command& command, std::size_t thread, Atoms& atoms) {
  model::ExprPool& pool = commands_.exprs();
  const model::Program& program = commands_.program();
  const auto outside = [&](ExprId value, model::Value lo, model::Value hi) {
    const ExprId term = terms_.of_thread(value, thread);
    const Type type = pool[value].type;
    add(pool.binary(Op::Lt, term, pool.constant(lo, type), Type::boolean()), atoms);
    add(pool.binary(Op::Gt, term, pool.constant(hi, type), Type::boolean()), atoms);
  };
  for (const model::Evaluation& evaluation : command.evaluations) {
    add(terms_.of_thread(evaluation.when, thread), atoms);
    if (evaluation.kept) outside(evaluation.what, evaluation.kept->lo(), evaluation.kept->hi());
    std::vector<std::pair<Expr, ExprId>> nodes;
    for_each_node(pool, evaluation.what, [&](const Expr& node, ExprId id) { nodes.emplace_back(node, id); });
    for (const auto& [node, id] : nodes) {
      if (node.op == Op::Div || node.op == Op::Mod) {
        const ExprId divisor = terms_.of_thread(node.args[1], thread);
        const Type type = pool[node.args[1]].type;
        add(pool.binary(Op::Eq, divisor, pool.constant(0, type), Type::boolean()), atoms);
      }
      const bool indexed = (node.op == Op::SharedVar || node.op == Op::LocalVar) && !node.args.empty();
      if (!indexed) continue;
      const model::TemplateId templ = commands_.place(command.from).templ;
      const Type& array =
          node.op == Op::SharedVar ? program.shared[node.var.value].type : program.templ(templ).local(node.var).type;
      outside(node.args[0], 0, model::Value{array.array_size()} - 1);
    }
  }
}

Refiner::Atoms Refiner::step_back(const Path& path, std::size_t step, const Atoms& atoms) {
  const PathStep& taken = path.steps[step];
  const Command& command = commands_.all()[taken.command];
  Atoms result;
  for (const ExprId atom : atoms) {
    add(terms_.before(at_creation(atom, path, step), command, taken.thread), result);
  }
  return result;
}

// Atoms over a value that the step chooses are no predicates before it, but what two of them compare it with may be in
// a relation that decides whether there is such a value: x <= s and l < x have one where l < s.
void Refiner::compare_bounds(const Path& path, const Simulation& simulation, std::size_t position, const Atoms& after,
                             Atoms& atoms) {
  const PathStep& taken = path.steps[position];
  const Command& command = commands_.all()[taken.command];
  model::ExprPool& pool = commands_.exprs();
  std::map<ExprId, std::vector<ExprId>> bounds;  // by choice, over the state before
  const auto other_side = [&](ExprId atom, ExprId side) -> std::optional<ExprId> {
    const Expr node = pool[atom];
    if ((node.op != Op::Eq && node.op != Op::Le) || node.args.size() != 2) return std::nullopt;
    if (node.args[0] == side) return node.args[1];
    return node.args[1] == side ? std::optional(node.args[0]) : std::nullopt;
  };
  const auto note = [&](ExprId choice, ExprId bound) {
    auto& known = bounds[choice];
    const bool fine = !mentions(pool, bound, Op::Nondet) && known.size() < most_bounds;
    if (fine && std::find(known.begin(), known.end(), bound) == known.end()) known.push_back(bound);
  };
  for (const model::Assign& assign : command.assigns) {
    if (pool[assign.value].op != Op::Nondet || assign.target.index) continue;
    const Type type = pool[assign.value].type;
    const ExprId target = assign.target.kind == model::LValue::Kind::Shared
                              ? pool.shared(assign.target.var, type)
                              : terms_.of_thread(pool.local(assign.target.var, type), taken.thread);
    for (const ExprId atom : after) {
      if (const auto bound = other_side(atom, target)) {
        note(assign.value, simplified(pool, terms_.before(*bound, command, taken.thread)));
      }
    }
  }
  for (const Simulation::Need& need : simulation.core()) {
    if (need.step != position || need.kind != Simulation::Need::Kind::Condition) continue;
    for (const ExprId atom : atoms_of(pool, need.expr)) {
      const std::vector<ExprId> sides = pool[atom].args;
      for (const ExprId side : sides) {
        if (pool[side].op != Op::Nondet) continue;
        if (const auto bound = other_side(atom, side)) note(side, terms_.of_thread(*bound, taken.thread));
      }
    }
  }
  for (const auto& [choice, known] : bounds) {
    for (const ExprId left : known) {
      for (const ExprId right : known) {
        if (left == right || pool[left].type != pool[right].type) continue;
        add(pool.binary(Op::Le, left, right, Type::boolean()), atoms);
        if (left < right) add(pool.binary(Op::Eq, left, right, Type::boolean()), atoms);
      }
    }
  }
}

// Locals of threads that the step creates, in terms of their creator; what their start leaves open is a choice.
ExprId Refiner::at_creation(ExprId atom, const Path& path, std::size_t step) {
  const PathStep& taken = path.steps[step];
  const Command& command = commands_.all()[taken.command];
  model::ExprPool& pool = commands_.exprs();
  ExprId result = atom;
  for (std::size_t i = 0; i < taken.children.size(); ++i) {
    if (!taken.children[i] || !terms_.threads_of(result).contains(*taken.children[i])) continue;
    const model::CommandChild& child = command.children[i];
    const model::Template& templ = commands_.program().templ(commands_.place(child.place).templ);
    for (std::size_t v = 0; v < templ.locals.size(); ++v) {
      const model::Variable& variable = templ.locals[v];
      if (variable.type.is_array()) continue;
      ExprId value = variable.initial.empty() ? pool.nondet(variable.type)
                                              : pool.constant(variable.initial.front(), variable.type);
      if (child.copies_locals) value = terms_.of_thread(pool.local(VarId(v), variable.type), taken.thread);
      for (const model::Assign& assign : child.assigns) {
        if (assign.target.var == VarId(v)) value = terms_.of_thread(assign.value, taken.thread);
      }
      result = terms_.replace_local(result, *taken.children[i], VarId(v), value);
    }
    // An array of the new thread: nothing is said of it.
    if (terms_.threads_of(result).contains(*taken.children[i])) return pool.truth();
  }
  return result;
}

void Refiner::separate(Simulation& simulation, std::size_t position, Atoms& atoms) {
  for (std::size_t i = 0; i < atoms.size(); ++i) {
    if (terms_.threads_of(atoms[i]).size() >= 2) separate(simulation, position, atoms[i], atoms);
  }
}

// Finds a shared variable that may stand for a local of the atom.
bool Refiner::separate(Simulation& simulation, std::size_t position, ExprId atom, Atoms& atoms) {
  const model::Program& program = commands_.program();
  model::ExprPool& pool = commands_.exprs();
  std::set<VarId> locals;
  for_each_node(pool, atom, [&](const Expr& node, ExprId) {
    if (node.op == Op::SharedVar && node.args.empty() && terms_.owner(node.var)) locals.insert(node.var);
  });
  for (const VarId number : locals) {
    const PathTerms::Owner owner = *terms_.owner(number);
    const Type type = program.templ(templates_[position][owner.thread]).local(owner.local).type;
    for (std::size_t s = 0; s < program.shared.size(); ++s) {
      if (program.shared[s].type != type || type.kind() != Type::Kind::Int || type.is_array()) continue;
      for (const model::Value offset : {0, 1, -1}) {
        if (!simulation.always_differ_by(position, owner.thread, owner.local, VarId(s), offset)) continue;
        const ExprId shared = pool.shared(VarId(s), type);
        const ExprId sum =
            offset == 0 ? shared : pool.binary(Op::Add, shared, pool.constant(type.wrap(offset), type), type);
        const ExprId local = pool.shared(number, type);
        add(pool.binary(Op::Eq, local, sum, Type::boolean()), atoms);
        add(terms_.replace_local(atom, owner.thread, owner.local, sum), atoms);
        return true;
      }
    }
  }
  return false;
}

std::size_t Refiner::offer(const Atoms& atoms, std::size_t position) {
  std::size_t fresh = 0;
  for (const ExprId atom : atoms) fresh += offer(atom, position) ? 1 : 0;
  return fresh;
}

bool Refiner::offer(ExprId atom, std::size_t position) {
  if (oracle_.stopped() || !offered_.insert(atom).second) return false;
  const std::set<std::size_t> threads = terms_.threads_of(atom);
  if (threads.size() > 1) return false;
  bool has_variable = false;
  for_each_node(commands_.program().exprs, atom,
                [&](const Expr& node, ExprId) { has_variable = has_variable || node.op == Op::SharedVar; });
  if (!has_variable) return false;
  const model::TemplateId templ =
      threads.empty() ? commands_.program().initial.front().templ : templates_[position][*threads.begin()];
  return add(terms_.erase_thread(atom), templ);
}

// Equalities of two variables that drift apart (q == a, q == a - 1, ..) would go on for ever where the program goes on
// counting.  In place of the third one for the same two variables their order is tried; it says of all that follow.
bool Refiner::add(ExprId expr, model::TemplateId templ) {
  if (const auto distance = distance_of(commands_.program().exprs, expr)) {
    const bool local = mentions(commands_.program().exprs, expr, Op::LocalVar);
    Distances& known = distances_[{local ? templ.value : UINT32_MAX, distance->left, distance->right}];
    known.offsets.insert(distance->offset);
    if (known.offsets.size() > most_offsets && !known.ordered) {
      known.ordered = true;
      model::ExprPool& pool = commands_.exprs();
      const ExprId order = pool.binary(Op::Le, distance->left, distance->right, Type::boolean());
      if (!oracle_.redundant(order, templ) && !oracle_.stopped() && predicates_.add(order, templ)) return true;
    }
  }
  if (oracle_.redundant(expr, templ) || oracle_.stopped()) return false;
  return predicates_.add(expr, templ);
}

std::size_t Refiner::from_values(const Path& path, Simulation& simulation) {
  trace_templates(path);
  const model::Program& program = commands_.program();
  model::ExprPool& pool = commands_.exprs();
  std::size_t fresh = 0;
  const auto propose = [&](ExprId variable, model::Value value, std::size_t position) {
    if (!involved_.contains(pool[variable].var)) return;
    const Type type = pool[variable].type;
    const ExprId atom =
        type.is_bool() ? variable : pool.binary(Op::Eq, variable, pool.constant(value, type), Type::boolean());
    if (offer(atom, position)) ++fresh;
  };
  const std::vector<Simulation::Values> example = simulation.example();
  for (std::size_t position = example.size(); position-- > 0 && fresh == 0;) {
    for (std::size_t s = 0; s < program.shared.size(); ++s) {
      const model::Variable& variable = program.shared[s];
      if (variable.type.is_array()) continue;
      propose(pool.shared(VarId(s), variable.type), example[position].shared[variable.slot], position);
    }
    for (std::size_t thread = 0; thread < example[position].locals.size(); ++thread) {
      const model::Valuation& locals = example[position].locals[thread];
      const model::Template& templ = program.templ(templates_[position][thread]);
      for (std::size_t v = 0; v < templ.locals.size() && !locals.empty(); ++v) {
        const model::Variable& variable = templ.locals[v];
        if (variable.type.is_array()) continue;
        propose(terms_.of_thread(pool.local(VarId(v), variable.type), thread), locals[variable.slot], position);
      }
    }
  }
  return fresh;
}

}  // namespace cohort::engine::cegar
