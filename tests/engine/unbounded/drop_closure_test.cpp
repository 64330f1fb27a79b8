// Programs whose broadcasts a thread can block, against brute force: what is called safe is so with up to four threads,
// what is called unsafe replays, and most are decided.
#include "engine/unbounded/drop_closure.hpp"

#include <gtest/gtest.h>

#include "engine/unbounded/backward_engine.hpp"
#include "frontend/bp/bp.hpp"
#include "model/passes/inline.hpp"
#include "result/replay.hpp"
#include "support/diagnostics.hpp"
#include "support/explore.hpp"
#include "support/random_program.hpp"

namespace cohort::test {
namespace {

using engine::unbounded::BackwardEngine;
using engine::unbounded::Blocking;
using engine::unbounded::CounterSystem;
using engine::unbounded::Possible;
using result::Verdict;

result::Result check(const model::Program& program) {
  Env env;
  env.self_check = true;
  env.limits.set_time_limit(20);
  return BackwardEngine().check(env, {program, std::nullopt, {}});
}

// All groups of threads that have no size get this one.
bool violates_with(const model::Program& program, std::uint32_t threads) {
  model::Program fixed = program;
  std::uint32_t total = 0;
  for (model::InitialThreads& group : fixed.initial) {
    if (!group.count) group.count = threads;
    total += *group.count;
  }
  return total > 0 && !explore(fixed, total + 1, 3000).violated.empty();
}

TEST(DropClosure, IsNeverWrongOnRandomPrograms) {
  std::size_t blocking = 0;
  std::size_t safe = 0;
  std::size_t unsafe = 0;
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    const model::Program program = random_program(seed, {.max_shared = 2,
                                                         .max_locals = 2,
                                                         .max_locations = 4,
                                                         .calls = false,
                                                         .spawns = seed % 3 == 0,
                                                         .broadcasts = true,
                                                         .foreign = seed % 4 == 0,
                                                         .any_number = true});
    if (CounterSystem::refuses(program)) continue;
    Env env;
    CounterSystem system(program, &env);
    if (!Possible(env, system, Blocking::Dropped).may_block()) continue;
    ++blocking;
    const result::Result result = check(program);
    if (result.verdict == Verdict::Unsafe) {
      ++unsafe;
      ASSERT_TRUE(result::replay(program, std::nullopt, *result.run).succeeded) << "seed " << seed;
    }
    if (result.verdict != Verdict::Safe) continue;
    ++safe;
    for (std::uint32_t threads = 0; threads <= 3; ++threads) {
      ASSERT_FALSE(violates_with(program, threads)) << "seed " << seed << ", " << threads << " threads of each group";
    }
  }
  EXPECT_GT(blocking, 60U);
  EXPECT_GT(safe, 10U);
  EXPECT_GT(unsafe, 10U);
  EXPECT_GT(10 * (safe + unsafe), 9 * blocking);
}

// Who enters needs the key and nobody else inside.  A thread that disappears inside keeps the key.
const char* const door = R"(
decl held, wrong;
void main() begin
  decl inside := 0;
  start_thread goto again;
  again:
  held, inside := 1, 1 constrain !held & !inside$;
  assert !wrong;
  wrong := 1;
  wrong := 0;
  held, inside := 0, 0;
  goto again;
end
)";

model::Program load(const std::string& text) {
  model::Program program = model::inline_calls(frontend::bp::load(text_file("door.bp", text), {.zero_init = true}));
  program.initial.front().count.reset();
  return program;
}

TEST(DropClosure, ProvesADoorForAnyNumberOfThreads) {
  EXPECT_EQ(check(load(door)).verdict, Verdict::Safe);
}

// Who leaves before the work is done lets others in.
TEST(DropClosure, RefutesADoorThatIsLeftOpen) {
  std::string text = door;
  text.replace(text.find("  wrong := 1;"), 13, "  held, inside := 0, 0; wrong := 1;");
  EXPECT_EQ(check(load(text)).verdict, Verdict::Unsafe);
}

// Without the key a thread may disappear in the middle of its work, which no real thread does: nobody knows.
TEST(DropClosure, SaysWhereItDoesNotKnow) {
  std::string text = door;
  text.replace(text.find("!held & "), 8, "");
  const result::Result result = check(load(text));
  EXPECT_EQ(result.verdict, Verdict::Unknown);
  EXPECT_NE(result.reason.find("needs such threads to disappear"), std::string::npos) << result.reason;
}

}  // namespace
}  // namespace cohort::test
