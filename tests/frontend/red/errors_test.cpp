// One program for each message of the front end, with the exact place the message points to.
#include <string>

#include <gtest/gtest.h>

#include "frontend/red/red_text.hpp"
#include "support/error_case.hpp"

namespace cohort::frontend::red {
namespace {

using test::Errors;
using Case = test::ErrorCase;

TEST_P(Errors, NameThePlaceAndWhatIsWrong) {
  expect_refused([](const std::string& text) { load_text(text); });
}

// The declarations, then one transition on line 3.
std::string with(const std::string& transition) {
  return "process count = 2;\nglobal pointer g; local pointer p; local discrete x: 0..3;\nmode a true { " + transition +
         " }\n";
}

// The same with a condition on line 4.
std::string with_condition(const std::string& condition) {
  return with("when true may ;") + condition + "\n";
}

const Case cases[] = {
    {"NoCount", "mode a true { }", 1, 1,
     "the number of processes is not given: write 'process count = N;' or use --processes"},
    {"NoMode", "process count = 2;", 1, 19, "an algorithm has at least one mode"},
    {"CountTwice", "process count = 2;\nprocess count = 3;", 2, 1, "the number of processes is given twice"},
    {"CountZero", "process count = 0;", 1, 17, "the number of processes lies between 1 and 1000"},
    {"Character", "mode a % { }", 1, 8, "unexpected '%'"},
    {"Comment", "mode a /* true", 1, 8, "this comment is not closed; expected '*/'"},
    {"GluedNumber", "process count = 2x;", 1, 17, "a number runs into a name here"},
    {"LargeNumber", "process count = 99999999999;", 1, 17, "a number is larger than 1000000000"},
    {"Item", "foo;", 1, 1, "expected a declaration, 'mode', 'initially', 'risk' or 'safe', found 'foo'"},
    {"Kind", "global integer x;", 1, 8, "expected 'pointer' or 'discrete', found 'integer'"},
    {"PointerRange", "global pointer x: 0..3;", 1, 17, "a pointer has no range: it is NULL or a process"},
    {"EmptyRange", "global discrete x: 3..1;", 1, 20, "the range 3..1 is empty"},
    {"Twice", "global discrete x; local pointer x; mode a true { }\nprocess count = 1;", 1, 34,
     "'x' is declared twice"},
    {"ModeIsVariable", "process count = 1; global discrete x; mode x true { }", 1, 44, "'x' is declared twice"},
    {"NoMay", with("when true goto a;"), 3, 25, "expected 'may', found 'goto'"},
    {"AfterGoto", with("when true may goto a; x = 1;"), 3, 37, "nothing follows 'goto' in a transition"},
    {"NoSuchMode", with("when true may goto b;"), 3, 34, "there is no mode 'b'"},
    {"Undeclared", with("when y == 1 may ;"), 3, 20, "'y' is not declared"},
    {"ConditionIsValue", with("when x may ;"), 3, 20, "expected a condition, found a value"},
    {"ValueIsCondition", with("when true may x = x == 1;"), 3, 35, "expected a value, found a condition"},
    {"ProcessIsCondition", with("when true may p = x == 1;"), 3, 35, "expected a process, found a condition"},
    {"AssignToMode", with("when true may a = 1;"), 3, 29, "'a' is not a variable"},
    {"AssignToProcess", with("when true may P = 1;"), 3, 29, "a variable is assigned to, not a value"},
    {"GlobalOfProcess", with("when true may p->g = NULL;"), 3, 32, "'g' is global: it belongs to no process"},
    {"GlobalIndex", with("when g[1] == NULL may ;"), 3, 20, "'g' belongs to no process and has no index"},
    {"NoSuchProcess", with("when p == 3 may ;"), 3, 25, "there is no process 3: they are numbered 1 to 2"},
    {"NoSuchIndex", with("when x[3] == 1 may ;"), 3, 22, "there is no process 3: they are numbered 1 to 2"},
    {"ModeWithoutIndex", with("when a may ;"), 3, 20, "'a' is a mode: whose? write a[i]"},
    {"ModeBesideNumber", with("when a == 0 may ;"), 3, 20, "'a' is a mode: whose? write a[i]"},
    {"ModeInChain", with("when 0 < x < a may ;"), 3, 28, "'a' is a mode: whose? write a[i]"},
    {"ConditionInChain", with("when 1 < (x < 3) < 3 may ;"), 3, 27, "expected a value, found a condition"},
    {"ModeOfNobody", with_condition("risk mode == 1;"), 4, 6, "no process executes here: name one, as in x[1] or x[i]"},
    {"AssignToModeNumber", with("when true may mode = 1;"), 3, 29,
     "a process changes its mode by 'goto', and only its own"},
    {"AssignToModeOfOther", with("when true may p->mode = 1;"), 3, 32,
     "a process changes its mode by 'goto', and only its own"},
    {"AssignThroughArrow", with("when true may p->(x + 1) = 1;"), 3, 35, "a variable is assigned to, not a value"},
    {"ArrowToNothing", with("when p-> == 1 may ;"), 3, 24, "expected an expression, found '=='"},
    {"Unfinished", with("when (x == 1 may ;"), 3, 28, "expected ')', found 'may'"},
    {"NoAssignment", with("when true may 5 = x;"), 3, 29, "expected an assignment, 'goto' or ';', found '5'"},
    {"LocalInCondition", with_condition("risk x == 1;"), 4, 6,
     "no process executes here: name one, as in x[1] or x[i]"},
    {"SelfInCondition", with_condition("risk g == P;"), 4, 11,
     "no process executes here: name one, as in x[1] or x[i]"},
    {"BoundName", with_condition("risk exists x: x[1] == 1;"), 4, 13, "'x' means something else already"},
    {"BoundTwice", with_condition("risk exists i, i: x[i] == 1;"), 4, 16, "'i' means something else already"},
    {"BoundIndex", with_condition("risk exists i: i[1] == 1;"), 4, 16, "'i' is a process and has no index"},
    {"InitiallyTwice", with_condition("initially true; initially true;"), 4, 17,
     "the initial condition is given twice"},
};

INSTANTIATE_TEST_SUITE_P(All, Errors, testing::ValuesIn(cases), test::name_of);

TEST(Nesting, TooDeepIsRefused) {
  const std::string open(100'000, '(');
  EXPECT_THROW(load_text(with("when " + open + "true may ;")), InputError);
  const std::string negations(100'000, '!');
  EXPECT_THROW(load_text(with("when " + negations + "true may ;")), InputError);
  std::string all_levels;
  for (int i = 0; i < 10'000; ++i) all_levels += "x == 1 or x == 1 and x == x + x * (";
  EXPECT_THROW(load_text(with("when " + all_levels + "x may ;")), InputError);
  std::string sum = "x";
  for (int i = 0; i < 20'000; ++i) sum += " + x";
  EXPECT_THROW(load_text(with("when " + sum + " == 1 may ;")), InputError);
}

}  // namespace
}  // namespace cohort::frontend::red
