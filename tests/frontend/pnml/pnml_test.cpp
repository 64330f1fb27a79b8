#include "frontend/pnml/pnml.hpp"

#include <random>

#include <gtest/gtest.h>

#include "support/diagnostics.hpp"
#include "support/mutate.hpp"

namespace cohort::frontend::pnml {
namespace {

using test::diagnostic;
using test::text_file;

model::Program parse(const std::string& text, Options options = {}) {
  return load(text_file("a.pnml", text), options);
}
std::string error(const std::string& text, Options options = {}) {
  return diagnostic([&] { parse(text, options); });
}

std::string net(const std::string& body) {
  return "<?xml version=\"1.0\"?>\n<pnml xmlns=\"http://www.pnml.org/version-2009/grammar/pnml\">\n"
         "<net id=\"n\" type=\"http://www.pnml.org/version-2009/grammar/ptnet\"><page id=\"g\">\n" +
         body + "\n</page></net></pnml>\n";
}

const std::string example =
    net("<place id=\"p\"><name><text> idle </text></name><initialMarking><text>3</text></initialMarking></place>\n"
        "<place id=\"q\"/><transition id=\"t\"><graphics/></transition>\n"
        "<arc id=\"a\" source=\"p\" target=\"t\"><inscription><text>2</text></inscription></arc>\n"
        "<arc id=\"b\" source=\"t\" target=\"q\"><type value=\"normal\"/></arc>\n"
        "<page id=\"h\"><referencePlace id=\"r\" ref=\"q\"/><arc id=\"c\" source=\"t\" target=\"r\"/></page>");

TEST(Pnml, ReadsPlacesTransitionsArcsAndReferences) {
  const model::Program program = parse(example, {.target = "q>=2,idle"});
  const auto& token = program.templates[1];
  ASSERT_EQ(token.locations.size(), 2u);
  EXPECT_EQ(token.locations[0].label, "idle");
  ASSERT_EQ(program.initial.size(), 2u) << "the thread net and the tokens of p";
  EXPECT_EQ(program.initial[1].count, 3u);
  ASSERT_EQ(program.templates[0].edges.size(), 1u);
  const model::Action& action = program.templates[0].edges[0].actions[0];
  EXPECT_EQ(action.takes.size(), 2u);
  EXPECT_EQ(action.spawns.size(), 2u);
  ASSERT_EQ(program.properties.size(), 1u);
  EXPECT_EQ(program.properties[0].threads.size(), 3u);
}

TEST(Pnml, WithoutATargetHasNoProperty) {
  EXPECT_TRUE(parse(example).properties.empty());
}

TEST(Pnml, RefusesWithThePlace) {
  EXPECT_EQ(error("nonsense").substr(0, 33), "a.pnml:1:9: error: this is no XML");
  EXPECT_EQ(error("<a/>").substr(0, 42), "a.pnml:1:2: error: expected the element <p");
  EXPECT_EQ(error("<pnml/>"), "a.pnml:1:2: error: there is no <net>\n  <pnml/>\n   ^");
  EXPECT_EQ(error("<pnml>\n<net id='a'/><net id='b'/></pnml>").substr(0, 59),
            "a.pnml:2:15: unsupported: a second net in the same file\n  <");
  EXPECT_EQ(error("<pnml><net type='http://x/symmetricnet'/></pnml>").substr(0, 52),
            "a.pnml:1:8: unsupported: nets of type 'http://x/symm");
  EXPECT_EQ(error(net("<place id='p'/><place id='p'/>")).substr(0, 47),
            "a.pnml:4:17: error: the id 'p' is used twice\n  ");
  EXPECT_EQ(error(net("<place/>")).substr(0, 51), "a.pnml:4:2: error: <place> without attribute 'id'\n ");
  EXPECT_EQ(error(net("<place id='p'><capacity/></place>")).substr(0, 66),
            "a.pnml:4:16: unsupported: element <capacity> of a place is not sup");
  EXPECT_EQ(error(net("<place id='p'><initialMarking><text>x</text></initialMarking></place>")).substr(0, 68),
            "a.pnml:4:16: error: expected a number in <initialMarking>, found 'x'");
  EXPECT_EQ(
      error(net("<place id='p'/><transition id='t'/><arc id='a' source='p' target='t'><type value='inhibitor'/></arc>"))
          .substr(0, 60),
      "a.pnml:4:71: unsupported: arcs of type 'inhibitor' are not s");
  EXPECT_EQ(error(net("<place id='p'/><arc id='a' source='p' target='z'/>")).substr(0, 69),
            "a.pnml:4:17: error: an arc must lead from a place to a transition or ");
  EXPECT_EQ(error(net("<referencePlace id='r' ref='r'/><arc id='a' source='r' target='r'/>")).substr(0, 60),
            "a.pnml:4:34: error: the reference 'r' leads back to itself\n ");
  EXPECT_EQ(error(net("<variable/>")).substr(0, 46), "a.pnml:4:2: unsupported: element <variable> is");
  EXPECT_EQ(error(example, {.target = "nowhere"}), "--target:1:1: error: there is no place 'nowhere'\n  nowhere\n  ^");
  EXPECT_EQ(error(example, {.target = "p,idle"}),
            "--target:1:3: error: 'idle' is a place listed before\n  p,idle\n    ^");
}

TEST(Pnml, SurvivesDamagedText) {
  std::mt19937_64 random(13);
  int accepted = 0;
  int refused = 0;
  for (int i = 0; i < 10000; ++i) {
    const std::string verdict = error(test::mutate(example, random), {.target = "q"});
    (verdict == "accepted" ? accepted : refused) += 1;
  }
  EXPECT_GT(accepted, 200);
  EXPECT_GT(refused, 200);
}

}  // namespace
}  // namespace cohort::frontend::pnml
