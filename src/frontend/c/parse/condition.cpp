// Conditions, and the operators that evaluate an operand only if the one before says so.
#include <clang/AST/Expr.h>
#include <clang/AST/ExprCXX.h>

#include "frontend/c/parse/function.hpp"

namespace cohort::frontend::c::parse {

using ir::ExprId;
using ir::Node;
using ir::Op;
using ir::PlaceId;

void FunctionTranslator::condition(const clang::Expr* expr, Flow::Label& yes, Flow::Label& no) {
  const clang::Expr* inner = expr->IgnoreParens();
  if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(inner)) {
    if (unary->getOpcode() == clang::UO_LNot) return condition(unary->getSubExpr(), no, yes);
  }
  const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(inner);
  if (binary != nullptr && binary->getOpcode() == clang::BO_Comma) {
    const Context context(*this, binary->getLHS()->getSourceRange());
    value(binary->getLHS(), false);
    return condition(binary->getRHS(), yes, no);
  }
  if (binary != nullptr && binary->isLogicalOp() && !is_simple(binary->getRHS())) {
    Flow::Label second;
    if (binary->getOpcode() == clang::BO_LAnd) {
      condition(binary->getLHS(), second, no);
    } else {
      condition(binary->getLHS(), yes, second);
    }
    flow_.bind(second);
    return condition(binary->getRHS(), yes, no);
  }
  const Context context(*this, expr->getSourceRange());
  const ExprId truth = truth_of(expr);
  if (unit_.expr(truth).op == Op::Const) return flow_.jump(unit_.expr(truth).value != 0 ? yes : no);
  Node test = node(Node::Kind::Branch);
  test.value = truth;
  flow_.branch(std::move(test), yes, no);
}

ExprId FunctionTranslator::logical(const clang::BinaryOperator* expr) {
  const ir::TypeId type = value_type(expr);
  if (is_simple(expr->getRHS())) {
    const ExprId left = truth_of(expr->getLHS());
    const ExprId right = truth_of(expr->getRHS());
    return operation(expr->getOpcode() == clang::BO_LAnd ? Op::LogicalAnd : Op::LogicalOr, type, {left, right});
  }
  Flow::Label yes;
  Flow::Label no;
  Flow::Label end;
  const PlaceId result = temporary(type);
  condition(expr, yes, no);
  flow_.bind(yes);
  emit_assign(result, constant(1, type));
  flow_.jump(end);
  flow_.bind(no);
  emit_assign(result, constant(0, type));
  flow_.bind(end);
  return load(result);
}

ExprId FunctionTranslator::conditional(const clang::AbstractConditionalOperator* expr, bool used) {
  const ir::TypeId type = value_type(expr);
  const bool is_void = unit_.type(type).kind == ir::Type::Kind::Void;
  const auto* ternary = llvm::dyn_cast<clang::ConditionalOperator>(expr);
  if (ternary != nullptr && !is_void && is_simple(ternary->getTrueExpr()) && is_simple(ternary->getFalseExpr())) {
    const ExprId test = truth_of(ternary->getCond());
    const ExprId first = cast(value(ternary->getTrueExpr()), type);
    const ExprId second = cast(value(ternary->getFalseExpr()), type);
    const ExprId chosen = operation(Op::Conditional, type, {test, first, second});
    if (!used) emit_assign(temporary(type), chosen);
    return chosen;
  }
  if (ternary == nullptr) return without_middle(llvm::cast<clang::BinaryConditionalOperator>(expr), used);
  Flow::Label yes;
  Flow::Label no;
  Flow::Label end;
  condition(ternary->getCond(), yes, no);
  const PlaceId result = is_void ? PlaceId() : temporary(type);
  const auto choose = [&](const clang::Expr* choice) {
    const ExprId chosen = value(choice, used);
    if (used && !is_void) emit_assign(result, cast(chosen, type));
  };
  flow_.bind(yes);
  choose(ternary->getTrueExpr());
  flow_.jump(end);
  flow_.bind(no);
  choose(ternary->getFalseExpr());
  flow_.bind(end);
  return is_void ? nondet(type) : load(result);
}

// `a ?: b`: the value of `a`, which is evaluated once, if it is nonzero.
ExprId FunctionTranslator::without_middle(const clang::BinaryConditionalOperator* expr, bool used) {
  const ir::TypeId type = value_type(expr);
  opaque_[expr->getOpaqueValue()] = frozen(value(expr->getCommon()));
  const PlaceId result = temporary(type);
  Flow::Label yes;
  Flow::Label no;
  Flow::Label end;
  condition(expr->getCond(), yes, no);
  flow_.bind(yes);
  emit_assign(result, cast(value(expr->getTrueExpr()), type));
  flow_.jump(end);
  flow_.bind(no);
  const ExprId other = value(expr->getFalseExpr(), used);
  if (used) emit_assign(result, cast(other, type));
  flow_.bind(end);
  return load(result);
}

// May the translation of this emit nodes?
bool FunctionTranslator::has_effects(const clang::Stmt* statement) const {
  if (statement == nullptr || llvm::isa<clang::UnaryExprOrTypeTraitExpr>(statement)) return false;
  if (llvm::isa<clang::CallExpr, clang::StmtExpr, clang::AtomicExpr, clang::CompoundLiteralExpr,
                clang::AbstractConditionalOperator>(statement)) {
    return true;
  }
  if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(statement)) {
    if (binary->isAssignmentOp() || binary->isLogicalOp()) return true;
  }
  if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(statement)) {
    if (unary->isIncrementDecrementOp()) return true;
  }
  if (calls_number_model(statement)) return true;
  for (const clang::Stmt* part : statement->children()) {
    if (has_effects(part)) return true;
  }
  return false;
}

// Has the operator no effect, and can it not go wrong?
bool FunctionTranslator::is_harmless(const clang::BinaryOperator* expr) const {
  if (expr->isAssignmentOp()) return false;
  switch (expr->getOpcode()) {
    case clang::BO_Comma:
    case clang::BO_Div:
    case clang::BO_Rem: return false;
    case clang::BO_Add:
    case clang::BO_Sub:
    case clang::BO_Mul: return !file_.overflow_matters;
    case clang::BO_Shl:
    case clang::BO_Shr: {
      if (file_.overflow_matters && expr->getOpcode() == clang::BO_Shl) return false;
      const auto* count = llvm::dyn_cast<clang::IntegerLiteral>(expr->getRHS()->IgnoreParenImpCasts());
      return count != nullptr && count->getValue().ult(file_.context.getTypeSize(expr->getType()));
    }
    default: return true;
  }
}

// Needs no access that others could see, cannot go wrong, and has no effects: it may be evaluated even if C would not.
bool FunctionTranslator::is_simple(const clang::Expr* expr) const {
  expr = expr->IgnoreParens();
  if (expr->getType()->isRecordType() || calls_number_model(expr)) return false;
  if (llvm::isa<clang::IntegerLiteral, clang::CharacterLiteral, clang::UnaryExprOrTypeTraitExpr>(expr)) return true;
  if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(expr)) {
    if (llvm::isa<clang::EnumConstantDecl, clang::FunctionDecl>(reference->getDecl())) return true;
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
    return variable != nullptr && variable->hasLocalStorage() && variable->getType()->isScalarType() &&
           !addressed_.contains(variable);
  }
  if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(expr)) {
    const clang::UnaryOperatorKind kind = unary->getOpcode();
    const bool is_plain = kind == clang::UO_Minus || kind == clang::UO_Plus || kind == clang::UO_Not ||
                          kind == clang::UO_LNot || kind == clang::UO_Extension;
    const bool may_overflow = kind == clang::UO_Minus && file_.overflow_matters;
    return is_plain && !may_overflow && is_simple(unary->getSubExpr());
  }
  if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(expr)) {
    return is_harmless(binary) && is_simple(binary->getLHS()) && is_simple(binary->getRHS());
  }
  if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(expr)) {
    return cast->getCastKind() != clang::CK_ArrayToPointerDecay && is_simple(cast->getSubExpr());
  }
  return false;
}

}  // namespace cohort::frontend::c::parse
