// The objects and functions of one file: who they are in the Unit, and what static objects start with.
#pragma once

#include <map>
#include <vector>

#include <clang/AST/APValue.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>

#include "frontend/c/parse/locations.hpp"
#include "frontend/c/parse/symbols.hpp"
#include "frontend/c/parse/types.hpp"

namespace cohort::frontend::c::parse {

class Declarations {
 public:
  Declarations(clang::ASTContext& context, ir::Unit& unit, Symbols& symbols, Locations& locations, Types& types,
               bool is_library);

  ir::ObjectId object(const clang::VarDecl* variable);
  ir::FunctionId function(const clang::FunctionDecl* declaration);
  // Is this body only there to be inlined, in place of a function of the library that the models know?
  bool stands_in_for_library(const clang::FunctionDecl* declaration) const;
  // A string as an object of its own: an array of characters.
  ir::ObjectId string(const clang::StringLiteral* literal);
  // What the address of a label is: a number, not 0, different for each label of the file.
  std::int64_t label_number(const clang::LabelDecl* label);

  // Static objects with their initial values.
  void define(const clang::VarDecl* variable);
  // The value of a field of a model's record that stands for a type of the thread libraries; see mutex_kind.
  void library_values(const clang::RecordDecl* record, const clang::APValue& value,
                      const std::vector<std::uint64_t>& path, std::vector<ir::InitialValue>& out);

  ir::ExprId constant(std::int64_t value, ir::TypeId type, const SourceSpan& span);

 private:
  struct Walk {
    std::vector<std::uint64_t> path;
    std::vector<ir::InitialValue>& out;
    SourceSpan span;
  };

  const clang::FunctionDecl* named(llvm::StringRef name) const;
  std::string linked_name(const clang::FunctionDecl* declaration) const;
  void collect(const clang::APValue& value, clang::QualType type, Walk& walk);
  void collect_array(const clang::APValue& value, const clang::ArrayType* type, Walk& walk);
  void collect_record(const clang::APValue& value, const clang::RecordDecl* record, Walk& walk);
  std::optional<ir::ExprId> address(const clang::APValue& value, clang::QualType type, const SourceSpan& span);
  ir::Place base_of(const clang::APValue& value, const SourceSpan& span);
  ir::ObjectId static_literal(const clang::CompoundLiteralExpr* literal, const SourceSpan& span);

  clang::ASTContext& context_;
  ir::Unit& unit_;
  Symbols& symbols_;
  Locations& locations_;
  Types& types_;
  bool is_library_;
  std::map<const clang::VarDecl*, ir::ObjectId> objects_;
  std::map<const clang::FunctionDecl*, ir::FunctionId> functions_;
  std::map<const clang::Expr*, ir::ObjectId> strings_;  // and compound literals that are static
  std::map<const clang::LabelDecl*, std::int64_t> labels_;
};

}  // namespace cohort::frontend::c::parse
