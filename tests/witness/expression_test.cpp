#include "witness/expression.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "witness/variables.hpp"

namespace cohort::witness {
namespace {

using ::testing::ElementsAre;

class Expression : public ::testing::Test {
 protected:
  Expression() {
    const model::Type number = model::Type::range(-100, 100);
    program_.add_shared({.name = "x", .type = number, .initial = {0}});
    program_.add_shared({.name = "lock.owner", .type = number, .initial = {0}});
    model::Template templ;
    templ.name = "main";
    templ.add_local({.name = "mine", .type = number, .initial = {0}});
    templ.entry = templ.add_location({});
    program_.add_template(templ);
    state_.shared = {7, -2};
    state_.threads = {model::ThreadState{model::TemplateId(0), model::LocId(0), false, {5}}};
  }

  std::optional<model::Value> value(const std::string& text) const { return evaluate(program_, state_, 0, text); }

  model::Program program_;
  model::State state_;
};

TEST_F(Expression, IsEvaluatedAsInC) {
  EXPECT_EQ(value("x"), 7);
  EXPECT_EQ(value("x == 7 && mine == 5"), 1);
  EXPECT_EQ(value("lock.owner == -2"), 1);
  EXPECT_EQ(value("1 + 2 * 3 - 4"), 3);
  EXPECT_EQ(value("(1 + 2) * 3 % 5"), 4);
  EXPECT_EQ(value("!x || x <= 6"), 0);
  EXPECT_EQ(value("0 <= x && x < 0x10UL"), 1);
  EXPECT_EQ(value("- - x"), 7);
}

TEST_F(Expression, IsOpenWhereANameIsNotKnown) {
  EXPECT_EQ(value("y == 1"), std::nullopt);
  EXPECT_EQ(value("y == 1 || x == 7"), 1);
  EXPECT_EQ(value("y == 1 && x == 8"), 0);
  EXPECT_EQ(evaluate(program_, state_, std::nullopt, "mine"), std::nullopt);
}

TEST_F(Expression, RefusesWhatIsNone) {
  for (const char* text :
       {"", "x ==", "x y", "(x", "x = 7", "f(x)", "x ? 1 : 2", "1 / 0", "9223372036854775807 + 1", "*x"})
    EXPECT_EQ(value(text), std::nullopt) << text;
  EXPECT_EQ(value(std::string(100'000, '(')), std::nullopt);
  EXPECT_EQ(value(std::string(100'000, '!') + "x"), std::nullopt);
}

TEST_F(Expression, KnowsWhatACallReturned) {
  EXPECT_EQ(evaluate(program_, state_, 0, "\\result == 3", 3), 1);
  EXPECT_EQ(evaluate(program_, state_, 0, "\\result > 3", 3), 0);
  EXPECT_EQ(value("\\result == 3"), std::nullopt);
}

TEST(Constants, AreTheNumbersOfAText) {
  EXPECT_THAT(constants_in("x == 12 && y > -3"), ElementsAre(12, 3, -3));
}

// Of a program's globals, those that other tools can be told about.
TEST(PlainIntegers, AreNeitherPointersNorHandlesNorInsidesOfLocks) {
  const auto file =
      std::make_shared<const SourceFile>("f.c",
                                         "static volatile int a = 1, b;\nint *p;\npthread_t t;\nint c[2];\n  static "
                                         "int inner;\nunsigned long d;\nint f(int e) {\n");
  model::Program program;
  const auto add = [&](const char* name, std::uint32_t line) {
    program.add_shared({.name = name, .type = model::Type::range(0, 9), .initial = {0}, .span = {file, line, 1}});
  };
  add("a", 1);
  add("b", 1);
  add("p", 2);
  add("t", 3);
  add("c", 4);
  add("inner", 5);
  add("d", 6);
  add("e", 7);
  add("m.owner", 1);
  std::vector<std::string> names;
  for (const model::Variable* variable : plain_integers(program)) names.push_back(variable->name);
  EXPECT_THAT(names, ElementsAre("a", "b", "d"));
}

}  // namespace
}  // namespace cohort::witness
