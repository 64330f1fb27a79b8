// The converted programs in the tools they are for: Rumur and Spin give the verdict that the example promises.  With
// exhaustive symmetry reduction Rumur also visits as many states as the program has up to permutations of the threads.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <regex>

#include "convert/murphi.hpp"
#include "convert/promela.hpp"
#include "support/example.hpp"
#include "support/explore.hpp"
#include "support/random_program.hpp"

namespace cohort::convert {
namespace {

namespace fs = std::filesystem;

// A folder that lives as long as the object.
class Scratch {
 public:
  explicit Scratch(const std::string& name)
      : path_(fs::temp_directory_path() / ("cohort-" + name + "-" + std::to_string(getpid()))) {
    fs::create_directory(path_);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() { fs::remove_all(path_); }

  void write(const std::string& name, const std::string& text) const { std::ofstream(path_ / name) << text; }
  struct Outcome {
    int status = 0;
    std::string output;
  };

  // Runs the shell command in the folder.
  Outcome run(const std::string& command) const {
    const std::string log = (path_ / "log.txt").string();
    Outcome outcome;
    outcome.status = std::system(("cd '" + path_.string() + "' && (" + command + ") > '" + log + "' 2>&1").c_str());
    std::ifstream input(log);
    outcome.output.assign(std::istreambuf_iterator<char>(input), {});
    return outcome;
  }

 private:
  fs::path path_;
};

struct Case {
  std::string example;
  std::uint32_t threads;
};

void PrintTo(const Case& item, std::ostream* out) {
  *out << item.example << ' ' << item.threads;
}

// What the tools say; the caller's program must have an error location wherever it is unsafe.
void expect_rumur_agrees(const model::Program& program, std::uint32_t threads, bool unsafe,
                         std::optional<std::size_t> states) {
  const Scratch scratch("rumur");
  scratch.write("model.m", to_murphi(program, threads));
  const Scratch::Outcome built = scratch.run(
      "rumur --quiet --threads 1 --deadlock-detection off --symmetry-reduction exhaustive --output model.c model.m && "
      "gcc -std=c11 -O0 -w -mcx16 -o verifier model.c -lpthread");
  ASSERT_EQ(built.status, 0) << built.output;
  const std::string output = scratch.run("./verifier").output;
  EXPECT_EQ(output.find("No error found") == std::string::npos, unsafe) << output;
  std::smatch visited;
  ASSERT_TRUE(std::regex_search(output, visited, std::regex("([0-9]+) states, [0-9]+ rules fired in"))) << output;
  if (states) {
    EXPECT_EQ(std::stoul(visited[1]), *states);
  }
}

struct SpinSearch {
  std::string macros;
  std::string options = "-m1000000";
};

void expect_spin_agrees(const model::Program& program, std::uint32_t threads, bool unsafe,
                        const SpinSearch& search = {}) {
  const Scratch scratch("spin");
  scratch.write("model.pml", to_promela(program, threads));
  const Scratch::Outcome built =
      scratch.run("spin -a model.pml && gcc -O0 -w -DSAFETY " + search.macros + " -o pan pan.c");
  ASSERT_EQ(built.status, 0) << built.output;
  const std::string output = scratch.run("./pan -E " + search.options).output;
  ASSERT_EQ(output.find("search depth too small"), std::string::npos) << output;
  EXPECT_EQ(output.find("assertion violated") != std::string::npos, unsafe) << output;
  EXPECT_EQ(output.find("errors: 0") == std::string::npos, unsafe) << output;
}

class Tools : public testing::TestWithParam<Case> {
 protected:
  test::Example example_ = test::example(GetParam().example);
  model::Program program_ = test::load_flat(example_);
  std::uint32_t threads_ = GetParam().threads;
  bool unsafe_ = example_.is_unsafe_with(threads_);
};

TEST_P(Tools, RumurAgrees) {
  std::optional<std::size_t> states;
  if (!unsafe_ && !example_.fills_the_bound) states = test::explore(program_, threads_, 100'000).states.size();
  expect_rumur_agrees(program_, threads_, unsafe_, states);
}

TEST_P(Tools, SpinAgrees) {
  expect_spin_agrees(program_, threads_, unsafe_);
}

// Spin's processes share memory for the states that they hand each other, which is found by the name of a file: each
// test has a folder of its own.
TEST(SpinWithTwoCores, Agrees) {
  for (const Case& one : {Case{"peterson", 2}, Case{"peterson_wrong", 2}, Case{"semaphore_mutex", 3},
                          Case{"semaphore_mutex_broken", 3}}) {
    const test::Example example = test::example(one.example);
    expect_spin_agrees(test::load_flat(example), one.threads, example.is_unsafe_with(one.threads),
                       {.macros = "-DNCORE=2 -DMEMLIM=1000", .options = "-m10000 -w18"});
  }
}

INSTANTIATE_TEST_SUITE_P(Examples, Tools,
                         testing::Values(Case{"semaphore_mutex", 3}, Case{"semaphore_mutex_initial", 3},
                                         Case{"test_then_set", 2}, Case{"readers_writers", 3},
                                         Case{"reference_count_late", 2}, Case{"worker_pool", 3}, Case{"relay", 2},
                                         Case{"atomic_assume", 2}, Case{"enforce_elsewhere", 2},
                                         Case{"constrain_primed", 2}, Case{"broadcast_invalidate", 2},
                                         Case{"broadcast_wake_early", 2}, Case{"cutoff_5", 4},
                                         Case{"several_results", 1}),
                         [](const auto& instance) { return instance.param.example; });

// The first program from `seed` on that both languages can say.
model::Program random_program_from(std::uint64_t seed) {
  test::RandomProgramOptions options;
  options.calls = false;
  options.broadcasts = true;
  for (;; ++seed) {
    model::Program program = test::random_program(seed, options);
    try {
      to_murphi(program, 3);
      to_promela(program, 3);
      return program;
    } catch (const InputError&) {
      continue;
    }
  }
}

class ToolsOnRandomPrograms : public testing::TestWithParam<std::uint64_t> {};

TEST_P(ToolsOnRandomPrograms, Agree) {
  const model::Program program = random_program_from(GetParam());
  const bool unsafe = !test::explore(program, 3).violated.empty();
  expect_rumur_agrees(program, 3, unsafe, {});
  expect_spin_agrees(program, 3, unsafe);
}

INSTANTIATE_TEST_SUITE_P(Seeds, ToolsOnRandomPrograms, testing::Range<std::uint64_t>(0, 800, 100));

}  // namespace
}  // namespace cohort::convert
