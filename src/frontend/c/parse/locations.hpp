// Places of Clang as ours, and the text that stands there.
#pragma once

#include <map>
#include <string>

#include <clang/AST/ASTContext.h>
#include <clang/Basic/SourceManager.h>

#include "base/source.hpp"

namespace cohort::frontend::c::parse {

class Locations {
 public:
  // The models of the library are one text, in which `#line 1 "name"` begins each file.
  Locations(const clang::ASTContext& context, SourceFilePtr main_file, bool is_library);

  // Where the text stands that was written; within a macro, where the macro is used.
  SourceSpan span(clang::SourceLocation place);
  // The text as written, on one line, cut when it is long.
  std::string text(clang::SourceRange range) const;

 private:
  SourceFilePtr file(clang::FileID id);
  SourceFilePtr library_file(const std::string& name);

  const clang::ASTContext& context_;
  SourceFilePtr main_file_;
  bool is_library_;
  std::map<std::string, SourceFilePtr> library_files_;
  std::map<clang::FileID, SourceFilePtr> files_;
};

}  // namespace cohort::frontend::c::parse
