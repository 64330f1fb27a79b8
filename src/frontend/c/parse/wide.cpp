// Integers of 128 bits: values are records of two halves, and operations are calls of the models in library/wide.c.
#include <string>

#include <clang/AST/Expr.h>

#include "frontend/c/parse/function.hpp"

namespace cohort::frontend::c::parse {

using ir::ExprId;
using ir::Op;
using ir::PlaceId;
using ir::TypeId;

namespace {

std::string model_of(clang::BinaryOperatorKind kind, bool is_signed) {
  const std::string sign = is_signed ? "_signed" : "_unsigned";
  switch (kind) {
    case clang::BO_Add: return "cohort_wide_add";
    case clang::BO_Sub: return "cohort_wide_subtract";
    case clang::BO_Mul: return "cohort_wide_multiply";
    case clang::BO_Div: return "cohort_wide_divide" + sign;
    case clang::BO_Rem: return "cohort_wide_remainder" + sign;
    case clang::BO_And: return "cohort_wide_and";
    case clang::BO_Or: return "cohort_wide_or";
    case clang::BO_Xor: return "cohort_wide_xor";
    case clang::BO_Shl: return "cohort_wide_shift_left";
    case clang::BO_Shr: return "cohort_wide_shift_right" + sign;
    case clang::BO_EQ:
    case clang::BO_NE: return "cohort_wide_equal";
    default: return "cohort_wide_less" + sign;
  }
}

}  // namespace

bool FunctionTranslator::is_wide(clang::QualType type) const {
  if (const auto* atomic = type->getAs<clang::AtomicType>()) type = atomic->getValueType();
  return type->isSpecificBuiltinType(clang::BuiltinType::Int128) ||
         type->isSpecificBuiltinType(clang::BuiltinType::UInt128);
}

ExprId FunctionTranslator::wide_constant(const llvm::APSInt& number, clang::QualType type) {
  const PlaceId made = temporary(file_.types.value_type(type));
  const TypeId half = file_.types.value_type(file_.context.UnsignedLongTy);
  const llvm::APInt bits = number.extOrTrunc(128);
  emit_assign(field_of(made, 0), constant(static_cast<std::int64_t>(bits.extractBitsAsZExtValue(64, 0)), half));
  emit_assign(field_of(made, 1), constant(static_cast<std::int64_t>(bits.extractBitsAsZExtValue(64, 64)), half));
  return load(made);
}

ExprId FunctionTranslator::wide_truth(ExprId value) {
  return call_model("cohort_wide_truth", {value}, file_.types.int_type());
}

ExprId FunctionTranslator::wide_convert(ExprId value, clang::QualType from, clang::QualType to) {
  const TypeId target = file_.types.value_type(to);
  if (is_wide(from) && is_wide(to)) return value;
  if (is_wide(to)) {
    const ir::Type given = unit_.type(type_of(value));
    const bool is_signed = given.kind == ir::Type::Kind::Int && given.is_signed;
    const clang::QualType half = is_signed ? file_.context.LongTy : file_.context.UnsignedLongTy;
    return call_model(is_signed ? "cohort_wide_from_signed" : "cohort_wide_from_unsigned",
                      {cast(value, file_.types.value_type(half))}, target);
  }
  if (to->isBooleanType()) return cast(wide_truth(value), target);
  const PlaceId kept = temporary(type_of(value));
  emit_assign(kept, value);
  return cast(load(field_of(kept, 0)), target);
}

ExprId FunctionTranslator::wide_operation(clang::BinaryOperatorKind kind, ExprId left, ExprId right,
                                          clang::QualType type) {
  const bool is_signed = type->isSignedIntegerType();
  const TypeId truth = file_.types.int_type();
  if (!clang::BinaryOperator::isComparisonOp(kind)) {
    return call_model(model_of(kind, is_signed), {left, right}, file_.types.value_type(type));
  }
  // a > b is b < a, and a <= b is not b < a.
  if (kind == clang::BO_GT || kind == clang::BO_LE) std::swap(left, right);
  const ExprId holds = call_model(model_of(kind, is_signed), {left, right}, truth);
  const bool is_negated = kind == clang::BO_NE || kind == clang::BO_LE || kind == clang::BO_GE;
  return is_negated ? operation(Op::LogicalNot, truth, {holds}) : holds;
}

// Of operands as C has them: the count of a shift has a type of its own.
ExprId FunctionTranslator::wide_binary(const clang::BinaryOperator* expr) {
  const clang::QualType type = expr->getLHS()->getType();
  const ExprId left = frozen(value(expr->getLHS()));
  ExprId right = frozen(value(expr->getRHS()));
  if (expr->isShiftOp()) right = wide_places(right, expr->getRHS()->getType());
  return wide_operation(expr->getOpcode(), left, right, type);
}

ExprId FunctionTranslator::wide_places(ExprId count, clang::QualType type) {
  return is_wide(type) ? wide_convert(count, type, file_.context.UnsignedIntTy)
                       : cast(count, file_.types.value_type(file_.context.UnsignedIntTy));
}

ExprId FunctionTranslator::wide_unary(const clang::UnaryOperator* expr) {
  const ExprId operand = value(expr->getSubExpr());
  const clang::QualType type = expr->getSubExpr()->getType();
  switch (expr->getOpcode()) {
    case clang::UO_Minus: return call_model("cohort_wide_negate", {operand}, file_.types.value_type(type));
    case clang::UO_Not: {
      const llvm::APSInt ones(llvm::APInt::getAllOnes(128), true);
      return wide_operation(clang::BO_Xor, operand, wide_constant(ones, type), type);
    }
    default: return operation(Op::LogicalNot, value_type(expr), {wide_truth(operand)});
  }
}

// `target op= operand`, and ++ and --: the value before and the one after.
std::pair<ExprId, ExprId> FunctionTranslator::wide_update(clang::BinaryOperatorKind kind, PlaceId target,
                                                          clang::QualType type, ExprId operand,
                                                          clang::QualType computed) {
  const ExprId before = frozen(load(target));
  const ExprId left = is_wide(type) ? before : wide_convert(before, type, computed);
  const ExprId after = frozen(wide_convert(wide_operation(kind, left, operand, computed), computed, type));
  emit_assign(target, after);
  return {before, after};
}

}  // namespace cohort::frontend::c::parse
