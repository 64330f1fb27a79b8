// What needs Clang is a module that is loaded with the first C program: merely starting with Clang's libraries (0.02 s,
// 60 MB) costs more than most runs on other inputs.  The module has its own copies of the few functions of base/ and
// ir/ that it calls; objects and exceptions pass freely, since both sides are compiled from the same headers.
#include <dlfcn.h>
#include <fmt/format.h>

#include "frontend/c/parse/parse.hpp"

namespace cohort::frontend::c::parse {

namespace {

// Beside the program, one folder up (the tests), or where a package keeps such files; the loader knows what $ORIGIN is.
constexpr const char* module_paths[] = {"$ORIGIN/cohort_clang.so", "$ORIGIN/../cohort_clang.so",
                                        "$ORIGIN/../lib/cohort/cohort_clang.so"};
using Entry = void (*)(const std::vector<Input>& inputs, const Options& options, ir::Unit& unit);

// The module stays loaded to the end: the next C program needs it again.
Entry load_module() {
  void* module = nullptr;
  std::string failures;
  for (const char* path : module_paths) {
    module = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (module != nullptr) break;
    failures += fmt::format("; {}", dlerror());
  }
  if (module == nullptr) throw_unsupported({}, "the parser for C cannot be loaded" + failures);
  auto* const entry = reinterpret_cast<Entry>(dlsym(module, "cohort_parse_c"));
  if (entry == nullptr) throw_unsupported({}, "cohort_clang.so is not the parser for C of this version");
  return entry;
}

}  // namespace

ir::Unit parse(const std::vector<Input>& inputs, const Options& options) {
  static const Entry entry = load_module();
  ir::Unit unit;
  entry(inputs, options, unit);
  return unit;
}

}  // namespace cohort::frontend::c::parse
