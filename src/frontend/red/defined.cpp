#include "frontend/red/defined.hpp"

#include <unordered_map>

#include "base/contract.hpp"

namespace cohort::frontend::red {

using model::Expr;
using model::ExprId;
using model::Op;
using model::Type;

namespace {

class Definedness {
 public:
  Definedness(model::ExprPool& exprs, std::uint32_t processes) : exprs_(exprs), processes_(processes) {}

  ExprId of(ExprId id) {
    if (const auto known = known_.find(id); known != known_.end()) return known->second;
    const ExprId condition = compute(id);
    known_.emplace(id, condition);
    return condition;
  }

  ExprId not_null(ExprId process) {
    const Op op = exprs_[process].op;
    if (op == Op::Self || op == Op::BoundThread) return exprs_.truth();
    if (op == Op::Const) return exprs_.boolean(exprs_[process].value != 0);
    return exprs_.binary(Op::Ne, process, exprs_.constant(0, Type::thread_ref()), Type::boolean());
  }

  ExprId between(ExprId value, model::Value lo, model::Value hi) {
    const auto number = [&](model::Value limit) { return exprs_.constant(limit, Type::integer()); };
    return exprs_.conj(exprs_.binary(Op::Le, number(lo), value, Type::boolean()),
                       exprs_.binary(Op::Le, value, number(hi), Type::boolean()));
  }

 private:
  ExprId all_of(const std::vector<ExprId>& args) {
    ExprId all = exprs_.truth();
    for (const ExprId arg : args) all = exprs_.conj(all, of(arg));
    return all;
  }

  // The connectives of the model look at the second operand only where the first does not decide.
  ExprId after(ExprId first, bool goes_on, ExprId second) {
    const ExprId looked_at = of(second);
    if (exprs_.is_true(looked_at)) return of(first);
    const ExprId decided = goes_on ? exprs_.negate(first) : first;
    return exprs_.conj(of(first), exprs_.disj(decided, looked_at));
  }

  ExprId compute(ExprId id) {
    const Expr node = exprs_[id];
    switch (node.op) {
      case Op::RemoteVar:
      case Op::AtLocation: return exprs_.conj(of(node.args[0]), not_null(node.args[0]));
      case Op::ForallThread:
      case Op::ExistsThread: {
        const ExprId body = of(node.args[0]);
        return exprs_.is_true(body) ? body : exprs_.quantified(Op::ForallThread, body);
      }
      case Op::And: return after(node.args[0], true, node.args[1]);
      case Op::Or: return after(node.args[0], false, node.args[1]);
      case Op::Ite: {
        const ExprId then = of(node.args[1]);
        const ExprId otherwise = of(node.args[2]);
        const bool both = exprs_.is_true(then) && exprs_.is_true(otherwise);
        return exprs_.conj(of(node.args[0]), both ? then : exprs_.ite(node.args[0], then, otherwise));
      }
      case Op::Div: {
        const ExprId zero = exprs_.constant(0, Type::integer());
        return exprs_.conj(all_of(node.args), exprs_.binary(Op::Ne, node.args[1], zero, Type::boolean()));
      }
      case Op::Cast:
        if (node.type.kind() != Type::Kind::ThreadRef) return of(node.args[0]);
        return exprs_.conj(of(node.args[0]), between(node.args[0], 0, processes_));
      default: return all_of(node.args);
    }
  }

  model::ExprPool& exprs_;
  model::Value processes_;
  std::unordered_map<ExprId, ExprId> known_;
};

}  // namespace

ExprId defined(model::ExprPool& exprs, ExprId expression, std::uint32_t processes) {
  return Definedness(exprs, processes).of(expression);
}

ExprId can_assign(model::ExprPool& exprs, const model::Assign& assign, const Type& type, std::uint32_t processes) {
  Definedness definedness(exprs, processes);
  ExprId condition = definedness.of(assign.value);
  if (assign.target.ref) {
    COHORT_EXPECT(assign.target.kind == model::LValue::Kind::Remote,
                  "a reference is what another's local is reached by");
    condition = exprs.conj(condition, definedness.of(*assign.target.ref));
    condition = exprs.conj(condition, definedness.not_null(*assign.target.ref));
  }
  const Expr value = exprs[assign.value];
  const bool fits = value.type == type || (value.op == Op::Const && type.contains(value.value));
  if (type.kind() == Type::Kind::Range && !fits) {
    condition = exprs.conj(condition, definedness.between(assign.value, type.lo(), type.hi()));
  }
  return condition;
}

}  // namespace cohort::frontend::red
