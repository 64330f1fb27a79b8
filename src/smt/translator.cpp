// One pass over the expression graph.  Every node gives its value and the conditions under which its evaluation goes
// wrong; a connective asks for those of its second operand only where the first does not decide, and so does a
// conditional value.  Of two things that go wrong the first in the order of evaluation counts, as in the interpreter.
#include "smt/translator.hpp"
#include "model/analysis/visit.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "base/contract.hpp"

namespace cohort::smt {

using model::Expr;
using model::ExprId;
using model::Op;
using model::Type;
using model::Variable;

namespace {

using BitOp = Context::BitOp;

bool is_boolean(const Type& type) {
  return type.kind() == Type::Kind::Bool;
}

bool needs_bits(Op op) {
  return op == Op::BitAnd || op == Op::BitOr || op == Op::BitXor || op == Op::Shl || op == Op::Shr;
}

}  // namespace

std::optional<std::string> inexpressible_as_integers(const model::Program& program) {
  for (const auto& [action, edge, templ] : model::actions_of(program)) {
    bool found = false;
    model::for_each_node(program.exprs, action,
                         [&](const Expr& node, ExprId) { found = found || needs_bits(node.op); });
    if (!found) continue;
    const std::string place = to_string(action.span);
    return fmt::format("bit operations{} have no meaning for mathematical integers (--int=bits takes them)",
                       place.empty() ? "" : " at " + place);
  }
  return std::nullopt;
}

Trouble Translator::first(const Trouble& earlier, const Trouble& later) {
  const Term fault = context_.conj(context_.negate(earlier.overflow), later.fault);
  const Term overflow = context_.conj(context_.negate(earlier.fault), later.overflow);
  return {context_.disj(earlier.fault, fault), context_.disj(earlier.overflow, overflow)};
}

Trouble Translator::when(Term condition, const Trouble& trouble) {
  return {context_.conj(condition, trouble.fault), context_.conj(condition, trouble.overflow)};
}

Translated Translator::translate(const Scene& scene, ExprId root) {
  Work work{scene, {}, {}};
  return visit(work, root);
}

Translated Translator::visit(Work& work, ExprId id) {
  if (const auto it = work.memo.find(id); it != work.memo.end()) return it->second;
  const Translated result = compute(work, program_.exprs[id], id);
  work.memo.emplace(id, result);
  return result;
}

Translated Translator::compute(Work& work, const Expr& node, ExprId id) {
  const Trouble never = none();
  switch (node.op) {
    case Op::Const: return {constant(node.value, node.type), never};
    case Op::Nondet: return {work.scene.choice(id), never};
    case Op::SharedVar:
    case Op::LocalVar:
    case Op::PassiveVar: return read(work, node);
    case Op::RemoteVar: return read_remote(work, node);
    case Op::Self: return {Datum::of(numbers_.constant(static_cast<std::int64_t>(work.scene.self_slot) + 1)), never};
    case Op::BoundThread: {
      const std::size_t slot = work.bound_slots[static_cast<std::size_t>(node.value)];
      return {Datum::of(numbers_.constant(static_cast<std::int64_t>(slot) + 1)), never};
    }
    case Op::AtLocation: return at_location(work, node);
    case Op::ForallThread:
    case Op::ExistsThread: return quantify(work, node);
    case Op::Not:
    case Op::Neg:
    case Op::BitNot:
    case Op::Cast: return unary(work, node);
    case Op::And:
    case Op::Or:
    case Op::Implies: return connective(work, node);
    case Op::Ite: {
      const Translated condition = visit(work, node.args[0]);
      const Term holds = condition.value.term;
      if (context_.is_constant(holds)) {
        const Translated taken = visit(work, node.args[context_.is_true(holds) ? 1 : 2]);
        return {taken.value, first(condition.trouble, taken.trouble)};
      }
      const Translated then = visit(work, node.args[1]);
      const Translated otherwise = visit(work, node.args[2]);
      const Trouble later{context_.ite(holds, then.trouble.fault, otherwise.trouble.fault),
                          context_.ite(holds, then.trouble.overflow, otherwise.trouble.overflow)};
      return {ite(holds, then.value, otherwise.value), first(condition.trouble, later)};
    }
    default: return binary(work, node);
  }
}

Datum Translator::constant(model::Value value, const Type& type) {
  return is_boolean(type) ? Datum::boolean(context_.boolean(value != 0)) : Datum::of(numbers_.constant(value));
}

Datum Translator::fresh(const std::string& name, const Type& type, std::size_t threads, Term& constraint) {
  constraint = context_.truth();
  if (is_boolean(type)) return Datum::boolean(context_.fresh_boolean(name));
  Wide lo = min_int64;
  Wide hi = max_int64;
  if (type.kind() == Type::Kind::Range) {
    lo = type.lo();
    hi = type.hi();
  } else if (type.kind() == Type::Kind::Int) {
    lo = type.first();
    hi = lo + (Wide{1} << type.width()) - 1;
  } else if (type.kind() == Type::Kind::ThreadRef) {
    lo = 0;
    hi = static_cast<Wide>(threads);
  }
  const auto [number, inside] = numbers_.fresh(name, lo, hi);
  constraint = inside;
  return Datum::of(number);
}

Number Translator::wrapped(const Type& type, const Number& value) {
  return type.kind() == Type::Kind::Int ? numbers_.wrap(value, type.width(), type.is_signed()) : value;
}

Translated Translator::fit(const Type& type, const Datum& value) {
  if (value.is_boolean) return {value, none()};
  const Number kept = wrapped(type, value.number);
  if (type.kind() == Type::Kind::Range) {
    return {Datum::of(numbers_.narrow(kept, type.lo(), type.hi())),
            fault(numbers_.outside(kept, type.lo(), type.hi()))};
  }
  return {Datum::of(kept), none()};
}

Datum Translator::ite(Term condition, const Datum& then, const Datum& otherwise) {
  if (then.is_boolean) return Datum::boolean(context_.ite(condition, then.term, otherwise.term));
  return Datum::of(numbers_.ite(condition, then.number, otherwise.number));
}

Term Translator::equal(const Datum& left, const Datum& right) {
  return left.is_boolean ? context_.iff(left.term, right.term) : numbers_.equal(left.number, right.number);
}

Datum Translator::select(const Number& index, const SymbolicValuation& values, const Variable& variable) {
  const Wide size = variable.type.array_size();
  const Wide first = std::clamp(index.lo, Wide{0}, size - 1);
  const Wide last = std::clamp(index.hi, first, size - 1);
  if (!is_boolean(variable.type)) {
    std::vector<Number> choices;
    for (Wide i = first; i <= last; ++i) choices.push_back(values[variable.slot + static_cast<std::size_t>(i)].number);
    return Datum::of(numbers_.select(index, first, choices));
  }
  Term result = values[variable.slot + static_cast<std::size_t>(last)].term;
  for (Wide i = last - 1; i >= first; --i) {
    const Term here = numbers_.equal(index, numbers_.constant(static_cast<std::int64_t>(i)));
    result = context_.ite(here, values[variable.slot + static_cast<std::size_t>(i)].term, result);
  }
  return Datum::boolean(result);
}

Translated Translator::read_from(Work& work, const Expr& node, const Variable& variable,
                                 const SymbolicValuation& values, const Owner& owner) {
  ReadObserver* observer = work.scene.observer;
  const auto tell = [&](const Number* index) {
    if (observer == nullptr) return;
    if (owner.slot) return observer->local(*owner.slot, owner.templ, node.var, index);
    observer->shared(node.var, index);
  };
  if (!variable.type.is_array()) {
    tell(nullptr);
    return {values[variable.slot], none()};
  }
  const Translated index = visit(work, node.args[node.op == Op::RemoteVar ? 1 : 0]);
  tell(&index.value.number);
  const Term outside = numbers_.outside(index.value.number, 0, Wide{variable.type.array_size()} - 1);
  return {select(index.value.number, values, variable), first(index.trouble, fault(outside))};
}

PassiveSide Translator::passive_side(const Scene& scene, const Expr& node) {
  const auto number = static_cast<std::size_t>(node.value);
  if (number == 0) return {scene.passive, scene.passive_after, scene.passive_slot};
  COHORT_EXPECT(number <= scene.further_passive.size(), "the passive thread is in view");
  return scene.further_passive[number - 1];
}

Translated Translator::read(Work& work, const Expr& node) {
  const Scene& scene = work.scene;
  if (node.op == Op::SharedVar) {
    const SymbolicValuation* values = node.primed ? scene.shared_after : scene.shared;
    COHORT_EXPECT(values != nullptr, "shared values are in view");
    return read_from(work, node, program_.shared[node.var.value], *values, {});
  }
  const bool passive = node.op == Op::PassiveVar;
  const PassiveSide side =
      passive ? passive_side(scene, node) : PassiveSide{scene.self, scene.self_after, scene.self_slot};
  const SymbolicValuation* values = node.primed ? side.after : side.before;
  COHORT_EXPECT(values != nullptr, "the thread whose local is read is in view");
  const model::TemplateId owner = passive ? node.templ : scene.templ;
  return read_from(work, node, program_.templ(owner).local(node.var), *values, {side.slot, owner});
}

std::vector<std::pair<Term, std::size_t>> Translator::targets(const Work& work, const Number& reference) {
  COHORT_EXPECT(work.scene.threads != nullptr, "references need all threads in view");
  std::vector<std::pair<Term, std::size_t>> results;
  for (std::size_t slot = 0; slot < work.scene.threads->size(); ++slot) {
    const Term here = numbers_.equal(reference, numbers_.constant(static_cast<std::int64_t>(slot) + 1));
    if (!context_.is_false(here)) results.emplace_back(here, slot);
  }
  return results;
}

Translated Translator::read_remote(Work& work, const Expr& node) {
  const Translated reference = visit(work, node.args[0]);
  const Variable& variable = program_.templ(node.templ).local(node.var);
  std::optional<Datum> value;
  Term fine = context_.falsity();  // the reference denotes a living thread of the template
  Trouble trouble = none();        // of the index, which is the same for every thread
  for (const auto& [here, slot] : targets(work, reference.value.number)) {
    const SymbolicThread& thread = (*work.scene.threads)[slot];
    const SymbolicValuation& locals = thread.locals[node.templ.value];
    if (work.scene.observer != nullptr) work.scene.observer->alive(slot);
    if (locals.empty()) continue;
    const Translated element = read_from(work, node, variable, locals, {slot, node.templ});
    value = value ? ite(here, element.value, *value) : element.value;
    const Term lives = context_.disj(thread.at[node.templ.value]);
    fine = context_.disj(fine, context_.conj(here, lives));
    trouble = element.trouble;
  }
  if (!value) value = constant(0, node.type);
  return {*value, first(first(reference.trouble, fault(context_.negate(fine))), trouble)};
}

Translated Translator::at_location(Work& work, const Expr& node) {
  const Translated reference = visit(work, node.args[0]);
  Term there = context_.falsity();
  Term alive = context_.falsity();
  for (const auto& [here, slot] : targets(work, reference.value.number)) {
    const SymbolicThread& thread = (*work.scene.threads)[slot];
    alive = context_.disj(alive, context_.conj(here, thread.alive));
    const auto& places = thread.at[node.templ.value];
    if (work.scene.observer != nullptr) {
      work.scene.observer->alive(slot);
      work.scene.observer->place(slot, node.templ, model::LocId(static_cast<std::size_t>(node.value)));
    }
    if (!places.empty()) {
      there = context_.disj(there, context_.conj(here, places[static_cast<std::size_t>(node.value)]));
    }
  }
  return {Datum::boolean(there), first(reference.trouble, fault(context_.negate(alive)))};
}

Translated Translator::quantify(Work& work, const Expr& node) {
  COHORT_EXPECT(work.scene.threads != nullptr, "quantifiers need all threads in view");
  const bool forall = node.op == Op::ForallThread;
  Term undecided = context_.truth();  // no thread so far has decided
  // Every thread is looked at, even where an earlier one decides.
  Trouble trouble = none();
  for (std::size_t slot = 0; slot < work.scene.threads->size(); ++slot) {
    const Term alive = (*work.scene.threads)[slot].alive;
    if (work.scene.observer != nullptr) work.scene.observer->alive(slot);
    if (context_.is_false(alive)) continue;
    Work inner{work.scene, work.bound_slots, {}};
    inner.bound_slots.push_back(slot);
    const Translated body = visit(inner, node.args[0]);
    trouble = first(trouble, when(alive, body.trouble));
    const Term goes_on = forall ? body.value.term : context_.negate(body.value.term);
    undecided = context_.conj(undecided, context_.disj(context_.negate(alive), goes_on));
  }
  return {Datum::boolean(forall ? undecided : context_.negate(undecided)), trouble};
}

Translated Translator::unary(Work& work, const Expr& node) {
  const Translated operand = visit(work, node.args[0]);
  if (node.op == Op::Not) return {Datum::boolean(context_.negate(operand.value.term)), operand.trouble};
  const Number number = operand.value.is_boolean
                            ? numbers_.ite(operand.value.term, numbers_.constant(1), numbers_.constant(0))
                            : operand.value.number;
  switch (node.op) {
    case Op::BitNot: return {Datum::of(wrapped(node.type, numbers_.bit_not(number))), operand.trouble};
    case Op::Cast:
      if (node.type.kind() == Type::Kind::ThreadRef) return to_reference(work, number, operand.trouble);
      return {Datum::of(wrapped(node.type, number)), operand.trouble};
    case Op::Neg: return arithmetic(node, numbers_.constant(0), number, operand.trouble);
    default: COHORT_UNREACHABLE("a unary operator");
  }
}

// Address arithmetic: 0 is NULL, k is the thread in slot k - 1, up to the last that is alive.
Translated Translator::to_reference(Work& work, const Number& number, const Trouble& before) {
  COHORT_EXPECT(work.scene.threads != nullptr, "references need all threads in view");
  const auto& threads = *work.scene.threads;
  const Wide last = static_cast<Wide>(threads.size());
  Term outside = numbers_.outside(number, 0, last);
  Term alive = context_.falsity();  // in this slot or behind it
  for (std::size_t slot = threads.size(); slot-- > 0;) {
    if (work.scene.observer != nullptr) work.scene.observer->alive(slot);
    alive = context_.disj(alive, threads[slot].alive);
    const Term here = numbers_.equal(number, numbers_.constant(static_cast<std::int64_t>(slot) + 1));
    outside = context_.disj(outside, context_.conj(here, context_.negate(alive)));
  }
  return {Datum::of(numbers_.narrow(number, 0, last)), first(before, fault(outside))};
}

Translated Translator::connective(Work& work, const Expr& node) {
  const Translated left = visit(work, node.args[0]);
  // `open`: the first operand does not decide.
  const Term open = node.op == Op::Or ? context_.negate(left.value.term) : left.value.term;
  if (context_.is_false(open)) return {Datum::boolean(context_.boolean(node.op != Op::And)), left.trouble};
  const Translated right = visit(work, node.args[1]);
  const Trouble trouble = first(left.trouble, when(open, right.trouble));
  if (node.op == Op::And) return {Datum::boolean(context_.conj(open, right.value.term)), trouble};
  return {Datum::boolean(context_.disj(context_.negate(open), right.value.term)), trouble};
}

Translated Translator::binary(Work& work, const Expr& node) {
  const Translated left = visit(work, node.args[0]);
  const Translated right = visit(work, node.args[1]);
  const Trouble trouble = first(left.trouble, right.trouble);
  const auto boolean = [&](Term term) { return Translated{Datum::boolean(term), trouble}; };
  const Number& a = left.value.number;
  const Number& b = right.value.number;
  switch (node.op) {
    case Op::Eq: return boolean(equal(left.value, right.value));
    case Op::Ne:
    case Op::Xor: return boolean(context_.negate(equal(left.value, right.value)));
    case Op::Lt: return boolean(numbers_.less(a, b));
    case Op::Le: return boolean(context_.negate(numbers_.less(b, a)));
    case Op::Gt: return boolean(numbers_.less(b, a));
    case Op::Ge: return boolean(context_.negate(numbers_.less(a, b)));
    case Op::BitAnd: return {Datum::of(wrapped(node.type, numbers_.bit_op(BitOp::And, a, b))), trouble};
    case Op::BitOr: return {Datum::of(wrapped(node.type, numbers_.bit_op(BitOp::Or, a, b))), trouble};
    case Op::BitXor: return {Datum::of(wrapped(node.type, numbers_.bit_op(BitOp::Xor, a, b))), trouble};
    case Op::Shl:
    case Op::Shr: return shift(node, a, b, trouble);
    default: return arithmetic(node, a, b, trouble);
  }
}

Translated Translator::within_64_bits(const Number& exact, const Trouble& before) {
  const Term outside = numbers_.outside(exact, min_int64, max_int64);
  const Trouble overflow{context_.falsity(), outside};
  return {Datum::of(numbers_.narrow(exact, min_int64, max_int64)), first(before, overflow)};
}

// The interpreter computes in 64 bits with wrap-around and then wraps to the type, which is the exact result wrapped to
// the type, since the width of the type divides that of the interpreter's arithmetic.
Translated Translator::arithmetic(const Expr& node, const Number& left, const Number& right, const Trouble& before) {
  const bool fixed = node.type.kind() == Type::Kind::Int;
  if (node.op == Op::Div || node.op == Op::Mod) {
    const Trouble by_zero = first(before, fault(numbers_.equal(right, numbers_.constant(0))));
    const Number exact = node.op == Op::Div ? numbers_.div(left, right) : numbers_.mod(left, right);
    return fixed ? Translated{Datum::of(wrapped(node.type, exact)), by_zero} : within_64_bits(exact, by_zero);
  }
  const BitOp op = node.op == Op::Add ? BitOp::Add : node.op == Op::Mul ? BitOp::Mul : BitOp::Sub;
  if (fixed) {
    return {Datum::of(numbers_.wrapping(op, left, right, node.type.width(), node.type.is_signed())), before};
  }
  const Number exact = op == BitOp::Add   ? numbers_.add(left, right)
                       : op == BitOp::Mul ? numbers_.mul(left, right)
                                          : numbers_.sub(left, right);
  return within_64_bits(exact, before);
}

Translated Translator::shift(const Expr& node, const Number& left, const Number& right, const Trouble& before) {
  const bool fixed = node.type.kind() == Type::Kind::Int;
  const unsigned width = fixed ? node.type.width() : 64;
  const Trouble trouble = first(before, fault(numbers_.outside(right, 0, Wide{width} - 1)));
  const Number amount = numbers_.narrow(right, 0, Wide{width} - 1);
  if (node.op == Op::Shr) return {Datum::of(wrapped(node.type, numbers_.shift_right(left, amount))), trouble};
  return {Datum::of(numbers_.shift_left(left, amount, width, !fixed || node.type.is_signed())), trouble};
}

}  // namespace cohort::smt
