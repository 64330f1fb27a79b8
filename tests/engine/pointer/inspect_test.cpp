// What `cohort inspect` shows, on the examples and figures of the RED paper.
#include "engine/inspect.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/pointer/pointer_example.hpp"

namespace cohort::engine {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

model::Program program_of(const std::string& text) {
  return frontend::red::load(std::make_shared<SourceFile>("test.red", text));
}

Inspection inspected(const model::Program& program, std::uint32_t steps = 0) {
  EXPECT_EQ(inspection_refuses(program), std::nullopt);
  Env env;
  return inspect(env, program, steps);
}

TEST(Inspect, ActiveConditionsOfTheMcsLock) {
  // Section 5: active(next) = mode 1, or 2 to 4 with prev other than P, or 5 and more; active(locked) = 4 and 5.  Of
  // prev the paper has mode 1, too, where it is about to be written.
  const Inspection found = inspected(test::load_pointer("mcs", 2));
  ASSERT_EQ(found.active.size(), 3U);
  using Mode = std::pair<std::string, std::string>;
  EXPECT_EQ(found.active[0].variable, "next");
  EXPECT_THAT(found.active[0].modes, ElementsAre(Mode{"one", ""}, Mode{"two", "prev != P"}, Mode{"three", "prev != P"},
                                                 Mode{"four", "prev != P"}, Mode{"five", ""}, Mode{"six", ""},
                                                 Mode{"seven", ""}, Mode{"eight", ""}, Mode{"nine", ""}));
  EXPECT_EQ(found.active[1].variable, "prev");
  EXPECT_THAT(found.active[1].modes, ElementsAre(Mode{"two", ""}, Mode{"three", ""}, Mode{"four", ""}));
  EXPECT_EQ(found.active[2].variable, "locked");
  EXPECT_THAT(found.active[2].modes, ElementsAre(Mode{"four", ""}, Mode{"five", ""}));
}

TEST(Inspect, TheRingOfFigureTwoCanOnlyBeRotated) {
  const Inspection found = inspected(test::load_pointer("static_ring", 3), 1);
  EXPECT_EQ(found.classes.size(), 3U);
  EXPECT_THAT(found.permutations,
              UnorderedElementsAre(ElementsAre(1, 2, 3), ElementsAre(2, 3, 1), ElementsAre(3, 1, 2)));
}

TEST(Inspect, TheGraphOfFigureThreeHasOneAutomorphism) {
  // The five processes stand beside different numbers or in different operators; only process 4 is not named, and it is
  // alone.
  const std::string head =
      "process count = 5; global discrete y: 0..9; local discrete x: 0..9; mode a true { when true may x = 0; }\n"
      "initially ";
  const Inspection found =
      inspected(program_of(head + "x[1] == 3 or x[3] == 5 or x[5] == 1 or not (x[2] != 2 or y < 7);"));
  EXPECT_EQ(found.classes.size(), 5U);
  EXPECT_THAT(found.permutations, IsEmpty());
  // With the same number beside two of them these can change places, since "or" does not mind the order.
  const Inspection alike =
      inspected(program_of(head + "x[1] == 3 or x[3] == 3 or x[5] == 1 or not (x[2] != 2 or y < 7);"));
  EXPECT_THAT(alike.classes, UnorderedElementsAre(ElementsAre(1, 3), ElementsAre(2), ElementsAre(4), ElementsAre(5)));
}

TEST(Inspect, RepresentativesLineUpAQueueAsInFigureFour) {
  const model::Program program = test::load_pointer("mcs", 4);
  const Inspection found = inspected(program, 9);
  EXPECT_EQ(found.stopped, "");
  std::uint64_t states = 0;
  std::size_t longest = 0;
  for (const auto& representative : found.representatives) {
    states += representative.states;
    const model::State& state = representative.state;
    const auto queue = [&](model::Value process) {
      const model::ThreadState& thread = *state.threads[static_cast<std::size_t>(process) - 1];
      const std::string& mode = program.templ(thread.templ).locations[thread.location.value].label;
      const bool active = mode == "two" || mode == "three" || mode == "four";
      return active ? thread.locals[1] : model::Value{0};
    };
    // From the process that came last, each waits for the one with the next number.
    model::Value process = state.shared[0];
    ASSERT_LE(process, 1);
    std::size_t length = 0;
    for (; process != 0 && queue(process) != 0 && length < 4; ++length) {
      ASSERT_EQ(queue(process), process + 1);
      process = queue(process);
    }
    longest = std::max(longest, length);
  }
  EXPECT_EQ(longest, 3U);
  EXPECT_GT(states, 10 * found.representatives.size());
  // The initial state stands for itself.
  EXPECT_EQ(found.representatives[0].states, 1U);
}

TEST(Inspect, RefusesOtherPrograms) {
  model::Program none;
  EXPECT_NE(inspection_refuses(none), std::nullopt);
}

}  // namespace
}  // namespace cohort::engine
