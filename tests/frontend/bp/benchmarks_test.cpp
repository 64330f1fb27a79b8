// Every .bp file of the benchmark folder (programs nobody here wrote) and of the examples is taken.
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "frontend/bp/bp.hpp"

namespace cohort::frontend::bp {
namespace {

namespace fs = std::filesystem;

fs::path benchmark_folder() {
  if (const char* folder = std::getenv("COHORT_BENCHMARKS")) return folder;
  return fs::path(COHORT_SOURCE_DIR) / ".." / "shared" / "benchmarks";
}

// Loads every .bp file below the folder; returns how many there were.
std::size_t take_all(const fs::path& folder) {
  std::size_t files = 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".bp") continue;
    ++files;
    try {
      const model::Program program = load(read_source_file(entry.path().string()));
      EXPECT_FALSE(program.templates.empty()) << entry.path();
    } catch (const InputError& error) {
      ADD_FAILURE() << error.render();
    }
  }
  return files;
}

TEST(Benchmarks, AllBooleanProgramsAreTaken) {
  const fs::path folder = benchmark_folder();
  if (!fs::is_directory(folder)) GTEST_SKIP() << "no benchmark folder at " << folder << "; set COHORT_BENCHMARKS to it";
  EXPECT_GT(take_all(folder), 0U) << "the folder " << folder << " holds no .bp file";
}

TEST(Examples, AllBooleanProgramsAreTaken) {
  EXPECT_GT(take_all(fs::path(COHORT_SOURCE_DIR) / "examples" / "bp"), 0U);
}

}  // namespace
}  // namespace cohort::frontend::bp
