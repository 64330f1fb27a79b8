#include "model/eval.hpp"

#include "base/contract.hpp"

namespace cohort::model {

namespace {

constexpr std::uint64_t as_bits(Value value) {
  return static_cast<std::uint64_t>(value);
}

Value fail(EvalContext& context, FaultKind kind) {
  if (!context.fault) context.fault = kind;
  return 0;
}

Value choice(const EvalContext& context, ExprId id) {
  for (std::size_t i = 0; i < context.choice_nodes.size(); ++i) {
    if (context.choice_nodes[i] == id) return context.choice_values[i];
  }
  COHORT_UNREACHABLE("every choice of an action is made before its expressions are evaluated");
}

Value read(EvalContext& context, const Expr& node, const Variable& variable, const Valuation& values,
           std::size_t index_arg) {
  const std::optional<ExprId> index = node.args.size() > index_arg ? std::optional(node.args[index_arg]) : std::nullopt;
  const std::optional<std::size_t> slot = slot_of(context, variable, index);
  return slot ? values[*slot] : 0;
}

PassivePair passive_thread(const EvalContext& context, const Expr& node) {
  const auto number = static_cast<std::size_t>(node.value);
  if (number == 0) return {context.passive, context.passive_after};
  COHORT_EXPECT(number <= context.further_passive.size(), "the passive thread is in view");
  return context.further_passive[number - 1];
}

Value read_variable(EvalContext& context, const Expr& node) {
  const Program& program = *context.program;
  if (node.op == Op::SharedVar) {
    const Valuation* values = node.primed ? context.shared_after : context.shared;
    COHORT_EXPECT(values != nullptr, "shared values are in view");
    return read(context, node, program.shared[node.var.value], *values, 0);
  }
  if (node.op == Op::RemoteVar) {
    const ThreadState* thread = dereference(context, evaluate(context, node.args[0]));
    if (thread == nullptr) return 0;
    if (thread->templ != node.templ) return fail(context, FaultKind::NullReference);
    return read(context, node, program.templ(node.templ).local(node.var), thread->locals, 1);
  }
  const PassivePair self{context.self, context.self_after};
  const PassivePair owner = node.op == Op::PassiveVar ? passive_thread(context, node) : self;
  const ThreadState* thread = node.primed ? owner.after : owner.before;
  COHORT_EXPECT(thread != nullptr, "the thread whose local is read is in view");
  return read(context, node, program.templ(thread->templ).local(node.var), thread->locals, 0);
}

Value quantify(EvalContext& context, const Expr& node) {
  COHORT_EXPECT(context.state != nullptr, "quantifiers need all threads in view");
  // Every thread is looked at, even where an earlier one decides: whether the body faults for some thread must not
  // depend on the order of the threads, or permuted states could differ.
  const bool forall = node.op == Op::ForallThread;
  bool decided = false;
  for (std::size_t slot = 0; slot < context.state->threads.size(); ++slot) {
    if (!context.state->threads[slot]) continue;
    context.bound_slots.push_back(slot);
    const bool holds = evaluate(context, node.args[0]) != 0;
    context.bound_slots.pop_back();
    decided = decided || holds != forall;
  }
  return forall != decided ? 1 : 0;
}

// The result in the node's type: fixed widths wrap, mathematical integers that leave 64 bits are a fault.
Value arithmetic(EvalContext& context, const Expr& node, Value left, Value right) {
  Value result = 0;
  bool overflow = false;
  switch (node.op) {
    case Op::Add: overflow = __builtin_add_overflow(left, right, &result); break;
    case Op::Sub: overflow = __builtin_sub_overflow(left, right, &result); break;
    case Op::Mul: overflow = __builtin_mul_overflow(left, right, &result); break;
    case Op::Div:
    case Op::Mod:
      if (right == 0) return fail(context, FaultKind::DivisionByZero);
      if (right == -1) {
        if (node.op == Op::Div) overflow = __builtin_sub_overflow(Value{0}, left, &result);
      } else {
        result = node.op == Op::Div ? left / right : left % right;
      }
      break;
    default: COHORT_UNREACHABLE("an arithmetic operator");
  }
  if (overflow && node.type.kind() != Type::Kind::Int) return fail(context, FaultKind::Overflow);
  return node.type.wrap(result);
}

Value shift(EvalContext& context, const Expr& node, Value left, Value right) {
  const unsigned width = node.type.kind() == Type::Kind::Int ? node.type.width() : 64;
  if (right < 0 || right >= static_cast<Value>(width)) return fail(context, FaultKind::OutOfRange);
  const auto amount = static_cast<unsigned>(right);
  if (node.op == Op::Shl) return node.type.wrap(static_cast<Value>(as_bits(left) << amount));
  return node.type.wrap(left >> amount);
}

Value compare(Op op, Value left, Value right) {
  switch (op) {
    case Op::Eq: return left == right ? 1 : 0;
    case Op::Ne:
    case Op::Xor: return left != right ? 1 : 0;
    case Op::Lt: return left < right ? 1 : 0;
    case Op::Le: return left <= right ? 1 : 0;
    case Op::Gt: return left > right ? 1 : 0;
    case Op::Ge: return left >= right ? 1 : 0;
    default: COHORT_UNREACHABLE("a comparison");
  }
}

Value evaluate_binary(EvalContext& context, const Expr& node) {
  const Value left = evaluate(context, node.args[0]);
  // The second operand of a connective is not looked at when the first decides, so that it cannot fault.
  if (node.op == Op::And && left == 0) return 0;
  if (node.op == Op::Or && left != 0) return 1;
  if (node.op == Op::Implies && left == 0) return 1;
  const Value right = evaluate(context, node.args[1]);
  switch (node.op) {
    case Op::And:
    case Op::Or:
    case Op::Implies: return right != 0 ? 1 : 0;
    case Op::Add:
    case Op::Sub:
    case Op::Mul:
    case Op::Div:
    case Op::Mod: return arithmetic(context, node, left, right);
    case Op::BitAnd: return node.type.wrap(static_cast<Value>(as_bits(left) & as_bits(right)));
    case Op::BitOr: return node.type.wrap(static_cast<Value>(as_bits(left) | as_bits(right)));
    case Op::BitXor: return node.type.wrap(static_cast<Value>(as_bits(left) ^ as_bits(right)));
    case Op::Shl:
    case Op::Shr: return shift(context, node, left, right);
    default: return compare(node.op, left, right);
  }
}

// Address arithmetic: 0 is NULL, k is the thread in slot k - 1, and nothing else is an address.
Value to_reference(EvalContext& context, Value number) {
  COHORT_EXPECT(context.state != nullptr, "references need all threads in view");
  if (number < 0 || number > static_cast<Value>(context.state->threads.size())) {
    return fail(context, FaultKind::OutOfRange);
  }
  return number;
}

Value evaluate_unary(EvalContext& context, const Expr& node) {
  const Value operand = evaluate(context, node.args[0]);
  switch (node.op) {
    case Op::Not: return operand == 0 ? 1 : 0;
    case Op::BitNot: return node.type.wrap(static_cast<Value>(~as_bits(operand)));
    case Op::Cast:
      return node.type.kind() == Type::Kind::ThreadRef ? to_reference(context, operand) : node.type.wrap(operand);
    case Op::Neg: {
      Value result = 0;
      const bool overflow = __builtin_sub_overflow(Value{0}, operand, &result);
      if (overflow && node.type.kind() != Type::Kind::Int) return fail(context, FaultKind::Overflow);
      return node.type.wrap(result);
    }
    default: COHORT_UNREACHABLE("a unary operator");
  }
}

Value at_location(EvalContext& context, const Expr& node) {
  const ThreadState* thread = dereference(context, evaluate(context, node.args[0]));
  if (thread == nullptr) return 0;
  return thread->templ == node.templ && thread->location.value == static_cast<std::uint32_t>(node.value) ? 1 : 0;
}

}  // namespace

std::string_view to_string(FaultKind kind) {
  switch (kind) {
    case FaultKind::DivisionByZero: return "division by zero";
    case FaultKind::NullReference: return "access through NULL";
    case FaultKind::IndexOutOfBounds: return "array index out of bounds";
    case FaultKind::OutOfRange: return "value out of range";
    case FaultKind::Overflow: return "integer leaves 64 bits";
  }
  COHORT_UNREACHABLE("every fault has a name");
}

std::optional<std::size_t> slot_of(EvalContext& context, const Variable& variable, std::optional<ExprId> index) {
  COHORT_EXPECT(index.has_value() == variable.type.is_array(), "arrays, and only arrays, are indexed");
  if (!index) return variable.slot;
  const Value value = evaluate(context, *index);
  if (value < 0 || value >= static_cast<Value>(variable.type.array_size())) {
    fail(context, FaultKind::IndexOutOfBounds);
    return std::nullopt;
  }
  return variable.slot + static_cast<std::size_t>(value);
}

const ThreadState* dereference(EvalContext& context, Value reference) {
  COHORT_EXPECT(context.state != nullptr, "references need all threads in view");
  const auto& threads = context.state->threads;
  if (reference <= 0 || static_cast<std::size_t>(reference) > threads.size() || !threads[reference - 1]) {
    fail(context, FaultKind::NullReference);
    return nullptr;
  }
  return &*threads[reference - 1];
}

Value evaluate(EvalContext& context, ExprId id) {
  const Expr& node = context.program->exprs[id];
  switch (node.op) {
    case Op::Const: return node.value;
    case Op::Nondet: return choice(context, id);
    case Op::SharedVar:
    case Op::LocalVar:
    case Op::PassiveVar:
    case Op::RemoteVar: return read_variable(context, node);
    case Op::Self: return static_cast<Value>(context.self_slot) + 1;
    case Op::BoundThread: return static_cast<Value>(context.bound_slots[static_cast<std::size_t>(node.value)]) + 1;
    case Op::AtLocation: return at_location(context, node);
    case Op::ForallThread:
    case Op::ExistsThread: return quantify(context, node);
    case Op::Not:
    case Op::Neg:
    case Op::BitNot:
    case Op::Cast: return evaluate_unary(context, node);
    case Op::Ite: return evaluate(context, node.args[evaluate(context, node.args[0]) != 0 ? 1 : 2]);
    default: return evaluate_binary(context, node);
  }
}

bool holds(EvalContext& context, ExprId condition) {
  const bool value = evaluate(context, condition) != 0;
  if (!context.fault) return value;
  expect_within_64_bits(*context.fault, {});
  return false;
}

void expect_within_64_bits(FaultKind fault, const SourceSpan& span) {
  if (fault == FaultKind::Overflow) throw_unsupported(span, "the value of an integer leaves 64 bits");
}

}  // namespace cohort::model
