// One program for each message of the front end, with the exact place the message points to.
#include <string>

#include <gtest/gtest.h>

#include "frontend/bp/bp_text.hpp"
#include "support/error_case.hpp"

namespace cohort::frontend::bp {
namespace {

using test::Errors;
using test::name_of;
using test::repeated;
using test::unsupported;
using Case = test::ErrorCase;

TEST_P(Errors, NameThePlaceAndWhatIsWrong) {
  expect_refused([](const std::string& text) { resolve_text(text); });
}

std::string main_with(const std::string& body) {
  return "decl g;\nvoid main() begin\n decl x, y;\n " + body + "\nend\n";
}

const Case lexical[] = {
    {"StrayCharacter", "decl a;\n  @", 2, 3, "unexpected character '@'"},
    {"StrayByte", "decl \x80;", 1, 6, "unexpected byte 0x80"},
    {"StrayNul", std::string("decl a;\n\0", 9), 2, 1, "unexpected byte 0x00"},
    {"OpenComment", "decl a; /* b\n*", 1, 9, "this comment is not closed; expected '*/'"},
    {"NumberIntoName", "decl 1x;", 1, 6, "a number runs into a name here; a name starts with a letter, '_' or '$'"},
    {"DotAtTheEnd", "decl a.;", 1, 7, "unexpected character '.'"},
};

const Case grammar[] = {
    {"TopLevel", "skip;", 1, 1,
     "expected 'decl' or a procedure ('void', 'bool' or 'bool<n>' and a name), found 'skip'"},
    {"DeclWithoutName", "decl a, ;", 1, 9, "expected the name of a variable, found ';'"},
    {"DeclReserved", "decl while;", 1, 6, "expected the name of a variable, found 'while'"},
    {"DeclConstant", "decl T;", 1, 6, "expected the name of a variable, found 'T'"},
    {"DeclOpen", "decl a\nvoid main() begin end", 2, 1, "expected ';' after the declaration, found 'void'"},
    {"DeclInitialName", "decl a := b;", 1, 11, "expected 0, 1 or '*' as the initial value, found 'b'"},
    {"DeclInitialNumber", "decl a := 2;", 1, 11, "expected the constant 0 or 1, found '2'"},
    {"ProcedureName", "void () begin end", 1, 6, "expected the name of a procedure, found '('"},
    {"ProcedureParenthesis", "void f begin end", 1, 8, "expected '(' after the name of the procedure, found 'begin'"},
    {"Parameter", "void f(a,) begin end", 1, 10, "expected the name of a parameter, found ')'"},
    {"ParametersOpen", "void f(a begin end", 1, 10, "expected ')' after the parameters, found 'begin'"},
    {"NoBegin", "void f() skip", 1, 10, "expected 'begin' before the body of the procedure, found 'skip'"},
    {"NoEnd", "void f() begin skip;\n", 2, 1, "expected 'end' at the end of procedure 'f', found the end of the file"},
    {"BraceEnd", "f() { skip end", 1, 12, "expected '}' at the end of procedure 'f', found 'end'"},
    {"StrayFi", "void f() begin skip fi end", 1, 21, "expected 'end' at the end of procedure 'f', found 'fi'"},
    {"ResultsWord", "bool<n> f() begin end", 1, 6, "expected the number of results, found 'n'"},
    {"ResultsZero", "bool<0> f() begin end", 1, 6, "a procedure has from 1 to 1024 results"},
    {"ResultsHuge", "bool<99999999999999999999> f() begin end", 1, 6, "a procedure has from 1 to 1024 results"},
    {"ResultsOpen", "bool<2 f() begin end", 1, 8, "expected '>' after the number of results, found 'f'"},
    {"NoStatement", main_with(":= x;"), 4, 2, "expected a statement, found ':='"},
    {"NoSemicolon", main_with("skip skip"), 4, 7, "expected ';' after the statement, found 'skip'"},
    {"LabelAtTheEnd", main_with("skip; L:"), 5, 1,
     "expected a statement after the label 'L' (write 'skip' for none), found 'end'"},
    {"LabelBeforeSemicolon", main_with("L: M: ; skip"), 4, 8,
     "expected a statement after the label 'M' (write 'skip' for none), found ';'"},
    {"NumberAlone", main_with("13 skip"), 4, 2, "expected a statement, found '13'"},
    {"NameAlone", main_with("x = 1;"), 4, 4, "expected ':=', '(' or ':' after 'x', found '='"},
    {"GotoNothing", main_with("goto;"), 4, 6, "expected a label, found ';'"},
    {"TargetsOpen", main_with("x, 1 := y"), 4, 5, "expected a variable or '_', found '1'"},
    {"AssignMissing", main_with("x, y = 0, 1;"), 4, 7, "expected ':=' after the variables, found '='"},
    {"AssignNothing", main_with("x := ;"), 4, 7, "expected an expression, found ';'"},
    {"CallBesides", main_with("x, y := f(x), 1"), 4, 14,
     "expected ';' after a call, which stands alone on the right side, found ','"},
    {"CallConstrained", main_with("x := f(x) constrain 'x"), 4, 12,
     "expected ';' after a call, which stands alone on the right side, found 'constrain'"},
    {"CallInside", main_with("x := y & f(x)"), 4, 11,
     "a call such as 'f(..)' cannot stand inside an expression; assign its result to a variable first"},
    {"ArgumentsOpen", main_with("f(x;"), 4, 5, "expected ')' after the arguments, found ';'"},
    {"StartNothing", main_with("start_thread;"), 4, 14,
     "expected a label, 'goto' and a label, or a call after 'start_thread', found ';'"},
    {"AsyncResult", main_with("ASYNC_1: x := main()"), 4, 11,
     "a call below the label 'ASYNC_1' starts a thread, which has no results to assign"},
    {"NoThen", main_with("if x skip fi"), 4, 7, "expected 'then' after the condition, found 'skip'"},
    {"NoFi", main_with("if x then skip od"), 4, 17, "expected 'fi' at the end of the 'if', found 'od'"},
    {"NoDo", main_with("while x skip od"), 4, 10, "expected 'do' after the condition, found 'skip'"},
    {"NoOd", main_with("while x do skip"), 5, 1, "expected 'od' at the end of the 'while', found 'end'"},
    {"DeadNothing", main_with("dead ;"), 4, 7, "expected the name of a variable, found ';'"},
    {"ParenthesisOpen", main_with("assume(x;"), 4, 10, "expected ')' to close the parenthesis, found ';'"},
    {"NumberConstant", main_with("x := 2;"), 4, 7, "expected the constant 0 or 1, found '2'"},
    {"PrimeNothing", main_with("x := * constrain '1"), 4, 20, "expected the name of a variable after ''', found '1'"},
    {"SchooseBracket", main_with("x := schoose(0,1);"), 4, 14, "expected '[' after 'schoose', found '('"},
    {"SchooseComma", main_with("x := schoose[0];"), 4, 16,
     "expected ',' between the two conditions of 'schoose', found ']'"},
    {"SchooseOpen", main_with("x := schoose[0,1;"), 4, 18, "expected ']' at the end of 'schoose', found ';'"},
    {"ConditionalColon", main_with("x := y ? x;"), 4, 12, "expected ':' between the two cases of '?', found ';'"},
    {"Sync", main_with("sync e;"), 4, 2, "the statement 'sync' is not supported", unsupported},
    {"Wait", main_with("L: wait;"), 4, 5, "the statement 'wait' is not supported", unsupported},
    {"Broadcast", main_with("broadcast"), 4, 2, "the statement 'broadcast' is not supported", unsupported},
    {"DeepParentheses", "void main() begin assume " + std::string(5000, '('), 1, 1026,
     "expression nested more than 1000 levels deep", unsupported},
    {"DeepNegation", "void main() begin assume " + std::string(500000, '!'), 1, 1025,
     "expression nested more than 1000 levels deep", unsupported},
    {"DeepEquality", "void main() begin assume " + repeated("a=", 5000), 1, 2026,
     "expression nested more than 1000 levels deep", unsupported},
    {"DeepConditional", "void main() begin assume " + repeated("a?", 5000), 1, 2026,
     "expression nested more than 1000 levels deep", unsupported},
    {"DeepBlocks", "void main() begin " + repeated("if a then ", 5000), 1, 2019,
     "blocks nested more than 200 levels deep", unsupported},
};

const Case meaning[] = {
    {"NoMain", "decl a;\nvoid f() begin end", 1, 1, "the program has no procedure 'main'"},
    {"Empty", "", 1, 1, "the program has no procedure 'main'"},
    {"SharedTwice", "decl a;\ndecl b, a;\nvoid main() begin end", 2, 9,
     "the shared variable 'a' is declared twice; first in line 1"},
    {"LocalTwice", main_with("decl z, x;"), 4, 10, "the variable 'x' is declared twice; first in line 3"},
    {"ParameterTwice", "void main(a, a) begin end", 1, 14, "the variable 'a' is declared twice; first in line 1"},
    {"LocalLikeParameter", "void main(a) begin decl a; end", 1, 25,
     "the variable 'a' is declared twice; first in line 1"},
    {"ProcedureTwice", "void main() begin end\nvoid main() begin end", 2, 6,
     "the procedure 'main' is declared twice; first in line 1"},
    {"LabelTwice", main_with("L: skip; if x then L: skip fi"), 4, 21,
     "the label 'L' is declared twice; first in line 4"},
    {"Underscore", "decl _; void main() begin end", 1, 6, "'_' discards a value and cannot be declared"},
    {"UnderscoreRead", main_with("x := _"), 4, 7, "'_' discards a value and has none"},
    {"UnderscoreDead", main_with("dead _"), 4, 7, "'_' discards a value and has none"},
    {"Undeclared", main_with("x := y & z"), 4, 11, "the variable 'z' is not declared"},
    {"UndeclaredTarget", main_with("z := 0"), 4, 2, "the variable 'z' is not declared"},
    {"UndeclaredDead", main_with("dead x, z"), 4, 10, "the variable 'z' is not declared"},
    {"ProcedureAsVariable", main_with("x := main"), 4, 7, "'main' is a procedure; expected a variable"},
    {"UsedTooEarly", "decl a;\nvoid main() begin\n a := 0;\n decl a;\nend", 3, 2,
     "'a' is used before its declaration in line 4"},
    {"ThreadLocalInside", "void main() begin decl thread_local a; end", 1, 37,
     "'thread_local' belongs to declarations outside procedures; every variable of a procedure is local"},
    {"NoLabel", main_with("goto L"), 4, 7, "the label 'L' is not in procedure 'main'"},
    {"NoLabelToStart", main_with("start_thread goto L") + "void f() begin M: skip end", 4, 20,
     "the label 'L' is not in procedure 'main'"},
    {"LabelElsewhere", main_with("goto L") + "void f() begin L: skip end", 4, 7,
     "the label 'L' is not in procedure 'main'"},
    {"LabelInTwo", main_with("start_thread L") + "void f() begin L: skip end void g() begin L: skip end", 4, 15,
     "the label 'L' stands in 'f' and in 'g'"},
    {"LabelInACaller", main_with("L: f()") + "void f() begin g() end void g() begin start_thread L end", 6, 52,
     "a thread that starts at the label 'L' of 'main', which calls 'g'", unsupported},
    {"LabelIsProcedure", main_with("start_thread f") + "void f() begin end", 4, 15,
     "the label 'f' is not in procedure 'main'; a procedure is started as 'f(..)'"},
    {"NoProcedure", main_with("f(x)"), 4, 2, "the procedure 'f' is not defined"},
    {"NoProcedureToStart", main_with("start_thread f(x)"), 4, 15, "the procedure 'f' is not defined"},
    {"FewArguments", main_with("f(x)") + "void f(a,b) begin end", 4, 2,
     "procedure 'f' takes 2 arguments, but 1 is given"},
    {"ManyArguments", main_with("f(x, y)") + "void f(a) begin end", 4, 7,
     "procedure 'f' takes 1 argument, but 2 are given"},
    {"ManyArgumentsToStart", main_with("start_thread f(x)") + "void f() begin end", 4, 17,
     "procedure 'f' takes 0 arguments, but 1 is given"},
    {"FewResults", main_with("x, y := f()") + "bool f() begin return 1 end", 4, 10,
     "procedure 'f' has 1 result, but 2 variables stand on the left"},
    {"NoResults", main_with("x := f()") + "void f() begin end", 4, 7,
     "procedure 'f' has 0 results, but 1 variable stands on the left"},
    {"ReturnFew", "bool<2> main() begin\n return 1;\nend", 2, 2, "procedure 'main' has 2 results, but 1 is returned"},
    {"ReturnNothing", "bool main() begin\n return;\nend", 2, 2, "procedure 'main' has 1 result, but 0 are returned"},
    {"ReturnMany", "void main() begin\n return 1;\nend", 2, 9, "procedure 'main' has 0 results, but 1 is returned"},
    {"FewValues", main_with("x, y := 1"), 4, 5, "the assignment has 2 variables on the left, but 1 value on the right"},
    {"ManyValues", main_with("x := 1, 0"), 4, 10,
     "the assignment has 1 variable on the left, but 2 values on the right"},
    {"TargetTwice", main_with("x, x := 1, 0"), 4, 5, "'x' is assigned twice in one statement"},
    {"ResultTwice", main_with("x, x := f()") + "bool<2> f() begin return 1, 0 end", 4, 5,
     "'x' is assigned twice in one statement"},
    {"PrimeOutside", main_with("assume('x)"), 4, 9,
     "''x' is the value after an assignment; it can stand only behind 'constrain'"},
    {"PrimeInValue", main_with("x := 'y constrain 'x"), 4, 7,
     "''y' is the value after an assignment; it can stand only behind 'constrain'"},
    {"PassiveOfShared", main_with("g$ := 0"), 4, 2,
     "'g' is a shared variable; only the locals of a procedure have a passive instance 'g$'"},
    {"PassiveOfThreadLocal", "decl thread_local t; void main() begin t$ := 0 end", 1, 40,
     "'t' is a thread_local variable; only the locals of a procedure have a passive instance 't$'", unsupported},
    {"PassiveOfNothing", main_with("z$ := 0"), 4, 2, "neither 'z$' nor a local variable 'z' is declared"},
    {"PassiveInGuard", main_with("assume(x & y$)"), 4, 13,
     "the passive instance 'y$' can stand only behind 'constrain' and in values assigned to passive instances"},
    {"PassiveInActiveValue", main_with("x, x$ := y$, 0"), 4, 11,
     "the passive instance 'y$' can stand only behind 'constrain' and in values assigned to passive instances"},
    {"PassiveDead", main_with("dead x$"), 4, 7,
     "'dead' takes variables of the executing thread, not the passive instance 'x$'"},
    {"PassiveResult", main_with("x$ := f()") + "bool f() begin return 1 end", 4, 2,
     "the result of a call cannot go to the passive instance 'x$'"},
    {"PassiveWhereCalled", "void main() begin f() end\nvoid f() begin decl a;\n a$ := 0 end", 3, 2,
     "the passive instance 'a$' stands in procedure 'f', which is called; it is supported only in procedures that "
     "threads start with",
     unsupported},
    {"PassiveOfWhatIsCalled",
     "void main() begin decl x; f(); x := 0 constrain\n a$f end\nvoid f() begin decl a; a := 0 end", 2, 2,
     "the passive instance 'a$f' belongs to procedure 'f', which is called; it is supported only of procedures that "
     "threads start with",
     unsupported},
    {"PassiveOfNoLocal", main_with("x$f := 0") + "void f() begin skip end", 4, 2,
     "'x$f' is the passive instance of a local variable 'x' of 'f', which has none"},
    {"PassiveSecondAssigned", main_with("x$$ := 0"), 4, 2,
     "'x$$' speaks of a second passive thread; each is assigned to by itself, with one '$'"},
    {"PassiveOfAnotherThread", main_with("x$ := y$$"), 4, 8, "'y$$' is not of the passive thread that 'x$' belongs to"},
    {"PassiveOfTwoProcedures", main_with("x := 0 constrain x$ | a$f") + "void f() begin decl a; skip end", 4, 24,
     "'x$' and 'a$f' are of one passive thread, which runs one procedure; a second thread has one more '$'"},
    {"PassiveSecondWithoutFirst", main_with("x := 0 constrain x & (y$$ | x)"), 4, 24,
     "'y$$' speaks of passive thread number 2, but nothing in this conjunct speaks of number 1"},
    {"PassiveTiesWithChoice", main_with("x := 0 constrain x$ | y$$ | *"), 4, 19,
     "a nondeterministic choice in a conjunct over several passive threads", unsupported},
};

INSTANTIATE_TEST_SUITE_P(Lexical, Errors, testing::ValuesIn(lexical), name_of);
INSTANTIATE_TEST_SUITE_P(Grammar, Errors, testing::ValuesIn(grammar), name_of);
INSTANTIATE_TEST_SUITE_P(Meaning, Errors, testing::ValuesIn(meaning), name_of);

TEST(ErrorText, ShowsTheLineAndACaret) {
  try {
    resolve_text("decl g;\nvoid main() begin\n\tg := h;\nend\n");
    FAIL() << "the program was accepted";
  } catch (const InputError& error) {
    EXPECT_EQ(error.render(), "t.bp:3:7: error: the variable 'h' is not declared\n  \tg := h;\n  \t     ^");
  }
}

}  // namespace
}  // namespace cohort::frontend::bp
