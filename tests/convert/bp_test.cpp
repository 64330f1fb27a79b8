#include "convert/bp.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/diagnostics.hpp"
#include "support/example.hpp"
#include "support/explore.hpp"
#include "support/random_program.hpp"

namespace cohort::convert {
namespace {

using testing::HasSubstr;

constexpr std::size_t enough_states = 400'000;

bool is_unsafe(const model::Program& program, std::uint32_t threads) {
  const test::Exploration exploration = test::explore(program, threads, enough_states);
  EXPECT_TRUE(exploration.complete);
  return !exploration.violated.empty();
}

TEST(BooleanProgram, WritesOneStatementForAnEdge) {
  const std::string text =
      to_bp(test::load_flat("decl x; void main() begin decl l; x, l := l, * constrain 'l | x; end"));
  EXPECT_THAT(text,
              HasSubstr("decl x;\n\nvoid main() begin\n  decl l;\nL0: x, l := l, * constrain (('l | x)); goto L1;\n"));
}

TEST(BooleanProgram, SplitsASpawnUnderEnforceIntoAnAtomicSection) {
  const std::string text =
      to_bp(test::load_flat("decl x; void main() begin enforce x; start_thread goto L; L: skip; end"));
  EXPECT_THAT(text, HasSubstr("L0: atomic_begin; assume(x); start_thread goto L1; atomic_end; goto L1;"));
}

TEST(BooleanProgram, KeepsTheSectionThatASplitStepIsIn) {
  const std::string text = to_bp(test::load_flat(
      "decl x; void main() begin enforce x; atomic_begin; start_thread goto L; atomic_end; L: skip; end"));
  EXPECT_THAT(text, HasSubstr("L0: atomic_begin; assume(x); goto L1;"));
  EXPECT_THAT(text, HasSubstr("L1: assume(x); start_thread goto L3; goto L2;"));
}

TEST(BooleanProgram, RefusesASplitStepThatMayBeInsideOrOutside) {
  const model::Program program = test::load_flat(
      "decl x; void main() begin enforce x; if (*) then atomic_begin; fi; start_thread goto L; L: skip; end");
  EXPECT_THAT(test::diagnostic([&] { to_bp(program); }), HasSubstr("inside or outside an atomic section"));
}

TEST(BooleanProgram, RefusesASharedChoice) {
  model::Program program = test::load_flat("decl x, y; void main() begin x, y := *, *; end");
  auto& assigns = program.templates[0].edges[0].actions[0].assigns;
  assigns[1].value = assigns[0].value;
  EXPECT_THAT(test::diagnostic([&] { to_bp(program); }), HasSubstr("one choice that is used in several places"));
}

TEST(BooleanProgram, KeepsTheVerdictOfRandomPrograms) {
  test::RandomProgramOptions options;
  options.calls = false;
  options.broadcasts = true;
  std::size_t unsafe = 0;
  std::size_t taken = 0;
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    options.foreign = options.ties = seed >= 400;
    const model::Program program = test::random_program(seed, options);
    std::string text;
    try {
      text = to_bp(program);
    } catch (const InputError&) {
      continue;
    }
    ++taken;
    const model::Program again = test::load_flat(text);
    for (std::uint32_t threads = 1; threads <= 2; ++threads) {
      const bool expected = is_unsafe(program, threads);
      unsafe += expected ? 1 : 0;
      ASSERT_EQ(is_unsafe(again, threads), expected) << "seed " << seed << ", " << threads << " threads\n" << text;
    }
  }
  EXPECT_GE(taken, 50U);
  EXPECT_GE(unsafe, 10U);
}

class RoundTrip : public testing::TestWithParam<test::Example> {};

TEST_P(RoundTrip, KeepsTheVerdict) {
  const test::Example& example = GetParam();
  const std::string text = to_bp(test::load_flat(example));
  model::Program again = test::load_flat(text);
  if (example.fills_the_bound) again.initial.front().count.reset();
  EXPECT_EQ(text.starts_with("// initial: N"), example.fills_the_bound);
  const std::uint32_t most = std::min(example.most_threads, example.unsafe_from.value_or(3));
  for (std::uint32_t threads = example.first_threads(); threads <= most; ++threads) {
    EXPECT_EQ(is_unsafe(again, threads), example.is_unsafe_with(threads)) << threads << " threads\n" << text;
  }
}

INSTANTIATE_TEST_SUITE_P(Examples, RoundTrip, testing::ValuesIn(test::examples()),
                         [](const auto& instance) { return instance.param.name(); });

}  // namespace
}  // namespace cohort::convert
