#include "engine/cegar/terms.hpp"

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "base/contract.hpp"

namespace cohort::engine::cegar {

using model::Expr;
using model::ExprId;
using model::ExprPool;
using model::LValue;
using model::Op;
using model::Type;
using model::Value;
using model::VarId;

PathTerms::PathTerms(ExprPool& pool, const model::Program& program) : pool_(pool), shared_(program.shared.size()) {
  for (const model::Template& templ : program.templates) stride_ = std::max(stride_, templ.locals.size());
}

VarId PathTerms::number(std::size_t thread, VarId local) const {
  return VarId(shared_ + thread * stride_ + local.value);
}

std::optional<PathTerms::Owner> PathTerms::owner(VarId var) const {
  if (var.value < shared_) return std::nullopt;
  return Owner{(var.value - shared_) / stride_, VarId((var.value - shared_) % stride_)};
}

ExprId PathTerms::of_thread(ExprId expr, std::size_t thread) {
  const auto visit = [&](auto&& self, ExprId id) -> ExprId {
    return pool_.rewrite(id, [&](ExprId node_id, ExprId& result) {
      Expr node = pool_[node_id];
      if (node.op == Op::Nondet) {
        result = node_id;
        return true;
      }
      if (node.op != Op::LocalVar) return false;
      node.op = Op::SharedVar;
      node.var = number(thread, node.var);
      for (ExprId& arg : node.args) arg = self(self, arg);
      result = pool_.add(std::move(node));
      return true;
    });
  };
  return visit(visit, expr);
}

std::set<std::size_t> PathTerms::threads_of(ExprId expr) const {
  std::set<std::size_t> threads;
  for_each_node(pool_, expr, [&](const Expr& node, ExprId) {
    if (node.op != Op::SharedVar) return;
    if (const auto found = owner(node.var)) threads.insert(found->thread);
  });
  return threads;
}

ExprId PathTerms::erase_thread(ExprId expr) {
  const auto visit = [&](auto&& self, ExprId id) -> ExprId {
    return pool_.rewrite(id, [&](ExprId node_id, ExprId& result) {
      Expr node = pool_[node_id];
      if (node.op != Op::SharedVar) return false;
      const auto found = owner(node.var);
      if (!found) return false;
      node.op = Op::LocalVar;
      node.var = found->local;
      for (ExprId& arg : node.args) arg = self(self, arg);
      result = pool_.add(std::move(node));
      return true;
    });
  };
  return visit(visit, expr);
}

// What the variable (or the element at `index`, which is over the state before) is worth after the assignments.
ExprId PathTerms::assigned(const Expr& node, ExprId index, LValue::Kind kind, VarId var, const model::Command& command,
                           std::size_t thread) {
  Expr before = node;
  if (!before.args.empty()) before.args[0] = index;
  ExprId result = pool_.add(std::move(before));
  for (const model::Assign& assign : command.assigns) {
    if (assign.target.kind != kind || assign.target.var != var) continue;
    const ExprId value = of_thread(assign.value, thread);
    if (!assign.target.index) {
      result = value;
      continue;
    }
    const ExprId place = of_thread(*assign.target.index, thread);
    result = place == index ? value : pool_.ite(pool_.binary(Op::Eq, index, place, Type::boolean()), value, result);
  }
  return result;
}

ExprId PathTerms::before(ExprId expr, const model::Command& command, std::size_t thread) {
  const auto visit = [&](auto&& self, ExprId id) -> ExprId {
    return pool_.rewrite(id, [&](ExprId node_id, ExprId& result) {
      const Expr node = pool_[node_id];
      if (node.op == Op::Nondet) {
        result = node_id;
        return true;
      }
      if (node.op != Op::SharedVar) return false;
      const auto found = owner(node.var);
      const ExprId index = node.args.empty() ? ExprId{} : self(self, node.args[0]);
      if (found && found->thread != thread) {
        Expr same = node;
        if (!same.args.empty()) same.args[0] = index;
        result = pool_.add(std::move(same));
      } else {
        const LValue::Kind kind = found ? LValue::Kind::Local : LValue::Kind::Shared;
        result = assigned(node, index, kind, found ? found->local : node.var, command, thread);
      }
      return true;
    });
  };
  return visit(visit, expr);
}

ExprId PathTerms::replace_local(ExprId expr, std::size_t thread, VarId local, ExprId value) {
  const VarId var = number(thread, local);
  return pool_.rewrite(expr, [&](ExprId id, ExprId& result) {
    if (pool_[id].op != Op::SharedVar || pool_[id].var != var || !pool_[id].args.empty()) return false;
    result = value;
    return true;
  });
}

// ---- normal forms

namespace {

constexpr std::size_t most_nodes = 60;
constexpr std::size_t most_cases = 24;

class Normalizer {
 public:
  explicit Normalizer(ExprPool& pool) : pool_(pool) {}

  ExprId simplify(ExprId id) {
    if (const auto it = done_.find(id); it != done_.end()) return it->second;
    Expr node = pool_[id];
    for (ExprId& arg : node.args) arg = simplify(arg);
    const ExprId result = combine(std::move(node));
    done_.emplace(id, result);
    return result;
  }

  // Adds the atoms of a simplified expression.
  void collect(ExprId id, std::vector<ExprId>& atoms) {
    if (!visited_.insert(id).second || atoms.size() > most_cases) return;
    const Expr node = pool_[id];
    switch (node.op) {
      case Op::Const: return;
      case Op::Not:
      case Op::And:
      case Op::Or:
      case Op::Xor:
      case Op::Implies:
        for (const ExprId arg : node.args) collect(arg, atoms);
        return;
      case Op::Eq:
      case Op::Ne:
        if (!pool_[node.args[0]].type.is_bool()) break;
        for (const ExprId arg : node.args) collect(arg, atoms);
        return;
      case Op::Ite:
        for (const ExprId arg : node.args) collect(arg, atoms);
        return;
      default: break;
    }
    if (const auto condition = find_case(id)) {
      collect(*condition, atoms);
      for (const bool value : {true, false}) collect(simplify(decided(id, *condition, value)), atoms);
      return;
    }
    add_atom(node, id, atoms);
  }

 private:
  bool constant(ExprId id) const { return pool_[id].op == Op::Const; }
  Value value(ExprId id) const { return pool_[id].value; }
  static bool is_fixed(const Type& type) { return type.kind() == Type::Kind::Int; }

  // The node with simplified arguments.
  ExprId combine(Expr node) {
    const auto& args = node.args;
    const bool folds =
        !args.empty() && std::all_of(args.begin(), args.end(), [&](ExprId arg) { return constant(arg); });
    switch (node.op) {
      case Op::Not: return pool_.negate(args[0]);
      case Op::And: return fold_connective(node, true);
      case Op::Or: return fold_connective(node, false);
      case Op::Eq:
      case Op::Ne:
      case Op::Lt:
      case Op::Le:
      case Op::Gt:
      case Op::Ge:
        if (folds) return pool_.boolean(compare(node.op, value(args[0]), value(args[1])));
        if (args[0] == args[1]) return pool_.boolean(node.op == Op::Eq || node.op == Op::Le || node.op == Op::Ge);
        return equation(std::move(node));
      case Op::Add:
      case Op::Sub: return sum(std::move(node));
      case Op::Ite:
        if (constant(args[0])) return value(args[0]) != 0 ? args[1] : args[2];
        if (args[1] == args[2]) return args[1];
        break;
      case Op::Cast:
        if (constant(args[0]) && is_fixed(node.type)) return pool_.constant(node.type.wrap(value(args[0])), node.type);
        if (is_fixed(node.type) && pool_[args[0]].type.is_bool()) {
          return pool_.ite(args[0], pool_.constant(1, node.type), pool_.constant(0, node.type));
        }
        if (pool_[args[0]].type == node.type) return args[0];
        break;
      default: break;
    }
    return pool_.add(std::move(node));
  }

  ExprId fold_connective(const Expr& node, bool conjunction) {
    ExprId result = pool_.boolean(conjunction);
    for (const ExprId arg : node.args) result = conjunction ? pool_.conj(result, arg) : pool_.disj(result, arg);
    return result;
  }

  static bool compare(Op op, Value left, Value right) {
    switch (op) {
      case Op::Eq: return left == right;
      case Op::Ne: return left != right;
      case Op::Lt: return left < right;
      case Op::Le: return left <= right;
      case Op::Gt: return left > right;
      case Op::Ge: return left >= right;
      default: COHORT_UNREACHABLE("a comparison");
    }
  }

  static Value negated(Value value) { return static_cast<Value>(-static_cast<std::uint64_t>(value)); }
  static Value difference(const Type& type, Value left, Value right) {
    return type.wrap(static_cast<Value>(static_cast<std::uint64_t>(left) - static_cast<std::uint64_t>(right)));
  }

  // x + c1 + c2 is x + (c1 + c2) in a type that wraps around.
  ExprId sum(Expr node) {
    if (!is_fixed(node.type)) return pool_.add(std::move(node));
    const Type type = node.type;
    const auto [left, first] = split(node.args[0], type);
    const auto [right, second] = split(node.args[1], type);
    const bool minus = node.op == Op::Sub;
    const Value constant = minus ? difference(type, first, second) : difference(type, first, negated(second));
    if (left && right) {
      if (minus && *left == *right) return pool_.constant(constant, type);
      return plus(pool_.binary(node.op, *left, *right, type), constant, type);
    }
    if (left) return plus(*left, constant, type);
    if (!right) return pool_.constant(constant, type);
    if (!minus) return plus(*right, constant, type);
    return pool_.binary(Op::Sub, pool_.constant(constant, type), *right, type);
  }

  ExprId plus(ExprId term, Value constant, const Type& type) {
    if (constant == 0) return term;
    return pool_.binary(Op::Add, term, pool_.constant(constant, type), type);
  }

  // The expression as a term (none: it is a constant) and a constant, of the type.
  std::pair<std::optional<ExprId>, Value> split(ExprId id, const Type& type) const {
    const Expr& node = pool_[id];
    if (node.op == Op::Const) return {std::nullopt, node.value};
    if (node.op == Op::Add && node.type == type && pool_[node.args[1]].op == Op::Const) {
      return {node.args[0], pool_[node.args[1]].value};
    }
    return {id, 0};
  }

  // x + c == d is x == d - c in a type that wraps around; (b ? 1 : 0) == 1 is b.
  ExprId equation(Expr node) {
    const ExprId left = node.args[0];
    const ExprId right = node.args[1];
    const Type type = pool_[left].type;
    if (pool_[right].op == Op::Ite && pool_[left].op == Op::Const) std::swap(node.args[0], node.args[1]);
    if ((node.op != Op::Eq && node.op != Op::Ne) || !is_fixed(type) || pool_[right].type != type) {
      return pool_.add(std::move(node));
    }
    const auto [first, add_left] = split(left, type);
    const auto [second, add_right] = split(right, type);
    if (!first && !second) return pool_.add(std::move(node));
    if (!first)
      return pool_.binary(node.op, *second, pool_.constant(difference(type, add_left, add_right), type), node.type);
    const Value apart = difference(type, add_right, add_left);
    if (!second) return pool_.binary(node.op, *first, pool_.constant(apart, type), node.type);
    if (*first == *second) return pool_.boolean((apart == 0) == (node.op == Op::Eq));
    return pool_.binary(node.op, *first, plus(*second, apart, type), node.type);
  }

  // The condition of a case inside an atom.
  std::optional<ExprId> find_case(ExprId root) const {
    std::optional<ExprId> result;
    for_each_node(pool_, root, [&](const Expr& node, ExprId) {
      if (node.op == Op::Ite) result = node.args[0];
    });
    return result;
  }

  ExprId decided(ExprId root, ExprId condition, bool value) {
    return pool_.rewrite(root, [&](ExprId id, ExprId& result) {
      if (pool_[id].op == Op::Nondet) {
        result = id;
        return true;
      }
      if (id != condition) return false;
      result = pool_.boolean(value);
      return true;
    });
  }

  void add_atom(const Expr& node, ExprId id, std::vector<ExprId>& atoms) {
    ExprId atom = id;
    const auto binary = [&](Op op, bool swapped) {
      return pool_.binary(op, node.args[swapped ? 1 : 0], node.args[swapped ? 0 : 1], Type::boolean());
    };
    switch (node.op) {
      case Op::Ne: atom = binary(Op::Eq, false); break;
      case Op::Ge: atom = binary(Op::Le, true); break;
      case Op::Gt: atom = binary(Op::Le, false); break;
      case Op::Lt: atom = binary(Op::Le, true); break;
      default: break;
    }
    std::size_t nodes = 0;
    for_each_node(pool_, atom, [&](const Expr&, ExprId) { ++nodes; });
    if (nodes > most_nodes) return;
    if (std::find(atoms.begin(), atoms.end(), atom) == atoms.end()) atoms.push_back(atom);
  }

  ExprPool& pool_;
  std::unordered_map<ExprId, ExprId> done_;
  std::unordered_set<ExprId> visited_;
};

}  // namespace

std::vector<ExprId> atoms_of(ExprPool& pool, ExprId expr) {
  Normalizer normalizer(pool);
  std::vector<ExprId> atoms;
  normalizer.collect(normalizer.simplify(expr), atoms);
  return atoms;
}

ExprId simplified(ExprPool& pool, ExprId expr) {
  return Normalizer(pool).simplify(expr);
}

}  // namespace cohort::engine::cegar
