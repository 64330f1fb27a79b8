#include "lemma/grammar.hpp"

#include <algorithm>

#include "model/analysis/may_fault.hpp"

namespace cohort::lemma {

using model::Command;
using model::Expr;
using model::ExprId;
using model::Op;
using model::TemplateId;
using model::Type;
using model::Value;

namespace {

// Arrays with more elements are left out: an atom for each pair of elements is too much.
constexpr std::uint32_t most_elements = 8;
constexpr std::size_t most_formulas = 48;
constexpr std::size_t most_constants = 12;
constexpr std::size_t most_in_sums = 10;
constexpr std::size_t most_dimensions = 24;

bool is_variable(Op op) {
  return op == Op::SharedVar || op == Op::LocalVar || op == Op::PassiveVar;
}

bool is_comparison(Op op) {
  return op == Op::Eq || op == Op::Ne || op == Op::Lt || op == Op::Le || op == Op::Gt || op == Op::Ge;
}

bool is_simple(const Expr& node) {
  return node.op == Op::Const || (is_variable(node.op) && node.args.empty());
}

// Unused variables of an atom are shared ones.
bool is_crossed(const Atom& atom) {
  int seen = Var::shared;
  for (const Var& var : {atom.x, atom.y, atom.z, atom.premise ? atom.premise->first : Var{}}) {
    if (var.position == Var::shared || var.position == seen) continue;
    if (seen != Var::shared) return true;
    seen = var.position;
  }
  return false;
}

}  // namespace

Grammar::Grammar(const model::Commands& commands, const Alphabet& alphabet, GrammarOptions options,
                 const std::vector<Ghost>& ghosts)
    : commands_(commands), alphabet_(alphabet), options_(options), ghosts_(ghosts), live_(commands.program()) {
  const model::Program& program = commands_.program();
  std::size_t count = program.shared.size();
  for (const model::Template& templ : program.templates) {
    first_local_.push_back(count);
    count += templ.locals.size();
  }
  for (std::size_t i = 0; i < count; ++i) fresh();
  connect();
  for (const Ghost& ghost : ghosts) {
    if (!ghost.behind) unite(ghost.variable.value, ghost.counter.value);
  }
  collect_formulas();
  finish_kinds();
}

std::size_t Grammar::fresh() {
  parents_.push_back(parents_.size());
  kinds_.emplace_back();
  return parents_.size() - 1;
}

std::size_t Grammar::find(std::size_t node) const {
  while (parents_[node] != node) node = parents_[node] = parents_[parents_[node]];
  return node;
}

std::size_t Grammar::unite(std::size_t one, std::size_t other) {
  one = find(one);
  other = find(other);
  if (one == other) return one;
  if (other < one) std::swap(one, other);
  parents_[other] = one;
  kinds_[one].constants.merge(kinds_[other].constants);
  kinds_[one].offsets.merge(kinds_[other].offsets);
  kinds_[one].moduli.merge(kinds_[other].moduli);
  return one;
}

std::size_t Grammar::node_of(TemplateId templ, const Expr& variable) const {
  if (variable.op == Op::SharedVar) return variable.var.value;
  return first_local_[templ.value] + variable.var.value;
}

std::size_t Grammar::visit(TemplateId templ, ExprId id, std::map<ExprId, std::size_t>& done) {
  if (const auto it = done.find(id); it != done.end()) return it->second;
  const Expr& node = commands_.program().exprs[id];
  std::size_t result = fresh();
  if (is_variable(node.op)) {
    visit_children(templ, node, done);
    result = unite(result, node_of(templ, node));
  } else if (node.op == Op::Const) {
    if (!node.type.is_bool()) kinds_[result].constants.insert(node.value);
  } else if (node.op == Op::Add || node.op == Op::Sub) {
    for (const ExprId arg : node.args) {
      const Expr& part = commands_.program().exprs[arg];
      if (part.op == Op::Const) {
        kinds_[find(result)].offsets.insert(part.value);
      } else {
        result = unite(result, visit(templ, arg, done));
      }
    }
  } else if (node.op == Op::Cast) {
    const bool number = !commands_.program().exprs[node.args[0]].type.is_bool();
    const std::size_t operand = visit(templ, node.args[0], done);
    if (number) result = unite(result, operand);
  } else if (node.op == Op::Ite) {
    visit(templ, node.args[0], done);
    if (node.type.is_bool()) {
      visit(templ, node.args[1], done);
      visit(templ, node.args[2], done);
    } else {
      result = unite(result, unite(visit(templ, node.args[1], done), visit(templ, node.args[2], done)));
    }
  } else if (node.op == Op::Mod || node.op == Op::BitAnd) {
    const Expr& right = commands_.program().exprs[node.args[1]];
    const std::size_t left = visit(templ, node.args[0], done);
    visit(templ, node.args[1], done);
    const Value modulus = right.op != Op::Const ? 0 : (node.op == Op::Mod ? right.value : right.value + 1);
    const bool power = (modulus & (modulus - 1)) == 0;
    if (modulus >= 2 && modulus <= 16 && (node.op == Op::Mod || power)) kinds_[find(left)].moduli.insert(modulus);
  } else if (is_comparison(node.op) && !commands_.program().exprs[node.args[0]].type.is_bool()) {
    unite(visit(templ, node.args[0], done), visit(templ, node.args[1], done));
  } else {
    visit_children(templ, node, done);
  }
  done[id] = find(result);
  return find(result);
}

void Grammar::visit_children(TemplateId templ, const Expr& node, std::map<ExprId, std::size_t>& done) {
  for (const ExprId arg : node.args) visit(templ, arg, done);
}

void Grammar::connect() {
  const model::Program& program = commands_.program();
  for (const Command& command : commands_.all()) {
    const TemplateId templ = command.edge.templ;
    std::map<ExprId, std::size_t> done;
    visit(templ, command.guard, done);
    const auto assign = [&](const model::Assign& one, TemplateId owner) {
      const bool shared = one.target.kind == model::LValue::Kind::Shared;
      const std::size_t node = shared ? one.target.var.value : first_local_[owner.value] + one.target.var.value;
      const std::size_t value = visit(templ, one.value, done);
      if (one.target.index) visit(templ, *one.target.index, done);
      if (!program.exprs[one.value].type.is_bool()) unite(node, value);
    };
    for (const model::Assign& one : command.assigns) assign(one, templ);
    for (const model::Assign& one : command.passive_assigns) assign(one, templ);
    for (const model::CommandChild& child : command.children) {
      for (const model::Assign& one : child.assigns) assign(one, commands_.place(child.place).templ);
    }
  }
  for (std::size_t i = 0; i < program.shared.size(); ++i) {
    if (program.shared[i].type.kind() == Type::Kind::Bool) continue;
    for (const Value value : program.shared[i].initial) kinds_[find(i)].constants.insert(value);
  }
}

// The Boolean parts of guards, which assertions are as well: a violated one is a guard into an error location.
void Grammar::collect_formulas() {
  formulas_.resize(commands_.program().templates.size());
  for (const Command& command : commands_.all()) add_formula(command.edge.templ, command.guard);
}

void Grammar::add_formula(TemplateId templ, ExprId root) {
  const model::ExprPool& exprs = commands_.program().exprs;
  const Expr& node = exprs[root];
  if (node.op == Op::And || node.op == Op::Or || node.op == Op::Implies || node.op == Op::Not) {
    for (const ExprId arg : node.args) add_formula(templ, arg);
    if (node.op == Op::Not || node.op == Op::And) return;
  }
  auto& formulas = formulas_[templ.value];
  if (is_simple(node) || formulas.size() >= most_formulas) return;
  // Comparisons of two variables, or of one with a constant, are atoms already.
  const bool covered = is_comparison(node.op) && is_simple(exprs[node.args[0]]) && is_simple(exprs[node.args[1]]);
  if (covered || model::may_fault(exprs, root) || model::mentions(exprs, root, Op::Nondet)) return;
  if (std::find(formulas.begin(), formulas.end(), root) == formulas.end()) formulas.push_back(root);
}

void Grammar::finish_kinds() {
  std::set<Value> all{0, 1, 2, -1};
  for (std::size_t i = 0; i < kinds_.size(); ++i) {
    if (find(i) != i) continue;
    Kind& kind = kinds_[i];
    for (const Value value : kind.constants) all.insert(value);
    std::set<Value> constants{0, 1};
    for (const Value value : kind.constants) {
      if (constants.size() >= most_constants) break;
      constants.insert(value);
      if (value != INT64_MIN) constants.insert(value - 1);
      if (value != INT64_MAX) constants.insert(value + 1);
    }
    kind.constants = std::move(constants);
    std::set<Value> offsets{0, 1};
    for (const Value value : kind.offsets) {
      if (offsets.size() >= 4) break;
      if (value != INT64_MIN && std::abs(value) <= 64) offsets.insert(std::abs(value));
    }
    kind.offsets = std::move(offsets);
  }
  constants_.assign(all.begin(), all.end());
}

std::vector<Grammar::Known> Grammar::variables(const View& view) const {
  const model::Program& program = commands_.program();
  std::vector<Known> result;
  const auto add = [&](int position, std::size_t node, const model::Variable& variable) {
    if (variable.type.slots() > most_elements) return;
    for (std::uint32_t i = 0; i < variable.type.slots(); ++i) {
      const Type type = variable.type.element();
      result.push_back({{position, variable.slot + i}, find(node), type.is_bool(), type});
    }
  };
  for (std::size_t i = 0; i < program.shared.size(); ++i) add(Var::shared, i, program.shared[i]);
  for (std::size_t position = 0; position < view.size(); ++position) {
    const Spot& spot = alphabet_.spot(view[position]);
    if (!spot.place) continue;
    const model::Template& templ = program.templ(spot.templ);
    const model::LocId location = commands_.place(*spot.place).location;
    for (std::size_t i = 0; i < templ.locals.size(); ++i) {
      if (!live_.live(spot.templ, location, model::VarId(i))) continue;
      add(static_cast<int>(position), first_local_[spot.templ.value] + i, templ.locals[i]);
    }
  }
  return result;
}

void Grammar::add_unary(const Known& one, std::vector<Atom>& atoms) const {
  if (one.is_boolean) {
    atoms.push_back({.kind = Atom::Kind::Upper, .x = one.var, .c = 0});
    atoms.push_back({.kind = Atom::Kind::Lower, .x = one.var, .c = 1});
    return;
  }
  const Kind& kind = kinds_[one.kind];
  for (const Value c : kind.constants) {
    // What the type says by itself is no fact.
    if (!one.type.contains(c)) continue;
    const bool greatest = c == INT64_MAX || !one.type.contains(c + 1);
    const bool least = c == INT64_MIN || !one.type.contains(c - 1);
    if (!greatest) atoms.push_back({.kind = Atom::Kind::Upper, .x = one.var, .c = c});
    if (!least) atoms.push_back({.kind = Atom::Kind::Lower, .x = one.var, .c = c});
    if (!greatest && !least) atoms.push_back({.kind = Atom::Kind::Other, .x = one.var, .c = c});
  }
  for (const Value modulus : kind.moduli) {
    for (Value rest = 0; rest < modulus; ++rest) {
      atoms.push_back({.kind = Atom::Kind::Congruent, .x = one.var, .c = rest, .modulus = modulus});
    }
  }
}

void Grammar::add_pair(const Known& one, const Known& other, std::vector<Atom>& atoms) const {
  if (one.is_boolean != other.is_boolean || (!one.is_boolean && one.kind != other.kind)) return;
  if (one.is_boolean) {
    atoms.push_back({.kind = Atom::Kind::Difference, .x = one.var, .y = other.var});
    atoms.push_back({.kind = Atom::Kind::Difference, .x = other.var, .y = one.var});
    atoms.push_back({.kind = Atom::Kind::Distinct, .x = one.var, .y = other.var});
    return;
  }
  for (const Value offset : kinds_[one.kind].offsets) {
    for (const Value c : offset == 0 ? std::vector<Value>{0} : std::vector<Value>{offset, -offset}) {
      atoms.push_back({.kind = Atom::Kind::Difference, .x = one.var, .y = other.var, .c = c});
      atoms.push_back({.kind = Atom::Kind::Difference, .x = other.var, .y = one.var, .c = c});
    }
  }
  atoms.push_back({.kind = Atom::Kind::Distinct, .x = one.var, .y = other.var});
}

void Grammar::add_formulas(const View& view, std::vector<Atom>& atoms) const {
  const model::ExprPool& exprs = commands_.program().exprs;
  for (std::size_t position = 0; position < view.size(); ++position) {
    const Spot& spot = alphabet_.spot(view[position]);
    if (!spot.place) continue;
    const model::LocId location = commands_.place(*spot.place).location;
    for (const ExprId formula : formulas_[spot.templ.value]) {
      bool in_scope = true;
      model::for_each_node(exprs, formula, [&](const Expr& node, ExprId) {
        if (node.op == Op::LocalVar) in_scope = in_scope && live_.live(spot.templ, location, node.var);
      });
      if (!in_scope) continue;
      const Var at{static_cast<int>(position), 0};
      atoms.push_back({.kind = Atom::Kind::Formula, .x = at, .expr = formula});
      atoms.push_back({.kind = Atom::Kind::Formula, .x = at, .expr = formula, .negated = true});
    }
  }
}

void Grammar::add_ways(const std::vector<Known>& known, std::vector<Atom>& atoms) const {
  const auto slot = [&](model::VarId id) { return Var{Var::shared, commands_.program().shared[id.value].slot}; };
  for (const Ghost& ghost : ghosts_) {
    if (!ghost.behind) continue;
    const Var to = slot(ghost.counter);
    const Var from = slot(*ghost.behind);
    const Type& type = commands_.program().shared[ghost.counter.value].type;
    const Value bits = type.width();
    for (const Atom::Kind kind : {Atom::Kind::WayUpper, Atom::Kind::WayLower}) {
      atoms.push_back({.kind = kind, .x = to, .y = from, .z = slot(ghost.variable), .modulus = bits});
    }
    for (const Known& one : known) {
      if (one.var == to || one.var == from || !(one.type == type)) continue;
      atoms.push_back({.kind = Atom::Kind::Nearer, .x = one.var, .y = from, .z = to, .modulus = bits});
      // Who waits looks at what is served in one step and compares in another: what it saw is behind, or the same.
      for (const Known& seen : known) {
        if (one.var.position == Var::shared || seen.var.position != one.var.position) continue;
        if (seen.var == one.var || !(seen.type == type)) continue;
        atoms.push_back({.kind = Atom::Kind::Passed, .x = one.var, .y = from, .z = seen.var, .modulus = bits});
      }
    }
  }
}

void Grammar::add_sums(const std::vector<Known>& known, std::vector<Atom>& atoms) const {
  std::vector<Known> numbers;
  std::copy_if(known.begin(), known.end(), std::back_inserter(numbers),
               [](const Known& one) { return !one.is_boolean; });
  if (numbers.size() > most_in_sums) return;
  for (const Known& x : numbers) {
    for (const Known& y : numbers) {
      if (y.var < x.var || x.kind != y.kind) continue;
      for (const Known& z : numbers) {
        if (z.kind != x.kind || z.var == x.var || z.var == y.var) continue;
        for (const Value c : {-1, 0}) {
          atoms.push_back({.kind = Atom::Kind::Sum, .x = x.var, .y = y.var, .z = z.var, .c = c});
        }
      }
    }
  }
}

// Premises: variables that the program compares with few constants, and Booleans.
void Grammar::add_implications(const std::vector<Known>& known, std::vector<Atom>& atoms) const {
  std::vector<Atom> plain = atoms;
  for (const Known& one : known) {
    std::vector<Value> values{0, 1};
    if (!one.is_boolean && kinds_[one.kind].constants.size() > 8) continue;
    for (const Value value : values) {
      for (const Atom& atom : plain) {
        const bool unary = atom.kind != Atom::Kind::Difference && atom.kind != Atom::Kind::Distinct;
        if (atom.x == one.var || (!unary && atom.y == one.var) || atom.kind == Atom::Kind::Sum) continue;
        Atom implied = atom;
        implied.premise = std::pair(one.var, value);
        atoms.push_back(implied);
      }
    }
  }
}

std::vector<std::pair<Var, Type>> Grammar::dimensions(const View& view) const {
  std::vector<std::pair<Var, Type>> result;
  if (!options_.equations) return result;
  std::vector<Known> known = variables(view);
  if (known.size() > most_dimensions) std::erase_if(known, [](const Known& one) { return one.is_boolean; });
  if (known.size() > most_dimensions) return result;
  for (const Known& one : known) result.emplace_back(one.var, one.type);
  return result;
}

std::vector<Atom> Grammar::candidates(const View& view) const {
  const std::vector<Known> known = variables(view);
  std::vector<Atom> atoms;
  for (std::size_t i = 0; i < known.size(); ++i) {
    add_unary(known[i], atoms);
    for (std::size_t j = 0; j < i; ++j) add_pair(known[j], known[i], atoms);
  }
  add_formulas(view, atoms);
  add_ways(known, atoms);
  if (!options_.crossed) std::erase_if(atoms, is_crossed);
  if (options_.implications) add_implications(known, atoms);
  if (options_.sums) add_sums(known, atoms);
  if (!options_.crossed) std::erase_if(atoms, is_crossed);
  return atoms;
}

}  // namespace cohort::lemma
