// One program for each message of the front end, with the exact place the message points to.
#include <string>

#include <gtest/gtest.h>

#include "frontend/pbmc/pbmc_text.hpp"
#include "support/error_case.hpp"

namespace cohort::frontend::pbmc {
namespace {

using test::Errors;
using test::name_of;
using test::repeated;
using test::unsupported;
using Case = test::ErrorCase;

TEST_P(Errors, NameThePlaceAndWhatIsWrong) {
  expect_refused([](const std::string& text) { load_text(text); });
}

// A header of one line, then a process in the second.
std::string with_header(const std::string& header) {
  return header + "\nprocesses 1; process P { }\n";
}

const Case lexical[] = {
    {"StrayCharacter", "int a;\n  @", 2, 3, "unexpected '@'"},
    {"StrayByte", "int \x80;", 1, 5, "unexpected a character with code 128"},
    {"OneAmpersand", one_process("p = p & q;"), 5, 8, "unexpected '&'"},
    {"OpenComment", "int a; /* b\n*", 1, 8, "this comment is not closed; expected '*/'"},
    {"NumberIntoName", "int 1x;", 1, 5, "a number runs into a name here; a name starts with a letter or '_'"},
    {"NumberTooLarge", one_process("x = 9223372036854775808;"), 5, 6,
     "a number above 9223372036854775807 does not fit into 64 bits", unsupported},
};

const Case header[] = {
    {"Unknown", "skip;", 1, 1, "expected a declaration, 'processes', 'init', 'property' or 'process', found 'skip'"},
    {"BehindAProcess", "processes 1; process P { }\nint x;", 2, 1,
     "'int' belongs to the header, which ends where the first process begins"},
    {"UnknownBehindAProcess", "processes 1; process P { }\n}", 2, 1, "expected 'process', found '}'"},
    {"NoSemicolon", "int x\nprocesses 1;", 2, 1, "expected ';' at the end of the header's line, found 'processes'"},
    {"NoName", "int ;", 1, 5, "expected the name of a variable, found ';'"},
    {"ReservedName", "bool while;", 1, 6, "expected the name of a variable, found 'while'"},
    {"Twice", with_header("int x; bool x;"), 1, 13, "'x' is declared twice; first in line 1"},
    {"ConstantTwice", with_header("const x = 1; int x;"), 1, 18, "'x' is declared twice; first in line 1"},
    {"SizeOpen", "int a[3;", 1, 8, "expected ']' after the size of the array, found ';'"},
    {"SizeZero", with_header("int a[0];"), 1, 7, "an array has from 1 to 65536 elements"},
    {"SizeHuge", with_header("int a[65537];"), 1, 7, "an array has from 1 to 65536 elements"},
    {"SizeVariable", with_header("int n; int a[n];"), 1, 14, "the size of an array is made of constants only"},
    {"SizeBool", with_header("int a[true];"), 1, 7, "expected a number, found a Boolean"},
    {"InitialType", with_header("int x = true;"), 1, 9, "expected a number, found a Boolean"},
    {"InitialVariable", with_header("int x = 0, y = x;"), 1, 16, "an initial value is made of constants only"},
    {"InitialListOfScalar", with_header("int x = {1, 2};"), 1, 9, "'x' is no array and has one initial value"},
    {"InitialListLength", with_header("int a[3] = {1, 2};"), 1, 12,
     "'a' has 3 elements, but 2 initial values are given"},
    {"InitialListOpen", "int a[2] = {1, 2;", 1, 17, "expected '}' after the initial values, found ';'"},
    {"ConstantVariable", with_header("int x; const c = x;"), 1, 18, "'x' is not declared"},
    {"ConstantNoValue", "const c;", 1, 8, "expected '=' after the name of the constant, found ';'"},
    {"ConstantChosen", with_header("const c = choose(1 .. 2);"), 1, 11,
     "nothing can be chosen here; only statements choose"},
    {"InitUnknown", with_header("init x = 1;"), 1, 6, "'x' is not declared"},
    {"InitConstant", with_header("const c = 1; init c = 2;"), 1, 19, "'c' is a constant and cannot be assigned"},
    {"InitTwice", with_header("int x = 1; init x = 2;"), 1, 17, "'x' is given an initial value twice; first in line 1"},
    {"InitElementTwice", with_header("int a[2]; init a[0] = 1, a[0] = 2;"), 1, 26,
     "'a[0]' is given an initial value twice; first in line 1"},
    {"InitElementAndAll", with_header("int a[2]; init a[0] = 1, a = 2;"), 1, 26,
     "'a' is given an initial value twice; first in line 1"},
    {"InitElementOutside", with_header("int a[2]; init a[2] = 1;"), 1, 18, "'a' has elements 0 to 1, not 2"},
    {"InitElementOfScalar", with_header("int x; init x[0] = 1;"), 1, 13, "'x' is no array and has no elements"},
    {"InitElementAny", with_header("int a[2]; init a[0] = *;"), 1, 23, "an element is given one initial value"},
    {"InitNoValue", "int x; init x;", 1, 14, "expected ':=' after the variable, found ';'"},
    {"AssumeType", with_header("int x; assume x;"), 1, 15, "expected a Boolean, found a number"},
    {"PropertyType", with_header("int x; property x + 1;"), 1, 17, "expected a Boolean, found a number"},
    {"PropertyLocal", "processes 1;\nproperty l == 1;\nprocess P { int l; }", 2, 10, "'l' is not declared"},
    {"PropertyChoice", with_header("int x; property x == *;"), 1, 22,
     "nothing can be chosen here; only statements choose"},
    {"EveryOfScalar", with_header("int x = k for every k;"), 1, 9, "'x' is no array and has one initial value"},
    {"EveryNoIndex", with_header("int a[2] = k for every;"), 1, 23,
     "expected the name of the index after 'for every', found ';'"},
    {"EveryNoWord", with_header("int a[2] = k for k;"), 1, 18,
     "expected 'every' and the name of the index after 'for', found 'k'"},
    {"EveryTaken", with_header("int k, a[2] = k for every k;"), 1, 27, "'k' is declared twice; first in line 1"},
    {"EveryOther", with_header("int a[2]; init a[0] = k for every k;"), 1, 18,
     "expected the index 'k' itself, for which there is a value"},
    {"EveryElementTwice", with_header("int a[2]; init a[k] = k for every k, a[0] = 2;"), 1, 38,
     "'a' is given an initial value twice; first in line 1"},
    {"Faults", "faults ignore;", 1, 8, "expected 'block' or 'violate' after 'faults', found 'ignore'"},
    {"FaultsTwice", "faults block; faults block;", 1, 15, "what faults mean is said twice"},
};

const Case processes[] = {
    {"None", "int x;\n", 2, 1, "the program has no process"},
    {"NoNumber", "process P { }", 1, 9, "the header does not give the number of 'processes'"},
    {"NumberTwice", "processes 1; processes 1;", 1, 14, "the number of processes is given twice"},
    {"NumberZero", "processes 0;\nprocess P { }", 1, 11, "a program has from 1 to 1024 processes"},
    {"NumberHuge", "processes 1025;\nprocess P[i] { }", 1, 11, "a program has from 1 to 1024 processes"},
    {"TooFew", "processes 3;\nprocess P { }", 1, 11, "the header says 3 processes, but the body has 1 process"},
    {"TooMany", "processes 1;\nprocess P[i : 2] { }", 1, 11, "the header says 1 process, but the body has 2 processes"},
    {"NothingLeft", "processes 2;\nprocess P[i : 2] { }\nprocess Q[i] { }", 1, 11,
     "the header says 2 processes, but the body has 2 processes besides those of 'Q'"},
    {"TwoOpen", "processes 4;\nprocess P[i] { }\nprocess Q[i] { }", 3, 9,
     "only one process can have as many copies as are left; write [index : number]"},
    {"SameName", "processes 2;\nprocess P { }\nprocess P { }", 3, 9, "'P' is declared twice; first in line 2"},
    {"NoBody", "processes 1;\nprocess P x = 1;", 2, 11, "expected '{' before the body of the process, found 'x'"},
    {"Open", "processes 1;\nprocess P { skip;\n", 3, 1,
     "expected '}' at the end of process 'P', found the end of the file"},
    {"IndexOpen", "processes 1;\nprocess P[i { }", 2, 13, "expected ']' after the index, found '{'"},
    {"IndexIsShared", "int i;\nprocesses 1;\nprocess P[i] { }", 3, 11, "'i' is declared twice; first in line 1"},
    {"LocalIsShared", "int x;\nprocesses 1;\nprocess Q { int x; }", 3, 17, "'x' is declared twice; first in line 1"},
    {"IndexAssigned", "processes 1;\nprocess P[i] { i = 1; }", 2, 16, "'i' is a constant and cannot be assigned"},
};

const Case sights[] = {
    {"NoProcess", with_header("int x; property Q.x == 1;"), 1, 17, "no process is called 'Q'"},
    {"NoVariable", with_header("int x; property P.x == 1;"), 1, 17, "'P' has no variable 'x'"},
    {"NoLabel", with_header("property !(P at here);"), 1, 12, "no statement of 'P' has the label 'here'"},
    {"NoNumber", "processes 2; property P.l == 1;\nprocess P[i] { int l; }", 1, 23,
     "'P' has copies; which one is said by a number: P[0]"},
    {"Number", "processes 1; property P[0].l == 1;\nprocess P { int l; }", 1, 23,
     "'P' is one process and has no number"},
    {"NumberTooLarge", "processes 2; property P[2].l == 1;\nprocess P[i] { int l; }", 1, 25,
     "'P' has copies 0 to 1, not 2"},
    {"NumberVariable", "int x; processes 2; property P[x].l == 1;\nprocess P[i] { int l; }", 1, 32,
     "the number of a process is made of constants only"},
    {"Type", "processes 1; property P.l;\nprocess P { int l; }", 1, 23, "expected a Boolean, found a number"},
    {"PlaceAsNumber", "processes 1; property 1 + (P at end) == 1;\nprocess P { }", 1, 28,
     "expected a number, found a Boolean"},
    {"Array", "processes 1; property P.l == 0;\nprocess P { int l[2]; }", 1, 23,
     "'l' is an array; expected '[' and an index behind it"},
    {"NoArray", "processes 1; property P.l[0] == 0;\nprocess P { int l; }", 1, 23,
     "'l' is no array and has no elements"},
    {"InAProcess", "processes 2; process Q { int l; }\nprocess P { assume Q.l == 0; }", 2, 20,
     "only properties and 'assume' in the header speak of other processes"},
    {"InAConstant", "const c = P.l; processes 1; process P { int l; }", 1, 11,
     "only properties and 'assume' in the header speak of other processes"},
    {"InANumber", "processes 2; property P[P[0].l].l == 0;\nprocess P[i] { int l; }", 1, 25,
     "only properties and 'assume' in the header speak of other processes"},
    {"NoMember", "processes 1; property P. == 0;", 1, 26, "expected a variable of the process, found '=='"},
};

const Case statements[] = {
    {"NoStatement", one_process("= x;"), 5, 2, "expected a statement, found '='"},
    {"NoSemicolon", one_process("skip skip;"), 5, 7, "expected ';' after the statement, found 'skip'"},
    {"LateDeclaration", one_process("skip; int z;"), 5, 8,
     "the variables of a process are declared before its first statement"},
    {"NotAssigned", one_process("x + 1;"), 5, 4, "expected '=' after the variable, found '+'"},
    {"NotDeclared", one_process("z = 1;"), 5, 2, "'z' is not declared"},
    {"ReadNotDeclared", one_process("x = z;"), 5, 6, "'z' is not declared"},
    {"WrongType", one_process("x = p;"), 5, 6, "expected a number, found a Boolean"},
    {"WrongTypeOfElement", one_process("a[0] = p;"), 5, 9, "expected a number, found a Boolean"},
    {"WholeArray", one_process("a = 1;"), 5, 2, "'a' is an array; one of its elements can be assigned, not the whole"},
    {"ElementOfScalar", one_process("x[0] = 1;"), 5, 2, "'x' is no array and has no elements"},
    {"IndexType", one_process("a[p] = 1;"), 5, 4, "expected a number, found a Boolean"},
    {"IndexOpen", one_process("a[0 = 1;"), 5, 6, "'=' assigns; values are compared by '=='"},
    {"Twice", one_process("x, x = 1, 2;"), 5, 5, "'x' may be assigned twice in one statement"},
    {"ElementTwice", one_process("a[x], a[y] = 1, 2;"), 5, 8, "'a' may be assigned twice in one statement"},
    {"Counts", one_process("x, y = 1;"), 5, 2, "2 variables on the left, but 1 value on the right of the assignment"},
    {"IfNoParenthesis", one_process("if p { }"), 5, 5, "expected '(' after 'if', found 'p'"},
    {"IfOpen", one_process("if (p { }"), 5, 8, "expected ')' after the condition, found '{'"},
    {"IfNoBlock", one_process("if (p) skip;"), 5, 9, "expected '{' after the condition, found 'skip'"},
    {"ElseNoBlock", one_process("if (p) { } else skip;"), 5, 18, "expected '{' after 'else', found 'skip'"},
    {"BlockOpen", one_process("while (p) { skip;"), 7, 1,
     "expected '}' at the end of process 'P', found the end of the file"},
    {"AtomicNoBlock", one_process("atomic x = 1;"), 5, 9, "expected '{' after 'atomic', found 'x'"},
    {"WhenNoAssignment", one_process("when (p) skip;"), 5, 11, "expected a variable, found 'skip'"},
    {"AssumeType", one_process("assume x;"), 5, 9, "expected a Boolean, found a number"},
    {"BlocksTooDeep", one_process(repeated("while (p) {", 201)), 5, 2212, "blocks nested more than 200 levels deep",
     unsupported},
    {"ElseIfTooDeep", one_process(repeated("if (p) { } else ", 301) + "{ }"), 5, 3193,
     "blocks nested more than 200 levels deep", unsupported},
};

const Case expressions[] = {
    {"Nothing", one_process("x = ;"), 5, 6, "expected an expression, found ';'"},
    {"ParenthesisOpen", one_process("x = (y;"), 5, 8, "expected ')' to close the parenthesis, found ';'"},
    {"Assigns", one_process("assume x = 1;"), 5, 11, "'=' assigns; values are compared by '=='"},
    {"Array", one_process("x = a;"), 5, 6, "'a' is an array; expected '[' and an index behind it"},
    {"NoArray", one_process("x = y[0];"), 5, 6, "'y' is no array and has no elements"},
    {"SumOfBooleans", one_process("x = y + p;"), 5, 10, "expected a number, found a Boolean"},
    {"NotOfNumber", one_process("p = !x;"), 5, 7, "expected a Boolean, found a number"},
    {"AndOfNumbers", one_process("p = q && x;"), 5, 11, "expected a Boolean, found a number"},
    {"ComparesDifferent", one_process("p = x == q;"), 5, 6, "expected a Boolean, found a number"},
    {"OrderOfBooleans", one_process("p = q < p;"), 5, 6, "expected a number, found a Boolean"},
    {"CaseTypes", one_process("x = p ? 1 : q;"), 5, 14, "expected a number, found a Boolean"},
    {"CaseOpen", one_process("x = p ? 1;"), 5, 11, "expected ':' between the two cases of '?', found ';'"},
    {"ChooseBounds", one_process("x = choose(3 .. 1);"), 5, 6, "there is nothing to choose from 3 to 1"},
    {"ChooseVariable", one_process("x = choose(0 .. y);"), 5, 18, "a bound of 'choose' is made of constants only"},
    {"ChooseOpen", one_process("x = choose(0, 1);"), 5, 14, "expected '..' between the bounds of 'choose', found ','"},
    {"TooDeep", one_process("x = " + repeated("(", 401) + "1"), 5, 406, "expression nested more than 400 levels deep",
     unsupported},
    {"TooLong", one_process("x = " + repeated("y + ", 500) + "y;"), 5, 6, "expression nested more than 400 levels deep",
     unsupported},
    {"NegationTooDeep", one_process("p = " + repeated("!", 500) + "q;"), 5, 405,
     "expression nested more than 400 levels deep", unsupported},
};
INSTANTIATE_TEST_SUITE_P(Lexical, Errors, testing::ValuesIn(lexical), name_of);
INSTANTIATE_TEST_SUITE_P(Header, Errors, testing::ValuesIn(header), name_of);
INSTANTIATE_TEST_SUITE_P(Processes, Errors, testing::ValuesIn(processes), name_of);
INSTANTIATE_TEST_SUITE_P(Sights, Errors, testing::ValuesIn(sights), name_of);
INSTANTIATE_TEST_SUITE_P(Statements, Errors, testing::ValuesIn(statements), name_of);
INSTANTIATE_TEST_SUITE_P(Expressions, Errors, testing::ValuesIn(expressions), name_of);

}  // namespace
}  // namespace cohort::frontend::pbmc
