// One program for each message of the front end, with the exact place the message points to.
#include <string>

#include <gtest/gtest.h>

#include "frontend/scpl/scpl_text.hpp"
#include "support/error_case.hpp"

namespace cohort::frontend::scpl {
namespace {

using test::Errors;
using test::name_of;
using test::repeated;
using test::unsupported;
using Case = test::ErrorCase;

TEST_P(Errors, NameThePlaceAndWhatIsWrong) {
  expect_refused([](const std::string& text) { load_text(text); });
}

const Case words[] = {
    {"StrayCharacter", body("x = @;"), 4, 5, "unexpected '@'"},
    {"OpenComment", body("/* x"), 4, 1, "this comment is not closed; expected '*/'"},
    {"NumberIntoName", body("x = 1x;"), 4, 5, "a number runs into a name here; a name starts with a letter or '_'"},
    {"NumberTooLarge", body("x = 9223372036854775808;"), 4, 5,
     "a number above 9223372036854775807 does not fit into 64 bits", unsupported},
};

const Case declarations[] = {
    {"NoInitialValue", "shared x; skip;", 1, 8,
     "expected a type (bool, int, unsigned, int1 to int32, uint1 to uint32) or a variable and '=', found 'x'"},
    {"NoInitialValueOfAType", "shared int x; skip;", 1, 13, "expected '=' and the initial value of 'x', found ';'"},
    {"WideType", "shared int33 x = 0;", 1, 8,
     "expected a type (bool, int, unsigned, int1 to int32, uint1 to uint32) or a variable and '=', found 'int33'"},
    {"TypeAsName", "shared int = 0;", 1, 8, "'int' is a type"},
    {"Twice", "shared x = 0; local x = 0; skip;", 1, 21, "'x' is declared twice"},
    {"InitialExpression", "shared x = 1 + 1;", 1, 12, "an initial value is a number, a truth value or '*'"},
    {"InitialTooLarge", "shared uint2 x = 4;", 1, 18, "4 is no value of type uint2"},
    {"InitialNumberOfBool", "shared bool x = 1;", 1, 17, "expected a Boolean, found a number"},
    {"LateDeclaration", body("skip; local z = 0;"), 4, 7, "variables are declared before the first statement"},
    {"LateShared", "thread t { skip; }\nshared x = 0;", 2, 1, "shared variables are declared before the first thread"},
    {"TwoThreadsOfAName", "thread t { }\nthread t { }", 2, 8, "thread 't' is declared twice"},
    {"NoThreads", "thread t [0] { }", 1, 8, "no thread exists at the start"},
    {"TooManyThreads", "thread t [1025] { }", 1, 11, "a program starts with at most 1024 threads of a kind"},
    {"NoCount", "thread t [n] { }", 1, 11, "expected a number of threads, found 'n'"},
    {"OpenThread", "thread t { skip;", 1, 17, "expected '}' at the end of thread 't', found the end of the file"},
};

const Case statements[] = {
    {"NoStatement", body("else"), 4, 1, "expected a statement, found 'else'"},
    {"StrayBrace", body("skip; }"), 4, 7, "expected a statement, found '}'"},
    {"NoSemicolon", body("skip"), 5, 1, "expected ';' after the statement, found the end of the file"},
    {"Unknown", body("z = 1;"), 4, 1, "'z' is not declared"},
    {"UnknownInExpression", body("x = z;"), 4, 5, "'z' is not declared"},
    {"Sides", body("x, y = 1;"), 4, 1, "2 variables on the left, but 1 value on the right of the assignment"},
    {"AssignedTwice", body("x, x = 1, 2;"), 4, 4, "'x' is assigned twice in one statement"},
    {"NoLabel", body("goto l;"), 4, 6, "there is no label 'l' in this thread"},
    {"LabelTwice", body("l: skip; l: skip;"), 4, 10, "label 'l' stands twice in this thread"},
    {"IntoASection", body("goto l; atomic { skip; l: skip; }"), 4, 6,
     "label 'l' stands inside an atomic section, which begins with its first statement"},
    {"EmptySection", body("atomic { }"), 4, 1, "an atomic section has at least one statement"},
    {"UnknownThread", body("start z;"), 4, 7, "there is no thread 'z'"},
    {"DeepBlocks", body(repeated("atomic {", 201)), 4, 1608, "blocks nested more than 200 levels deep", unsupported},
};

const Case expressions[] = {
    {"Assignment", body("assume x = 1;"), 4, 10, "'=' assigns; values are compared by '=='"},
    {"NumberForBoolean", body("assume 1;"), 4, 8, "expected a Boolean, found a number"},
    {"SumForBoolean", body("assume x + 1;"), 4, 8, "expected a Boolean, found a number"},
    {"BooleanForNumber", body("x = p;"), 4, 5, "expected a value of type int32, found one of type bool"},
    {"ComparedBooleans", body("assume p < q;"), 4, 8, "expected a number, found a Boolean"},
    {"MixedTypes", body("assume x == a;"), 4, 13,
     "expected a value of type int32, found one of type uint8; int32(...) converts"},
    {"NumberOutOfType", body("a = 256;"), 4, 5, "256 is no value of type uint8"},
    {"Call", body("x = f(1);"), 4, 5, "'f' is no type of numbers; functions cannot be called"},
    {"OpenParenthesis", body("x = (1;"), 4, 7, "expected ')' to close the parenthesis, found ';'"},
    {"DeepExpression", body("x = " + repeated("-", 401) + "x;"), 4, 404, "expression nested more than 400 levels deep",
     unsupported},
    {"LongChain", body("x = x" + repeated(" + x", 400) + ";"), 4, 5, "expression nested more than 400 levels deep",
     unsupported},
};

INSTANTIATE_TEST_SUITE_P(Words, Errors, testing::ValuesIn(words), name_of);
INSTANTIATE_TEST_SUITE_P(Declarations, Errors, testing::ValuesIn(declarations), name_of);
INSTANTIATE_TEST_SUITE_P(Statements, Errors, testing::ValuesIn(statements), name_of);
INSTANTIATE_TEST_SUITE_P(Expressions, Errors, testing::ValuesIn(expressions), name_of);

}  // namespace
}  // namespace cohort::frontend::scpl
