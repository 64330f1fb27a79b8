#include "base/module.hpp"

#include <dlfcn.h>

#include <filesystem>
#include <system_error>

#include <fmt/core.h>

#include "base/contract.hpp"
#include "base/source.hpp"

namespace cohort {

namespace {

constexpr const char* folders[] = {"/", "/../", "/../lib/cohort/"};

}  // namespace

// The loader takes $ORIGIN for the folder of its caller, which is not the program where a sanitizer stands between
// them.
std::string program_folder() {
  std::error_code failed;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", failed);
  return failed ? "$ORIGIN" : program.parent_path().string();
}

void* module_function(const std::string& file, const std::string& function, const std::string& what) {
  COHORT_EXPECT(file.ends_with(".so"), "a module is a shared object");
  void* module = nullptr;
  std::string failures;
  const std::string program = program_folder();
  for (const char* folder : folders) {
    module = dlopen((program + folder + file).c_str(), RTLD_NOW | RTLD_LOCAL);
    if (module != nullptr) break;
    failures += fmt::format("; {}", dlerror());
  }
  if (module == nullptr) throw_unsupported({}, fmt::format("{} cannot be loaded{}", what, failures));
  void* const found = dlsym(module, function.c_str());
  if (found == nullptr) throw_unsupported({}, fmt::format("{} is not {} of this version", file, what));
  return found;
}

}  // namespace cohort
