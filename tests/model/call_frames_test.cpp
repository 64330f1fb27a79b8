#include "model/call_frames.hpp"

#include <gtest/gtest.h>

#include "support/build.hpp"

namespace cohort::model {
namespace {

// Three edges: in the routine itself, in `fill`, and in `push`, which `fill` calls.
TEST(CallFrames, EdgesKnowTheCallsAroundThem) {
  Program program;
  Template templ = test::template_with("worker", 4);
  for (std::uint32_t i = 0; i < 3; ++i) test::add_edge(templ, i, i + 1);
  const TemplateId id = program.add_template(std::move(templ));
  const auto file = std::make_shared<const SourceFile>("folder/stack.c", "\n\n");
  CallNotes notes;
  const auto fill = notes.add("fill", {file, 31, 3}, "fill(&s)", CallNotes::outside);
  const auto push = notes.add("push", {file, 20, 5}, "push(s, i)", fill);
  notes.set({id, 1}, push);  // said again below: what is said last holds
  notes.set({id, 0}, CallNotes::outside);
  notes.set({id, 1}, fill);
  notes.set({id, 2}, push);
  Atlas atlas;
  notes.write(atlas);
  atlas.add_opaque(64, "worker");
  program.atlas = std::make_shared<const Atlas>(std::move(atlas));

  const CallFrame outer{"fill", "stack.c:31", "fill(&s)"};
  const CallFrame inner{"push", "stack.c:20", "push(s, i)"};
  EXPECT_EQ(calls_around(program, {id, 0}), std::vector<CallFrame>{});
  EXPECT_EQ(calls_around(program, {id, 1}), std::vector<CallFrame>{outer});
  EXPECT_EQ(calls_around(program, {id, 2}), (std::vector<CallFrame>{outer, inner}));
  // The notes are in nobody's way.
  EXPECT_EQ(program.atlas->name_of(64, nullptr), "worker");
  EXPECT_EQ(program.atlas->name_of(-1, nullptr), "");
  EXPECT_EQ(program.atlas->name_of(0, nullptr), "NULL");
}

TEST(CallFrames, ProgramsWithoutAnAtlasHaveNone) {
  Program program;
  Template templ = test::template_with("worker", 2);
  test::add_edge(templ, 0, 1);
  const TemplateId id = program.add_template(std::move(templ));
  EXPECT_TRUE(calls_around(program, {id, 0}).empty());
}

}  // namespace
}  // namespace cohort::model
