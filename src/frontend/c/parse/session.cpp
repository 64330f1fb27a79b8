#include "frontend/c/parse/session.hpp"

#include <optional>

#include <clang/Basic/Diagnostic.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Tooling/Tooling.h>
#include <llvm/ADT/SmallString.h>

namespace cohort::frontend::c::parse {

namespace {

// Keeps the first error and the place it speaks of; Clang's source manager does not outlive a failed run.
class FirstError : public clang::DiagnosticConsumer {
 public:
  void HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic& diagnostic) override {
    DiagnosticConsumer::HandleDiagnostic(level, diagnostic);
    if (level < clang::DiagnosticsEngine::Error || message_) return;
    llvm::SmallString<128> text;
    diagnostic.FormatDiagnostic(text);
    message_ = text.str().str();
    if (!diagnostic.hasSourceManager() || diagnostic.getLocation().isInvalid()) return;
    const clang::SourceManager& manager = diagnostic.getSourceManager();
    const clang::SourceLocation place = manager.getExpansionLoc(diagnostic.getLocation());
    const clang::FileID file = manager.getFileID(place);
    span_ = {std::make_shared<const SourceFile>(manager.getFilename(place).str(), manager.getBufferData(file).str()),
             manager.getExpansionLineNumber(place), manager.getExpansionColumnNumber(place)};
  }

  void throw_if_any(const SourceFilePtr& file) const {
    if (!message_) return;
    throw_malformed(span_.known() ? span_ : SourceSpan{file, 0, 0}, *message_);
  }

 private:
  std::optional<std::string> message_;
  SourceSpan span_;
};

constexpr const char* prelude_name = "/cohort_prelude.h";

std::vector<std::string> arguments(const Input& input, const Options& options) {
  const bool preprocessed = input.file->name().ends_with(".i");
  std::vector<std::string> all = {"-fsyntax-only", "-x", preprocessed ? "cpp-output" : "c", "-std=gnu17",
                                  // Old C is still C: implicit declarations, missing types, mixed pointers.
                                  "-Wno-everything", "-fdollars-in-identifiers", "-resource-dir",
                                  COHORT_CLANG_RESOURCE_DIR};
  if (options.pointer_width == 32) {
    all.insert(all.end(), {"-m32", "-isystem", "/usr/include/x86_64-linux-gnu"});
  } else {
    all.push_back("-m64");
  }
  // The models define what Clang takes for built in.
  if (input.is_library) all.push_back("-fno-builtin");
  if (input.is_library || preprocessed) return all;
  if (!options.prelude.empty()) all.insert(all.end(), {"-include", prelude_name});
  for (const std::string& define : options.defines) all.push_back("-D" + define);
  for (const std::string& folder : options.include_dirs) all.push_back("-I" + folder);
  for (const std::string& header : options.includes) all.insert(all.end(), {"-include", header});
  return all;
}

}  // namespace

std::unique_ptr<clang::ASTUnit> run_clang(const Input& input, const Options& options) {
  FirstError errors;
  // The 32-bit variant of this one header is in a package of its own; it only lists what glibc lacks.
  clang::tooling::FileContentMappings mapped;
  if (options.pointer_width == 32) mapped.push_back({"/usr/include/x86_64-linux-gnu/gnu/stubs-32.h", ""});
  if (!options.prelude.empty()) mapped.push_back({prelude_name, options.prelude});
  auto unit =
      clang::tooling::buildASTFromCodeWithArgs(input.file->text(), arguments(input, options), input.file->name(),
                                               "clang", std::make_shared<clang::PCHContainerOperations>(),
                                               clang::tooling::getClangStripDependencyFileAdjuster(), mapped, &errors);
  errors.throw_if_any(input.file);
  if (unit == nullptr) throw_malformed({input.file, 0, 0}, "Clang cannot read this file");
  return unit;
}

}  // namespace cohort::frontend::c::parse
