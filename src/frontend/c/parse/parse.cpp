// The door of the module: see load_parser.cpp.
#include "frontend/c/parse/parse.hpp"

#include <algorithm>
#include <set>
#include <string>

#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/Decl.h>
#include <fmt/format.h>

#include "frontend/c/parse/declarations.hpp"
#include "frontend/c/parse/function.hpp"
#include "frontend/c/parse/locations.hpp"
#include "frontend/c/parse/session.hpp"
#include "frontend/c/parse/symbols.hpp"
#include "frontend/c/parse/types.hpp"

namespace cohort::frontend::c::parse {

namespace {

class FileTranslator {
 public:
  FileTranslator(clang::ASTContext& context, const Input& input, ir::Unit& unit, Symbols& symbols,
                 const Options& options)
      : context_(context),
        is_library_(input.is_library),
        locations_(context, input.file, input.is_library),
        types_(context, unit, symbols, {.is_library = input.is_library, .exact_floats = options.exact_floats}),
        declarations_(context, unit, symbols, locations_, types_, input.is_library),
        file_{context,
              unit,
              symbols,
              locations_,
              types_,
              declarations_,
              options.spurious_failures,
              options.overflow_matters,
              options.text_is_read,
              options.lives_matter,
              options.exact_floats,
              options.error_labels} {}

  void translate() {
    for (clang::Decl* declaration : context_.getTranslationUnitDecl()->decls()) {
      const auto* alias = declaration->getAttr<clang::AliasAttr>();
      if (alias == nullptr || !llvm::isa<clang::FunctionDecl>(declaration)) continue;
      aliased_.insert(alias->getAliasee().str());
      declarations_.function(llvm::cast<clang::FunctionDecl>(declaration));
    }
    for (clang::Decl* declaration : context_.getTranslationUnitDecl()->decls()) {
      if (auto* function = llvm::dyn_cast<clang::FunctionDecl>(declaration)) {
        if (function->doesThisDeclarationHaveABody()) define(function);
      } else if (auto* variable = llvm::dyn_cast<clang::VarDecl>(declaration)) {
        define(variable);
      } else if (auto* record = llvm::dyn_cast<clang::RecordDecl>(declaration)) {
        // The models' types are wanted by later files even where the models do not use them.
        if (is_library_ && record->isThisDeclarationADefinition()) types_.record(record);
      }
    }
  }

 private:
  void define(const clang::FunctionDecl* declaration) {
    if (declarations_.stands_in_for_library(declaration)) return;
    const auto* before = declaration->getAttr<clang::ConstructorAttr>();
    const auto* after = declaration->getAttr<clang::DestructorAttr>();
    // Headers define functions that nobody calls.
    const bool runs = before != nullptr || after != nullptr;
    const bool is_known = aliased_.contains(declaration->getNameAsString());
    if (!declaration->isExternallyVisible() && !declaration->isReferenced() && !runs && !is_known) return;
    const ir::FunctionId id = declarations_.function(declaration);
    ir::Function& function = file_.unit.functions[id.value];
    const bool is_weak = declaration->hasAttr<clang::WeakAttr>();
    const bool gives_way = file_.symbols.is_weak(id);
    if (function.has_body && !function.is_library && is_weak) return;
    file_.symbols.set_weak(id, is_weak);
    if (function.has_body && !function.is_library && !gives_way) {
      throw_malformed(locations_.span(declaration->getLocation()),
                      fmt::format("'{}' is defined in two files", function.name));
    }
    function.is_library = is_library_;
    if (before != nullptr) function.constructor = before->getPriority();
    if (after != nullptr) function.destructor = after->getPriority();
    function.result = types_.value_type(declaration->getReturnType());
    FunctionTranslator(file_, id).translate(declaration);
  }

  void define(clang::VarDecl* variable) {
    if (variable->isThisDeclarationADefinition() == clang::VarDecl::DeclarationOnly) return;
    // Of several tentative definitions the one with the initialiser, or else the last, counts.
    if (variable->isThisDeclarationADefinition() == clang::VarDecl::TentativeDefinition &&
        variable != variable->getActingDefinition()) {
      return;
    }
    declarations_.define(variable);
  }

  clang::ASTContext& context_;
  bool is_library_;
  Locations locations_;
  Types types_;
  Declarations declarations_;
  File file_;
  std::set<std::string> aliased_;  // functions of this file that have other names, too
};

// A label that stands nowhere is a slip of the pen.
void check_labels(const ir::Unit& unit, const std::vector<std::string>& labels) {
  for (const std::string& label : labels) {
    const std::string text = label_text(label);
    const bool stands =
        std::any_of(unit.exprs.begin(), unit.exprs.end(), [&](const ir::Expr& expr) { return expr.text == text; });
    if (!stands) throw_malformed({}, fmt::format("there is no label '{}' in the program", label));
  }
}

}  // namespace

}  // namespace cohort::frontend::c::parse

namespace c = cohort::frontend::c;

extern "C" void cohort_parse_c(const std::vector<c::parse::Input>& inputs, const c::parse::Options& options,
                               c::ir::Unit& unit) {
  unit.pointer_width = options.pointer_width;
  c::parse::Symbols symbols(unit);
  for (const c::parse::Input& input : inputs) {
    const auto ast = c::parse::run_clang(input, options);
    c::parse::FileTranslator(ast->getASTContext(), input, unit, symbols, options).translate();
  }
  c::parse::check_labels(unit, options.error_labels);
}
