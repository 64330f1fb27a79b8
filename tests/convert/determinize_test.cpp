#include "convert/determinize.hpp"

#include <gtest/gtest.h>

#include "convert/bp.hpp"
#include "support/diagnostics.hpp"
#include "support/example.hpp"

namespace cohort::convert {
namespace {

model::Program parse(const std::string& text) {
  return frontend::bp::load(test::text_file("test.bp", text));
}

TEST(Determinize, LeavesNoChoice) {
  for (const test::Example& example : test::examples()) {
    const model::Program program = determinize(test::load(example), 7);
    for (const model::Template& templ : program.templates) {
      for (const model::Edge& edge : templ.edges) {
        for (const model::Assign& assign : edge.actions.front().assigns) {
          EXPECT_FALSE(model::mentions(program.exprs, assign.value, model::Op::Nondet)) << example.name();
        }
        const auto& guard = edge.actions.front().guard;
        EXPECT_FALSE(guard && model::mentions(program.exprs, *guard, model::Op::Nondet)) << example.name();
      }
    }
  }
}

TEST(Determinize, DependsOnTheSeedAlone) {
  const model::Program program =
      parse("decl a, b, c, d, e, f, g, h; void main() begin a, b, c, d, e, f, g, h := *, *, *, *, *, *, *, *; end");
  const auto text = [&](std::uint64_t seed) { return to_bp(model::inline_calls(determinize(program, seed))); };
  EXPECT_EQ(text(1), text(1));
  std::set<std::string> texts;
  for (std::uint64_t seed = 0; seed < 20; ++seed) texts.insert(text(seed));
  EXPECT_GE(texts.size(), 10U);
}

TEST(Determinize, TheTwoWaysOfABranchAgree) {
  const model::Program program = parse("decl a; void main() begin if (a | *) then skip; else skip; fi; end");
  std::set<model::Value> drawn;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const model::Program fixed = determinize(program, seed);
    const auto& edges = fixed.templates[0].edges;
    const auto constant_of = [&](const model::Edge& edge) {
      model::Value value = -1;
      model::for_each_node(fixed.exprs, *edge.actions.front().guard, [&](const model::Expr& node, model::ExprId) {
        if (node.op == model::Op::Const) value = node.value;
      });
      return value;
    };
    EXPECT_EQ(constant_of(edges[0]), constant_of(edges[1]));
    drawn.insert(constant_of(edges[0]));
  }
  EXPECT_EQ(drawn, (std::set<model::Value>{0, 1}));
}

}  // namespace
}  // namespace cohort::convert
