// Every .bp file of the benchmark folder (programs nobody here wrote) and of the examples is taken.
#include "support/benchmarks.hpp"

#include <gtest/gtest.h>

#include "frontend/bp/bp.hpp"

namespace cohort::frontend::bp {
namespace {

// Loads every .bp file below the folder; returns how many there were.
std::size_t take_all(const std::filesystem::path& folder) {
  const auto files = test::files_below(folder, ".bp");
  for (const auto& file : files) {
    try {
      const model::Program program = load(read_source_file(file.string()));
      EXPECT_FALSE(program.templates.empty()) << file;
    } catch (const InputError& error) {
      ADD_FAILURE() << error.render();
    }
  }
  return files.size();
}

TEST(Benchmarks, AllBooleanProgramsAreTaken) {
  COHORT_NEED_BENCHMARKS(folder);
  EXPECT_GT(take_all(*folder), 0U) << "the folder " << *folder << " holds no .bp file";
}

TEST(Examples, AllBooleanProgramsAreTaken) {
  EXPECT_GT(take_all(std::filesystem::path(COHORT_SOURCE_DIR) / "examples" / "bp"), 0U);
}

}  // namespace
}  // namespace cohort::frontend::bp
