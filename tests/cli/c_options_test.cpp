// The options that say how a C program is read, from the command line to the model and back from a document.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cli/run_program.hpp"

namespace cohort::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr int safe = 0;
constexpr int unsafe = 10;

class COptions : public ::testing::Test {
 protected:
  int verify(const std::string& text, std::vector<std::string> options = {}) const {
    options.insert(options.begin(), {"verify", scratch_.write("a.c", text)});
    return run_program(options).exit_code;
  }

  Scratch scratch_;
};

TEST_F(COptions, MacrosAndHeaders) {
  const std::string text = "void assert(int);\nint main(void) { assert(N == 1); return 0; }\n";
  EXPECT_EQ(verify(text, {"-DN=1"}), safe);
  EXPECT_EQ(verify(text, {"-D", "N=2"}), unsafe);
  const std::string header = scratch_.write("n.h", "#define N 1\n");
  EXPECT_EQ(verify(text, {"--include", header}), safe);
  const std::string folder = header.substr(0, header.size() - 4);
  EXPECT_EQ(verify("#include <n.h>\n" + text, {"-I", folder}), safe);
  EXPECT_EQ(verify(text), 2) << "N is not defined";
}

TEST_F(COptions, WidthOfPointers) {
  const std::string text = "void assert(int);\nint main(void) { assert(sizeof(long) == 8); return 0; }\n";
  EXPECT_EQ(verify(text), safe);
  EXPECT_EQ(verify(text, {"-m64"}), safe);
  EXPECT_EQ(verify(text, {"-m32"}), unsafe);
  EXPECT_EQ(verify("#include <pthread.h>\n" + text, {"-m32"}), unsafe) << "the system's headers are found";
  EXPECT_EQ(verify(text, {"-m16"}), 1);
}

TEST_F(COptions, SeveralFilesAreOneProgram) {
  const std::string other = scratch_.write("b.c", "int two(void) { return 2; }\n");
  const std::string text = "void assert(int);\nint two(void);\nint main(void) { assert(two() == 2); return 0; }\n";
  EXPECT_EQ(verify(text, {other}), safe);
  EXPECT_EQ(verify(text, {"--undefined=refuse"}), 5) << "a function that nobody defines";
  EXPECT_EQ(verify(text), unsafe) << "it returns any value";
}

TEST_F(COptions, WeakDefinitionsGiveWay) {
  const std::string strong = scratch_.write("b.c", "int one(void) { return 1; }\n");
  const std::string weak = scratch_.write("c.c", "__attribute__((weak)) int one(void) { return 2; }\n");
  const std::string text = "void assert(int);\nint one(void);\nint main(void) { assert(one() == 1); return 0; }\n";
  EXPECT_EQ(verify(text, {strong, weak}), safe);
  EXPECT_EQ(verify(text, {weak, strong}), safe);
  EXPECT_EQ(verify(text, {weak}), unsafe);
  EXPECT_EQ(verify(text, {strong, strong}), 2) << "two that do not give way";
}

TEST_F(COptions, FunctionsThatNobodyDefinesAreListed) {
  const std::string text =
      "void assert(int);\nint two(void);\nvoid three(int *);\n"
      "int main(void) { int n = 2; three(&n); int m = two(); assert(m == m); return 0; }\n";
  const Outcome outcome = run_program({"verify", scratch_.write("a.c", text)});
  EXPECT_EQ(outcome.exit_code, safe);
  EXPECT_THAT(outcome.out, HasSubstr("--undefined=havoc"));
  EXPECT_THAT(outcome.out, HasSubstr("three ("));
  EXPECT_THAT(outcome.out, HasSubstr("two ("));
  EXPECT_EQ(verify(text, {"--undefined=anything"}), 1);
}

TEST_F(COptions, FlagsOfCompilers) {
  const std::string text =
      "void assert(int);\nint main(void) {\n#ifdef N\nassert(N == 1);\n#endif\nassert(__STDC_VERSION__ == 201112L);\n"
      "return 0; }\n";
  EXPECT_EQ(verify(text, {"-std=c11"}), safe);
  EXPECT_EQ(verify(text, {"-std=c99"}), unsafe);
  EXPECT_EQ(verify(text, {"--std", "gnu11"}), safe);
  EXPECT_EQ(verify(text, {"-std=c11", "-DN=2", "-UN"}), safe);
  EXPECT_EQ(verify(text, {"-std=c11", "-Wall", "-Wextra", "-O2", "-g", "-pthread", "-lm", "-fno-common",
                          "-march=native", "-MMD", "-MF", "a.d", "-pedantic", "-DN=1"}),
            safe);
  EXPECT_EQ(verify(text, {"-std=c11", "-Wall", "-DN=2"}), unsafe);
  EXPECT_EQ(verify(text, {"-std=nonsense"}), 2);
  const std::string header = scratch_.write("n.h", "#define N 2\n");
  const std::string folder = header.substr(0, header.size() - 4);
  EXPECT_EQ(verify(text, {"-std=c11", "-include", header}), unsafe);
  EXPECT_EQ(verify("#include <n.h>\n" + text, {"-std=c11", "-isystem", folder}), unsafe);
}

TEST_F(COptions, CompilationDatabase) {
  const std::string file = scratch_.write("a.c", "void assert(int);\nint main(void) { assert(N == 1); return 0; }\n");
  const std::string folder = file.substr(0, file.size() - 4);
  const auto verify_with = [&](const std::string& flags) {
    const nlohmann::json entry = {{"directory", folder}, {"file", file}, {"command", "cc " + flags + " -c a.c"}};
    scratch_.write("compile_commands.json", nlohmann::json::array({entry}).dump());
    return run_program({"verify", file, "-p", folder}).exit_code;
  };
  EXPECT_EQ(verify_with("-DN=1 -Wall -O2"), safe);
  EXPECT_EQ(verify_with("-D N=2 -I include"), unsafe);
  EXPECT_EQ(verify_with("-O2"), 2) << "N is not defined";
  EXPECT_EQ(verify_with("-DN=1 -m32"), 2) << "pointers have 64 bits unless -m32 is given";
  scratch_.write("n.h", "#define N 1\n");
  EXPECT_EQ(verify_with("-include n.h"), safe) << "relative to the folder of the command";
  scratch_.write("compile_commands.json", "[]");
  EXPECT_EQ(run_program({"verify", file, "-p", folder}).exit_code, 2) << "no command for the file";
  scratch_.write("compile_commands.json", "{");
  EXPECT_EQ(run_program({"verify", file, "-p", folder}).exit_code, 2);
}

TEST_F(COptions, WordsOfTheProgram) {
  const std::string text =
      "void assert(int);\nint main(int argc, char **argv) { assert(argc == 3 && argv[1][1] == ' ' && argv[2][0] == "
      "39); "
      "return 0; }\n";
  EXPECT_EQ(verify(text, {"--", "a b", "'"}), safe);
  EXPECT_EQ(verify(text, {"--", "a b", "c", "d"}), unsafe);
  EXPECT_EQ(verify("void assert(int);\nint main(int argc, char **argv) { assert(argc == 1); return 0; }\n", {"--"}),
            safe);
  EXPECT_EQ(verify("int main(int argc, char *argv) { return 0; }\n"), safe) << "as common platforms take it";
}

TEST_F(COptions, LabelsAndEntries) {
  const std::string text =
      "int main(void) { return 0; }\nint other(int n) { if (n == 3) goto BAD; return 0; BAD: return 1; }\n";
  EXPECT_EQ(verify(text, {"--error-label", "BAD"}), safe);
  EXPECT_EQ(verify(text, {"--error-label", "BAD", "--entry", "other"}), unsafe);
  EXPECT_EQ(verify(text, {"--error-label", "WORSE"}), 2) << "no such label";
  EXPECT_NE(verify(text, {"--entry", "nobody"}), safe);
}

TEST_F(COptions, StepsAreAccessesOrStatements) {
  const std::string text =
      "int x;\nvoid assert(int);\n"
      "int main(void) {\n  __CPROVER_ASYNC_1: x = x + 1;\n  x = x + 2;\n  assert(x != 1);\n  return 0;\n}\n";
  EXPECT_EQ(verify(text), unsafe) << "the update by 2 is lost";
  EXPECT_EQ(verify(text, {"--interleave", "access"}), unsafe);
  EXPECT_EQ(verify(text, {"--interleave", "statement"}), safe);
  EXPECT_EQ(verify(text, {"--interleave", "word"}), 1);
}

TEST_F(COptions, AssumptionsStandBesideTheVerdict) {
  const auto output = [&](const std::string& exchange) {
    const std::string text = "int x;\nvoid assert(int);\nint main(void) {\n  int e = 0;\n  " + exchange +
                             ";\n  assert(x == 1);\n  return 0;\n}\n";
    return run_program({"verify", scratch_.write("a.c", text), "--spurious-failures=no"}).out;
  };
  const std::string weak = "assumed: a weak compare-and-exchange fails only where the values differ";
  const std::string order = "assumed: memory orders weaker than sequential consistency";
  EXPECT_THAT(output("__atomic_compare_exchange_n(&x, &e, 1, 1, 5, 5)"), HasSubstr(weak));
  EXPECT_THAT(output("__atomic_compare_exchange_n(&x, &e, 1, 0, 5, 5)"), Not(HasSubstr("assumed")));
  EXPECT_THAT(output("__atomic_compare_exchange_n(&x, &e, 1, 0, 5, 0)"), HasSubstr(order));
  EXPECT_THAT(output("void free(void *); free(0)"),
              HasSubstr("assumed: freed memory comes back as an object of the same type"));
  const std::string unused = "assumed: what is freed is neither used nor freed again";
  EXPECT_THAT(output("void free(void *); free(0)"), HasSubstr(unused));
  const std::string file =
      scratch_.write("f.c", "void *malloc(unsigned long);\nvoid free(void *);\nint main(void) { free(malloc(4)); }\n");
  EXPECT_THAT(run_program({"verify", file, "--property", "faults"}).out, Not(HasSubstr(unused)));
}

TEST_F(COptions, AReplayReadsTheProgramAsTheDocumentSays) {
  const std::string file =
      scratch_.write("a.c", "int x;\nvoid assert(int);\nint main(void) { x = N; assert(x == 1); return 0; }\n");
  const Outcome outcome = run_program({"verify", file, "-DN=3", "--format", "json"});
  EXPECT_EQ(outcome.exit_code, unsafe);
  const auto document = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(document["task"]["c"]["defines"], nlohmann::json({"N=3"}));
  EXPECT_EQ(run_program({"replay", file, scratch_.write("trace.json", outcome.out)}).exit_code, unsafe);
}

TEST_F(COptions, MeanNothingElsewhere) {
  const Outcome outcome = run_program({"verify", scratch_.write("a.bp", safe_program), "-DN=1"});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(outcome.err, HasSubstr("--define means nothing for .bp files"));
  EXPECT_THAT(run_program({"verify", scratch_.write("a.c", "int main(void) {}"), "--property", "luck"}).err,
              HasSubstr("'luck' is none of assertions, deadlock"));
}

}  // namespace
}  // namespace cohort::test
