// What the language means, asked of the interpreter: sequences of assignments, chains of indirection, faults,
// invariants, initial conditions, connectives.
#include <algorithm>

#include <gtest/gtest.h>

#include "frontend/red/red_text.hpp"
#include "model/interpreter.hpp"
#include "model/validate.hpp"

namespace cohort::frontend::red {
namespace {

using model::FaultKind;
using model::Interpreter;
using model::State;
using model::Transition;
using model::Value;

model::Program checked(const std::string& text, const Options& options = {}) {
  model::Program program = load_text(text, options);
  model::validate(program);
  return program;
}

// The steps that process 1 can take from the only initial state.
std::vector<Transition> first_steps(const model::Program& program) {
  const Interpreter interpreter(program, std::nullopt);
  const auto initial = interpreter.initial_states();
  EXPECT_EQ(initial.size(), 1U);
  std::vector<Transition> steps;
  for (Transition& step : interpreter.successors(initial.at(0))) {
    if (step.thread == 0) steps.push_back(std::move(step));
  }
  return steps;
}

std::string ring_of_two(const std::string& transition) {
  return "process count = 2; global pointer g; local pointer p, q; local discrete x: 0..3;\n"
         "mode a true { when x == 0 and p == 2 may " +
         transition +
         " } mode b true { }\n"
         "initially g == NULL and p[1] == 2 and p[2] == 1 and (forall i: q[i] == NULL and x[i] == 0);\n";
}

Value local(const Transition& step, std::size_t process, std::size_t var) {
  return step.target.threads.at(process)->locals.at(var);
}

TEST(Semantics, AssignmentsHappenOneAfterTheOther) {
  const auto steps = first_steps(checked(ring_of_two("x = 1; x = x + 1; q = p; p = q->p; goto b;")));
  ASSERT_EQ(steps.size(), 1U);
  EXPECT_EQ(local(steps[0], 0, 2), 2);  // x
  EXPECT_EQ(local(steps[0], 0, 1), 2);  // q
  EXPECT_EQ(local(steps[0], 0, 0), 1);  // p, read from process 2
  EXPECT_EQ(steps[0].target.threads[0]->location.value, 1U);
}

TEST(Semantics, LaterAssignmentsSeeRemoteWritesOfEarlierOnes) {
  const auto steps = first_steps(checked(ring_of_two("p->x = 3; x = p->x; p->p->x = x - 1; x = x[1] + p->p->x;")));
  ASSERT_EQ(steps.size(), 1U);
  // p->p is process 1 itself: x became 2, and its own remote reads see that.
  EXPECT_EQ(steps[0].fault, FaultKind::OutOfRange);
  const auto fine = first_steps(checked(ring_of_two("p->x = 3; x = p->x; p->p->x = x - 2; x = x[1] + p->p->x;")));
  ASSERT_EQ(fine.size(), 1U);
  EXPECT_EQ(local(fine[0], 0, 2), 2);
}

TEST(Semantics, RecurrencesThroughChains) {
  const auto steps = first_steps(checked(ring_of_two("p->x = 1; p->x = 3 * p->x - x; p->p->p->q = P;")));
  ASSERT_EQ(steps.size(), 1U);
  EXPECT_EQ(local(steps[0], 1, 2), 3);
  EXPECT_EQ(local(steps[0], 1, 1), 1);
}

TEST(Semantics, AddressesAreNumbers) {
  const auto steps = first_steps(checked(ring_of_two("g = P + 1; q = g - 1; x = g * 1;")));
  ASSERT_EQ(steps.size(), 1U);
  EXPECT_EQ(steps[0].target.shared.at(0), 2);
  EXPECT_EQ(local(steps[0], 0, 1), 1);
  EXPECT_EQ(local(steps[0], 0, 2), 2);
  EXPECT_EQ(first_steps(checked(ring_of_two("g = P + 2;"))).at(0).fault, FaultKind::OutOfRange);
  EXPECT_EQ(first_steps(checked(ring_of_two("g = P - 2;"))).at(0).fault, FaultKind::OutOfRange);
}

TEST(Semantics, FaultsHaveTheirKindAndPlace) {
  const auto fault = [](const std::string& transition) { return first_steps(checked(ring_of_two(transition))).at(0); };
  EXPECT_EQ(fault("x = q->x;").fault, FaultKind::NullReference);
  EXPECT_EQ(fault("g->x = 1;").fault, FaultKind::NullReference);
  EXPECT_EQ(fault("x = 4;").fault, FaultKind::OutOfRange);
  EXPECT_EQ(fault("x = 1 / x;").fault, FaultKind::DivisionByZero);
  const auto late = fault("x = 1; x = 2; g->x = 1; x = 3;");
  EXPECT_EQ(late.fault, FaultKind::NullReference);
  const model::Program program = checked(ring_of_two("x = 1; x = 2; g->x = 1; x = 3;"));
  EXPECT_EQ(program.edge(late.edge).actions[late.fault_action].text, "g->x = 1");
  EXPECT_TRUE(first_steps(checked(ring_of_two("g->x = 1;"), {.faults = Faults::Ignore})).empty());
}

TEST(Semantics, WordsFaultWithTheirOperandsAndSignsDoNot) {
  const auto guard = [](const std::string& condition) {
    const std::string text = "process count = 1; local pointer p; local discrete x;\nmode a true { when " + condition +
                             " may ; }\ninitially p[1] == NULL and x[1] == 0;";
    return first_steps(checked(text));
  };
  EXPECT_TRUE(guard("p != NULL && p->x == 0").empty());
  EXPECT_EQ(guard("p != NULL and p->x == 0").at(0).fault, FaultKind::NullReference);
  EXPECT_FALSE(guard("p == NULL || p->x == 0").at(0).fault);
  EXPECT_EQ(guard("p == NULL or p->x == 0").at(0).fault, FaultKind::NullReference);
  EXPECT_FALSE(guard("p != NULL => p->x == 0").at(0).fault);
  EXPECT_EQ(guard("p != NULL implies p->x == 0").at(0).fault, FaultKind::NullReference);
  EXPECT_FALSE(guard("not p != NULL and x == 0").at(0).fault);
}

TEST(Semantics, DivisionTruncates) {
  const auto steps = first_steps(checked(ring_of_two("x = (0 - 7) / 2 + 3 + 7 / 2;")));
  EXPECT_EQ(local(steps.at(0), 0, 2), 3);
}

TEST(Semantics, TheExecutingProcessIsAPointerLikeOthers) {
  const auto steps =
      first_steps(checked(ring_of_two("P->x = 1; q[P] = P->p->p; x[p[P]] = x + P->x; p->p->x = x[P->p];")));
  ASSERT_EQ(steps.size(), 1U);
  EXPECT_FALSE(steps[0].fault);
  EXPECT_EQ(local(steps[0], 0, 1), 1);  // q
  EXPECT_EQ(local(steps[0], 1, 2), 2);  // x of process 2
  EXPECT_EQ(local(steps[0], 0, 2), 2);
}

TEST(Semantics, NoProcessHasTheNumberOfNull) {
  const auto fault = [](const std::string& transition) {
    return first_steps(checked(ring_of_two(transition))).at(0).fault;
  };
  EXPECT_EQ(fault("x = x[NULL];"), FaultKind::NullReference);
  EXPECT_EQ(fault("x = x[0];"), FaultKind::NullReference);
  EXPECT_EQ(fault("x = x[q];"), FaultKind::NullReference);
  EXPECT_EQ(fault("x[P - 1] = 1;"), FaultKind::NullReference);
  EXPECT_EQ(fault("x = x[P + 2];"), FaultKind::OutOfRange);
  EXPECT_EQ(fault("x = x[P - 2];"), FaultKind::OutOfRange);
  EXPECT_EQ(fault("x = x[P + 1];"), std::nullopt);
}

TEST(Semantics, FaultsInGuardsAreFaultsOfTheStep) {
  const auto guard = [](const std::string& condition) {
    return first_steps(checked("process count = 2; local pointer p; local discrete x: -2..1;\nmode a true { when " +
                               condition + " may x = 0 - 2; }\ninitially forall i: p[i] == NULL and x[i] == -1;"));
  };
  EXPECT_EQ(guard("1 / (x + 1) == 1").at(0).fault, FaultKind::DivisionByZero);
  EXPECT_EQ(guard("p->p->x == 1").at(0).fault, FaultKind::NullReference);
  EXPECT_EQ(guard("exists i: i->p->x == 1").at(0).fault, FaultKind::NullReference);
  EXPECT_EQ(guard("x > 5 and 1 / (x + 1) == 1").at(0).fault, FaultKind::DivisionByZero);
  EXPECT_TRUE(guard("x > 5 && 1 / (x + 1) == 1").empty());
  // Ranges may lie below zero.
  EXPECT_EQ(local(guard("x == -1 and -x == 1 and x / 2 == 0 and -3 / 2 == x").at(0), 0, 1), -2);
}

TEST(Semantics, TruthsAreTheNumbersOneAndZero) {
  const auto steps = first_steps(checked(ring_of_two("x = true; x = x + x; q->x = false;")));
  EXPECT_EQ(steps.at(0).fault, FaultKind::NullReference);
  EXPECT_EQ(local(first_steps(checked(ring_of_two("x = true; x = x + x;"))).at(0), 0, 2), 2);
}

TEST(Semantics, CountIsANameLikeOthers) {
  const model::Program program = checked(
      "process count = 2; local discrete count: 0..5;\n"
      "mode a true { when count < 5 may count = count + 1; }\n"
      "initially forall i: count[i] == 4;");
  EXPECT_EQ(local(first_steps(program).at(0), 0, 0), 5);
}

TEST(Semantics, AStepThatBreaksAnInvariantCannotBeTaken) {
  const std::string text =
      "process count = 2; local discrete x: 0..3;\n"
      "mode a x < 2 { when true may x = x + 1; when true may x[2] = 3; when x == 0 may goto b; }\n"
      "mode b x == 0 { }\ninitially forall i: x[i] == 0;";
  const auto steps = first_steps(checked(text));
  ASSERT_EQ(steps.size(), 2U);
  EXPECT_EQ(local(steps[0], 0, 0), 1);
  EXPECT_EQ(steps[1].target.threads[0]->location.value, 1U);
}

TEST(Semantics, FreeVariablesStartWithAnyValue) {
  const model::Program program =
      checked("process count = 2; global pointer g; local discrete x: 0..2; mode a true { }\ninitially x[1] != x[2];");
  EXPECT_EQ(Interpreter(program, std::nullopt).initial_states().size(), 3U * 6U);
}

TEST(Semantics, ProcessesStartWhereTheConditionPutsThem) {
  const model::Program program =
      checked("process count = 3; mode a true { } mode b true { }\ninitially b[2] and true;");
  const auto states = Interpreter(program, std::nullopt).initial_states();
  ASSERT_EQ(states.size(), 1U);
  EXPECT_EQ(states[0].threads[0]->location.value, 0U);
  EXPECT_EQ(states[0].threads[1]->location.value, 1U);
  EXPECT_EQ(states[0].threads[2]->location.value, 0U);
  State other = states[0];
  std::swap(other.threads[0], other.threads[1]);
  EXPECT_FALSE(Interpreter(program, std::nullopt).is_initial(other));
}

TEST(Semantics, AConditionThatFaultsIsNoReasonToCallAStateSafe) {
  const std::string text = "process count = 1; local pointer p; mode a true { }\ninitially p[1] == NULL;\n";
  const auto violated = [&](const std::string& goal, bool ignore) {
    const model::Program program = checked(text + goal, {.faults = ignore ? Faults::Ignore : Faults::Report});
    const Interpreter interpreter(program, std::nullopt);
    return interpreter.violated(interpreter.initial_states().at(0)).has_value();
  };
  EXPECT_TRUE(violated("safe p[1]->p != NULL;", false));
  EXPECT_FALSE(violated("safe p[1]->p != NULL;", true));
  EXPECT_TRUE(violated("safe p[1] != NULL;", true));
  EXPECT_FALSE(violated("risk p[1] != NULL;", false));
}

TEST(Semantics, TheNumberOfProcessesCanBeGivenFromOutside) {
  const model::Program program = checked("mode a true { }", {.processes = 5});
  EXPECT_EQ(model::fixed_thread_count(program), 5U);
  EXPECT_EQ(model::fixed_thread_count(checked("process count = 2; mode a true { }", {.processes = 3})), 3U);
}

std::optional<FaultKind> fault_of(const std::string& transition, Faults faults = Faults::Report) {
  return first_steps(checked(ring_of_two(transition), {.faults = faults})).at(0).fault;
}

TEST(Arrows, LeadToWhateverTheOtherProcessWouldSay) {
  // p of process 1 leads to process 2, whose p leads back.
  const auto steps = first_steps(checked(ring_of_two("p->x = 1; x = p->(x + p->x + P); q = p->P; g = p->p->P;")));
  ASSERT_EQ(steps.size(), 1U);
  EXPECT_FALSE(steps[0].fault);
  EXPECT_EQ(local(steps[0], 0, 2), 3);  // 1 of process 2, 0 of process 1, and the number 2
  EXPECT_EQ(local(steps[0], 0, 1), 2);
  EXPECT_EQ(steps[0].target.shared.at(0), 1);
  EXPECT_EQ(local(first_steps(checked(ring_of_two("p->x = 2; x = p->x[1] + p->x[2];"))).at(0), 0, 2), 2);
  EXPECT_EQ(first_steps(checked(ring_of_two("q = p; g = q->(p->p);"))).at(0).target.shared.at(0), 2);
}

TEST(Arrows, FaultThroughNullWhateverIsSaid) {
  EXPECT_EQ(fault_of("x = q->1;"), FaultKind::NullReference);
  EXPECT_EQ(fault_of("g = q->P;"), FaultKind::NullReference);
  EXPECT_EQ(fault_of("q = q->g;"), FaultKind::NullReference);
  EXPECT_EQ(fault_of("x = q->(1 + 1);"), FaultKind::NullReference);
  EXPECT_EQ(fault_of("x = q->x[1];"), FaultKind::NullReference);
  EXPECT_EQ(fault_of("x = q->mode;"), FaultKind::NullReference);
  EXPECT_EQ(fault_of("x = p->1; q = p->g; g = p->NULL;"), std::nullopt);
}

// Three modes, and a guard that process 1 asks in the first of them while process 2 is in the third.
std::vector<Transition> steps_when(const std::string& condition) {
  return first_steps(
      checked("process count = 2; local pointer p; local discrete x: 0..9;\nmode a true { when " + condition +
              " may x = mode; goto b; } mode b true { } mode c true { }\n"
              "initially mode[1] == a and mode[2] == 2 and p[1] == 2 and p[2] == NULL and (forall i: x[i] == 0);"));
}

TEST(Modes, AreNumbersThatOthersRead) {
  for (const char* holds :
       {"mode == 0", "p->mode == 2", "mode[p] > 1", "mode[2] == c", "c == mode[2]", "1 < mode[2] <= 2", "mode == a",
        "mode[P] < mode[2]", "mode[2] + 1 == 3", "mode[2] != b", "mode[2] >= 0", "p->(mode == c)",
        "0 == mode < 1 < mode[2]", "exists i: mode[i] == c", "not (exists i: mode[i] == b)"}) {
    EXPECT_EQ(steps_when(holds).size(), 1U) << holds;
  }
  for (const char* fails :
       {"mode != a", "mode[2] < 2", "mode[2] > 2", "mode[2] == 7", "0 < mode < 2", "forall i: mode[i] == a"}) {
    EXPECT_TRUE(steps_when(fails).empty()) << fails;
  }
  // A process is in its old mode until its step is over.
  EXPECT_EQ(local(steps_when("true").at(0), 0, 1), 0);
  EXPECT_EQ(steps_when("p->p->mode == 7").at(0).fault, FaultKind::NullReference);
  EXPECT_EQ(steps_when("p->p->mode >= 0").at(0).fault, FaultKind::NullReference);
}

TEST(Modes, InvariantsSeeWhereAStepLeads) {
  const auto steps = [](const std::string& invariant) {
    return first_steps(checked("process count = 2; local pointer p;\nmode a true { when true may goto b; } mode b " +
                               invariant + " { }\ninitially forall i: p[i] == i;"));
  };
  EXPECT_EQ(steps("mode == b").size(), 1U);
  EXPECT_EQ(steps("p->mode == b").size(), 1U);
  EXPECT_EQ(steps("p->b").size(), 1U);
  EXPECT_TRUE(steps("p->mode == a").empty());
  EXPECT_EQ(steps("exists i: mode[i] == b").size(), 1U);
  EXPECT_TRUE(steps("forall i: mode[i] == b").empty());
}

TEST(Faults, OfGuardsAndOfActionsAreToldApart) {
  const auto steps = [](const std::string& transition, Faults faults) {
    return first_steps(checked("process count = 1; local pointer p; local discrete x: 0..3;\nmode a true { " +
                                   transition + " }\ninitially p[1] == NULL and x[1] == 0;",
                               {.faults = faults}));
  };
  for (const char* guard : {"when p->x == 0 may ;", "when 1 / x == 1 or true may ;", "when p->(P) == P may ;",
                            "when x[p] == 0 may ;", "when (exists i: i->p->x == 1) or true may ;"}) {
    EXPECT_TRUE(steps(guard, Faults::Report).at(0).fault) << guard;
    EXPECT_TRUE(steps(guard, Faults::Guards).at(0).fault) << guard;
    EXPECT_TRUE(steps(guard, Faults::Actions).empty()) << guard;
    EXPECT_TRUE(steps(guard, Faults::Ignore).empty()) << guard;
  }
  for (const char* action :
       {"when true may p->x = 0;", "when true may x = p->x;", "when true may x = 1 / x;", "when true may x = x + 4;",
        "when true may x = 1; x = x - 2;", "when true may p = P + 1;"}) {
    EXPECT_TRUE(steps(action, Faults::Report).at(0).fault) << action;
    EXPECT_TRUE(steps(action, Faults::Actions).at(0).fault) << action;
    EXPECT_TRUE(steps(action, Faults::Guards).empty()) << action;
    EXPECT_TRUE(steps(action, Faults::Ignore).empty()) << action;
  }
  // What does not fault is as it was.
  for (const Faults faults : {Faults::Report, Faults::Guards, Faults::Actions, Faults::Ignore}) {
    EXPECT_EQ(steps("when p == NULL || p->x == 1 may x = 3; p = P; p->x = x - 1;", faults).size(), 1U);
    EXPECT_FALSE(steps("when p == NULL || p->x == 1 may x = 3; p = P; p->x = x - 1;", faults).at(0).fault);
  }
}

// Example 2 of the paper says by numbers what the example of the project says by names.
TEST(Modes, ExampleTwoOfThePaperIsTheExampleOfTheProject) {
  const auto condition = [](const std::string& risk) {
    std::string modes;
    for (const char* name : {"m0", "m1", "m2", "m3", "m4", "m5", "m6", "m7", "m8", "m9"}) {
      modes += std::string("mode ") + name + " true { }\n";
    }
    const model::Program program = checked("process count = 2;\n" + modes + "risk " + risk + ";");
    const Interpreter interpreter(program, std::nullopt);
    std::vector<bool> bad;
    for (std::uint32_t first = 0; first < 10; ++first) {
      for (std::uint32_t second = 0; second < 10; ++second) {
        State state = interpreter.initial_states().at(0);
        state.threads[0]->location = model::LocId(first);
        state.threads[1]->location = model::LocId(second);
        bad.push_back(interpreter.violated(state).has_value());
      }
    }
    return bad;
  };
  const auto by_numbers = condition("6 <= mode[1] <= 9 and 6 <= mode[2] <= 9");
  EXPECT_EQ(by_numbers, condition("(m6[1] or m7[1] or m8[1] or m9[1]) and (m6[2] or m7[2] or m8[2] or m9[2])"));
  EXPECT_EQ(std::count(by_numbers.begin(), by_numbers.end(), true), 16);
}

}  // namespace
}  // namespace cohort::frontend::red
