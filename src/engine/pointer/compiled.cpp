#include "engine/pointer/compiled.hpp"

#include <algorithm>

#include "base/contract.hpp"
#include "base/source.hpp"
#include "engine/pointer/syntax.hpp"
#include "model/analysis/may_fault.hpp"
#include "model/eval.hpp"

namespace cohort::engine::pointer {

using model::Op;
using model::Type;
using model::Value;

Compiled::Compiled(const Layout& layout) : layout_(&layout) {
  const model::Program& program = layout.program();
  out_edges_.resize(layout.templ().locations.size());
  for (const model::Location& location : layout.templ().locations) error_.push_back(location.error);
  for (const model::Edge& edge : layout.templ().edges) {
    out_edges_[edge.source.value].push_back(static_cast<std::uint32_t>(edges_.size()));
    Edge& compiled = edges_.emplace_back();
    compiled.target = static_cast<Cell>(edge.target.value);
    for (const model::Action& action : edge.actions) {
      Action& steps = compiled.actions.emplace_back();
      if (action.guard) steps.guard = compile(*action.guard);
      for (const model::Assign& assign : action.assigns) {
        Write write;
        write.shared = assign.target.kind == model::LValue::Kind::Shared;
        const std::uint32_t var = assign.target.var.value;
        write.slot = write.shared ? var : 1 + var;
        write.type = write.shared ? layout.shared(var) : layout.local(var);
        write.wraps = write.shared ? program.shared[var].type : layout.templ().locals[var].type;
        if (assign.target.ref) write.ref = compile(*assign.target.ref);
        write.value = compile(assign.value);
        steps.writes.push_back(write);
      }
    }
  }
  for (std::size_t i = 0; i < program.properties.size(); ++i) {
    const model::Property& property = program.properties[i];
    if (property.kind == model::Property::Kind::Condition) {
      bad_.push_back({compile(*property.condition), model::PropertyId(i)});
    }
  }
  faults_violate_ = program.faults == model::FaultPolicy::Violation;
}

Compiled::NodeId Compiled::add(Node node) {
  nodes_.push_back(node);
  return static_cast<NodeId>(nodes_.size() - 1);
}

// Operands of a body that cannot fault may be evaluated in any order, and those that do not speak of the bound process
// once for all of them.
void Compiled::compile_body(Node& node, model::ExprId body, std::size_t depth) {
  const auto& pool = layout_->program().exprs;
  const Op op = node.op == Op::ExistsThread ? Op::And : Op::Or;
  NodeId parts[2] = {none, none};
  for (const model::ExprId operand : operands(pool, body, op)) {
    bool depends = false;
    for_each_node(pool, operand, [&](const model::Expr& inner, model::ExprId) {
      depends = depends || (inner.op == Op::BoundThread && static_cast<std::size_t>(inner.value) >= depth);
    });
    NodeId& part = parts[depends || node.can_fault ? 0 : 1];
    const NodeId compiled = compile(operand, depth + 1);
    part = part == none ? compiled : add({.op = op, .args = {part, compiled, none}});
  }
  // The neutral element, where nothing depends.
  if (parts[0] == none) parts[0] = add({.op = Op::Const, .value = op == Op::And ? 1 : 0});
  node.args[0] = parts[0];
  node.args[1] = parts[1];
}

Compiled::NodeId Compiled::compile(model::ExprId root, std::size_t depth) {
  if (const auto it = index_.find({root, depth}); it != index_.end()) return it->second;
  const model::Expr& expr = layout_->program().exprs[root];
  Node node{.op = expr.op, .kind = expr.type.kind(), .value = expr.value, .type = expr.type};
  const bool quantifies = expr.op == Op::ForallThread || expr.op == Op::ExistsThread;
  for (std::size_t i = 0; i < expr.args.size() && !quantifies; ++i) node.args[i] = compile(expr.args[i], depth);
  if (expr.op == Op::SharedVar) {
    node.slot = expr.var.value;
    node.value = layout_->shared(expr.var.value).lo;
  } else if (expr.op == Op::LocalVar || expr.op == Op::RemoteVar) {
    node.slot = 1 + expr.var.value;
    node.value = layout_->local(expr.var.value).lo;
  } else if (quantifies) {
    node.can_fault = model::may_fault(layout_->program().exprs, expr.args[0], model::NamedThreads::Exist);
    compile_body(node, expr.args[0], depth);
  } else if (expr.op == Op::BoundThread) {
    if (static_cast<std::size_t>(expr.value) >= deepest_quantifier) {
      throw_unsupported({}, "quantifiers over processes are nested too deeply");
    }
  }
  return index_[{root, depth}] = add(node);
}

Compiled::Outcome Compiled::step(std::uint32_t edge, std::uint32_t self, std::span<Cell> cells) {
  cells_ = cells.data();
  self_ = self;
  depth_ = 0;
  fault_ = false;
  touched_.assign(1, self);
  for (const Action& action : edges_[edge].actions) {
    if (perform(action)) continue;
    return fault_ && faults_violate_ ? Outcome::Fault : Outcome::Blocked;
  }
  cells_[layout_->location_cell(self)] = edges_[edge].target;
  return Outcome::Done;
}

// All right-hand sides read the state before the action; then the writes happen at once.
bool Compiled::perform(const Action& action) {
  if (action.guard != none && (run(action.guard) == 0 || fault_)) return false;
  pending_.clear();
  for (const Write& write : action.writes) {
    std::size_t cell = write.slot;
    if (!write.shared) {
      const Cell* block = write.ref == none ? cells_ + layout_->location_cell(self_) : process(run(write.ref));
      if (fault_) return false;
      cell = static_cast<std::size_t>(block - cells_) + write.slot;
      if (write.ref != none) touched_.push_back(layout_->process_of(cell));
    }
    const Value value = write.wraps.wrap(run(write.value)) - write.type.lo;
    if (value < 0 || value >= static_cast<Value>(write.type.values)) fault_ = true;
    if (fault_) return false;
    pending_.emplace_back(cell, static_cast<Cell>(value));
  }
  for (const auto& [cell, value] : pending_) cells_[cell] = value;
  return true;
}

std::optional<model::PropertyId> Compiled::violated(std::span<const Cell> cells) {
  for (std::size_t process = 0; process < layout_->processes(); ++process) {
    if (const auto& error = error_[cells[layout_->location_cell(process)]]) return error;
  }
  for (const Bad& bad : bad_) {
    if (evaluate(bad.condition, cells, {}).value_or(faults_violate_)) return bad.property;
  }
  return std::nullopt;
}

std::optional<bool> Compiled::evaluate(NodeId root, std::span<const Cell> cells, std::span<const std::uint32_t> bound) {
  // Nothing is written while a condition is evaluated.
  cells_ = const_cast<Cell*>(cells.data());
  std::copy(bound.begin(), bound.end(), bound_);
  depth_ = bound.size();
  fault_ = false;
  const bool holds = run(root) != 0;
  return fault_ ? std::nullopt : std::optional(holds);
}

const Cell* Compiled::process(Value reference) {
  if (reference <= 0 || reference > static_cast<Value>(layout_->processes())) {
    fault_ = true;
    return cells_;
  }
  return cells_ + layout_->location_cell(static_cast<std::size_t>(reference) - 1);
}

Value Compiled::run(NodeId id) {
  const Node& node = nodes_[id];
  switch (node.op) {
    case Op::Const: return node.value;
    case Op::SharedVar: return cells_[node.slot] + node.value;
    case Op::LocalVar: return cells_[layout_->location_cell(self_) + node.slot] + node.value;
    case Op::RemoteVar: {
      const Cell* block = process(run(node.args[0]));
      return fault_ ? 0 : block[node.slot] + node.value;
    }
    case Op::Self: return Value{self_} + 1;
    case Op::BoundThread: return Value{bound_[node.value]} + 1;
    case Op::AtLocation: {
      const Cell* block = process(run(node.args[0]));
      return !fault_ && *block == static_cast<Cell>(node.value) ? 1 : 0;
    }
    case Op::ForallThread:
    case Op::ExistsThread: return run_quantifier(node);
    case Op::Not: return run(node.args[0]) == 0 ? 1 : 0;
    case Op::Neg: return arithmetic(node, 0, run(node.args[0]));
    case Op::BitNot: return node.type.wrap(~run(node.args[0]));
    case Op::Cast: {
      const Value value = run(node.args[0]);
      if (node.kind != Type::Kind::ThreadRef) return node.type.wrap(value);
      return value < 0 || value > static_cast<Value>(layout_->processes()) ? fail() : value;
    }
    case Op::Ite: return run(node.args[run(node.args[0]) != 0 ? 1 : 2]);
    default: return run_binary(node);
  }
}

Value Compiled::run_quantifier(const Node& node) {
  const bool forall = node.op == Op::ForallThread;
  if (node.args[1] != none && (run(node.args[1]) != 0) == forall) return forall ? 1 : 0;
  bool decided = false;
  const std::size_t depth = depth_++;
  for (std::uint32_t process = 0; process < layout_->processes(); ++process) {
    bound_[depth] = process;
    const bool holds = run(node.args[0]) != 0;
    decided = decided || holds != forall;
    // A fault counts even where an earlier process has decided.
    if (fault_ || (decided && !node.can_fault)) break;
  }
  depth_ = depth;
  return forall != decided ? 1 : 0;
}

Value Compiled::arithmetic(const Node& node, Value left, Value right) {
  Value result = 0;
  bool overflow = false;
  switch (node.op) {
    case Op::Add: overflow = __builtin_add_overflow(left, right, &result); break;
    case Op::Neg:
    case Op::Sub: overflow = __builtin_sub_overflow(left, right, &result); break;
    case Op::Mul: overflow = __builtin_mul_overflow(left, right, &result); break;
    case Op::Div:
    case Op::Mod:
      if (right == 0) return fail();
      if (right == -1) {
        if (node.op == Op::Div) overflow = __builtin_sub_overflow(Value{0}, left, &result);
      } else {
        result = node.op == Op::Div ? left / right : left % right;
      }
      break;
    default: COHORT_UNREACHABLE("an arithmetic operator");
  }
  if (overflow && node.kind != Type::Kind::Int) model::expect_within_64_bits(model::FaultKind::Overflow, {});
  return node.type.wrap(result);
}

Value Compiled::run_binary(const Node& node) {
  const Value left = run(node.args[0]);
  if (node.op == Op::And && left == 0) return 0;
  if (node.op == Op::Or && left != 0) return 1;
  if (node.op == Op::Implies && left == 0) return 1;
  const Value right = run(node.args[1]);
  switch (node.op) {
    case Op::And:
    case Op::Or:
    case Op::Implies: return right != 0 ? 1 : 0;
    case Op::Xor:
    case Op::Ne: return left != right ? 1 : 0;
    case Op::Eq: return left == right ? 1 : 0;
    case Op::Lt: return left < right ? 1 : 0;
    case Op::Le: return left <= right ? 1 : 0;
    case Op::Gt: return left > right ? 1 : 0;
    case Op::Ge: return left >= right ? 1 : 0;
    default: return arithmetic(node, left, right);
  }
}

}  // namespace cohort::engine::pointer
