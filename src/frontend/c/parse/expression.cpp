// Values.
#include <clang/AST/Attr.h>
#include <clang/AST/Expr.h>
#include <clang/AST/ExprCXX.h>
#include <fmt/format.h>

#include "base/contract.hpp"
#include "frontend/c/parse/function.hpp"

namespace cohort::frontend::c::parse {

using ir::ExprId;
using ir::Op;
using ir::PlaceId;
using ir::TypeId;

namespace {

Op op_of(clang::BinaryOperatorKind kind) {
  switch (kind) {
    case clang::BO_Mul: return Op::Mul;
    case clang::BO_Div: return Op::Div;
    case clang::BO_Rem: return Op::Mod;
    case clang::BO_Add: return Op::Add;
    case clang::BO_Sub: return Op::Sub;
    case clang::BO_Shl: return Op::Shl;
    case clang::BO_Shr: return Op::Shr;
    case clang::BO_LT: return Op::Lt;
    case clang::BO_GT: return Op::Gt;
    case clang::BO_LE: return Op::Le;
    case clang::BO_GE: return Op::Ge;
    case clang::BO_EQ: return Op::Eq;
    case clang::BO_NE: return Op::Ne;
    case clang::BO_And: return Op::BitAnd;
    case clang::BO_Xor: return Op::BitXor;
    case clang::BO_Or: return Op::BitOr;
    default: COHORT_UNREACHABLE("assignments, && || and , are not handled as operators");
  }
}

// Is it worth asking Clang for a constant?  Names and literals have ways of their own.
bool may_be_constant(const clang::Expr* expr) {
  return expr->getType()->isIntegralOrEnumerationType() && expr->isPRValue() &&
         !llvm::isa<clang::CallExpr, clang::StmtExpr, clang::AtomicExpr>(expr);
}

}  // namespace

ExprId FunctionTranslator::value(const clang::Expr* expr, bool used) {
  expr = expr->IgnoreParens();
  if (may_be_constant(expr)) {
    clang::Expr::EvalResult result;
    if (expr->EvaluateAsInt(result, file_.context, clang::Expr::SE_NoSideEffects) && !result.HasUndefinedBehavior) {
      return known(result.Val.getInt(), expr);
    }
  }
  if (is_exact(expr->getType()) && expr->isPRValue()) {
    llvm::APFloat number(0.0);
    if (expr->EvaluateAsFloat(number, file_.context, clang::Expr::SE_NoSideEffects)) {
      return float_constant(number, expr->getType());
    }
  }
  if (!used && is_bare_value(expr)) {
    const ExprId unwanted = value(expr);
    emit_assign(temporary(type_of(unwanted)), unwanted);
    return unwanted;
  }
  if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(expr)) return cast_expression(cast, used);
  if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(expr)) return this->binary(binary, used);
  if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(expr)) return this->unary(unary, used);
  if (const auto* call = llvm::dyn_cast<clang::CallExpr>(expr)) return this->call(call, used);
  if (const auto* choice = llvm::dyn_cast<clang::AbstractConditionalOperator>(expr)) return conditional(choice, used);
  if (const auto* block = llvm::dyn_cast<clang::StmtExpr>(expr)) return statement_expression(block, used);
  if (const auto* atomic = llvm::dyn_cast<clang::AtomicExpr>(expr)) return this->atomic(atomic);
  if (const auto* argument = llvm::dyn_cast<clang::VAArgExpr>(expr)) return next_argument(argument);
  if (const auto* label = llvm::dyn_cast<clang::AddrLabelExpr>(expr)) return label_address(label);
  if (const auto* choice = llvm::dyn_cast<clang::GenericSelectionExpr>(expr)) {
    return value(choice->getResultExpr(), used);
  }
  if (const auto* choice = llvm::dyn_cast<clang::ChooseExpr>(expr)) return value(choice->getChosenSubExpr(), used);
  if (const auto* known = llvm::dyn_cast<clang::OpaqueValueExpr>(expr)) {
    const auto found = opaque_.find(known);
    return found != opaque_.end() ? found->second : value(known->getSourceExpr(), used);
  }
  if (const auto* constant = llvm::dyn_cast<clang::ConstantExpr>(expr)) return value(constant->getSubExpr(), used);
  if (llvm::isa<clang::ImplicitValueInitExpr>(expr) && expr->getType()->isScalarType()) {
    return constant(0, value_type(expr));
  }
  if (const auto* list = llvm::dyn_cast<clang::InitListExpr>(expr)) {
    if (list->getNumInits() == 1 && expr->getType()->isScalarType()) return value(list->getInit(0), used);
    if (list->getNumInits() == 0 && expr->getType()->isScalarType()) return constant(0, value_type(expr));
    if (!expr->getType()->isRecordType() && !expr->getType()->isArrayType()) {
      return refuse(fmt::format("a value of the type {}", expr->getType().getAsString()), expr, expr->getType());
    }
    const PlaceId object = temporary(value_type(expr));
    initialise(object, list);
    return load(object);
  }
  // What is given to a parameter of a transparent union, as those of bind and connect are, is what was written.
  if (const auto* compound = llvm::dyn_cast<clang::CompoundLiteralExpr>(expr);
      compound != nullptr && expr->isPRValue()) {
    const auto* list = llvm::dyn_cast<clang::InitListExpr>(compound->getInitializer());
    const auto* record = expr->getType()->getAsRecordDecl();
    if (list != nullptr && list->getNumInits() == 1 && record != nullptr &&
        record->hasAttr<clang::TransparentUnionAttr>()) {
      return value(list->getInit(0), used);
    }
  }
  // A member of what a function returned is no lvalue.
  const auto* member = llvm::dyn_cast<clang::MemberExpr>(expr);
  if (member != nullptr && expr->isPRValue()) {
    const ExprId loaded = load(place(expr));
    return expr->refersToBitField() ? cast(loaded, value_type(expr)) : loaded;
  }
  if (const auto* query = llvm::dyn_cast<clang::UnaryExprOrTypeTraitExpr>(expr)) {
    const bool is_size = query->getKind() == clang::UETT_SizeOf && !query->isArgumentType();
    const auto* array =
        is_size ? llvm::dyn_cast<clang::DeclRefExpr>(query->getArgumentExpr()->IgnoreParens()) : nullptr;
    const auto* variable = array != nullptr ? llvm::dyn_cast<clang::VarDecl>(array->getDecl()) : nullptr;
    if (const auto size = array_sizes_.find(variable); size != array_sizes_.end()) {
      return cast(load(size->second), value_type(expr));
    }
  }
  if (expr->isGLValue()) return used ? load(place(expr)) : discard(expr);
  if (llvm::isa<clang::FloatingLiteral>(expr)) return float_number(expr->getType());
  return refuse(fmt::format("this kind of expression ({})", expr->getStmtClassName()), expr, expr->getType());
}

ExprId FunctionTranslator::known(const llvm::APSInt& number, const clang::Expr* expr) {
  if (is_wide(expr->getType())) return wide_constant(number, expr->getType());
  if (number.getBitWidth() > 64) {
    return refuse(fmt::format("an integer of {} bits", number.getBitWidth()), expr, expr->getType());
  }
  return constant(number.isSigned() ? number.getSExtValue() : static_cast<std::int64_t>(number.getZExtValue()),
                  value_type(expr));
}

// An object whose value nobody wants, as in `x;` or `(void)x`: it is read all the same, which others may notice, unless
// it is a local one that nobody else can know.
ExprId FunctionTranslator::discard(const clang::Expr* expr) {
  expr = expr->IgnoreParens();
  const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(expr);
  const auto* variable = reference != nullptr ? llvm::dyn_cast<clang::VarDecl>(reference->getDecl()) : nullptr;
  const bool is_own = variable != nullptr && variable->hasLocalStorage() && !addressed_.contains(variable);
  if (is_own || expr->getType()->isArrayType() || expr->getType()->isVoidType()) {
    if (has_effects(expr)) place(expr);
    return nondet(value_type(expr));
  }
  const ExprId unwanted = load(place(expr));
  emit_assign(temporary(type_of(unwanted)), unwanted);
  return unwanted;
}

// Something that is only looked at or computed, as in `*p;` or `(void)(x / y)`: that may go wrong though nobody wants
// the value.  Not the mere mention of a variable.
bool FunctionTranslator::is_bare_value(const clang::Expr* expr) const {
  expr = expr->IgnoreParens();
  if (!expr->getType()->isIntegralOrEnumerationType() && !expr->getType()->isPointerType()) return false;
  if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(expr)) {
    if (cast->getCastKind() != clang::CK_LValueToRValue) return is_bare_value(cast->getSubExpr());
    return !llvm::isa<clang::DeclRefExpr>(cast->getSubExpr()->IgnoreParens());
  }
  if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(expr)) {
    return unary->isArithmeticOp() || unary->getOpcode() == clang::UO_Deref;
  }
  const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(expr);
  return binary != nullptr && !binary->isAssignmentOp() && !binary->isCommaOp();
}

ExprId FunctionTranslator::cast_expression(const clang::CastExpr* expr, bool used) {
  const clang::Expr* inner = expr->getSubExpr();
  switch (expr->getCastKind()) {
    case clang::CK_LValueToRValue: {
      if (!used) return discard(inner);
      const ExprId loaded = load(place(inner));
      // A bit-field may be kept in fewer bits than its type has.
      return inner->refersToBitField() ? cast(loaded, value_type(expr)) : loaded;
    }
    case clang::CK_ToVoid: return value(inner, false);
    case clang::CK_NullToPointer: return constant(0, value_type(expr));
    case clang::CK_FunctionToPointerDecay: {
      const clang::Expr* function = inner->IgnoreParens();
      if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(function)) {
        const auto* declaration = llvm::cast<clang::FunctionDecl>(reference->getDecl());
        return unit_.add_expr({.op = Op::FunctionAddr,
                               .type = value_type(expr),
                               .function = file_.declarations.function(declaration),
                               .span = span_});
      }
      // `*f` for a pointer to a function is the pointer again.
      if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(function)) return value(unary->getSubExpr());
      return refuse("this way to name a function", expr, expr->getType());
    }
    case clang::CK_ArrayToPointerDecay: {
      const PlaceId array = place(inner);
      if (inner->getType()->isVariableArrayType()) return load(array);
      const ExprId first = constant(0, file_.types.value_type(file_.context.getSizeType()));
      return cast(address_of(element_of(array, first)), value_type(expr));
    }
    case clang::CK_NoOp:
    case clang::CK_BitCast:
    case clang::CK_IntegralCast:
    case clang::CK_IntegralToBoolean:
    case clang::CK_PointerToBoolean:
    case clang::CK_IntegralToPointer:
    case clang::CK_PointerToIntegral:
    case clang::CK_BooleanToSignedIntegral:
    case clang::CK_AtomicToNonAtomic:
    case clang::CK_NonAtomicToAtomic: {
      if ((is_wide(expr->getType()) || is_wide(inner->getType())) && !expr->getType()->isPointerType() &&
          !inner->getType()->isPointerType()) {
        return wide_convert(value(inner), inner->getType(), expr->getType());
      }
      const ExprId converted = value(inner, used);
      // A struct with the qualifier _Atomic is read in one step.
      if (expr->getCastKind() == clang::CK_AtomicToNonAtomic && expr->getType()->isRecordType()) {
        const PlaceId copy = temporary(value_type(expr));
        emit_assign(copy, converted, ++atomic_groups_);
        return load(copy);
      }
      if (expr->getType()->isRecordType()) return converted;
      return cast(converted, value_type(expr));
    }
    default: break;
  }
  if (is_exact(expr->getType()) || is_exact(inner->getType())) {
    return float_convert(value(inner), inner->getType(), expr->getType());
  }
  if (expr->getCastKind() == clang::CK_IntegralToFloating || expr->getCastKind() == clang::CK_FloatingCast) {
    evaluate(value(inner));
    return float_number(expr->getType());
  }
  if (expr->getType()->isFloatingType() || inner->getType()->isFloatingType()) {
    evaluate(value(inner));
    return refuse_float(value_type(expr));
  }
  return refuse(fmt::format("this kind of conversion ({})", expr->getCastKindName()), expr, expr->getType());
}

ExprId FunctionTranslator::unary(const clang::UnaryOperator* expr, bool used) {
  const clang::Expr* inner = expr->getSubExpr();
  const bool computes =
      expr->getOpcode() == clang::UO_Minus || expr->getOpcode() == clang::UO_Not || expr->getOpcode() == clang::UO_LNot;
  if (computes && is_wide(inner->getType())) return wide_unary(expr);
  if (expr->getOpcode() == clang::UO_Minus && is_exact(expr->getType())) return float_negation(value(inner));
  if (expr->getOpcode() == clang::UO_LNot && is_exact(inner->getType())) {
    return operation(Op::LogicalNot, value_type(expr), {float_truth(value(inner))});
  }
  if (expr->getOpcode() == clang::UO_Minus && expr->getType()->isFloatingType()) {
    evaluate(value(inner));
    return float_number(expr->getType());
  }
  switch (expr->getOpcode()) {
    case clang::UO_Plus:
    case clang::UO_Extension: return value(inner, used);
    case clang::UO_Minus: return operation(Op::Neg, value_type(expr), {value(inner, used)});
    case clang::UO_Not: return operation(Op::BitNot, value_type(expr), {value(inner, used)});
    case clang::UO_LNot: return operation(Op::LogicalNot, value_type(expr), {value(inner, used)});
    case clang::UO_AddrOf: {
      const clang::Expr* object = inner->IgnoreParens();
      if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(object)) {
        if (const auto* declaration = llvm::dyn_cast<clang::FunctionDecl>(reference->getDecl())) {
          return unit_.add_expr({.op = Op::FunctionAddr,
                                 .type = value_type(expr),
                                 .function = file_.declarations.function(declaration),
                                 .span = span_});
        }
      }
      const PlaceId target = place(inner);
      if (inner->getType()->isVariableArrayType()) return cast(load(target), value_type(expr));
      const ir::Place& written = unit_.place(target);
      if (!written.object && written.steps.empty()) return cast(written.pointer, value_type(expr));  // &*p
      return cast(address_of(target), value_type(expr));
    }
    case clang::UO_Deref: return used ? load(place(expr)) : discard(expr);
    case clang::UO_PreInc:
    case clang::UO_PreDec:
    case clang::UO_PostInc:
    case clang::UO_PostDec: return increment(expr, used);
    default:
      return refuse(fmt::format("the operator {}", clang::UnaryOperator::getOpcodeStr(expr->getOpcode()).str()), expr,
                    expr->getType());
  }
}

ExprId FunctionTranslator::binary(const clang::BinaryOperator* expr, bool used) {
  if (const auto* compound = llvm::dyn_cast<clang::CompoundAssignOperator>(expr)) {
    return compound_assign(compound, used);
  }
  if (expr->getOpcode() == clang::BO_Assign) return assign(expr, used);
  if (expr->getOpcode() == clang::BO_Comma) {
    value(expr->getLHS(), false);
    return value(expr->getRHS(), used);
  }
  if (expr->isLogicalOp()) return logical(expr);
  if (is_wide(expr->getLHS()->getType())) return wide_binary(expr);
  if (is_exact(expr->getLHS()->getType())) {
    ExprId left = value(expr->getLHS());
    if (has_effects(expr->getRHS())) left = frozen(left);
    return float_operation(expr->getOpcode(), left, value(expr->getRHS()), expr->getLHS()->getType());
  }
  if (expr->getType()->isFloatingType()) {
    evaluate(value(expr->getLHS()));
    evaluate(value(expr->getRHS()));
    return float_number(expr->getType());
  }
  ExprId left = value(expr->getLHS(), used);
  if (used && has_effects(expr->getRHS())) left = frozen(left);
  const ExprId right = value(expr->getRHS(), used);
  return arithmetic(expr->getOpcode(), left, right, value_type(expr));
}

ExprId FunctionTranslator::arithmetic(clang::BinaryOperatorKind kind, ExprId left, ExprId right, TypeId type) {
  const auto is_pointer = [&](ExprId value) { return unit_.type(type_of(value)).kind == ir::Type::Kind::Pointer; };
  if (kind == clang::BO_Add && is_pointer(right)) std::swap(left, right);
  if ((kind == clang::BO_Add || kind == clang::BO_Sub) && is_pointer(left)) {
    if (is_pointer(right)) return operation(Op::PointerDiff, type, {left, cast(right, type_of(left))});
    if (kind == clang::BO_Add) return operation(Op::PointerAdd, type, {left, right});
    const TypeId offset = file_.types.value_type(file_.context.getPointerDiffType());
    return operation(Op::PointerAdd, type, {left, operation(Op::Neg, offset, {cast(right, offset)})});
  }
  if (clang::BinaryOperator::isComparisonOp(kind) && is_pointer(left) && is_pointer(right)) {
    right = cast(right, type_of(left));
  }
  if (clang::BinaryOperator::isShiftOp(kind)) right = places_of_shift(right, type_of(left));
  return operation(op_of(kind), type, {left, right});
}

// The operands of a shift keep types of their own in C.  A number of places that is too large stays so in the type of
// what is shifted.
ExprId FunctionTranslator::places_of_shift(ExprId places, TypeId type) {
  const ir::Type given = unit_.type(type_of(places));
  if (given.kind != ir::Type::Kind::Int || given.width <= unit_.type(type).width) return cast(places, type);
  constexpr std::int64_t too_many = 64;
  ir::Type plain = given;
  plain.is_signed = false;
  const TypeId bits = unit_.add_type(std::move(plain));
  const ExprId is_small = operation(Op::Lt, file_.types.int_type(), {cast(places, bits), constant(too_many, bits)});
  return operation(Op::Conditional, type, {is_small, cast(places, type), constant(too_many, type)});
}

ExprId FunctionTranslator::assign(const clang::BinaryOperator* expr, bool used) {
  const Context context(*this, expr->getSourceRange());
  PlaceId target = place(expr->getLHS());
  if (has_effects(expr->getRHS())) target = settled(target);
  ExprId stored =
      fit(expr->getLHS()->getSourceBitField(), cast(value(expr->getRHS()), unqualified(unit_.place(target).type)));
  if (used) stored = frozen(stored);
  store(target, stored);
  return expr->getLHS()->refersToBitField() ? cast(stored, value_type(expr)) : stored;
}

// A bit-field keeps as many bits as it has: the rest is shifted out, and the sign comes back.
ExprId FunctionTranslator::fit(const clang::FieldDecl* field, ExprId value) {
  if (field == nullptr || !field->isBitField()) return value;
  const TypeId type = type_of(value);
  const unsigned width = unit_.type(type).width;
  const unsigned kept = field->getBitWidthValue(file_.context);
  if (kept >= width || unit_.type(type).kind == ir::Type::Kind::Bool) return value;
  if (!unit_.type(type).is_signed) {
    return operation(Op::BitAnd, type, {value, constant(static_cast<std::int64_t>((1ULL << kept) - 1), type)});
  }
  ir::Type plain = unit_.type(type);
  plain.is_signed = false;
  const TypeId bits = unit_.add_type(plain);
  const ExprId up = operation(Op::Shl, bits, {cast(value, bits), constant(width - kept, bits)});
  return operation(Op::Shr, type, {cast(up, type), constant(width - kept, type)});
}

ExprId FunctionTranslator::compound_assign(const clang::CompoundAssignOperator* expr, bool used) {
  const Context context(*this, expr->getSourceRange());
  const PlaceId target = settled(place(expr->getLHS()));
  const bool is_atomic = expr->getLHS()->getType()->isAtomicType();
  ExprId operand = value(expr->getRHS());
  if (is_wide(expr->getComputationLHSType())) {
    if (is_atomic) return refuse("an atomic operation on 128 bits", expr, expr->getType());
    const auto kind = clang::BinaryOperator::getOpForCompoundAssignment(expr->getOpcode());
    if (clang::BinaryOperator::isShiftOp(kind)) operand = wide_places(operand, expr->getRHS()->getType());
    return wide_update(kind, target, expr->getLHS()->getType(), frozen(operand), expr->getComputationLHSType()).second;
  }
  if (expr->getComputationLHSType()->isFloatingType()) {
    if (!is_atomic && is_exact(expr->getComputationLHSType())) {
      const auto kind = clang::BinaryOperator::getOpForCompoundAssignment(expr->getOpcode());
      return float_update(kind, target, expr->getLHS()->getType(), operand, expr->getComputationLHSType()).second;
    }
    if (is_atomic || !expr->getType()->isFloatingType()) return refuse_float(value_type(expr));
    evaluate(operand);
    evaluate(load(target));
    emit_assign(target, float_number(expr->getType()));
    return float_number(expr->getType());
  }
  if (is_atomic) operand = frozen(operand);
  const TypeId wide = file_.types.value_type(expr->getComputationLHSType());
  const TypeId narrow = unqualified(unit_.place(target).type);
  const auto kind = clang::BinaryOperator::getOpForCompoundAssignment(expr->getOpcode());
  const ExprId result =
      arithmetic(kind, cast(load(target), wide), operand, file_.types.value_type(expr->getComputationResultType()));
  const ExprId changed =
      update(target, fit(expr->getLHS()->getSourceBitField(), cast(result, narrow)), is_atomic, used);
  return expr->getLHS()->refersToBitField() ? cast(changed, value_type(expr)) : changed;
}

ExprId FunctionTranslator::update(PlaceId place, ExprId changed, bool is_atomic, bool used) {
  const std::uint32_t group = is_atomic ? ++atomic_groups_ : 0;
  if (used) {
    const PlaceId saved = temporary(type_of(changed));
    emit_assign(saved, changed, group);
    changed = load(saved);
  }
  emit_assign(place, changed, group);
  return changed;
}

ExprId FunctionTranslator::increment(const clang::UnaryOperator* expr, bool used) {
  const Context context(*this, expr->getSourceRange());
  const PlaceId target = settled(place(expr->getSubExpr()));
  const bool is_atomic = expr->getSubExpr()->getType()->isAtomicType();
  const TypeId type = unqualified(unit_.place(target).type);
  const bool is_pointer = unit_.type(type).kind == ir::Type::Kind::Pointer;
  const clang::QualType changed_type = expr->getSubExpr()->getType();
  if (is_wide(changed_type)) {
    if (is_atomic) return refuse("an atomic operation on 128 bits", expr, expr->getType());
    const ExprId one = wide_constant(llvm::APSInt(llvm::APInt(128, 1), true), changed_type);
    const auto kind = expr->isIncrementOp() ? clang::BO_Add : clang::BO_Sub;
    const auto values = wide_update(kind, target, changed_type, one, changed_type);
    return expr->isPrefix() ? values.second : values.first;
  }
  if (is_exact(changed_type)) {
    if (is_atomic) return refuse_float(type);
    llvm::APFloat one(1.0);
    bool loses = false;
    one.convert(file_.context.getFloatTypeSemantics(changed_type), llvm::APFloat::rmNearestTiesToEven, &loses);
    const auto kind = expr->isIncrementOp() ? clang::BO_Add : clang::BO_Sub;
    const auto values = float_update(kind, target, changed_type, float_constant(one, changed_type), changed_type);
    return expr->isPrefix() ? values.second : values.first;
  }
  if (unit_.type(type).is_float && !is_atomic) {
    evaluate(load(target));
    emit_assign(target, constant(0, type));
    return constant(0, type);
  }
  const std::int64_t step = expr->isIncrementOp() ? 1 : -1;
  const auto changed = [&](ExprId before) {
    const TypeId index = file_.types.value_type(file_.context.getPointerDiffType());
    if (is_pointer) return operation(Op::PointerAdd, type, {before, constant(step, index)});
    // Types narrower than int are promoted, changed and converted back.
    const ir::Type& plain = unit_.type(type);
    const TypeId wide = plain.kind == ir::Type::Kind::Bool || plain.width < 32 ? file_.types.int_type() : type;
    const ExprId sum = operation(step > 0 ? Op::Add : Op::Sub, wide, {cast(before, wide), constant(1, wide)});
    return fit(expr->getSubExpr()->getSourceBitField(), cast(sum, type));
  };
  if (!used || expr->isPrefix()) {
    return cast(update(target, changed(load(target)), is_atomic, used), value_type(expr));
  }
  const std::uint32_t group = is_atomic ? ++atomic_groups_ : 0;
  const PlaceId before = temporary(type);
  emit_assign(before, load(target), group);
  emit_assign(target, changed(load(before)), group);
  return cast(load(before), value_type(expr));
}

ExprId FunctionTranslator::statement_expression(const clang::StmtExpr* expr, bool used) {
  const clang::CompoundStmt* block = expr->getSubStmt();
  if (block->body_empty()) return nondet(file_.types.void_type());
  const std::size_t outside = cleanups_.size();
  enter_block(block);
  const auto end = [&] {
    leave_scopes(outside);
    cleanups_.resize(outside);
    exit_block();
    ++statement_;  // what is left of the expression around it
  };
  for (const clang::Stmt* part : block->body()) {
    const auto* last = part == block->body_back() ? llvm::dyn_cast<clang::Expr>(part) : nullptr;
    if (last == nullptr) {
      statement(part);
      continue;
    }
    const Context context(*this, last->getSourceRange());
    ++statement_;
    const ExprId result = value(last, used);
    const ExprId kept = used && !expr->getType()->isVoidType() ? frozen(result) : result;
    end();
    return kept;
  }
  end();
  return nondet(file_.types.void_type());
}

}  // namespace cohort::frontend::c::parse
