#include "frontend/lola/lola.hpp"

#include <map>
#include <random>

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "frontend/net_formula.hpp"
#include "model/interpreter.hpp"
#include "support/diagnostics.hpp"
#include "support/mutate.hpp"

namespace cohort::frontend::lola {
namespace {

using test::diagnostic;
using test::text_file;

model::Program parse(const std::string& text, Options options = {}) {
  return load(text_file("a.lola", text), options);
}
std::string error(const std::string& text, Options options = {}) {
  return diagnostic([&] { parse(text, options); });
}

constexpr const char* net =
    "{ a lock }\nPLACE SAFE 1: free, a.idle; critical-a, b/idle;\nMARKING free, a.idle: 2;\n"
    "TRANSITION enter CONSUME free: 1, a.idle; PRODUCE critical-a;\n"
    "TRANSITION leave STRONG FAIR CONSUME critical-a; PRODUCE free, a.idle: 1;\n";

// The least tokens of each target, as text.
std::string targets(const std::string& formula) {
  const model::Program program = parse(std::string(net) + formula);
  std::string text;
  for (const model::Property& property : program.properties) {
    std::map<std::string, int> counts;
    for (const auto& [templ, location] : property.threads) {
      ++counts[program.templ(templ).locations[location.value].label];
    }
    text += text.empty() ? "" : " | ";
    for (const auto& [name, count] : counts) text += fmt::format("{}={} ", name, count);
  }
  return text;
}

TEST(Lola, ReadsPlacesMarkingAndTransitions) {
  const model::Program program = parse(net);
  EXPECT_EQ(program.templ(model::TemplateId(1)).locations.size(), 4u);
  const model::Interpreter interpreter(program, std::nullopt);
  const auto initial = interpreter.initial_states();
  ASSERT_EQ(initial.size(), 1u);
  EXPECT_EQ(initial[0].alive(), 4u) << "three tokens and the thread net";
  const auto steps = interpreter.successors(initial[0]);
  ASSERT_EQ(steps.size(), 1u);
  EXPECT_EQ(steps[0].target.alive(), 3u) << "two tokens are consumed and one is made";
}

TEST(Lola, FormulasAreTargets) {
  EXPECT_EQ(targets(""), "");
  EXPECT_EQ(targets("FORMULA EF critical-a >= 2"), "critical-a=2 ");
  EXPECT_EQ(targets("EF (critical-a > 1 AND free >= 1)"), "critical-a=2 free=1 ");
  EXPECT_EQ(targets("FORMULA EF (free >= 2 OR NOT critical-a <= 0)"), "free=2  | critical-a=1 ");
}

TEST(Lola, SumsAreDistributed) {
  EXPECT_EQ(targets("FORMULA EF free + critical-a >= 2"), "critical-a=2  | critical-a=1 free=1  | free=2 ");
  EXPECT_EQ(targets("FORMULA AG free + critical-a <= 1"), "critical-a=2  | critical-a=1 free=1  | free=2 ");
  EXPECT_EQ(targets("FORMULA EF free + free >= 3"), "free=2 ") << "a place may be counted twice";
  EXPECT_EQ(targets("FORMULA EF free != 0"), "free=1 ");
  EXPECT_EQ(targets("FORMULA EF TRUE"), "");
}

TEST(Lola, RefusesWhatIsNoQuestionOfCoverability) {
  const auto refusal = [](const std::string& formula) { return error(std::string(net) + formula); };
  EXPECT_NE(refusal("FORMULA EF free = 1").find("no question of coverability"), std::string::npos);
  EXPECT_NE(refusal("FORMULA AG free >= 1").find("no question of coverability"), std::string::npos);
  EXPECT_NE(refusal("FORMULA AF free >= 1").find("only EF and AG are supported"), std::string::npos);
  EXPECT_NE(refusal("ANALYSE MARKING free").find("ANALYSE is not supported"), std::string::npos);
  EXPECT_NE(refusal("FORMULA EF free + a.idle + critical-a >= 500").find("more than 10000 targets"), std::string::npos);
  EXPECT_NE(error("SORT x = BOOLEAN;").find("high-level nets"), std::string::npos);
}

TEST(Lola, PointsAtMistakes) {
  EXPECT_NE(error("PLACE p, p;").find("a.lola:1:10"), std::string::npos);
  EXPECT_NE(error("PLACE p; MARKING q;").find("there is no place 'q'"), std::string::npos);
  EXPECT_NE(error("PLACE p; MARKING p, p;").find("marked twice"), std::string::npos);
  EXPECT_NE(error("PLACE p; MARKING ; TRANSITION t CONSUME p PRODUCE ;").find("expected ';'"), std::string::npos);
  EXPECT_NE(error("PLACE p; { never ends").find("does not end"), std::string::npos);
  EXPECT_NE(error("PLACE p; MARKING p: 99999999999;").find("a.lola:1:"), std::string::npos);
  EXPECT_NE(error(std::string(net) + "rubbish").find("found 'rubbish'"), std::string::npos);
}

TEST(Lola, TheCommandLineReplacesTheFormula) {
  const model::Program program = parse(std::string(net) + "FORMULA EF free >= 1", {.target = "critical-a>=2,free"});
  ASSERT_EQ(program.properties.size(), 1u);
  EXPECT_EQ(program.properties[0].threads.size(), 3u);
  EXPECT_NE(error(net, {.target = "nowhere"}).find("there is no place 'nowhere'"), std::string::npos);
}

TEST(Lola, OnlyEverThrowsInputErrors) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 3000; ++i) {
    const std::string text =
        test::mutate(std::string(net) + "FORMULA EF (free + a.idle >= 2 AND NOT critical-a <= 3)", random);
    try {
      parse(text);
    } catch (const InputError&) {
      continue;
    }
  }
}

}  // namespace
}  // namespace cohort::frontend::lola
