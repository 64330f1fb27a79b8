// Floating-point numbers.  Where nothing depends on their values, they have places and no values: what is computed with
// them is evaluated and forgotten, which costs no state.  A program in which something does depend on one is read again
// with `exact_floats`: numbers are then their bits, and operations are calls of the models in library/floats.c.
#include <cstdint>
#include <optional>
#include <string>

#include <clang/AST/Expr.h>

#include "frontend/c/ir/names.hpp"
#include "frontend/c/parse/function.hpp"

namespace cohort::frontend::c::parse {

using ir::ExprId;
using ir::Node;
using ir::Op;
using ir::TypeId;

namespace {

const char* model_of(clang::BinaryOperatorKind kind) {
  switch (kind) {
    case clang::BO_Add: return "cohort_double_add";
    case clang::BO_Sub: return "cohort_double_subtract";
    case clang::BO_Mul: return "cohort_double_multiply";
    case clang::BO_Div: return "cohort_double_divide";
    case clang::BO_LT:
    case clang::BO_GT: return "cohort_double_less";
    case clang::BO_LE:
    case clang::BO_GE: return "cohort_double_at_most";
    default: return "cohort_double_equal";
  }
}

}  // namespace

bool FunctionTranslator::is_exact(clang::QualType type) const {
  if (const auto* atomic = type->getAs<clang::AtomicType>()) type = atomic->getValueType();
  return file_.exact_floats && type->isRealFloatingType() && file_.types.is_exact(type);
}

// Does the operator compute with floating-point numbers, or with 128 bits, by calls of models?
bool FunctionTranslator::calls_number_model(const clang::Stmt* statement) const {
  const auto* expr = llvm::dyn_cast<clang::Expr>(statement);
  if (expr != nullptr && expr->isPRValue() && is_wide(expr->getType())) return true;
  if (!file_.exact_floats) {
    const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(statement);
    return binary != nullptr && is_wide(binary->getLHS()->getType());
  }
  if (expr == nullptr || llvm::isa<clang::FloatingLiteral, clang::DeclRefExpr>(expr)) return false;
  if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(expr)) {
    return is_exact(binary->getLHS()->getType()) || is_wide(binary->getLHS()->getType());
  }
  if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(expr)) {
    return cast->getCastKind() != clang::CK_LValueToRValue &&
           (is_exact(expr->getType()) || is_exact(cast->getSubExpr()->getType()));
  }
  const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(expr);
  return unary != nullptr && is_exact(unary->getSubExpr()->getType());
}

ExprId FunctionTranslator::float_constant(const llvm::APFloat& number, clang::QualType type) {
  return constant(static_cast<std::int64_t>(number.bitcastToAPInt().getZExtValue()), file_.types.value_type(type));
}

// Neither 0 nor -0.
ExprId FunctionTranslator::float_truth(ExprId bits) {
  const TypeId type = type_of(bits);
  const std::int64_t size = unit_.type(type).width == 64 ? INT64_MAX : INT32_MAX;
  const ExprId magnitude = operation(Op::BitAnd, type, {bits, constant(size, type)});
  return operation(Op::Ne, file_.types.int_type(), {magnitude, constant(0, type)});
}

ExprId FunctionTranslator::truth_of(const clang::Expr* expr) {
  const ExprId truth = value(expr);
  if (is_wide(expr->getType())) return wide_truth(truth);
  if (is_exact(expr->getType())) return float_truth(truth);
  return is_float(truth) ? refuse_float(file_.types.int_type()) : truth;
}

ExprId FunctionTranslator::float_convert(ExprId value, clang::QualType from, clang::QualType to) {
  const TypeId target = file_.types.value_type(to);
  const TypeId single = file_.types.value_type(file_.context.UnsignedIntTy);
  const TypeId number = file_.types.value_type(file_.context.UnsignedLongTy);
  const TypeId signed_number = file_.types.value_type(file_.context.LongTy);
  const auto is_single = [&](clang::QualType type) { return file_.context.getTypeSize(type) == 32; };
  if (is_exact(from) && is_exact(to)) {
    if (is_single(from) == is_single(to)) return value;
    const char* model = is_single(to) ? "cohort_float_from_double" : "cohort_double_from_float";
    return cast(call_model(model, {value}, is_single(to) ? single : number), target);
  }
  if (is_exact(to)) {
    const ir::Type given = unit_.type(type_of(value));
    const bool is_signed = given.kind == ir::Type::Kind::Int && given.is_signed;
    const std::string kind =
        std::string(is_single(to) ? "float" : "double") + (is_signed ? "_from_signed" : "_from_unsigned");
    return cast(call_model("cohort_" + kind, {cast(value, is_signed ? signed_number : number)},
                           is_single(to) ? single : number),
                target);
  }
  if (to->isBooleanType()) return cast(float_truth(value), target);
  const ExprId bits = float_convert(value, from, file_.context.DoubleTy);
  const ir::Type wanted = unit_.type(target);
  const ExprId width = constant(wanted.width, single);
  if (wanted.is_signed) return cast(call_model("cohort_double_to_signed", {bits, width}, signed_number), target);
  return cast(call_model("cohort_double_to_unsigned", {bits, width}, number), target);
}

// Of operands of one type.  Comparisons give an int.
ExprId FunctionTranslator::float_operation(clang::BinaryOperatorKind kind, ExprId left, ExprId right,
                                           clang::QualType type) {
  const clang::QualType wide = file_.context.DoubleTy;
  left = float_convert(left, type, wide);
  right = float_convert(right, type, wide);
  if (kind == clang::BO_GT || kind == clang::BO_GE) std::swap(left, right);
  if (!clang::BinaryOperator::isComparisonOp(kind)) {
    const TypeId number = file_.types.value_type(wide);
    return float_convert(cast(call_model(model_of(kind), {left, right}, number), number), wide, type);
  }
  const ExprId holds = call_model(model_of(kind), {left, right}, file_.types.int_type());
  return kind == clang::BO_NE ? operation(Op::LogicalNot, file_.types.int_type(), {holds}) : holds;
}

ExprId FunctionTranslator::float_negation(ExprId bits) {
  const TypeId type = type_of(bits);
  const std::int64_t sign = unit_.type(type).width == 64 ? INT64_MIN : std::int64_t{1} << 31;
  return operation(Op::BitXor, type, {bits, constant(sign, type)});
}

// `target op= operand`, and ++ and --: the value before and the one after.
std::pair<ExprId, ExprId> FunctionTranslator::float_update(clang::BinaryOperatorKind kind, ir::PlaceId target,
                                                           clang::QualType type, ExprId operand,
                                                           clang::QualType computed) {
  const ExprId before = frozen(load(target));
  const ExprId left = is_exact(type) || is_exact(computed) ? float_convert(before, type, computed) : before;
  const ExprId result = float_operation(kind, left, operand, computed);
  const ExprId after = frozen(float_convert(result, computed, type));
  emit_assign(target, after);
  return {before, after};
}

// What <math.h> asks of numbers of any type.
std::optional<ExprId> FunctionTranslator::float_question(const clang::CallExpr* expr, llvm::StringRef name) {
  if (!name.consume_front("__builtin_") || expr->getNumArgs() != 1) return std::nullopt;
  if (name == "isinf_sign") name = "isinf";
  if (name != "isnan" && name != "isinf" && name != "isfinite" && name != "signbit") return std::nullopt;
  const clang::QualType type = expr->getArg(0)->getType();
  const ExprId number = value(expr->getArg(0));
  if (!is_exact(type)) return refuse_float(value_type(expr));
  return cast(call_model("cohort_double_" + name.str(), {float_convert(number, type, file_.context.DoubleTy)},
                         file_.types.int_type()),
              value_type(expr));
}

// All of them are kept as the same number.  Nothing that a program does depends on it: whatever would is refused.
ExprId FunctionTranslator::float_number(clang::QualType type) {
  const TypeId id = file_.types.value_type(type);
  if (unit_.type(id).is_float) return constant(0, id);
  return refuse_float(id);
}

ExprId FunctionTranslator::refuse_float(TypeId type) {
  Node refusal = node(Node::Kind::Unsupported);
  refusal.text = ir::float_matters;
  flow_.emit(std::move(refusal));
  return nondet(type);
}

}  // namespace cohort::frontend::c::parse
