#include "frontend/c/parse/declarations.hpp"

#include <algorithm>

#include <clang/AST/Attr.h>
#include <fmt/format.h>

#include "base/contract.hpp"

namespace cohort::frontend::c::parse {

using ir::ExprId;
using ir::FunctionId;
using ir::InitialValue;
using ir::ObjectId;
using ir::Op;
using ir::Place;
using ir::TypeId;

Declarations::Declarations(clang::ASTContext& context, ir::Unit& unit, Symbols& symbols, Locations& locations,
                           Types& types, bool is_library)
    : context_(context),
      unit_(unit),
      symbols_(symbols),
      locations_(locations),
      types_(types),
      is_library_(is_library) {}

ObjectId Declarations::object(const clang::VarDecl* variable) {
  variable = variable->getCanonicalDecl();
  if (const auto found = objects_.find(variable); found != objects_.end()) return found->second;
  const clang::VarDecl* latest = variable->getMostRecentDecl();
  TypeId type = types_.type(latest->getType());
  // The name of an array of variable length is a pointer to where it lies.
  if (const auto* array = context_.getAsVariableArrayType(latest->getType())) {
    type = types_.pointer_to(types_.type(array->getElementType()));
  }
  const SourceSpan span = locations_.span(variable->getLocation());
  if (variable->hasExternalFormalLinkage()) {
    const ObjectId id = symbols_.object(variable->getNameAsString(), type);
    ir::Object& object = unit_.objects[id.value];
    if (!object.span.known()) object.span = span;
    if (!object.reading) object.reading = types_.reading(latest->getType());
    if (is_library_) object.is_library = true;
    if (variable->getTLSKind() != clang::VarDecl::TLS_None) object.storage = ir::Object::Storage::Thread;
    return objects_.emplace(variable, id).first->second;
  }
  ir::Object object{
      .name = variable->getNameAsString(), .type = type, .span = span, .reading = types_.reading(latest->getType())};
  if (variable->hasLocalStorage()) {
    object.storage = ir::Object::Storage::Automatic;
    object.is_readonly = variable->hasInit() && context_.getBaseElementType(variable->getType()).isConstQualified();
  } else {
    object.is_internal = true;
    if (variable->getTLSKind() != clang::VarDecl::TLS_None) object.storage = ir::Object::Storage::Thread;
  }
  object.is_library = is_library_;
  unit_.objects.push_back(std::move(object));
  return objects_.emplace(variable, ObjectId(unit_.objects.size() - 1)).first->second;
}

const clang::FunctionDecl* Declarations::named(llvm::StringRef name) const {
  for (const clang::NamedDecl* found : context_.getTranslationUnitDecl()->lookup(&context_.Idents.get(name))) {
    if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(found)) return function->getCanonicalDecl();
  }
  return nullptr;
}

FunctionId Declarations::function(const clang::FunctionDecl* declaration) {
  declaration = declaration->getCanonicalDecl();
  if (const auto found = functions_.find(declaration); found != functions_.end()) return found->second;
  const TypeId result = types_.value_type(declaration->getReturnType());
  const std::string name = linked_name(declaration);
  // Another name for a function of this file.
  if (const auto* alias = declaration->getMostRecentDecl()->getAttr<clang::AliasAttr>()) {
    if (const clang::FunctionDecl* other = named(alias->getAliasee()); other != nullptr && other != declaration) {
      const FunctionId id = function(other);
      symbols_.add_alias(name, id);
      return functions_.emplace(declaration, id).first->second;
    }
  }
  FunctionId id;
  if (declaration->isExternallyVisible()) {
    id = symbols_.function(name, result);
  } else {
    id = FunctionId(unit_.functions.size());
    unit_.functions.push_back({.name = name, .result = result, .is_internal = true});
  }
  ir::Function& function = unit_.functions[id.value];
  if (is_library_) function.is_library = true;
  if (!function.span.known()) {
    function.span = locations_.span(declaration->getLocation());
    function.is_variadic = declaration->isVariadic();
    function.is_noreturn = declaration->isNoReturn();
  }
  return functions_.emplace(declaration, id).first->second;
}

// Headers give functions of the library other names by a label: strerror_r is one of two.
std::string Declarations::linked_name(const clang::FunctionDecl* declaration) const {
  if (const auto* label = declaration->getAttr<clang::AsmLabelAttr>()) {
    const auto known = symbols_.known_function(label->getLabel().str());
    if (known && unit_.function(*known).is_library) return label->getLabel().str();
  }
  return declaration->getNameAsString();
}

bool Declarations::stands_in_for_library(const clang::FunctionDecl* declaration) const {
  if (!declaration->hasAttr<clang::GNUInlineAttr>() || declaration->getStorageClass() != clang::SC_Extern) return false;
  const auto known = symbols_.known_function(declaration->getNameAsString());
  return known && unit_.function(*known).is_library;
}

ObjectId Declarations::string(const clang::StringLiteral* literal) {
  if (const auto found = strings_.find(literal); found != strings_.end()) return found->second;
  const TypeId type = types_.type(literal->getType());
  const SourceSpan span = locations_.span(literal->getBeginLoc());
  ir::Object object{.name = fmt::format("string@{}", span.line),
                    .type = type,
                    .is_internal = true,
                    .is_readonly = true,
                    .span = span};
  for (unsigned i = 0; i < literal->getLength(); ++i) {
    const auto value = static_cast<std::int64_t>(literal->getCodeUnit(i));
    if (value != 0) object.initial.push_back({{i}, constant(value, unit_.type(type).target, span)});
  }
  unit_.objects.push_back(std::move(object));
  return strings_.emplace(literal, ObjectId(unit_.objects.size() - 1)).first->second;
}

std::int64_t Declarations::label_number(const clang::LabelDecl* label) {
  return labels_.emplace(label, static_cast<std::int64_t>(labels_.size()) + 1).first->second;
}

ExprId Declarations::constant(std::int64_t value, TypeId type, const SourceSpan& span) {
  return unit_.add_expr({.op = Op::Const, .type = type, .value = value, .span = span});
}

ObjectId Declarations::static_literal(const clang::CompoundLiteralExpr* literal, const SourceSpan& span) {
  if (const auto found = strings_.find(literal); found != strings_.end()) return found->second;
  clang::Expr::EvalResult result;
  if (!literal->getInitializer()->EvaluateAsRValue(result, context_)) {
    throw_unsupported(span, "this initialiser is not a constant Cohort can compute");
  }
  const ObjectId id(unit_.objects.size());
  unit_.objects.push_back({.name = fmt::format("literal@{}", span.line),
                           .type = types_.type(literal->getType()),
                           .is_internal = true,
                           .is_readonly = context_.getBaseElementType(literal->getType()).isConstQualified(),
                           .span = span});
  strings_.emplace(literal, id);
  std::vector<InitialValue> initial;
  Walk walk{{}, initial, span};
  collect(result.Val, literal->getType(), walk);
  unit_.objects[id.value].initial = std::move(initial);
  return id;
}

void Declarations::define(const clang::VarDecl* variable) {
  const ObjectId id = object(variable);
  const SourceSpan span = locations_.span(variable->getLocation());
  if (unit_.objects[id.value].is_extern) {
    unit_.objects[id.value].span = span;
  } else if (variable->hasExternalFormalLinkage() && variable->isThisDeclarationADefinition() &&
             !unit_.objects[id.value].initial.empty()) {
    throw_malformed(span, fmt::format("'{}' is defined in two files", variable->getNameAsString()));
  }
  unit_.objects[id.value].is_extern = false;
  unit_.objects[id.value].type = types_.type(variable->getType());
  unit_.objects[id.value].is_readonly = context_.getBaseElementType(variable->getType()).isConstQualified();
  const clang::VarDecl* initialising = nullptr;
  if (variable->getAnyInitializer(initialising) == nullptr) return;
  const clang::APValue* value = const_cast<clang::VarDecl*>(initialising)->evaluateValue();
  if (value == nullptr) throw_unsupported(span, "this initialiser is not a constant Cohort can compute");
  std::vector<InitialValue> initial;
  Walk walk{{}, initial, span};
  collect(*value, variable->getType(), walk);
  unit_.objects[id.value].initial = std::move(initial);
}

void Declarations::collect(const clang::APValue& value, clang::QualType type, Walk& walk) {
  if (const clang::ArrayType* array = context_.getAsArrayType(type)) return collect_array(value, array, walk);
  if (const auto* atomic = type->getAs<clang::AtomicType>()) return collect(value, atomic->getValueType(), walk);
  if (const clang::RecordDecl* record = type->getAsRecordDecl()) return collect_record(value, record, walk);
  if (value.isInt() && value.getInt().getBitWidth() == 128) {
    const TypeId half = types_.value_type(context_.UnsignedLongTy);
    for (const std::uint64_t i : {0, 1}) {
      const auto bits =
          static_cast<std::int64_t>(value.getInt().extractBitsAsZExtValue(64, static_cast<unsigned>(64 * i)));
      walk.path.push_back(i);
      if (bits != 0) walk.out.push_back({walk.path, constant(bits, half, walk.span)});
      walk.path.pop_back();
    }
  } else if (value.isInt()) {
    const std::int64_t number = value.getInt().getExtValue();
    if (number != 0) walk.out.push_back({walk.path, constant(number, types_.value_type(type), walk.span)});
  } else if (value.isLValue()) {
    if (const auto pointer = address(value, type, walk.span)) walk.out.push_back({walk.path, *pointer});
  } else if (value.isFloat() && types_.is_exact(type)) {
    const auto bits = static_cast<std::int64_t>(value.getFloat().bitcastToAPInt().getZExtValue());
    if (bits != 0) walk.out.push_back({walk.path, constant(bits, types_.value_type(type), walk.span)});
  } else if (!value.isFloat() && value.hasValue()) {
    throw_unsupported(walk.span, "this initialiser is not modelled");
  }
}

void Declarations::collect_array(const clang::APValue& value, const clang::ArrayType* type, Walk& walk) {
  if (!value.isArray()) return;
  const unsigned given = value.getArrayInitializedElts();
  for (unsigned i = 0; i < value.getArraySize(); ++i) {
    if (i >= given && !value.hasArrayFiller()) break;
    walk.path.push_back(i);
    const std::size_t before = walk.out.size();
    collect(i < given ? value.getArrayInitializedElt(i) : value.getArrayFiller(), type->getElementType(), walk);
    walk.path.pop_back();
    if (i >= given && walk.out.size() == before) break;  // the rest is zero
  }
}

void Declarations::collect_record(const clang::APValue& value, const clang::RecordDecl* record, Walk& walk) {
  record = record->getDefinition();
  if (record == nullptr) return;
  if (types_.is_replaced(record)) return library_values(record, value, walk.path, walk.out);
  if (value.isUnion()) {
    const clang::FieldDecl* field = value.getUnionField();
    if (field == nullptr) return;
    if (value.getUnionValue().isFloat() && !types_.is_exact(field->getType())) {
      throw_unsupported(walk.span, "a union that starts as a floating-point number is not modelled");
    }
    walk.path.push_back(field->getFieldIndex());
    collect(value.getUnionValue(), field->getType(), walk);
    walk.path.pop_back();
  } else if (value.isStruct()) {
    for (const clang::FieldDecl* field : record->fields()) {
      walk.path.push_back(field->getFieldIndex());
      collect(value.getStructField(field->getFieldIndex()), field->getType(), walk);
      walk.path.pop_back();
    }
  }
}

// Of glibc's initialisers only the kind of a mutex (recursive, error checking) tells: it goes into the member `kind` of
// the model's record.  Any initialiser makes a lock ready.
void Declarations::library_values(const clang::RecordDecl* record, const clang::APValue& value,
                                  const std::vector<std::uint64_t>& path, std::vector<InitialValue>& out) {
  const ir::Record model = unit_.record(types_.record(record));
  const auto ready = std::find_if(model.fields.begin(), model.fields.end(),
                                  [](const ir::Field& field) { return field.name == "ready"; });
  if (ready != model.fields.end()) {
    std::vector<std::uint64_t> place = path;
    place.push_back(static_cast<std::uint64_t>(ready - model.fields.begin()));
    out.push_back({place, constant(1, ready->type, locations_.span(record->getLocation()))});
  }
  const auto kind = std::find_if(model.fields.begin(), model.fields.end(),
                                 [](const ir::Field& field) { return field.name == "kind"; });
  if (kind == model.fields.end() || !value.isUnion() || !value.getUnionValue().isStruct()) return;
  const auto* data = value.getUnionField()->getType()->getAsRecordDecl();
  for (const clang::FieldDecl* field : data->getDefinition()->fields()) {
    const clang::APValue& member = value.getUnionValue().getStructField(field->getFieldIndex());
    if (field->getName() != "__kind" || !member.isInt() || member.getInt() == 0) continue;
    std::vector<std::uint64_t> place = path;
    place.push_back(static_cast<std::uint64_t>(kind - model.fields.begin()));
    out.push_back({place, constant(member.getInt().getExtValue(), kind->type, locations_.span(record->getLocation()))});
  }
}

std::optional<ExprId> Declarations::address(const clang::APValue& value, clang::QualType type, const SourceSpan& span) {
  const TypeId result = types_.value_type(type);
  if (!value.getLValueBase()) {
    const std::int64_t offset = value.getLValueOffset().getQuantity();
    if (offset == 0) return std::nullopt;
    return constant(offset, result, span);
  }
  if (const auto* declaration = value.getLValueBase().dyn_cast<const clang::ValueDecl*>()) {
    if (const auto* callee = llvm::dyn_cast<clang::FunctionDecl>(declaration)) {
      return unit_.add_expr({.op = Op::FunctionAddr, .type = result, .function = function(callee), .span = span});
    }
  }
  if (const auto* expr = value.getLValueBase().dyn_cast<const clang::Expr*>()) {
    if (const auto* label = llvm::dyn_cast<clang::AddrLabelExpr>(expr)) {
      return constant(label_number(label->getLabel()), result, span);
    }
  }
  const ir::PlaceId place = unit_.add_place(base_of(value, span));
  TypeId pointer = types_.pointer_to(unit_.place(place).type);
  ExprId address = unit_.add_expr({.op = Op::AddressOf, .type = pointer, .place = place, .span = span});
  // Bytes that no path of members leads to, as in a cast of an address.
  const std::int64_t offset = value.getLValueOffset().getQuantity();
  if (!value.hasLValuePath() && offset != 0) {
    pointer = types_.pointer_to(types_.value_type(context_.CharTy));
    address = unit_.add_expr({.op = Op::Cast, .type = pointer, .args = {address}, .span = span});
    const ExprId bytes = constant(offset, types_.value_type(context_.getPointerDiffType()), span);
    address = unit_.add_expr({.op = Op::PointerAdd, .type = pointer, .args = {address, bytes}, .span = span});
  }
  if (pointer == result) return address;
  return unit_.add_expr({.op = Op::Cast, .type = result, .args = {address}, .span = span});
}

Place Declarations::base_of(const clang::APValue& value, const SourceSpan& span) {
  Place place{.span = span};
  const clang::APValue::LValueBase base = value.getLValueBase();
  if (const auto* declaration = base.dyn_cast<const clang::ValueDecl*>()) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(declaration);
    if (variable == nullptr) throw_unsupported(span, "this address in an initialiser is not modelled");
    place.object = object(variable);
  } else if (const auto* literal = llvm::dyn_cast_or_null<clang::StringLiteral>(base.dyn_cast<const clang::Expr*>())) {
    place.object = string(literal);
  } else if (const auto* compound =
                 llvm::dyn_cast_or_null<clang::CompoundLiteralExpr>(base.dyn_cast<const clang::Expr*>())) {
    place.object = static_literal(compound, span);
  } else {
    throw_unsupported(span, "this address in an initialiser is not modelled");
  }
  place.base_type = place.type = unit_.object(*place.object).type;
  if (!value.hasLValuePath()) return place;
  for (const clang::APValue::LValuePathEntry& entry : value.getLValuePath()) {
    const ir::Type& type = unit_.type(place.type);
    if (type.kind == ir::Type::Kind::Array) {
      const auto index = static_cast<std::int64_t>(entry.getAsArrayIndex());
      place.type = type.target;
      place.steps.push_back({.kind = Place::Step::Kind::Index,
                             .index = constant(index, types_.value_type(context_.getSizeType()), span)});
    } else {
      const auto* field = llvm::dyn_cast<clang::FieldDecl>(entry.getAsBaseOrMember().getPointer());
      COHORT_EXPECT(field != nullptr && type.kind == ir::Type::Kind::Record, "a path follows the type");
      place.type = unit_.record(type.record).fields[field->getFieldIndex()].type;
      place.steps.push_back({.kind = Place::Step::Kind::Field, .field = field->getFieldIndex()});
    }
  }
  return place;
}

}  // namespace cohort::frontend::c::parse
