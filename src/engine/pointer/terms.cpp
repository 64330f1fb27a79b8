#include "engine/pointer/terms.hpp"

#include "base/contract.hpp"
#include "model/eval.hpp"

namespace cohort::engine::pointer {

using model::Expr;
using model::ExprId;
using model::Op;
using model::Type;
using model::Value;

namespace {

dd::Bdd fails(const Truth& truth) {
  return !(truth.holds | truth.fault);
}

}  // namespace

Cases Terms::value(ExprId id, std::size_t self) {
  self_ = self;
  bound_.clear();
  return evaluate(id);
}

Truth Terms::truth(ExprId id, std::size_t self) {
  self_ = self;
  bound_.clear();
  return judge(id);
}

Cases Terms::gathered(std::map<Value, dd::Bdd> values, dd::Bdd fault) {
  Cases result;
  for (auto& [value, where] : values) {
    if (!where.is_false()) result.values.emplace_back(value, std::move(where));
  }
  result.fault = std::move(fault);
  return result;
}

Cases Terms::cell(std::size_t cell, const CellType& type, const dd::Bdd& where) const {
  Cases result;
  for (std::uint32_t value = 0; value < type.values; ++value) {
    dd::Bdd here = encoding_.equals(cell, static_cast<Cell>(value)) & where;
    if (!here.is_false()) result.values.emplace_back(value + type.lo, std::move(here));
  }
  return result;
}

Cases Terms::evaluate(ExprId id) {
  const Expr& node = pool_[id];
  switch (node.op) {
    case Op::Const: return {{{node.value, dd::Bdd(true)}}, {}};
    case Op::Self: return {{{static_cast<Value>(self_) + 1, dd::Bdd(true)}}, {}};
    case Op::BoundThread:
      return {{{static_cast<Value>(bound_[static_cast<std::size_t>(node.value)]) + 1, dd::Bdd(true)}}, {}};
    case Op::SharedVar:
    case Op::LocalVar:
    case Op::RemoteVar: return variable(node);
    case Op::Cast: {
      Cases cases = evaluate(node.args[0]);
      return node.type.kind() == Type::Kind::ThreadRef ? to_reference(std::move(cases)) : cases;
    }
    case Op::Ite: {
      const Truth condition = judge(node.args[0]);
      std::map<Value, dd::Bdd> values;
      dd::Bdd fault = condition.fault;
      const dd::Bdd sides[2] = {condition.holds, fails(condition)};
      for (std::size_t side = 0; side < 2; ++side) {
        const Cases cases = evaluate(node.args[1 + side]);
        for (const auto& [value, where] : cases.values) values[value] |= where & sides[side];
        fault |= cases.fault & sides[side];
      }
      return gathered(std::move(values), std::move(fault));
    }
    default: break;
  }
  if (node.type.is_bool()) {
    const Truth truth = judge(id);
    return gathered({{1, truth.holds}, {0, fails(truth)}}, truth.fault);
  }
  return arithmetic(node);
}

Cases Terms::variable(const Expr& node) {
  const Layout& layout = encoding_.layout();
  if (node.op == Op::SharedVar) return cell(node.var.value, layout.shared(node.var.value), dd::Bdd(true));
  const CellType& type = layout.local(node.var.value);
  if (node.op == Op::LocalVar) return cell(layout.local_cell(self_, node.var.value), type, dd::Bdd(true));
  const Cases target = evaluate(node.args[0]);
  std::map<Value, dd::Bdd> values;
  dd::Bdd fault = target.fault;
  for (const auto& [process, where] : target.values) {
    if (process < 1 || process > static_cast<Value>(layout.processes())) {
      fault |= where;
      continue;
    }
    const Cases here = cell(layout.local_cell(static_cast<std::size_t>(process) - 1, node.var.value), type, where);
    for (const auto& [value, there] : here.values) values[value] |= there;
  }
  return gathered(std::move(values), std::move(fault));
}

Cases Terms::to_reference(Cases cases) const {
  Cases result;
  result.fault = std::move(cases.fault);
  for (auto& [value, where] : cases.values) {
    if (value < 0 || value > static_cast<Value>(encoding_.layout().processes())) {
      result.fault |= where;
    } else {
      result.values.emplace_back(value, std::move(where));
    }
  }
  return result;
}

Cases Terms::arithmetic(const Expr& node) {
  const Cases left = node.op == Op::Neg ? Cases{{{0, dd::Bdd(true)}}, {}} : evaluate(node.args[0]);
  const Cases right = evaluate(node.args.back());
  std::map<Value, dd::Bdd> values;
  dd::Bdd fault = left.fault | right.fault;
  for (const auto& [one, where] : left.values) {
    for (const auto& [other, there] : right.values) {
      const dd::Bdd both = where & there;
      if (both.is_false()) continue;
      Value result = 0;
      bool fails = false;
      bool overflow = false;
      switch (node.op) {
        case Op::Add: overflow = __builtin_add_overflow(one, other, &result); break;
        case Op::Neg:
        case Op::Sub: overflow = __builtin_sub_overflow(one, other, &result); break;
        case Op::Mul: overflow = __builtin_mul_overflow(one, other, &result); break;
        case Op::Div:
          fails = other == 0;
          overflow = other == -1 && one == INT64_MIN;
          break;
        default: COHORT_UNREACHABLE("refused by refuses_symbolic()");
      }
      if (overflow) model::expect_within_64_bits(model::FaultKind::Overflow, {});
      if (node.op == Op::Div && !fails) result = one / other;
      if (fails) {
        fault |= both;
      } else {
        values[result] |= both;
      }
    }
  }
  return gathered(std::move(values), std::move(fault));
}

Truth Terms::judge(ExprId id) {
  const Expr& node = pool_[id];
  switch (node.op) {
    case Op::Const: return {dd::Bdd(node.value != 0), {}};
    case Op::Not: {
      const Truth operand = judge(node.args[0]);
      return {fails(operand), operand.fault};
    }
    case Op::And:
    case Op::Or:
    case Op::Implies: return connective(node);
    case Op::Eq:
    case Op::Ne:
    case Op::Xor:
    case Op::Lt:
    case Op::Le:
    case Op::Gt:
    case Op::Ge: return comparison(node);
    case Op::AtLocation: return at_location(node);
    case Op::ForallThread:
    case Op::ExistsThread: return quantified(node);
    default: break;
  }
  // Variables and choices by condition.
  const Cases cases = evaluate(id);
  Truth result{{}, cases.fault};
  for (const auto& [value, where] : cases.values) {
    if (value != 0) result.holds |= where;
  }
  return result;
}

// The second operand counts only where the first does not decide.
Truth Terms::connective(const Expr& node) {
  const Truth first = judge(node.args[0]);
  const Truth second = judge(node.args[1]);
  const dd::Bdd otherwise = fails(first);
  if (node.op == Op::And) return {first.holds & second.holds, first.fault | (first.holds & second.fault)};
  if (node.op == Op::Or) return {first.holds | (otherwise & second.holds), first.fault | (otherwise & second.fault)};
  return {otherwise | (first.holds & second.holds), first.fault | (first.holds & second.fault)};
}

Truth Terms::comparison(const Expr& node) {
  const Cases left = evaluate(node.args[0]);
  const Cases right = evaluate(node.args[1]);
  const auto related = [&](Value one, Value other) {
    switch (node.op) {
      case Op::Eq: return one == other;
      case Op::Lt: return one < other;
      case Op::Le: return one <= other;
      case Op::Gt: return one > other;
      case Op::Ge: return one >= other;
      default: return one != other;
    }
  };
  Truth result{{}, left.fault | right.fault};
  for (const auto& [one, where] : left.values) {
    for (const auto& [other, there] : right.values) {
      if (related(one, other)) result.holds |= where & there;
    }
  }
  return result;
}

Truth Terms::at_location(const Expr& node) {
  const Cases target = evaluate(node.args[0]);
  Truth result{{}, target.fault};
  for (const auto& [process, where] : target.values) {
    if (process < 1 || process > static_cast<Value>(encoding_.layout().processes())) {
      result.fault |= where;
    } else {
      result.holds |= where & encoding_.at(static_cast<std::size_t>(process) - 1, static_cast<Cell>(node.value));
    }
  }
  return result;
}

Truth Terms::quantified(const Expr& node) {
  const bool forall = node.op == Op::ForallThread;
  Truth result{dd::Bdd(forall), {}};
  for (std::size_t process = 0; process < encoding_.layout().processes(); ++process) {
    bound_.push_back(process);
    const Truth body = judge(node.args[0]);
    bound_.pop_back();
    result.fault |= body.fault;
    result.holds = forall ? result.holds & body.holds : result.holds | body.holds;
  }
  result.holds = difference(result.holds, result.fault);
  return result;
}

}  // namespace cohort::engine::pointer
