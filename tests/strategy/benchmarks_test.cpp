// The Boolean programs of the benchmark folder with the verdicts of its manifests, for the bounds where they apply.
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "frontend/bp/bp.hpp"
#include "model/passes/inline.hpp"
#include "strategy/verify.hpp"
#include "support/benchmarks.hpp"

namespace cohort::test {
namespace {

namespace fs = std::filesystem;
using result::Verdict;

// Rows of a CSV file without its header; no field that these tests read is quoted.
std::vector<std::vector<std::string>> rows_of(const fs::path& file) {
  std::ifstream in(file);
  std::vector<std::vector<std::string>> rows;
  std::string line;
  std::getline(in, line);
  while (std::getline(in, line)) {
    std::vector<std::string> fields;
    std::stringstream text(line);
    for (std::string field; std::getline(text, field, ',');) fields.push_back(field);
    if (line.ends_with(",")) fields.emplace_back();
    rows.push_back(std::move(fields));
  }
  return rows;
}

model::Program load_program(const fs::path& file, std::vector<std::string> labels) {
  return model::inline_calls(frontend::bp::load(read_source_file(file.string()), {.error_labels = std::move(labels)}));
}

Verdict verdict_of(const model::Program& program, std::uint32_t bound) {
  Env env;
  env.limits.set_time_limit(20);
  const strategy::Options options{.threads = {false, bound}};
  return strategy::verify(env, program, options).result.verdict;
}

// The smallest bound up to `most` that shows a violation; 0 for none.  UNKNOWN ends the search like SAFE, but never
// counts as one.
std::uint32_t unsafe_from(const model::Program& program, std::uint32_t most) {
  for (std::uint32_t bound = 1; bound <= most; ++bound) {
    if (verdict_of(program, bound) == Verdict::Unsafe) return bound;
  }
  return 0;
}

std::vector<std::string> labels_of(const std::string& options) {
  std::stringstream text(options);
  std::vector<std::string> labels;
  for (std::string word; text >> word;) {
    if (word != "-l") labels.push_back(word);
  }
  return labels;
}

TEST(Benchmarks, BoppoVerdictsAreMet) {
  COHORT_NEED_BENCHMARKS(folder);
  const auto rows = rows_of(*folder / "bp/boppo/manifest.csv");
  ASSERT_GT(rows.size(), 20U);
  for (const auto& row : rows) {
    const model::Program program = load_program(*folder / "bp/boppo" / row[0], labels_of(row[4]));
    const bool unsafe = row[1] == "unsafe";
    if (row[2].starts_with("fixed ")) {
      // So many threads are created besides main.
      const auto bound = static_cast<std::uint32_t>(std::stoul(row[2].substr(6))) + 1;
      EXPECT_EQ(static_cast<int>(verdict_of(program, bound)),
                static_cast<int>(unsafe ? Verdict::Unsafe : Verdict::Safe))
          << row[0];
    } else {
      EXPECT_EQ(unsafe_from(program, 4) != 0, unsafe) << row[0];
    }
  }
}

TEST(Benchmarks, AbstractionsOfCProgramsMeetTheirVerdictsForOneInitialThread) {
  COHORT_NEED_BENCHMARKS(folder);
  std::size_t found = 0;
  for (const auto& row : rows_of(*folder / "tts/manifest.csv")) {
    if (!row[0].starts_with("ijit/")) continue;
    const fs::path file = (*folder / "tts" / row[0]).replace_extension(".bp");
    if (!fs::exists(file)) continue;
    const bool unsafe = row.back() == "unsafe";
    ASSERT_TRUE(unsafe || row.back() == "safe") << row[0];
    const model::Program program = load_program(file, {});
    EXPECT_EQ(unsafe_from(program, unsafe ? 4 : 2) != 0, unsafe) << row[0];
    ++found;
  }
  EXPECT_GT(found, 30U);
}

}  // namespace
}  // namespace cohort::test
