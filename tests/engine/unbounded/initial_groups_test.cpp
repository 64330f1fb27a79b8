// A place of which the input says "at least one": a group with a count and a group of any size share a location.  A run
// must start with those threads even where the violation does not need them.
#include <gtest/gtest.h>

#include "engine/engine.hpp"
#include "result/replay.hpp"
#include "support/build.hpp"

namespace cohort::engine {
namespace {

using namespace model;
using namespace test;

TEST(InitialGroups, StartWithTheThreadsThatMustBeThere) {
  Program program;
  const PropertyId error = program.add_property({.kind = Property::Kind::ErrorLabel, .text = "ERROR"});
  Template templ = template_with("t", 3);
  templ.locations[2].error = error;
  add_edge(templ, 1, 2);
  program.add_template(std::move(templ));
  program.initial = {
      {TemplateId(0), LocId(0), 2}, {TemplateId(0), LocId(0), std::nullopt}, {TemplateId(0), LocId(1), 1}};
  for (const char* name : {"karp-miller", "backward", "widening", "dynamic-cutoff", "directed", "coverability"}) {
    Env env;
    const result::Result result = find_engine(name)->check(env, {program, std::nullopt, {}});
    ASSERT_EQ(result.verdict, result::Verdict::Unsafe) << name;
    const result::Replay replay = result::replay(program, std::nullopt, *result.run);
    EXPECT_TRUE(replay.succeeded) << name << ": " << replay.message;
    EXPECT_EQ(result.run->initial.alive(), 3U) << name;
  }
}

}  // namespace
}  // namespace cohort::engine
