// Every Boolean program of the benchmark folder finishes for two threads, with and without each reduction, and all
// agree with the explicit engine.
#include <gtest/gtest.h>

#include "engine/engine.hpp"
#include "frontend/bp/bp.hpp"
#include "model/passes/inline.hpp"
#include "result/replay.hpp"
#include "support/benchmarks.hpp"

namespace cohort::engine::symbolic {
namespace {

TEST(SymbolicBenchmarks, AllFinishForTwoThreads) {
  COHORT_NEED_BENCHMARKS(folder);
  std::size_t programs = 0;
  for (const auto& path : test::files_below(*folder, ".bp")) {
    const model::Program program = model::inline_calls(frontend::bp::load(read_source_file(path.string())));
    std::optional<result::Verdict> expected;
    for (const bool symmetry : {true, false}) {
      for (const bool partial_order : {false, true}) {
        Task task{program, 2, {}};
        task.options.symmetry = symmetry;
        task.options.partial_order = partial_order;
        for (const char* name : {"symbolic", "explicit"}) {
          const Engine& engine = *find_engine(name);
          ASSERT_EQ(engine.refuses(task), std::nullopt) << path;
          Env env;
          env.limits.set_time_limit(60);
          result::Result result;
          try {
            result = engine.check(env, task);
          } catch (const InputError&) {
            // One by one, there are too many outcomes of a step to enumerate.
            EXPECT_STREQ(name, "explicit") << path;
            continue;
          }
          ASSERT_NE(result.verdict, result::Verdict::Unknown) << path << ": " << result.reason;
          if (!expected) expected = result.verdict;
          EXPECT_EQ(static_cast<int>(result.verdict), static_cast<int>(*expected)) << path << " " << name;
          if (!result.run) continue;
          EXPECT_TRUE(result::replay(program, 2, *result.run).succeeded) << path << " " << name;
        }
      }
    }
    ++programs;
  }
  EXPECT_GE(programs, 60U);
}

}  // namespace
}  // namespace cohort::engine::symbolic
