// Every C example gets the verdict that its header promises, and every library function is treated as the table says.
#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/run_program.hpp"
#include "frontend/c/library/calls.hpp"
#include "support/benchmarks.hpp"

namespace cohort::test {
namespace {

using ::testing::HasSubstr;
namespace library = frontend::c::library;

struct CExample {
  std::string path;
  bool unsafe = false;
  std::vector<std::string> arguments;
  std::string unsafe_from;
};

void PrintTo(const CExample& example, std::ostream* out) {
  *out << example.path;
}

CExample read_c_example(const std::filesystem::path& path) {
  CExample example{.path = path.string(), .arguments = {}, .unsafe_from = {}};
  std::ifstream input(path);
  std::string line;
  while (std::getline(input, line) && line.starts_with("// ")) {
    const std::size_t colon = std::min(line.find(": "), line.size() - 2);
    const std::string key = line.substr(3, colon - 3);
    const std::string value = line.substr(colon + 2);
    if (key == "expect") example.unsafe = value == "unsafe";
    if (key == "property") example.arguments.insert(example.arguments.end(), {"--property", value});
    if (key == "options") example.arguments.push_back(value);
    if (key == "unsafe-from") example.unsafe_from = value;
    if (key != "threads") continue;
    if (value == "any") {
      example.arguments.emplace_back("--unbounded");
    } else {
      example.arguments.insert(example.arguments.end(), {"--threads", value});
    }
  }
  return example;
}

std::vector<CExample> c_examples() {
  std::vector<CExample> all;
  for (const auto& path : files_below(std::filesystem::path(COHORT_SOURCE_DIR) / "examples/c", ".c")) {
    all.push_back(read_c_example(path));
  }
  return all;
}

class CExamples : public testing::TestWithParam<CExample> {};

TEST_P(CExamples, HaveTheExpectedVerdict) {
  const CExample& example = GetParam();
  std::vector<std::string> arguments = {"verify", example.path};
  arguments.insert(arguments.end(), example.arguments.begin(), example.arguments.end());
  const Outcome outcome = run_program(arguments);
  EXPECT_EQ(outcome.exit_code, example.unsafe ? 10 : 0) << outcome.out << outcome.err;
  if (example.unsafe) {
    const std::string file = std::filesystem::path(example.path).filename().string();
    EXPECT_THAT(outcome.out, HasSubstr(file + ":")) << "a trace shows the lines of the program";
  }
}

TEST_P(CExamples, NeedAsManyThreadsAsTheySay) {
  const CExample& example = GetParam();
  if (example.unsafe_from.empty()) return;
  const std::string fewer = std::to_string(std::stoi(example.unsafe_from) - 1);
  EXPECT_EQ(run_program({"verify", example.path, "--threads", example.unsafe_from}).exit_code, 10);
  EXPECT_EQ(run_program({"verify", example.path, "--threads", fewer}).exit_code, 0);
}

INSTANTIATE_TEST_SUITE_P(All, CExamples, testing::ValuesIn(c_examples()), [](const auto& instance) {
  return std::filesystem::path(instance.param.path).stem().string();
});

class LibraryCalls : public testing::TestWithParam<library::Call> {};

TEST_P(LibraryCalls, AreTreatedAsTheTableSays) {
  const library::Call& call = GetParam();
  Scratch scratch;
  std::string text = "#define _GNU_SOURCE\n";
  if (!call.header.empty()) text += "#include <" + std::string(call.header) + ">\n";
  text += std::string(call.context) + "\nint main(void) {\n  " + std::string(call.example) + "\n  return 0;\n}\n";
  const Outcome outcome = run_program({"verify", scratch.write("call.c", text), "--threads", "2", "-q"});
  if (call.treatment == library::Treatment::Refused) {
    EXPECT_EQ(outcome.exit_code, 5) << text << outcome.out << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr(std::string(call.function)));
    EXPECT_THAT(outcome.out, HasSubstr("call.c:"));
  } else {
    EXPECT_EQ(outcome.exit_code, 0) << text << outcome.out << outcome.err;
  }
}

INSTANTIATE_TEST_SUITE_P(All, LibraryCalls, testing::ValuesIn(library::calls()),
                         [](const auto& instance) { return std::string(instance.param.function); });

TEST(LibraryCallsDocument, IsWhatTheProgramPrints) {
  EXPECT_EQ(run_program({"calls"}).out, read_whole(COHORT_SOURCE_DIR "/docs/c-library.md"));
}

}  // namespace
}  // namespace cohort::test
