#include "frontend/c/parse/function.hpp"

#include <clang/AST/RecursiveASTVisitor.h>
#include <fmt/format.h>

#include "base/contract.hpp"

namespace cohort::frontend::c::parse {

using ir::ExprId;
using ir::Node;
using ir::Op;
using ir::PlaceId;
using ir::TypeId;

namespace {

// The variables whose address the body takes, be it by & or because an array decays.
class AddressTaken : public clang::RecursiveASTVisitor<AddressTaken> {
 public:
  explicit AddressTaken(std::set<const clang::VarDecl*>& out) : out_(out) {}

  bool VisitUnaryOperator(clang::UnaryOperator* expr) {
    if (expr->getOpcode() == clang::UO_AddrOf) note(expr->getSubExpr());
    return true;
  }
  bool VisitCastExpr(clang::CastExpr* expr) {
    if (expr->getCastKind() == clang::CK_ArrayToPointerDecay) note(expr->getSubExpr());
    return true;
  }

 private:
  void note(const clang::Expr* expr) {
    expr = expr->IgnoreParenCasts();
    // What a pointer leads to is another object.
    if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(expr)) {
      return member->isArrow() ? void() : note(member->getBase());
    }
    if (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(expr)) {
      const clang::Expr* base = element->getBase()->IgnoreParenImpCasts();
      return base->getType()->isArrayType() ? note(base) : void();
    }
    if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(expr)) {
      if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl())) out_.insert(variable);
    }
  }

  std::set<const clang::VarDecl*>& out_;
};

std::int64_t wrap(std::int64_t value, const ir::Type& type) {
  if (type.width >= 64) return value;
  const std::uint64_t mask = (std::uint64_t{1} << type.width) - 1;
  const std::uint64_t bits = static_cast<std::uint64_t>(value) & mask;
  const bool negative = type.is_signed && (bits >> (type.width - 1)) != 0;
  return static_cast<std::int64_t>(negative ? bits | ~mask : bits);
}

}  // namespace

FunctionTranslator::Context::Context(FunctionTranslator& owner, clang::SourceRange range)
    : owner_(owner), span_(owner.span_), text_(owner.text_) {
  owner.span_ = owner.file_.locations.span(range.getBegin());
  owner.text_ = owner.file_.locations.text(range);
}

FunctionTranslator::Context::~Context() {
  owner_.span_ = std::move(span_);
  owner_.text_ = std::move(text_);
}

void FunctionTranslator::translate(const clang::FunctionDecl* declaration) {
  span_ = file_.locations.span(declaration->getLocation());
  std::vector<ir::ObjectId> params;
  for (const clang::ParmVarDecl* param : declaration->parameters()) params.push_back(file_.declarations.object(param));
  AddressTaken(addressed_).TraverseStmt(declaration->getBody());
  survey_jumps(declaration);
  for (const clang::ParmVarDecl* param : declaration->parameters()) begin_life(param);
  flow_.emit(node(Node::Kind::Skip));
  statement(declaration->getBody());
  const Context context(*this, declaration->getBody()->getEndLoc());
  ++statement_;
  leave(std::nullopt);
  for (auto& [name, label] : labels_) COHORT_EXPECT(label.waiting.empty(), "every label stands somewhere");
  ir::Function& function = unit_.functions[id_.value];
  function.params = std::move(params);
  function.mortal = std::move(mortal_);
  function.span = file_.locations.span(declaration->getLocation());
  function.is_variadic = declaration->isVariadic();
  flow_.finish(function);
}

Node FunctionTranslator::node(Node::Kind kind) const {
  return {.kind = kind, .statement = statement_, .span = span_, .text = text_};
}

// A struct with the qualifier _Atomic is stored in one step, whatever its value is read from.
void FunctionTranslator::store(PlaceId target, ExprId value) {
  const ir::Type& type = unit_.type(unit_.place(target).type);
  if (type.kind != ir::Type::Kind::Record || !type.is_atomic) return emit_assign(target, value);
  emit_assign(target, frozen(value), ++atomic_groups_);
}

void FunctionTranslator::emit_assign(PlaceId place, ExprId value, std::uint32_t atomic_group) {
  Node assign = node(Node::Kind::Assign);
  assign.place = place;
  assign.value = value;
  assign.atomic_group = atomic_group;
  flow_.emit(std::move(assign));
}

// What follows is unreachable, so the value does not matter.
ExprId FunctionTranslator::refuse(const std::string& what, const clang::Stmt* where, clang::QualType type) {
  const Context context(*this, where->getSourceRange());
  Node refusal = node(Node::Kind::Unsupported);
  refusal.text = what;
  flow_.emit(std::move(refusal));
  return nondet(file_.types.value_type(type));
}

// For what evaluating it does.
void FunctionTranslator::evaluate(ExprId value) {
  if (unit_.expr(value).op != Op::Const) emit_assign(temporary(type_of(value)), value);
}

ExprId FunctionTranslator::constant(std::int64_t value, TypeId type) {
  return unit_.add_expr({.op = Op::Const, .type = type, .value = value, .span = span_});
}

ExprId FunctionTranslator::nondet(TypeId type) {
  return unit_.add_expr({.op = Op::Nondet, .type = type, .span = span_});
}

ExprId FunctionTranslator::load(PlaceId place) {
  return unit_.add_expr({.op = Op::Load, .type = unqualified(unit_.place(place).type), .place = place, .span = span_});
}

ExprId FunctionTranslator::address_of(PlaceId place) {
  return unit_.add_expr(
      {.op = Op::AddressOf, .type = file_.types.pointer_to(unit_.place(place).type), .place = place, .span = span_});
}

ExprId FunctionTranslator::cast(ExprId value, TypeId type) {
  const ir::Expr& expr = unit_.expr(value);
  if (expr.type == type) return value;
  const ir::Type& target = unit_.type(type);
  if (expr.op == Op::Const && unit_.type(expr.type).is_float == target.is_float) {
    if (target.kind == ir::Type::Kind::Bool) return constant(expr.value != 0, type);
    if (target.kind == ir::Type::Kind::Int) return constant(wrap(expr.value, target), type);
    if (target.kind == ir::Type::Kind::Pointer && expr.value == 0) return constant(0, type);
  }
  return operation(Op::Cast, type, {value});
}

ExprId FunctionTranslator::operation(Op op, TypeId type, std::vector<ExprId> args) {
  for (std::size_t i = 0; i < args.size(); ++i) {
    const bool is_passed_on = op == Op::Conditional && i > 0;
    if (is_float(args[i]) != unit_.type(type).is_float && !is_passed_on && (is_float(args[i]) || op == Op::Cast)) {
      return refuse_float(type);
    }
  }
  return unit_.add_expr({.op = op, .type = type, .args = std::move(args), .span = span_});
}

// Temporaries are written once for each time they are read, so their values stay.
bool FunctionTranslator::is_stable(ExprId value) const {
  const ir::Expr& expr = unit_.expr(value);
  if (expr.op == Op::Nondet) return false;
  if (expr.op == Op::Load || expr.op == Op::AddressOf) {
    const ir::Place& place = unit_.place(expr.place);
    if (expr.op == Op::Load && !(place.object && unit_.object(*place.object).is_temporary)) return false;
    if (!place.object && !is_stable(place.pointer)) return false;
    for (const ir::Place::Step& step : place.steps) {
      if (step.kind == ir::Place::Step::Kind::Index && !is_stable(step.index)) return false;
    }
  }
  for (const ExprId arg : expr.args) {
    if (!is_stable(arg)) return false;
  }
  return true;
}

ExprId FunctionTranslator::frozen(ExprId value) {
  if (is_stable(value) || unit_.type(type_of(value)).kind == ir::Type::Kind::Void) return value;
  const PlaceId saved = temporary(type_of(value));
  emit_assign(saved, value);
  return load(saved);
}

PlaceId FunctionTranslator::temporary(TypeId type) {
  const ir::ObjectId id(unit_.objects.size());
  unit_.objects.push_back({.name = fmt::format("${}", id.value),
                           .type = type,
                           .storage = ir::Object::Storage::Automatic,
                           .is_temporary = true,
                           .span = span_});
  return object_place(id);
}

TypeId FunctionTranslator::unqualified(TypeId type) {
  ir::Type plain = unit_.type(type);
  plain.is_atomic = false;
  plain.is_volatile = false;
  return unit_.add_type(std::move(plain));
}

}  // namespace cohort::frontend::c::parse
