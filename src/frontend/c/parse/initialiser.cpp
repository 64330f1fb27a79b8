// Initialisers of automatic objects: code that fills them, member by member.
#include <algorithm>
#include <numeric>

#include <clang/AST/Expr.h>
#include <fmt/core.h>

#include "frontend/c/parse/function.hpp"

namespace cohort::frontend::c::parse {

using ir::ExprId;
using ir::PlaceId;

namespace {

std::uint64_t size_of(const ir::Unit& unit, ir::TypeId id) {
  const ir::Type& type = unit.type(id);
  if (type.kind == ir::Type::Kind::Array) return type.count * size_of(unit, type.target);
  if (type.kind == ir::Type::Kind::Record) return unit.record(type.record).size;
  return std::max<std::uint64_t>(type.width / 8, 1);
}

// Each element becomes an assignment of its own.
constexpr std::uint64_t most_elements = 10'000;

}  // namespace

void FunctionTranslator::initialise(PlaceId place, const clang::Expr* init, const clang::FieldDecl* field) {
  init = init->IgnoreParens();
  const clang::RecordDecl* record = init->getType()->getAsRecordDecl();
  const auto* list = llvm::dyn_cast<clang::InitListExpr>(init);
  if (list != nullptr && list->isTransparent()) return initialise(place, list->getInit(0));
  if (llvm::isa<clang::ImplicitValueInitExpr>(init)) return zero(place);
  if (list != nullptr && record != nullptr) {
    return file_.types.is_replaced(record) ? initialise_library(place, init) : initialise_record(place, list);
  }
  if (init->getType()->isArrayType()) {
    if (list != nullptr) return initialise_array(place, list);
    if (const auto* literal = llvm::dyn_cast<clang::StringLiteral>(init)) return initialise_string(place, literal);
    if (const auto* compound = llvm::dyn_cast<clang::CompoundLiteralExpr>(init)) {
      return initialise(place, compound->getInitializer());
    }
    refuse("this initialiser of an array", init, init->getType());
    return;
  }
  ExprId stored = value(init);
  if (record == nullptr) stored = fit(field, cast(stored, unqualified(unit_.place(place).type)));
  emit_assign(place, stored);
}

void FunctionTranslator::initialise_record(PlaceId place, const clang::InitListExpr* init) {
  const clang::RecordDecl* record = init->getType()->getAsRecordDecl()->getDefinition();
  if (record->isUnion()) {
    const clang::FieldDecl* field = init->getInitializedFieldInUnion();
    // What the member leaves over is zero, as compilers make it and C23 asks for.
    zero(place);
    if (field == nullptr || init->getNumInits() == 0) return;
    return initialise(field_of(place, field->getFieldIndex()), init->getInit(0), field);
  }
  unsigned next = 0;
  for (const clang::FieldDecl* field : record->fields()) {
    if (field->isUnnamedBitField()) continue;
    const PlaceId member = field_of(place, field->getFieldIndex());
    if (next < init->getNumInits()) {
      initialise(member, init->getInit(next++), field);
    } else {
      zero(member);
    }
  }
}

void FunctionTranslator::initialise_array(PlaceId place, const clang::InitListExpr* init) {
  const std::uint64_t count = unit_.type(unit_.place(place).type).count;
  if (count > most_elements) {
    refuse("an initialiser of so many elements", init, init->getType());
    return;
  }
  const ir::TypeId index = file_.types.value_type(file_.context.getSizeType());
  for (std::uint64_t i = 0; i < count; ++i) {
    const PlaceId element = element_of(place, constant(static_cast<std::int64_t>(i), index));
    if (i < init->getNumInits()) {
      initialise(element, init->getInit(static_cast<unsigned>(i)));
    } else if (const clang::Expr* filler = init->getArrayFiller()) {
      initialise(element, filler);
    } else {
      zero(element);
    }
  }
}

void FunctionTranslator::initialise_string(PlaceId place, const clang::StringLiteral* literal) {
  const ir::Type array = unit_.type(unit_.place(place).type);
  const ir::TypeId index = file_.types.value_type(file_.context.getSizeType());
  for (std::uint64_t i = 0; i < array.count; ++i) {
    const auto position = static_cast<unsigned>(i);
    const std::int64_t unit = i < literal->getLength() ? literal->getCodeUnit(position) : 0;
    const PlaceId element = element_of(place, constant(static_cast<std::int64_t>(i), index));
    emit_assign(element, cast(constant(unit, file_.types.int_type()), unqualified(array.target)));
  }
}

void FunctionTranslator::initialise_library(PlaceId place, const clang::Expr* init) {
  zero(place);
  clang::Expr::EvalResult result;
  if (!init->EvaluateAsRValue(result, file_.context)) {
    refuse("this initialiser of a type of the thread library", init, init->getType());
    return;
  }
  std::vector<ir::InitialValue> values;
  file_.declarations.library_values(init->getType()->getAsRecordDecl()->getDefinition(), result.Val, {}, values);
  for (const ir::InitialValue& initial : values) {
    PlaceId member = place;
    for (const std::uint64_t step : initial.path) member = field_of(member, static_cast<std::uint32_t>(step));
    emit_assign(member, initial.value);
  }
}

void FunctionTranslator::zero(PlaceId place) {
  const ir::Type type = unit_.type(unit_.place(place).type);
  if (type.kind == ir::Type::Kind::Record) {
    std::vector<std::uint32_t> order(unit_.record(type.record).fields.size());
    std::iota(order.begin(), order.end(), 0U);
    // The largest members of a union first: the others are parts of them.
    if (unit_.record(type.record).is_union) {
      const auto size = [&](std::uint32_t i) { return size_of(unit_, unit_.record(type.record).fields[i].type); };
      std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return size(a) > size(b); });
    }
    for (const std::uint32_t field : order) zero(field_of(place, field));
  } else if (type.kind == ir::Type::Kind::Array) {
    const ir::TypeId index = file_.types.value_type(file_.context.getSizeType());
    for (std::uint64_t i = 0; i < type.count; ++i) {
      zero(element_of(place, constant(static_cast<std::int64_t>(i), index)));
    }
  } else if (type.kind != ir::Type::Kind::Unsupported) {
    emit_assign(place, constant(0, unqualified(unit_.place(place).type)));
  }
}

PlaceId FunctionTranslator::compound_literal(const clang::CompoundLiteralExpr* expr) {
  const PlaceId object = temporary(file_.types.type(expr->getType()));
  ir::Object& literal = unit_.objects[unit_.place(object).object->value];
  literal.is_temporary = false;  // it can be written to, unlike a temporary
  literal.name = fmt::format("literal@{}", span_.line);
  begin_life(*unit_.place(object).object);
  initialise(object, expr->getInitializer());
  return object;
}

}  // namespace cohort::frontend::c::parse
