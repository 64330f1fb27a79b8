// Questions of the Model Checking Contest: what is read, what is refused, and which program decides them.
#include "frontend/pnml/contest.hpp"

#include <gtest/gtest.h>

#include "support/diagnostics.hpp"
#include "support/mutate.hpp"

namespace cohort::frontend::pnml {
namespace {

using test::diagnostic;
using test::text_file;
using Kind = ContestQuestion::Kind;

const std::string net =
    "<?xml version=\"1.0\"?><pnml xmlns=\"http://www.pnml.org/version-2009/grammar/pnml\">"
    "<net id=\"n\" type=\"http://www.pnml.org/version-2009/grammar/ptnet\"><page id=\"g\">"
    "<place id=\"p\"><initialMarking><text>3</text></initialMarking></place><place id=\"q\"/><place id=\"r\"/>"
    "<transition id=\"t\"/><transition id=\"u\"/>"
    "<arc id=\"a\" source=\"p\" target=\"t\"><inscription><text>2</text></inscription></arc>"
    "<arc id=\"b\" source=\"t\" target=\"q\"/><arc id=\"c\" source=\"q\" target=\"u\"/>"
    "<arc id=\"d\" source=\"u\" target=\"r\"/></page></net></pnml>";

std::string property(const std::string& formula) {
  return "<property><id>N-00</id><description>d</description><formula>" + formula + "</formula></property>";
}
std::string set_of(const std::string& properties) {
  return "<?xml version=\"1.0\"?>\n<property-set xmlns=\"http://mcc.lip6.fr/\">" + properties + "</property-set>\n";
}
std::string ef(const std::string& condition) {
  return "<exists-path><finally>" + condition + "</finally></exists-path>";
}
std::string ag(const std::string& condition) {
  return "<all-paths><globally>" + condition + "</globally></all-paths>";
}
std::string count(const std::string& places) {
  std::string text = "<tokens-count>";
  for (const char place : places) text += std::string("<place>") + place + "</place>";
  return text + "</tokens-count>";
}
std::string number(int value) {
  return "<integer-constant>" + std::to_string(value) + "</integer-constant>";
}
std::string le(const std::string& left, const std::string& right) {
  return "<integer-le>" + left + right + "</integer-le>";
}

Contest contest(const std::string& formula) {
  return {text_file("model.pnml", net), text_file("q.xml", set_of(property(formula)))};
}
const ContestQuestion& question(const Contest& contest) {
  return contest.questions().at(0);
}

TEST(Contest, EfOfAtLeastIsOneTarget) {
  const Contest read = contest(ef(le(number(2), count("q"))));
  EXPECT_EQ(question(read).id, "N-00");
  EXPECT_EQ(question(read).kind, Kind::Reachable);
  ASSERT_EQ(question(read).refusal, "");
  const model::Program program = read.program(question(read));
  ASSERT_EQ(program.properties.size(), 1u);
  EXPECT_EQ(program.properties[0].threads.size(), 2u);
}

TEST(Contest, AgOfAtMostLooksForMore) {
  const Contest read = contest(ag(le(count("q"), number(1))));
  EXPECT_EQ(question(read).kind, Kind::Invariant);
  const model::Program program = read.program(question(read));
  ASSERT_EQ(program.properties.size(), 1u);
  EXPECT_EQ(program.properties[0].threads.size(), 2u);
}

TEST(Contest, FireabilityIsWhatTransitionsNeed) {
  const Contest read = contest(ef("<is-fireable><transition>t</transition><transition>u</transition></is-fireable>"));
  const model::Program program = read.program(question(read));
  ASSERT_EQ(program.properties.size(), 2u);
  EXPECT_EQ(program.properties[0].threads.size() + program.properties[1].threads.size(), 3u);
}

TEST(Contest, ALargeSumGetsAPlaceOfItsOwn) {
  const Contest read = contest(ef(le(number(2), count("pqr"))));
  const model::Program program = read.program(question(read));
  EXPECT_EQ(program.templates[1].locations.size(), 4u);
  ASSERT_EQ(program.properties.size(), 1u);
  EXPECT_EQ(program.properties[0].threads.size(), 2u);
}

TEST(Contest, WhatMoreTokensMakeFalseIsRefused) {
  for (const std::string& formula :
       {ef(le(count("q"), number(1))), ag(le(number(1), count("q"))), ef(le(count("p"), count("q"))),
        ef("<integer-eq>" + count("p") + number(1) + "</integer-eq>"), ef("<deadlock/>"),
        std::string("<all-paths><finally><true/></finally></all-paths>")}) {
    const Contest read = contest(formula);
    EXPECT_NE(question(read).refusal, "") << formula;
  }
}

TEST(Contest, ConstantsAndEqualSidesAreNoObstacle) {
  EXPECT_EQ(question(contest(ef("<true/>"))).refusal, "");
  EXPECT_EQ(question(contest(ag(le(number(3), number(1))))).refusal, "");
  EXPECT_EQ(question(contest(ef(le(count("pq"), count("qpr"))))).refusal, "");
}

TEST(Contest, NumbersBeyondAllTokensAreRefused) {
  for (const char* text : {"1000001", "-1000001", "9223372036854775807", "-9223372036854775808"}) {
    const std::string large = std::string("<integer-constant>") + text + "</integer-constant>";
    EXPECT_NE(question(contest(ef(le(large, count("q"))))).refusal, "") << text;
  }
}

TEST(Contest, BoundsAskForPlaces) {
  const Contest read = contest("<place-bound><place>p</place><place>r</place></place-bound>");
  EXPECT_EQ(question(read).kind, Kind::Bound);
  EXPECT_EQ(read.tokens_at_start(question(read)), 3u);
  EXPECT_EQ(read.program(question(read), 4).properties.size(), 1u);
  EXPECT_TRUE(read.net().properties.empty());
}

TEST(Contest, SaysWhatIsMalformedAndWhere) {
  const auto error = [](const std::string& text) {
    return diagnostic([&] { Contest(text_file("model.pnml", net), text_file("q.xml", text)); });
  };
  EXPECT_EQ(error("<a/>"), "q.xml:1:2: error: expected the element <property-set>\n  <a/>\n   ^");
  EXPECT_NE(error(set_of("<property><formula/></property>")), "accepted");
  EXPECT_NE(error(set_of(property(ef(le(number(1), count("x")))))), "accepted");
  EXPECT_NE(error(set_of(property(ef("<is-fireable><transition>x</transition></is-fireable>")))), "accepted");
  EXPECT_NE(error(set_of(property(""))), "accepted");
  EXPECT_NE(error("<property-set"), "accepted");
}

}  // namespace
}  // namespace cohort::frontend::pnml
