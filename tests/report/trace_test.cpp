#include <memory>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "report/text.hpp"
#include "report/trace_json.hpp"
#include "report/words.hpp"
#include "support/build.hpp"

namespace cohort::report {
namespace {

using model::ExprId;
using model::LocId;
using model::Program;
using model::TemplateId;
using model::Type;
using ::testing::HasSubstr;

// One thread that writes itself into a shared reference and a number into an array, then creates another one and ends.
struct PointerProgram {
  Program program;
  model::VarId head;
  model::VarId numbers;

  PointerProgram() {
    head = program.add_shared(test::var_of("head", Type::thread_ref(), {0}));
    numbers = program.add_shared(test::var_of("a", Type::fixed(8, false).array_of(2), {0}));
    model::Template templ = test::template_with("worker", 4);
    auto& exprs = program.exprs;
    test::add_edge(templ, 0, 1, test::assign_action(test::to_shared(head), exprs.self()));
    model::LValue second = test::to_shared(numbers);
    second.index = exprs.constant(1, Type::integer());
    test::add_edge(templ, 1, 2, test::assign_action(second, exprs.constant(5, Type::fixed(8, false))));
    model::Action spawn;
    spawn.spawns.push_back({.templ = TemplateId(0), .location = LocId(3)});
    test::add_edge(templ, 2, 3, spawn);
    model::Action end;
    end.ends_thread = true;
    test::add_edge(templ, 3, 3, end);
    for (std::size_t i = 0; i < templ.edges.size(); ++i) templ.edges[i].actions[0].text = "step " + std::to_string(i);
    program.add_template(templ);
    program.initial.push_back({TemplateId(0), LocId(0), 1});
  }

  // Takes the first possible step of the thread in `slot`, again and again.
  model::Run run(const std::vector<std::size_t>& slots) const {
    const model::Interpreter interpreter(program, 2);
    model::Run run{interpreter.initial_states().at(0), {}};
    for (const std::size_t slot : slots) {
      for (const model::Transition& step : interpreter.successors(run.last())) {
        if (step.thread != slot) continue;
        run.steps.push_back(step);
        break;
      }
    }
    return run;
  }
};

TEST(Trace, TellsReferencesArraysAndTheLifeOfThreads) {
  const PointerProgram example;
  const std::string text = trace_text(example.program, example.run({0, 0, 0, 0, 1}), TraceDetail::Story);
  EXPECT_EQ(text,
            "start: T0\n"
            "  1  T0    step 0  head = T0\n"
            "  2  T0    step 1  a[1] = 5\n"
            "  3  T0    step 2  creates T1 at L3\n"
            "  4  T0    step 3  T0 ends\n"
            "     -- switch to T1 --\n"
            "  5  T1    step 3  T1 ends\n");
}

TEST(Trace, ReferencesAndArraysSurviveJson) {
  const PointerProgram example;
  const model::Run run = example.run({0, 0, 0, 0, 1});
  const nlohmann::json trace = nlohmann::json::parse(trace_to_json(example.program, run).dump());
  EXPECT_EQ(trace["initial"]["shared"], nlohmann::json({{"head", nullptr}, {"a[0]", 0}, {"a[1]", 0}}));
  EXPECT_EQ(trace["steps"][0]["changes"]["shared"], nlohmann::json({{"head", "T0"}}));
  EXPECT_EQ(trace["steps"][1]["changes"]["shared"], nlohmann::json({{"a[1]", 5}}));
  const auto file = std::make_shared<const SourceFile>("trace.json", "");
  const model::Run back = trace_from_json(example.program, 2, trace, file);
  EXPECT_EQ(back.initial, run.initial);
  EXPECT_EQ(back.steps, run.steps);
}

TEST(Trace, RefusesReferencesToNobody) {
  const PointerProgram example;
  nlohmann::json trace = nlohmann::json::parse(trace_to_json(example.program, example.run({0})).dump());
  const auto file = std::make_shared<const SourceFile>("trace.json", "");
  trace["initial"]["shared"]["head"] = "T4";
  try {
    trace_from_json(example.program, 2, trace, file);
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_THAT(error.render(),
                HasSubstr("trace.json: error: the start of the trace: head is neither null nor a thread"));
  }
}

TEST(Words, SayTheScope) {
  PointerProgram example;
  result::Answer answer;
  answer.result.verdict = result::Verdict::Safe;
  EXPECT_EQ(headline(example.program, answer), "SAFE for all threads that it can have (at most 2)");
  answer.scope.bound = 3;
  EXPECT_EQ(headline(example.program, answer), "SAFE for up to 3 threads");
  answer.scope = {.bound = 1};
  EXPECT_EQ(headline(example.program, answer), "SAFE for 1 thread");
  example.program.initial[0].count.reset();
  answer.scope.bound.reset();
  EXPECT_EQ(headline(example.program, answer), "SAFE for any number of threads");
  answer.scope.bound = 4;
  EXPECT_EQ(headline(example.program, answer), "SAFE for 4 threads");
  answer.result = result::Result::unknown("time is up");
  EXPECT_EQ(headline(example.program, answer), "UNKNOWN for 4 threads: time is up");
}

TEST(Words, SayWhatIsViolated) {
  PointerProgram example;
  result::Answer answer;
  answer.result.verdict = result::Verdict::Unsafe;
  answer.result.run = example.run({0, 0, 0});
  answer.result.property = example.program.add_property({.kind = model::Property::Kind::Condition, .text = "bad"});
  EXPECT_EQ(headline(example.program, answer), "UNSAFE with 2 threads: bad state reached");
  EXPECT_EQ(violation_of(example.program, answer).kind, "condition");
  // A run that ends in a fault violates no property of the list.
  answer.result.property.reset();
  answer.result.run->steps.back().fault = model::FaultKind::NullReference;
  EXPECT_EQ(violation_of(example.program, answer).kind, "fault");
}

}  // namespace
}  // namespace cohort::report
