// va_list.  Of the struct that it is, one number is used: which of the arguments of which call comes next.  Lowering,
// which inlines calls, knows what that is.
#include <clang/AST/Expr.h>

#include "frontend/c/parse/function.hpp"

namespace cohort::frontend::c::parse {

using ir::ExprId;
using ir::Node;
using ir::Op;
using ir::PlaceId;

// The number in a va_list, an array of one struct; none where it is something else.
std::optional<PlaceId> FunctionTranslator::list_position(const clang::Expr* list) {
  const clang::QualType type = list->getType();
  const clang::Type* element = type->isArrayType()     ? type->getArrayElementTypeNoTypeQual()
                               : type->isPointerType() ? type->getPointeeType().getTypePtr()
                                                       : nullptr;
  if (element == nullptr || !element->isRecordType()) return std::nullopt;
  if (!type->isArrayType()) return field_of(target_of(frozen(value(list))), 0);
  const ExprId first = constant(0, file_.types.value_type(file_.context.getSizeType()));
  return field_of(element_of(place(list), first), 0);
}

ExprId FunctionTranslator::start_list(const clang::CallExpr* expr) {
  const auto position = list_position(expr->getArg(0));
  if (!position) return refuse("this kind of va_list", expr, expr->getType());
  Node call = node(Node::Kind::Call);
  call.callee = file_.symbols.function("__cohort_first_argument", file_.types.int_type());
  unit_.functions[call.callee->value].is_library = true;
  call.result = position;
  flow_.emit(std::move(call));
  return nondet(file_.types.void_type());
}

ExprId FunctionTranslator::copy_list(const clang::CallExpr* expr) {
  const auto to = list_position(expr->getArg(0));
  const auto from = list_position(expr->getArg(1));
  if (!to || !from) return refuse("this kind of va_list", expr, expr->getType());
  emit_assign(*to, load(*from));
  return nondet(file_.types.void_type());
}

ExprId FunctionTranslator::next_argument(const clang::VAArgExpr* expr) {
  const Context context(*this, expr->getSourceRange());
  const auto position = list_position(expr->getSubExpr());
  if (!position) return refuse("this kind of va_list", expr, expr->getType());
  const ExprId here = frozen(load(*position));
  const PlaceId result = temporary(value_type(expr));
  Node call = node(Node::Kind::Call);
  call.callee = file_.symbols.function("__cohort_argument", value_type(expr));
  unit_.functions[call.callee->value].is_library = true;
  call.args = {here};
  call.result = result;
  flow_.emit(std::move(call));
  emit_assign(*position, operation(Op::Add, type_of(here), {here, constant(1, type_of(here))}));
  return load(result);
}

}  // namespace cohort::frontend::c::parse
