// Lvalues.
#include <clang/AST/Expr.h>

#include "base/contract.hpp"
#include "frontend/c/parse/function.hpp"

namespace cohort::frontend::c::parse {

using ir::ExprId;
using ir::Op;
using ir::Place;
using ir::PlaceId;

PlaceId FunctionTranslator::object_place(ir::ObjectId object) {
  const ir::TypeId type = unit_.object(object).type;
  return unit_.add_place({.object = object, .base_type = type, .type = type, .span = span_});
}

PlaceId FunctionTranslator::target_of(ExprId pointer) {
  const ir::Expr& expr = unit_.expr(pointer);
  // To store to a constant is another thing than to initialise it, which is done by its name.
  const auto is_constant = [&](PlaceId place) {
    const auto& object = unit_.place(place).object;
    return object && unit_.object(*object).is_readonly &&
           unit_.object(*object).storage == ir::Object::Storage::Automatic;
  };
  if (expr.op == Op::AddressOf && !is_constant(expr.place)) return expr.place;
  if (expr.op == Op::Cast && unit_.expr(expr.args[0]).op == Op::AddressOf) {
    // A cast that only changes qualifiers hides nothing, but says how the object is accessed.
    Place place = unit_.place(unit_.expr(expr.args[0]).place);
    const ir::TypeId target = unit_.type(expr.type).target;
    if (!is_constant(unit_.expr(expr.args[0]).place) && unqualified(place.type) == unqualified(target)) {
      place.type = target;
      return unit_.add_place(std::move(place));
    }
  }
  const ir::TypeId type = unit_.type(type_of(pointer)).target;
  return unit_.add_place({.pointer = pointer, .base_type = type, .type = type, .span = span_});
}

PlaceId FunctionTranslator::field_of(PlaceId base, std::uint32_t field) {
  Place place = unit_.place(base);
  const ir::Type& type = unit_.type(place.type);
  COHORT_EXPECT(type.kind == ir::Type::Kind::Record, "only records have fields");
  COHORT_EXPECT(field < unit_.record(type.record).fields.size(), "the field exists");
  place.type = unit_.record(type.record).fields[field].type;
  place.steps.push_back({.kind = Place::Step::Kind::Field, .field = field});
  place.span = span_;
  return unit_.add_place(std::move(place));
}

PlaceId FunctionTranslator::element_of(PlaceId base, ExprId index) {
  Place place = unit_.place(base);
  COHORT_EXPECT(unit_.type(place.type).kind == ir::Type::Kind::Array, "only arrays have elements");
  place.type = unit_.type(place.type).target;
  place.steps.push_back({.kind = Place::Step::Kind::Index, .index = index});
  place.span = span_;
  return unit_.add_place(std::move(place));
}

PlaceId FunctionTranslator::place(const clang::Expr* expr) {
  expr = expr->IgnoreParens();
  if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(expr)) {
    if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl())) {
      return object_place(file_.declarations.object(variable));
    }
  } else if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(expr)) {
    return this->member(member);
  } else if (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(expr)) {
    return subscript(element);
  } else if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(expr)) {
    if (unary->getOpcode() == clang::UO_Deref) return target_of(value(unary->getSubExpr()));
    if (unary->getOpcode() == clang::UO_Extension) return place(unary->getSubExpr());
  } else if (const auto* literal = llvm::dyn_cast<clang::StringLiteral>(expr)) {
    return object_place(file_.declarations.string(literal));
  } else if (const auto* predefined = llvm::dyn_cast<clang::PredefinedExpr>(expr)) {
    return object_place(file_.declarations.string(predefined->getFunctionName()));
  } else if (const auto* compound = llvm::dyn_cast<clang::CompoundLiteralExpr>(expr)) {
    return compound_literal(compound);
  } else if (const auto* selection = llvm::dyn_cast<clang::GenericSelectionExpr>(expr)) {
    return place(selection->getResultExpr());
  } else if (const auto* choice = llvm::dyn_cast<clang::ChooseExpr>(expr)) {
    return place(choice->getChosenSubExpr());
  }
  if (expr->isPRValue() && expr->getType()->isRecordType()) return rvalue_place(expr);
  refuse(std::string("this kind of object designator (") + expr->getStmtClassName() + ")", expr, expr->getType());
  return temporary(file_.types.value_type(expr->getType()));
}

PlaceId FunctionTranslator::member(const clang::MemberExpr* expr) {
  const auto* field = llvm::dyn_cast<clang::FieldDecl>(expr->getMemberDecl());
  COHORT_EXPECT(field != nullptr, "C has no members but fields");
  const PlaceId base = expr->isArrow() ? target_of(value(expr->getBase())) : place(expr->getBase());
  if (file_.types.is_replaced(field->getParent()) ||
      unit_.type(unit_.place(base).type).kind != ir::Type::Kind::Record) {
    refuse("a look into a type of the thread library", expr, expr->getType());
    return temporary(file_.types.value_type(expr->getType()));
  }
  const PlaceId result = field_of(base, field->getFieldIndex());
  // A member of a volatile object is volatile.
  const ir::TypeId type = file_.types.type(expr->getType());
  if (unqualified(unit_.place(result).type) != unqualified(type)) return result;
  Place qualified = unit_.place(result);
  qualified.type = type;
  return unit_.add_place(std::move(qualified));
}

PlaceId FunctionTranslator::subscript(const clang::ArraySubscriptExpr* expr) {
  const clang::Expr* base = expr->getBase()->IgnoreParens();
  const clang::Expr* index = expr->getIdx();
  const auto* decay = llvm::dyn_cast<clang::ImplicitCastExpr>(base);
  if (decay != nullptr && decay->getCastKind() == clang::CK_ArrayToPointerDecay &&
      !decay->getSubExpr()->getType()->isVariableArrayType()) {
    PlaceId array = place(decay->getSubExpr());
    if (has_effects(index)) array = settled(array);
    return element_of(array, value(index));
  }
  ExprId pointer = value(base);
  if (has_effects(index)) pointer = frozen(pointer);
  return target_of(operation(Op::PointerAdd, type_of(pointer), {pointer, value(index)}));
}

// A record that a function returns is no object until it is put into one.
PlaceId FunctionTranslator::rvalue_place(const clang::Expr* expr) {
  const ExprId record = value(expr);
  const ir::Expr& loaded = unit_.expr(record);
  if (loaded.op == Op::Load) return loaded.place;
  const PlaceId saved = temporary(type_of(record));
  emit_assign(saved, record);
  return saved;
}

PlaceId FunctionTranslator::settled(PlaceId id) {
  Place place = unit_.place(id);
  if (!place.object) place.pointer = frozen(place.pointer);
  for (Place::Step& step : place.steps) {
    if (step.kind == Place::Step::Kind::Index) step.index = frozen(step.index);
  }
  return unit_.add_place(std::move(place));
}

}  // namespace cohort::frontend::c::parse
