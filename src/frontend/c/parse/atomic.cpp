// Atomic operations: C11's <stdatomic.h>, and __atomic_* and __sync_* of GCC.  Each becomes a few assignments that are
// one indivisible step.  All are sequentially consistent here; a weaker order that was asked for goes into the ledger,
// and so does that a weak compare-and-exchange fails only when the values differ, unless it may fail for no reason.
#include <clang/AST/Expr.h>
#include <fmt/format.h>

#include "frontend/c/parse/function.hpp"

namespace cohort::frontend::c::parse {

using ir::ExprId;
using ir::Node;
using ir::Op;
using ir::PlaceId;
using ir::TypeId;

namespace {

enum class Kind : std::uint8_t { Init, Load, Store, Exchange, CompareExchange, Fetch };

// What an operation does: for Fetch, the operator, whether its result is inverted, and which of the two values it
// gives.
struct Shape {
  Kind kind;
  clang::BinaryOperatorKind op = clang::BO_Add;
  bool invert = false;
  bool gives_new = false;
};

struct NamedShape {
  llvm::StringRef part;
  Shape shape;
};

constexpr Shape fetch(clang::BinaryOperatorKind op, bool invert = false) {
  return {Kind::Fetch, op, invert};
}

const NamedShape fetch_shapes[] = {
    {"nand", fetch(clang::BO_And, true)}, {"add", fetch(clang::BO_Add)}, {"sub", fetch(clang::BO_Sub)},
    {"and", fetch(clang::BO_And)},        {"xor", fetch(clang::BO_Xor)}, {"or", fetch(clang::BO_Or)},
};

std::optional<Shape> fetch_shape(llvm::StringRef name) {
  for (const NamedShape& entry : fetch_shapes) {
    if (name == entry.part) return entry.shape;
  }
  return std::nullopt;
}

// From the part of the name behind `atomic_`: load, load_n, store, fetch_add, add_fetch, ...
std::optional<Shape> shape_of(llvm::StringRef name) {
  name.consume_back("_n");
  if (name == "init") return Shape{Kind::Init};
  if (name == "load") return Shape{Kind::Load};
  if (name == "store") return Shape{Kind::Store};
  if (name == "exchange") return Shape{Kind::Exchange};
  if (name.starts_with("compare_exchange")) return Shape{Kind::CompareExchange};
  if (name.consume_front("fetch_")) return fetch_shape(name);
  if (!name.consume_back("_fetch")) return std::nullopt;
  std::optional<Shape> shape = fetch_shape(name);
  if (shape) shape->gives_new = true;
  return shape;
}

}  // namespace

// The generic forms of GCC pass values by address; C11's and those that end in _n pass them as they are.
ExprId FunctionTranslator::atomic(const clang::AtomicExpr* expr) {
  const Context context(*this, expr->getSourceRange());
  llvm::StringRef name = expr->getOpAsString();
  const bool is_c11 = name.consume_front("__c11_atomic_");
  if (!is_c11) name.consume_front("__atomic_");
  const std::optional<Shape> shape = shape_of(name);
  if (!shape) return refuse(fmt::format("the atomic operation {}", name.str()), expr, expr->getType());
  const bool by_address = !is_c11 && !name.ends_with("_n") && shape->kind != Kind::Fetch;
  const auto operand = [&](const clang::Expr* written) {
    const ExprId given = frozen(value(written));
    return by_address ? frozen(load(target_of(given))) : given;
  };
  const PlaceId target = settled(target_of(value(expr->getPtr())));
  const TypeId type = unqualified(unit_.place(target).type);
  if (shape->kind != Kind::Init) note_order(expr->getOrder());
  switch (shape->kind) {
    case Kind::Init: {
      // The only access to an atomic object by its library that is not atomic.
      ir::Place plain = unit_.place(target);
      plain.type = type;
      emit_assign(unit_.add_place(std::move(plain)), cast(value(expr->getVal1()), type));
      return nondet(file_.types.void_type());
    }
    case Kind::Load: {
      std::optional<PlaceId> out;
      if (by_address) out = settled(target_of(value(expr->getVal1())));
      const ExprId loaded = read(target);
      if (out) emit_assign(*out, cast(loaded, unqualified(unit_.place(*out).type)));
      return loaded;
    }
    case Kind::Store:
      emit_assign(target, cast(operand(expr->getVal1()), type), ++atomic_groups_);
      return nondet(file_.types.void_type());
    case Kind::Exchange: {
      const ExprId stored = cast(operand(expr->getVal1()), type);
      if (!by_address) return exchange(target, stored);
      const PlaceId out = settled(target_of(value(expr->getVal2())));
      emit_assign(out, cast(exchange(target, stored), unqualified(unit_.place(out).type)));
      return nondet(file_.types.void_type());
    }
    case Kind::CompareExchange: {
      note_order(expr->getOrderFail());
      const PlaceId expected = settled(target_of(value(expr->getVal1())));
      const ExprId desired = cast(operand(expr->getVal2()), type);
      return compare_exchange_into(target, expected, desired, is_weak(expr, is_c11));
    }
    case Kind::Fetch:
      if (expr->getType()->isFloatingType() || is_wide(expr->getType())) {
        return refuse("an atomic operation that computes with this type", expr, expr->getType());
      }
      return fetch_and(target, {shape->op, shape->invert, shape->gives_new, is_c11}, operand(expr->getVal1()));
  }
  return nondet(value_type(expr));
}

ExprId FunctionTranslator::read(PlaceId place) {
  const PlaceId result = temporary(unqualified(unit_.place(place).type));
  emit_assign(result, load(place), ++atomic_groups_);
  return load(result);
}

ExprId FunctionTranslator::fetch_and(PlaceId place, const Fetch& fetch, ExprId operand) {
  const std::uint32_t group = ++atomic_groups_;
  const TypeId type = unqualified(unit_.place(place).type);
  const bool is_pointer = unit_.type(type).kind == ir::Type::Kind::Pointer;
  const PlaceId before = temporary(type);
  const PlaceId after = temporary(type);
  TypeId bits = type;
  if (is_pointer && !fetch.by_elements) {
    bits = file_.types.value_type(file_.context.getUIntPtrType());
  } else if (file_.overflow_matters && unit_.type(type).kind == ir::Type::Kind::Int) {
    // Atomic arithmetic wraps around, also that of signed numbers.
    ir::Type plain = unit_.type(type);
    plain.is_signed = false;
    bits = unit_.add_type(std::move(plain));
  }
  if (!is_pointer || !fetch.by_elements) operand = cast(operand, bits);
  ExprId changed = cast(arithmetic(fetch.op, cast(load(before), bits), operand, bits), type);
  if (fetch.invert) changed = operation(Op::BitNot, type, {changed});
  emit_assign(before, load(place), group);
  emit_assign(after, changed, group);
  emit_assign(place, load(after), group);
  return load(fetch.gives_new ? after : before);
}

ExprId FunctionTranslator::exchange(PlaceId place, ExprId stored) {
  const std::uint32_t group = ++atomic_groups_;
  const PlaceId before = temporary(unqualified(unit_.place(place).type));
  stored = frozen(stored);
  emit_assign(before, load(place), group);
  emit_assign(place, stored, group);
  return load(before);
}

// The old value; equal to what was expected exactly if the new one was stored.
ExprId FunctionTranslator::compare_exchange(PlaceId place, ExprId expected, ExprId desired) {
  const std::uint32_t group = ++atomic_groups_;
  const PlaceId before = temporary(unqualified(unit_.place(place).type));
  const TypeId truth = file_.types.int_type();
  emit_assign(before, load(place), group);
  const ExprId equal = equals(load(before), expected);
  if (unit_.type(type_of(desired)).kind != ir::Type::Kind::Record) {
    emit_assign(place, operation(Op::Conditional, type_of(desired), {equal, desired, load(before)}), group);
    return load(before);
  }
  const PlaceId same = temporary(truth);
  emit_assign(same, equal, group);
  const std::vector<PlaceId> to = scalars_of(place);
  const std::vector<PlaceId> from = scalars_of(unit_.expr(desired).place);
  const std::vector<PlaceId> old = scalars_of(before);
  for (std::size_t i = 0; i < to.size(); ++i) {
    const TypeId type = unqualified(unit_.place(to[i]).type);
    emit_assign(to[i], operation(Op::Conditional, type, {load(same), load(from[i]), load(old[i])}), group);
  }
  return load(before);
}

std::vector<PlaceId> FunctionTranslator::scalars_of(PlaceId place) {
  const ir::Type type = unit_.type(unit_.place(place).type);
  std::vector<PlaceId> result;
  const auto add = [&](PlaceId part) {
    const std::vector<PlaceId> inner = scalars_of(part);
    result.insert(result.end(), inner.begin(), inner.end());
  };
  if (type.kind == ir::Type::Kind::Array) {
    const TypeId number = file_.types.value_type(file_.context.getSizeType());
    for (std::uint64_t i = 0; i < type.count; ++i)
      add(element_of(place, constant(static_cast<std::int64_t>(i), number)));
  } else if (type.kind == ir::Type::Kind::Record) {
    const std::size_t count = unit_.record(type.record).fields.size();
    for (std::size_t i = 0; i < count; ++i) add(field_of(place, static_cast<std::uint32_t>(i)));
  } else {
    result.push_back(place);
  }
  return result;
}

// Structs are compared by their members: what is in between has no value that a program could count on.
ExprId FunctionTranslator::equals(ExprId left, ExprId right) {
  const TypeId truth = file_.types.int_type();
  const ir::Type type = unit_.type(type_of(left));
  if (type.kind != ir::Type::Kind::Record) return operation(Op::Eq, truth, {left, right});
  if (unit_.expr(left).op != Op::Load || unit_.expr(right).op != Op::Load || unit_.record(type.record).is_union) {
    Node refusal = node(Node::Kind::Unsupported);
    refusal.text = "a comparison of this value of a struct or union";
    flow_.emit(std::move(refusal));
    return nondet(truth);
  }
  const std::vector<PlaceId> one = scalars_of(unit_.expr(left).place);
  const std::vector<PlaceId> other = scalars_of(unit_.expr(right).place);
  ExprId result = constant(1, truth);
  for (std::size_t i = 0; i < one.size(); ++i) {
    const ExprId same = operation(Op::Eq, truth, {load(one[i]), load(other[i])});
    result = i == 0 ? same : operation(Op::LogicalAnd, truth, {result, same});
  }
  return result;
}

// C11's and __atomic's: the expected value is in memory, and is replaced by the old one on failure.
ExprId FunctionTranslator::compare_exchange_into(PlaceId place, PlaceId expected, ExprId desired, bool is_weak) {
  if (is_weak && !file_.spurious_failures) note("a weak compare-and-exchange fails only where the values differ");
  const TypeId type = unqualified(unit_.place(place).type);
  const ExprId wanted = frozen(cast(load(expected), type));
  desired = frozen(desired);
  const PlaceId done = temporary(file_.types.bool_type());
  Flow::Label end;
  if (is_weak && file_.spurious_failures) {
    Flow::Label fails;
    Flow::Label tries;
    Node chance = node(Node::Kind::Branch);
    chance.value = nondet(file_.types.bool_type());
    flow_.branch(std::move(chance), fails, tries);
    flow_.bind(fails);
    emit_assign(expected, cast(read(place), unqualified(unit_.place(expected).type)));
    emit_assign(done, constant(0, file_.types.bool_type()));
    flow_.jump(end);
    flow_.bind(tries);
  }
  const ExprId before = compare_exchange(place, wanted, desired);
  emit_assign(done, cast(equals(before, wanted), file_.types.bool_type()));
  Flow::Label yes;
  Flow::Label no;
  Node test = node(Node::Kind::Branch);
  test.value = load(done);
  flow_.branch(std::move(test), yes, no);
  flow_.bind(no);
  emit_assign(expected, cast(before, unqualified(unit_.place(expected).type)));
  flow_.bind(yes);
  flow_.bind(end);
  return load(done);
}

std::optional<ExprId> FunctionTranslator::sync_builtin(const clang::CallExpr* expr, llvm::StringRef name) {
  if (name == "__atomic_test_and_set" || name == "__atomic_clear") {
    const PlaceId flag = settled(target_of(value(expr->getArg(0)->IgnoreImpCasts())));
    const bool sets = name == "__atomic_test_and_set";
    note_order(expr->getArg(1));
    const ExprId before = exchange(flag, constant(sets ? 1 : 0, unqualified(unit_.place(flag).type)));
    return sets ? cast(before, value_type(expr)) : nondet(file_.types.void_type());
  }
  if (!name.consume_front("__sync_")) return std::nullopt;
  if (name == "synchronize") return nondet(file_.types.void_type());
  for (const llvm::StringRef size : {"_16", "_1", "_2", "_4", "_8"}) {
    if (name.consume_back(size)) break;
  }
  const PlaceId target = settled(target_of(value(expr->getArg(0)->IgnoreImpCasts())));
  const TypeId type = unqualified(unit_.place(target).type);
  const auto operand = [&](unsigned i) { return frozen(cast(value(expr->getArg(i)), type)); };
  if (name == "lock_test_and_set" || name == "swap") return exchange(target, operand(1));
  if (name == "lock_release") {
    emit_assign(target, constant(0, type), ++atomic_groups_);
    return nondet(file_.types.void_type());
  }
  if (name == "val_compare_and_swap" || name == "bool_compare_and_swap") {
    const ExprId expected = operand(1);
    const ExprId before = compare_exchange(target, expected, operand(2));
    if (name.starts_with("val")) return before;
    return cast(equals(before, expected), value_type(expr));
  }
  std::optional<Shape> shape;
  if (name.consume_front("fetch_and_")) {
    shape = fetch_shape(name);
  } else if (name.consume_back("_and_fetch")) {
    shape = fetch_shape(name);
    if (shape) shape->gives_new = true;
  }
  if (!shape || is_wide(expr->getType())) {
    return refuse(fmt::format("the operation __sync_{}", name.str()), expr, expr->getType());
  }
  return fetch_and(target, {shape->op, shape->invert, shape->gives_new, false}, operand(1));
}

void FunctionTranslator::note_order(const clang::Expr* order) {
  constexpr std::int64_t sequentially_consistent = 5;  // __ATOMIC_SEQ_CST
  clang::Expr::EvalResult result;
  const bool is_known = order->EvaluateAsInt(result, file_.context);
  if (is_known && result.Val.getInt().getExtValue() == sequentially_consistent) return;
  note("memory orders weaker than sequential consistency are taken as sequentially consistent");
}

bool FunctionTranslator::is_weak(const clang::AtomicExpr* expr, bool is_c11) const {
  if (expr->getOpAsString().ends_with("_strong")) return false;
  if (is_c11) return true;
  clang::Expr::EvalResult result;
  return !expr->getWeak()->EvaluateAsInt(result, file_.context) || !result.Val.getInt().isZero();
}

void FunctionTranslator::note(const std::string& text) {
  const TypeId type = file_.types.pointer_to(file_.types.value_type(file_.context.CharTy));
  call_library("__cohort_note", {unit_.add_expr({.op = Op::Text, .type = type, .text = text, .span = span_})});
}

}  // namespace cohort::frontend::c::parse
