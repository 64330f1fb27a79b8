#include "verify/choose_engine.hpp"

#include <gtest/gtest.h>

#include "frontend/bp/bp.hpp"
#include "model/passes/inline.hpp"

namespace cohort::verify {
namespace {

model::Program program_of(const std::string& text) {
  return model::inline_calls(frontend::bp::load(std::make_shared<const SourceFile>("test.bp", text)));
}

std::string_view chosen(const std::string& name, const model::Program& program) {
  return choose_engine(name, program, {.bound = 3}, {}).engine->name();
}

TEST(ChooseEngine, FewChoicesAreCountedOneByOne) {
  const model::Program program = program_of("decl s := 0; void main() begin s := *; assert(s | !s); end");
  EXPECT_EQ(chosen("auto", program), "explicit");
  EXPECT_EQ(chosen("symbolic", program), "symbolic");
}

TEST(ChooseEngine, ManyChoicesGoToTheSymbolicEngine) {
  const model::Program program = program_of(
      "decl a, b, c, d, e; void main() begin a, b, c, d, e := *, *, *, *, *; assert(a | !a | b | c | d | e); end");
  EXPECT_EQ(chosen("auto", program), "symbolic");
  EXPECT_EQ(chosen("explicit", program), "explicit");
}

TEST(ChooseEngine, WhatTheSymbolicEngineRefusesStaysExplicit) {
  model::Program program =
      program_of("decl a, b, c, d, e; void main() begin a, b, c, d, e := *, *, *, *, *; assert(a); end");
  program.add_shared({.name = "n", .type = model::Type::fixed(2, false), .initial = {0}});
  EXPECT_EQ(chosen("auto", program), "explicit");
}

}  // namespace
}  // namespace cohort::verify
