#include "report/counters.hpp"

#include <gtest/gtest.h>

#include "model/interpreter.hpp"
#include "report/text.hpp"
#include "support/build.hpp"

namespace cohort::report {
namespace {

TEST(Counters, ARunIsAPathOfCounterStates) {
  model::Program program;
  const model::VarId x = program.add_shared(test::bool_var("x", {0}));
  model::Template templ = test::template_with("worker", 2);
  templ.locations[0].label = "A";
  templ.locations[1].label = "B";
  templ.add_local(test::bool_var("l", {1}));
  test::add_edge(templ, 0, 1, test::assign_action(test::to_shared(x), program.exprs.boolean(true)));
  program.add_template(std::move(templ));
  program.initial.push_back({model::TemplateId(0), model::LocId(0), 3});

  const model::Interpreter interpreter(program, 3);
  model::Run run{interpreter.initial_states().at(0), {}};
  for (int i = 0; i < 2; ++i) run.steps.push_back(interpreter.successors(run.last()).at(0));
  const std::string states =
      "counter states:\n  0  x=0 | A l=1: 3\n  1  x=1 | A l=1: 2, B l=1: 1\n  2  x=1 | A l=1: 1, B l=1: 2\n";
  EXPECT_EQ(counters_text(program, run), states);
  // Beside the run as it is told step by step.
  EXPECT_EQ(trace_text(program, run, TraceDetail::Counters), trace_text(program, run, TraceDetail::Full) + states);
}

}  // namespace
}  // namespace cohort::report
