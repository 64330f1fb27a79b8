// Clang's types as ours.  The types of the thread libraries are replaced by the records that the models define: glibc's
// unions never appear, be they included or, in a preprocessed file, spelt out.
#pragma once

#include <map>
#include <memory>
#include <string>

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Type.h>

#include "frontend/c/ir/unit.hpp"
#include "frontend/c/parse/symbols.hpp"

namespace cohort::frontend::c::parse {

class Types {
 public:
  struct Mode {
    bool is_library = false;    // records named `cohort_...` become those that stand for the types of later files
    bool exact_floats = false;  // floating-point numbers are their bits; else they have places and no values
  };
  Types(clang::ASTContext& context, ir::Unit& unit, Symbols& symbols, Mode mode);

  ir::TypeId type(clang::QualType type);
  // The type of a value: without qualifiers.
  ir::TypeId value_type(clang::QualType type) { return this->type(type.getAtomicUnqualifiedType()); }
  ir::TypeId pointer_to(ir::TypeId target);
  ir::TypeId int_type() { return value_type(context_.IntTy); }
  ir::TypeId bool_type() { return value_type(context_.BoolTy); }
  ir::TypeId void_type() { return value_type(context_.VoidTy); }

  // Of an enumeration or of eight bits, or of an array of them; null of everything else.
  std::shared_ptr<const ir::Reading> reading(clang::QualType type);

  ir::RecordId record(const clang::RecordDecl* declaration);
  // Is it a floating-point type whose numbers are kept as their bits?
  bool is_exact(clang::QualType type) const;
  // Does a model of the library stand for it?
  bool is_replaced(const clang::RecordDecl* declaration) const;

 private:
  void find_replaced_types();
  ir::Type convert(clang::QualType type);
  ir::Type builtin(const clang::Type* type);
  void fill(ir::RecordId id, const clang::RecordDecl* declaration);
  bool is_too_small(clang::QualType type);
  std::string layout(const clang::RecordDecl* declaration) const;

  clang::ASTContext& context_;
  ir::Unit& unit_;
  Symbols& symbols_;
  Mode mode_;
  std::map<const clang::RecordDecl*, ir::RecordId> records_;
  std::map<const clang::RecordDecl*, ir::RecordId> replaced_;
  std::map<const clang::EnumDecl*, std::shared_ptr<const ir::Reading>> enumerations_;
};

}  // namespace cohort::frontend::c::parse
