#include "frontend/c/parse/locations.hpp"

#include <clang/Lex/Lexer.h>

namespace cohort::frontend::c::parse {

namespace {

constexpr std::size_t longest_text = 100;

}  // namespace

Locations::Locations(const clang::ASTContext& context, SourceFilePtr main_file)
    : context_(context), main_file_(std::move(main_file)) {}

SourceFilePtr Locations::file(clang::FileID id) {
  const clang::SourceManager& manager = context_.getSourceManager();
  if (id == manager.getMainFileID()) return main_file_;
  SourceFilePtr& file = files_[id];
  if (file == nullptr) {
    const auto entry = manager.getFileEntryRefForID(id);
    file = std::make_shared<const SourceFile>(entry ? entry->getName().str() : "<built in>",
                                              manager.getBufferData(id).str());
  }
  return file;
}

SourceSpan Locations::span(clang::SourceLocation place) {
  if (place.isInvalid()) return {main_file_, 0, 0};
  const clang::SourceManager& manager = context_.getSourceManager();
  const clang::SourceLocation written = manager.getExpansionLoc(place);
  return {file(manager.getFileID(written)), manager.getExpansionLineNumber(written),
          manager.getExpansionColumnNumber(written)};
}

std::string Locations::text(clang::SourceRange range) const {
  const clang::CharSourceRange written = context_.getSourceManager().getExpansionRange(range);
  const llvm::StringRef source =
      clang::Lexer::getSourceText(written, context_.getSourceManager(), context_.getLangOpts());
  std::string text;
  for (const char c : source) {
    const bool blank = c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\\';
    if (!blank) {
      text += c;
    } else if (!text.empty() && text.back() != ' ') {
      text += ' ';
    }
    if (text.size() >= longest_text) return text.substr(0, longest_text - 3) + "...";
  }
  while (text.ends_with(' ')) text.pop_back();
  return text;
}

}  // namespace cohort::frontend::c::parse
