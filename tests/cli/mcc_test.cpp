// Examinations of the Model Checking Contest, answered as the contest reads them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/run_program.hpp"

namespace cohort::test {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

// Two tokens of p become one of q, which goes on to r; p begins with three.
constexpr const char* net =
    "<?xml version=\"1.0\"?><pnml xmlns=\"http://www.pnml.org/version-2009/grammar/pnml\">"
    "<net id=\"n\" type=\"http://www.pnml.org/version-2009/grammar/ptnet\"><page id=\"g\">"
    "<place id=\"p\"><initialMarking><text>3</text></initialMarking></place><place id=\"q\"/><place id=\"r\"/>"
    "<transition id=\"t\"/><transition id=\"u\"/>"
    "<arc id=\"a\" source=\"p\" target=\"t\"><inscription><text>2</text></inscription></arc>"
    "<arc id=\"b\" source=\"t\" target=\"q\"/><arc id=\"c\" source=\"q\" target=\"u\"/>"
    "<arc id=\"d\" source=\"u\" target=\"r\"/></page></net></pnml>";

std::string question(const std::string& id, const std::string& formula) {
  return "<property><id>" + id + "</id><formula>" + formula + "</formula></property>";
}
std::string set_of(const std::string& questions) {
  return "<property-set xmlns=\"http://mcc.lip6.fr/\">" + questions + "</property-set>";
}
std::string at_least(int number, const std::string& places) {
  std::string text = "<integer-le><integer-constant>" + std::to_string(number) + "</integer-constant><tokens-count>";
  for (const char place : places) text += std::string("<place>") + place + "</place>";
  return text + "</tokens-count></integer-le>";
}
std::string ef(const std::string& condition) {
  return "<exists-path><finally>" + condition + "</finally></exists-path>";
}
std::string ag(const std::string& condition) {
  return "<all-paths><globally>" + condition + "</globally></all-paths>";
}

TEST(Mcc, AnswersCardinalityAndSaysWhatItCannot) {
  const Scratch scratch;
  scratch.write("model.pnml", net);
  scratch.write("ReachabilityCardinality.xml",
                set_of(question("N-00", ef(at_least(1, "r"))) + question("N-01", ef(at_least(2, "qr"))) +
                       question("N-02", ag("<negation>" + at_least(2, "qr") + "</negation>")) +
                       question("N-03", ag("<negation>" + at_least(1, "q") + "</negation>")) +
                       question("N-04", ef("<negation>" + at_least(1, "p") + "</negation>"))));
  const Outcome outcome = run_program({"mcc", scratch.path(""), "--examination", "ReachabilityCardinality"});
  EXPECT_EQ(outcome.exit_code, 5) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("FORMULA N-00 TRUE TECHNIQUES "));
  EXPECT_THAT(outcome.out, HasSubstr("FORMULA N-01 FALSE TECHNIQUES "));
  EXPECT_THAT(outcome.out, HasSubstr("FORMULA N-02 TRUE TECHNIQUES "));
  EXPECT_THAT(outcome.out, HasSubstr("FORMULA N-03 FALSE TECHNIQUES "));
  EXPECT_THAT(outcome.out, HasSubstr("FORMULA N-04 CANNOT_COMPUTE\n"));
  EXPECT_THAT(outcome.err, HasSubstr("no question of coverability"));
}

TEST(Mcc, AnswersFireabilityAndBounds) {
  const Scratch scratch;
  const std::string model = scratch.write("model.pnml", net);
  scratch.write("ReachabilityFireability.xml",
                set_of(question("F-00", ef("<is-fireable><transition>u</transition></is-fireable>"))));
  scratch.write("UpperBounds.xml",
                set_of(question("B-00", "<place-bound><place>p</place></place-bound>") +
                       question("B-01", "<place-bound><place>q</place><place>r</place></place-bound>")));
  const Outcome fireable = run_program({"mcc", model, "--examination", "ReachabilityFireability"});
  EXPECT_EQ(fireable.exit_code, 0) << fireable.err;
  EXPECT_THAT(fireable.out, StartsWith("FORMULA F-00 TRUE TECHNIQUES "));
  const Outcome bounds = run_program({"mcc", model, "--examination", "UpperBounds"});
  EXPECT_EQ(bounds.exit_code, 0) << bounds.err;
  EXPECT_THAT(bounds.out, HasSubstr("FORMULA B-00 3 TECHNIQUES "));
  EXPECT_THAT(bounds.out, HasSubstr("FORMULA B-01 1 TECHNIQUES "));
}

TEST(Mcc, DoesNotCompeteElsewhere) {
  const Scratch scratch;
  scratch.write("model.pnml", net);
  const Outcome outcome = run_program({"mcc", scratch.path(""), "--examination", "LTLFireability"});
  EXPECT_EQ(outcome.out, "DO_NOT_COMPETE\n");
  EXPECT_EQ(outcome.exit_code, 5);
  EXPECT_EQ(run_program({"mcc", scratch.path(""), "--examination", "UpperBounds"}).exit_code, 2) << "no questions";
  EXPECT_EQ(run_program({"mcc", scratch.path("")}).exit_code, 1) << "which one?";
}

}  // namespace
}  // namespace cohort::test
