#include "frontend/c/parse/types.hpp"

#include <algorithm>
#include <set>

#include <clang/AST/RecordLayout.h>
#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/Basic/SourceManager.h>
#include <fmt/format.h>

namespace cohort::frontend::c::parse {

using ir::RecordId;
using ir::Type;
using ir::TypeId;

namespace {

std::string record_name(const clang::RecordDecl* declaration) {
  if (declaration->getIdentifier() != nullptr) return declaration->getNameAsString();
  if (const auto* name = declaration->getTypedefNameForAnonDecl()) return name->getNameAsString();
  return "unnamed";
}

// Is a member of the record used anywhere?
class MemberUse : public clang::RecursiveASTVisitor<MemberUse> {
 public:
  explicit MemberUse(const clang::RecordDecl* record) : record_(record) {}

  bool VisitMemberExpr(clang::MemberExpr* expr) {
    const auto* field = llvm::dyn_cast<clang::FieldDecl>(expr->getMemberDecl());
    found_ = found_ || (field != nullptr && field->getParent() == record_);
    return !found_;
  }

  bool found() const { return found_; }

 private:
  const clang::RecordDecl* record_;
  bool found_ = false;
};

// A type that somebody wrote for himself may have the name of a library's, and functions of his own that look into it.
// The library's own members are reserved names; a type that nobody looks into is a stand-in for the library's.
bool looks_like_library(const clang::TypedefNameDecl* name, const clang::RecordDecl* declaration,
                        const clang::SourceManager& manager) {
  if (manager.isInSystemHeader(name->getLocation())) return true;
  const clang::RecordDecl* definition = declaration->getDefinition();
  if (definition == nullptr) return true;
  MemberUse use(definition);
  use.TraverseDecl(definition->getASTContext().getTranslationUnitDecl());
  return !use.found() || std::all_of(definition->field_begin(), definition->field_end(),
                                     [](const clang::FieldDecl* field) { return field->getName().starts_with("__"); });
}

// Where bit-fields lie is nobody's business, as long as members do not overlap: each gets whole bytes of its own, taken
// from those that the run of bit-fields around it occupies.
class BitFieldLayout {
 public:
  BitFieldLayout(const clang::ASTContext& context, const clang::RecordDecl* record)
      : context_(context), layout_(context.getASTRecordLayout(record)) {
    std::vector<const clang::FieldDecl*> run;
    for (const clang::FieldDecl* field : record->fields()) {
      if (field->isBitField()) {
        run.push_back(field);
      } else {
        place(run, start(field) / 8);
        run.clear();
      }
    }
    place(run, static_cast<std::uint64_t>(layout_.getSize().getQuantity()));
  }

  struct Place {
    std::uint64_t offset = 0;
    unsigned width = 0;  // 0: there are not bytes enough
    std::uint64_t location = 0;
  };

  Place of(const clang::FieldDecl* field) const { return places_.at(field); }

 private:
  unsigned bits(const clang::FieldDecl* field) const { return field->getBitWidthValue(context_); }
  std::uint64_t start(const clang::FieldDecl* field) const { return layout_.getFieldOffset(field->getFieldIndex()); }

  // How many bits are enough for it.
  unsigned width(const clang::FieldDecl* field) const {
    unsigned width = 8;
    while (width < bits(field)) width *= 2;
    return width;
  }

  // Each where it begins in C, or behind the one before, or as far in front as there must be room for those behind.
  void place(const std::vector<const clang::FieldDecl*>& run, std::uint64_t end) {
    if (run.empty()) return;
    std::uint64_t needed = 0;
    for (const clang::FieldDecl* field : run) needed += width(field) / 8;
    std::uint64_t next = start(run.front()) / 8;
    std::uint64_t location = next;
    std::set<std::uint64_t> covered;
    for (const clang::FieldDecl* field : run) {
      const std::uint64_t size = width(field) / 8;
      const std::uint64_t latest = end > needed ? end - needed : 0;
      if (bits(field) > 0) next = std::max(next, std::min(start(field) / 8, latest));
      // A bit-field without bits ends a memory location.
      if (bits(field) == 0) location = next + size;
      places_[field] = next + size <= end ? Place{next, width(field), location} : Place{};
      for (std::uint64_t i = 0; i < size; ++i) covered.insert(next + i);
      next += size;
      needed -= size;
    }
    // A byte that has some of their bits in C must not pass for padding.
    for (const clang::FieldDecl* field : run) {
      for (std::uint64_t bit = start(field); bit < start(field) + bits(field); ++bit) {
        if (!covered.contains(bit / 8)) places_[field] = Place{};
      }
    }
  }

  const clang::ASTContext& context_;
  const clang::ASTRecordLayout& layout_;
  std::map<const clang::FieldDecl*, Place> places_;
};

Type unsupported(std::string reason) {
  return {.kind = Type::Kind::Unsupported, .reason = std::move(reason)};
}

}  // namespace

Types::Types(clang::ASTContext& context, ir::Unit& unit, Symbols& symbols, Mode mode)
    : context_(context), unit_(unit), symbols_(symbols), mode_(mode) {
  if (!mode.is_library) find_replaced_types();
}

void Types::find_replaced_types() {
  for (const clang::Decl* declaration : context_.getTranslationUnitDecl()->decls()) {
    const auto* name = llvm::dyn_cast<clang::TypedefNameDecl>(declaration);
    if (name == nullptr) continue;
    const auto library = symbols_.library_record(name->getNameAsString());
    const clang::RecordDecl* record = name->getUnderlyingType()->getAsRecordDecl();
    if (!library || record == nullptr || !looks_like_library(name, record, context_.getSourceManager())) continue;
    replaced_.emplace(llvm::cast<clang::RecordDecl>(record->getMostRecentDecl()), *library);
    // Offsets behind a member of this type, and sizes asked for with sizeof, are Clang's: keep its size, unless a
    // stand-in is too small for the model.
    if (record->getDefinition() != nullptr) {
      const std::uint64_t size = context_.getASTRecordLayout(record->getDefinition()).getSize().getQuantity();
      unit_.records[library->value].size = std::max(unit_.records[library->value].size, size);
    }
  }
}

bool Types::is_replaced(const clang::RecordDecl* declaration) const {
  return replaced_.contains(llvm::cast<clang::RecordDecl>(declaration->getMostRecentDecl()));
}

TypeId Types::type(clang::QualType type) {
  return unit_.add_type(convert(type));
}

TypeId Types::pointer_to(TypeId target) {
  const unsigned width = static_cast<unsigned>(context_.getTypeSize(context_.VoidPtrTy));
  return unit_.add_type({.kind = Type::Kind::Pointer, .width = width, .target = target});
}

Type Types::convert(clang::QualType type) {
  Type result;
  const clang::QualType canonical = type.getCanonicalType();
  if (const auto* atomic = canonical->getAs<clang::AtomicType>()) {
    result = convert(atomic->getValueType());
    result.is_atomic = true;
  } else if (const clang::ArrayType* array = context_.getAsArrayType(type)) {
    result = {.kind = Type::Kind::Array, .target = this->type(array->getElementType())};
    if (const auto* constant = llvm::dyn_cast<clang::ConstantArrayType>(array)) {
      result.count = constant->getZExtSize();
    } else if (!llvm::isa<clang::IncompleteArrayType>(array)) {
      result = unsupported("an array of variable length");
    }
    return result;  // qualifiers of an array are those of its elements
  } else if (const auto* pointer = canonical->getAs<clang::PointerType>()) {
    result = unit_.type(pointer_to(this->type(pointer->getPointeeType())));
  } else if (const clang::RecordDecl* declaration = canonical->getAsRecordDecl()) {
    result = {.kind = Type::Kind::Record, .record = record(declaration)};
  } else if (const auto* function = canonical->getAs<clang::FunctionType>()) {
    result = {.kind = Type::Kind::Function, .target = value_type(function->getReturnType())};
  } else {
    result = builtin(canonical.getTypePtr());
  }
  result.is_volatile = result.is_volatile || type.isVolatileQualified();
  return result;
}

Type Types::builtin(const clang::Type* type) {
  if (type->isVoidType()) return {.kind = Type::Kind::Void};
  if (type->isBooleanType()) return {.kind = Type::Kind::Bool, .width = 1};
  if (type->isRealFloatingType() && context_.getTypeSize(type) <= 64) {
    const unsigned width = static_cast<unsigned>(context_.getTypeSize(type));
    const bool is_exact = this->is_exact(clang::QualType(type, 0));
    return {.kind = Type::Kind::Int, .width = width, .is_signed = !is_exact, .is_float = !is_exact};
  }
  if (type->isFloatingType() || type->isAnyComplexType()) return unsupported("floating point of this kind");
  if (!type->isIntegralOrEnumerationType()) return unsupported(type->getTypeClassName());
  if (type->isEnumeralType() && type->isIncompleteType()) return unsupported("an enumeration without definition");
  const unsigned width = static_cast<unsigned>(context_.getTypeSize(type));
  if (const auto wide = symbols_.library_record("wide"); width == 128 && wide && !type->isBitIntType()) {
    return {.kind = Type::Kind::Record, .record = *wide};
  }
  if (width > 64 || (width & (width - 1)) != 0) return unsupported(fmt::format("an integer of {} bits", width));
  return {.kind = Type::Kind::Int, .width = width, .is_signed = type->isSignedIntegerOrEnumerationType()};
}

// float and double.
bool Types::is_exact(clang::QualType type) const {
  if (!mode_.exact_floats || !type->isRealFloatingType()) return false;
  const std::uint64_t width = context_.getTypeSize(type);
  return width == 32 || width == 64;
}

std::shared_ptr<const ir::Reading> Types::reading(clang::QualType type) {
  clang::QualType scalar = context_.getBaseElementType(type).getCanonicalType();
  if (const auto* atomic = scalar->getAs<clang::AtomicType>()) scalar = atomic->getValueType().getCanonicalType();
  if (const auto* enumeration = scalar->getAs<clang::EnumType>()) {
    auto& known = enumerations_[enumeration->getDecl()];
    if (known) return known;
    auto made = std::make_shared<ir::Reading>();
    for (const clang::EnumConstantDecl* constant : enumeration->getDecl()->enumerators()) {
      made->names.emplace_back(constant->getInitVal().getExtValue(), constant->getNameAsString());
    }
    known = std::move(made);
    return known;
  }
  if (!scalar->isIntegerType() || context_.getTypeSize(scalar) != 8 || scalar->isBooleanType()) return nullptr;
  auto made = std::make_shared<ir::Reading>();
  made->is_character = scalar->isSpecificBuiltinType(clang::BuiltinType::Char_S) ||
                       scalar->isSpecificBuiltinType(clang::BuiltinType::Char_U);
  return made;
}

RecordId Types::record(const clang::RecordDecl* declaration) {
  declaration = llvm::cast<clang::RecordDecl>(declaration->getMostRecentDecl());
  if (const auto found = replaced_.find(declaration); found != replaced_.end()) return found->second;
  if (const auto found = records_.find(declaration); found != records_.end()) return found->second;
  const std::string tag = declaration->getIdentifier() != nullptr ? declaration->getNameAsString() : "";
  const std::string text = layout(declaration);
  if (const auto found = symbols_.record(tag, text)) return records_.emplace(declaration, *found).first->second;
  const RecordId id(unit_.records.size());
  records_.emplace(declaration, id);
  symbols_.add_record(tag, text, id);
  if (mode_.is_library) symbols_.add_library_record(record_name(declaration), id);
  unit_.records.push_back({.name = record_name(declaration),
                           .is_union = declaration->isUnion(),
                           .is_library = mode_.is_library,
                           .complete = false});
  if (const clang::RecordDecl* definition = declaration->getDefinition()) fill(id, definition);
  return id;
}

// Is it a stand-in for a type of the library, or an array of them, in which the model of the type has no room?
bool Types::is_too_small(clang::QualType type) {
  const clang::RecordDecl* record = type->getBaseElementTypeUnsafe()->getAsRecordDecl();
  if (record == nullptr || record->getDefinition() == nullptr || !is_replaced(record)) return false;
  const std::uint64_t size = context_.getASTRecordLayout(record->getDefinition()).getSize().getQuantity();
  return size < unit_.records[this->record(record).value].size;
}

void Types::fill(RecordId id, const clang::RecordDecl* declaration) {
  const clang::ASTRecordLayout& layout = context_.getASTRecordLayout(declaration);
  const BitFieldLayout bit_fields(context_, declaration);
  std::vector<ir::Field> fields;
  for (const clang::FieldDecl* field : declaration->fields()) {
    ir::Field member{.name = field->getNameAsString(),
                     .type = type(field->getType()),
                     .offset = layout.getFieldOffset(field->getFieldIndex()) / 8,
                     .reading = reading(field->getType())};
    if (is_too_small(field->getType())) {
      member.type = unit_.add_type(unsupported("a member of a type of the thread library that is declared too small"));
    }
    if (field->isBitField()) {
      const BitFieldLayout::Place place = bit_fields.of(field);
      Type narrow = unit_.type(member.type);
      if (narrow.kind == Type::Kind::Int) narrow.width = place.width;
      if (place.width == 0) narrow = unsupported("so many bit-fields in so few bytes");
      member.type = unit_.add_type(std::move(narrow));
      member.offset = place.offset;
      member.location = place.location;
      member.bits = field->getBitWidthValue(context_);
      member.shift = static_cast<unsigned>(layout.getFieldOffset(field->getFieldIndex()) % 8);
    }
    fields.push_back(std::move(member));
  }
  ir::Record& record = unit_.records[id.value];
  record.fields = std::move(fields);
  record.size = layout.getSize().getQuantity();
  record.complete = true;
}

// Everything that two files must agree on for a struct to be the same in both.
std::string Types::layout(const clang::RecordDecl* declaration) const {
  const clang::RecordDecl* definition = declaration->getDefinition();
  if (definition == nullptr) return "incomplete";
  std::string text = definition->isUnion() ? "union" : "struct";
  for (const clang::FieldDecl* field : definition->fields()) {
    text += fmt::format(" {} {};", field->getType().getCanonicalType().getAsString(), field->getNameAsString());
    if (field->isBitField()) text += std::to_string(field->getBitWidthValue(context_));
  }
  return text;
}

}  // namespace cohort::frontend::c::parse
