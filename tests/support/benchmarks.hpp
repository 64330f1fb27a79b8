// The folder of benchmark programs that tests run over where it exists: $COHORT_BENCHMARKS, or shared/benchmarks beside
// the sources.  It is data of others and never part of this project.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace cohort::test {

inline std::optional<std::filesystem::path> benchmark_folder() {
  if (const char* named = std::getenv("COHORT_BENCHMARKS")) {
    return std::filesystem::is_directory(named) ? std::optional<std::filesystem::path>(named) : std::nullopt;
  }
  const std::filesystem::path beside = std::filesystem::path(COHORT_SOURCE_DIR) / "../shared/benchmarks";
  return std::filesystem::is_directory(beside) ? std::optional(beside) : std::nullopt;
}

// Every file below `folder` with this ending, sorted.
inline std::vector<std::filesystem::path> files_below(const std::filesystem::path& folder, const std::string& ending) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file() && entry.path().extension() == ending) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace cohort::test

#define COHORT_NEED_BENCHMARKS(folder)                    \
  const auto folder = ::cohort::test::benchmark_folder(); \
  if (!folder) GTEST_SKIP() << "no benchmark folder: set COHORT_BENCHMARKS, or put it at ../shared/benchmarks"
