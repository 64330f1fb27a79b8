#include "base/module.hpp"

#include <dlfcn.h>

#include <fmt/core.h>

#include "base/contract.hpp"
#include "base/source.hpp"

namespace cohort {

namespace {

// The loader knows what $ORIGIN is.
constexpr const char* folders[] = {"$ORIGIN/", "$ORIGIN/../", "$ORIGIN/../lib/cohort/"};

}  // namespace

void* module_function(const std::string& file, const std::string& function, const std::string& what) {
  COHORT_EXPECT(file.ends_with(".so"), "a module is a shared object");
  void* module = nullptr;
  std::string failures;
  for (const char* folder : folders) {
    module = dlopen((folder + file).c_str(), RTLD_NOW | RTLD_LOCAL);
    if (module != nullptr) break;
    failures += fmt::format("; {}", dlerror());
  }
  if (module == nullptr) throw_unsupported({}, fmt::format("{} cannot be loaded{}", what, failures));
  void* const found = dlsym(module, function.c_str());
  if (found == nullptr) throw_unsupported({}, fmt::format("{} is not {} of this version", file, what));
  return found;
}

}  // namespace cohort
