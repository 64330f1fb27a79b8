#include "frontend/c/parse/session.hpp"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <optional>
#include <regex>
#include <set>
#include <string_view>
#include <utility>

#include <clang/Basic/Diagnostic.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Tooling/JSONCompilationDatabase.h>
#include <clang/Tooling/Tooling.h>
#include <llvm/ADT/SmallString.h>
#include <llvm/Support/FileSystem.h>

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
const std::string async_label = "__CPROVER_ASYNC_";

// CPROVER lets the labels that begin threads repeat in a function; C does not.  Those that repeat in the file get names
// of their own, of the same length, so that places stay.
std::string with_different_labels(std::string text) {
  std::set<std::string> seen;
  std::uint32_t next = 0;
  for (std::size_t at = 0; (at = text.find(async_label, at)) != std::string::npos;) {
    std::size_t end = at;
    while (end < text.size() && (std::isalnum(static_cast<unsigned char>(text[end])) != 0 || text[end] == '_')) ++end;
    const std::string label = text.substr(at, end - at);
    const std::size_t last = async_label.size() - 1;
    if (!seen.insert(label).second && next < 26 * 26) {
      text[at + last - 1] = static_cast<char>('a' + next / 26);
      text[at + last] = static_cast<char>('a' + next % 26);
      ++next;
    }
    at = end;
  }
  return text;
}

// glibc's headers, preprocessed for GCC, name the function that frees in an attribute; Clang knows the attribute
// without that.  Blanks take the place of what is left out, so that places stay.
std::string without_deallocators(std::string text) {
  constexpr std::string_view attribute = "__malloc__";
  for (std::size_t at = 0; (at = text.find(attribute, at)) != std::string::npos;) {
    at += attribute.size();
    const std::size_t open = text.find_first_not_of(" \t\n", at);
    if (open == std::string::npos || text[open] != '(') continue;
    const std::size_t close = text.find(')', open);
    if (close == std::string::npos) continue;
    for (std::size_t i = open; i <= close; ++i) text[i] = text[i] == '\n' ? '\n' : ' ';
  }
  return text;
}

// GCC's <stdatomic.h> hands atomic objects to functions that Clang wants to have plain ones: in preprocessed files
// their first arguments are cast.
std::string with_plain_objects(std::string text) {
  constexpr std::string_view prefix = "__atomic_";
  constexpr std::string_view kinds[] = {"load", "store", "exchange", "compare_exchange", "fetch_"};
  for (std::size_t at = 0; (at = text.find(prefix, at)) != std::string::npos;) {
    at += prefix.size();
    const bool is_operation = std::any_of(std::begin(kinds), std::end(kinds), [&](std::string_view kind) {
      return text.compare(at, kind.size(), kind) == 0;
    });
    std::size_t open = at;
    while (open < text.size() && (std::isalnum(static_cast<unsigned char>(text[open])) != 0 || text[open] == '_'))
      ++open;
    open = text.find_first_not_of(' ', open);
    if (!is_operation || open == std::string::npos || text[open] != '(') continue;
    std::size_t end = open + 1;
    for (int depth = 0; end < text.size() && (depth > 0 || text[end] != ','); ++end) {
      depth += text[end] == '(' ? 1 : text[end] == ')' ? -1 : 0;
    }
    if (end >= text.size()) break;
    const std::string object = text.substr(open + 1, end - open - 1);
    const std::string plain = "(__typeof__((void)0, *(" + object + ")) *)(" + object + ")";
    text.replace(open + 1, object.size(), plain);
    at = open + 1 + plain.size();
  }
  return text;
}

// GCC knows the names of floating-point types that glibc's headers define for other compilers; Clang does not.
std::string with_known_floats(const std::string& text) {
  if (text.find("_Float") == std::string::npos || text.find("typedef float _Float32;") != std::string::npos)
    return text;
  constexpr std::pair<std::string_view, std::string_view> types[] = {{"_Float32x", "double"},
                                                                     {"_Float64x", "long double"},
                                                                     {"_Float128", "__float128"},
                                                                     {"_Float32", "float"},
                                                                     {"_Float64", "double"}};
  const auto is_word = [](char character) {
    return std::isalnum(static_cast<unsigned char>(character)) != 0 || character == '_';
  };
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t found = text.find("_Float", at);
    const std::size_t end = std::min(found, text.size());
    result.append(text, at, end - at);
    at = end;
    if (found == std::string::npos) break;
    std::size_t after = found;
    while (after < text.size() && is_word(text[after])) ++after;
    const std::string_view word = std::string_view(text).substr(found, after - found);
    const auto* known =
        std::find_if(std::begin(types), std::end(types), [&](const auto& type) { return type.first == word; });
    const bool is_whole = found == 0 || !is_word(text[found - 1]);
    const std::string_view chosen = is_whole && known != std::end(types) ? known->second : word;
    result.append(chosen);
    if (chosen.size() < word.size()) result.append(word.size() - chosen.size(), ' ');
    at = after;
  }
  return result;
}

// What compilers do for one instruction of the processor, besides hints and barriers, is different in each of them.
bool names_instructions(std::string_view body) {
  constexpr std::string_view prefix = "__builtin_ia32_";
  constexpr std::string_view known[] = {"pause", "mfence", "lfence", "sfence"};
  for (std::size_t at = 0; (at = body.find(prefix, at)) != std::string_view::npos;) {
    at += prefix.size();
    const auto is_next = [&](std::string_view name) { return body.substr(at).starts_with(name); };
    if (std::none_of(std::begin(known), std::end(known), is_next)) return true;
  }
  constexpr std::string_view vectors[] = {"__m64", "__m128", "__m256", "__m512"};
  return std::any_of(std::begin(vectors), std::end(vectors),
                     [&](std::string_view vector) { return body.find(vector) != std::string_view::npos; });
}

// Clang knows these functions without their header, and will not have them defined.
bool is_declared_by_clang(std::string_view header) {
  constexpr std::string_view names[] = {"_mm_prefetch", "_mm_sfence",  "_mm_mfence", "_mm_lfence",
                                        "_mm_pause",    "_mm_clflush", "_mm_getcsr", "_mm_setcsr"};
  return std::any_of(std::begin(names), std::end(names),
                     [&](std::string_view name) { return header.find(name) != std::string_view::npos; });
}

// GCC's headers for the instructions of the processor, preprocessed, define functions by built-in functions of its own.
// Blanks take the place of their bodies, so that places stay: who calls one calls a function without a body.
std::string without_instructions(std::string text) {
  constexpr std::string_view begin = "extern __inline";
  if (text.find("__artificial__") == std::string::npos) return text;
  for (std::size_t at = 0; (at = text.find(begin, at)) != std::string::npos;) {
    const std::size_t open = text.find_first_of("{;", at);
    if (open == std::string::npos) break;
    std::size_t end = open + 1;
    for (int depth = text[open] == '{' ? 1 : 0; end < text.size() && depth > 0; ++end) {
      depth += text[end] == '{' ? 1 : text[end] == '}' ? -1 : 0;
    }
    const std::string_view definition = std::string_view(text).substr(at, end - at);
    if (definition.find("__artificial__") != std::string_view::npos) {
      const bool is_declared = is_declared_by_clang(std::string_view(text).substr(at, open - at));
      const bool has_no_body = is_declared || names_instructions(definition);
      const std::size_t from = is_declared ? at : open;
      for (std::size_t i = from; has_no_body && i < end; ++i) text[i] = text[i] == '\n' ? '\n' : ' ';
      if (has_no_body && !is_declared) text[open] = ';';
    }
    at = end;
  }
  return text;
}

// GCC's flags are atomic structs, which Clang does not initialise with braces; they are one byte, and accessed by
// atomic functions only.
std::string with_plain_flags(std::string text) {
  constexpr std::string_view begin = "typedef _Atomic struct";
  constexpr std::string_view plain = "typedef _Bool";
  const std::size_t found = text.find("} atomic_flag;");
  const std::size_t open = found == std::string::npos ? found : text.rfind(begin, found);
  if (open == std::string::npos || text.find('}', open) != found) return text;
  for (std::size_t i = open; i <= found; ++i) {
    if (text[i] != '\n') text[i] = i - open < plain.size() ? plain[i - open] : ' ';
  }
  return text;
}

// Platforms start a main whose second parameter is a plain pointer; Clang will not have it.
std::string with_usual_main(const std::string& text) {
  static const std::regex odd(R"((\bmain\s*\(\s*int\b[^,()]*,\s*(?:const\s+)?char\s*\*)(\s*\w*\s*\)))");
  return std::regex_replace(text, odd, "$1*$2");
}

std::string prepared(const Input& input) {
  std::string text = without_deallocators(with_different_labels(input.file->text()));
  if (!input.is_library) text = with_usual_main(text);
  if (!input.file->name().ends_with(".i")) return text;
  text = with_known_floats(without_instructions(std::move(text)));
  return text.find("_Atomic") != std::string::npos ? with_plain_objects(with_plain_flags(std::move(text))) : text;
}

// Of the flags that the file is compiled with, those that decide what it says.
std::vector<std::string> compiled_with(const Input& input, const Options& options) {
  const std::string path = options.build_dir + "/compile_commands.json";
  const auto refuse = [&](const std::string& why) { throw_malformed({input.file, 0, 0}, path + ": " + why); };
  std::string error;
  const auto database = clang::tooling::JSONCompilationDatabase::loadFromFile(
      path, error, clang::tooling::JSONCommandLineSyntax::AutoDetect);
  if (database == nullptr) refuse(error);
  const auto commands = database->getCompileCommands(clang::tooling::getAbsolutePath(input.file->name()));
  if (commands.empty()) refuse("says nothing about " + input.file->name());
  const std::vector<std::string>& given = commands.front().CommandLine;
  std::vector<std::string> kept;
  for (std::size_t i = 1; i < given.size(); ++i) {
    const llvm::StringRef flag = given[i];
    const bool is_width = flag == "-m32" || flag == "-m64";
    if (is_width && (flag == "-m32") != (options.pointer_width == 32)) {
      refuse("compiles with " + flag.str() + ": the option -m says so");
    }
    if (flag.starts_with("-std=")) kept.push_back(flag.str());
    for (const llvm::StringRef known : {"-D", "-U", "-isystem", "-iquote", "-include", "-I"}) {
      if (!flag.starts_with(known)) continue;
      llvm::SmallString<128> value = flag.drop_front(known.size());
      if (value.empty() && i + 1 < given.size()) value = given[++i];
      llvm::SmallString<128> there = value;
      llvm::sys::fs::make_absolute(commands.front().Directory, there);
      // A header may also be meant by its name.
      const bool is_path = known != "-D" && known != "-U" && (known != "-include" || llvm::sys::fs::exists(there));
      if (is_path) value = there;
      kept.insert(kept.end(), {known.str(), value.str().str()});
      break;
    }
  }
  return kept;
}

std::vector<std::string> arguments(const Input& input, const Options& options) {
  const bool preprocessed = input.file->name().ends_with(".i");
  const bool is_own = !input.is_library && !preprocessed;
  const std::string standard = is_own && !options.standard.empty() ? options.standard : "gnu17";
  std::vector<std::string> all = {"-fsyntax-only", "-x", preprocessed ? "cpp-output" : "c", "-std=" + standard,
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
  if (!is_own) return all;
  all.insert(all.end(), {"-D__CPROVER_thread_local=_Thread_local", "-D__CPROVER_bool=_Bool"});
  if (!options.prelude.empty()) all.insert(all.end(), {"-include", prelude_name});
  for (const std::string& define : options.defines) all.push_back("-D" + define);
  for (const std::string& folder : options.include_dirs) all.push_back("-I" + folder);
  for (const std::string& folder : options.system_dirs) all.insert(all.end(), {"-isystem", folder});
  for (const std::string& header : options.includes) all.insert(all.end(), {"-include", header});
  if (!options.build_dir.empty()) {
    const std::vector<std::string> flags = compiled_with(input, options);
    all.insert(all.end(), flags.begin(), flags.end());
  }
  // Last, as they forget what others define.
  for (const std::string& name : options.undefines) all.push_back("-U" + name);
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
      clang::tooling::buildASTFromCodeWithArgs(prepared(input), arguments(input, options), input.file->name(), "clang",
                                               std::make_shared<clang::PCHContainerOperations>(),
                                               clang::tooling::getClangStripDependencyFileAdjuster(), mapped, &errors);
  errors.throw_if_any(input.file);
  if (unit == nullptr) throw_malformed({input.file, 0, 0}, "Clang cannot read this file");
  return unit;
}

}  // namespace cohort::frontend::c::parse
