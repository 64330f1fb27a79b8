#include "frontend/c/parse/locations.hpp"

#include <clang/Lex/Lexer.h>

namespace cohort::frontend::c::parse {

namespace {

constexpr std::size_t longest_text = 100;

}  // namespace

Locations::Locations(const clang::ASTContext& context, SourceFilePtr main_file, bool is_library)
    : context_(context), main_file_(std::move(main_file)), is_library_(is_library) {}

SourceFilePtr Locations::library_file(const std::string& name) {
  SourceFilePtr& file = library_files_[name];
  if (file == nullptr) {
    const std::string& all = main_file_->text();
    const std::string mark = "#line 1 \"" + name + "\"\n";
    const std::size_t found = all.find(mark);
    const std::size_t begin = found == std::string::npos ? 0 : found + mark.size();
    file = std::make_shared<const SourceFile>(name, all.substr(begin, all.find("#line 1 \"", begin) - begin));
  }
  return file;
}

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
  if (is_library_) {
    const clang::PresumedLoc presumed = manager.getPresumedLoc(written);
    return {library_file(presumed.getFilename()), presumed.getLine(), presumed.getColumn()};
  }
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
