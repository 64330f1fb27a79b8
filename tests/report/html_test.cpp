#include "report/html.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/build.hpp"

namespace cohort::report {
namespace {

nlohmann::json data_of(const std::string& page) {
  const std::string open = "id=\"data\">";
  const std::size_t from = page.find(open) + open.size();
  return nlohmann::json::parse(page.substr(from, page.find("</script>", from) - from));
}

// Two steps of one thread, the second of which violates; every text is hostile.
class Html : public ::testing::Test {
 protected:
  Html() {
    program_.add_shared(test::bool_var("</script>&", {0}));
    const auto property = program_.add_property({.text = "<b>bad</b>"});
    model::Template templ = test::template_with("main", 3);
    templ.locations[2].error = property;
    test::add_edge(templ, 0, 1, test::assign_action(test::to_shared(model::VarId(0)), program_.exprs.truth()));
    test::add_edge(templ, 1, 2);
    templ.edges[1].actions[0].text = "<script>alert('\xff')</script>";
    program_.initial.push_back({program_.add_template(std::move(templ)), model::LocId(0), 1});
    const model::Interpreter interpreter(program_, 1);
    model::Run run{interpreter.initial_states().at(0), {}};
    while (run.steps.size() < 2) run.steps.push_back(interpreter.successors(run.last()).at(0));
    answer_.result.verdict = result::Verdict::Unsafe;
    answer_.result.property = property;
    answer_.result.run = std::move(run);
  }

  model::Program program_;
  result::Answer answer_;
};

TEST_F(Html, DataCannotLeaveTheirPlace) {
  const std::string page = to_html(program_, answer_, {}, TraceDetail::Story);
  const std::string empty = html_page();
  const auto count = [](const std::string& text, const std::string& part) {
    std::size_t found = 0;
    for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; ++at) ++found;
    return found;
  };
  EXPECT_EQ(count(page, "<"), count(empty, "<"));
  EXPECT_EQ(count(page, "@DATA@"), 0U);
  const auto data = data_of(page);
  EXPECT_EQ(data["violated"], "<b>bad</b>");
  EXPECT_THAT(std::string(data["steps"][1]["statement"]), ::testing::HasSubstr("<script>alert('"));
}

TEST_F(Html, StepsSayWhatChanges) {
  const auto data = data_of(to_html(program_, answer_, {}, TraceDetail::Full));
  EXPECT_EQ(data["verdict"], "UNSAFE");
  EXPECT_EQ(data["initial"], nlohmann::json::parse(R"([["</script>&", "0"]])"));
  ASSERT_EQ(data["steps"].size(), 2U);
  EXPECT_EQ(data["steps"][0]["changes"], nlohmann::json::parse(R"([["</script>&", "1"]])"));
  EXPECT_TRUE(data["steps"][1]["changes"].empty());
  EXPECT_EQ(data["threads"], nlohmann::json::parse(R"([["T0", "main"]])"));
  // The thread is at the first of three places, then at the second, then at the third.
  EXPECT_EQ(data["places"], nlohmann::json::parse(R"([["T0", [0, 0]]])"));
  EXPECT_EQ(data["steps"][0]["moves"], nlohmann::json::parse(R"([["T0", [0, 1]]])"));
  EXPECT_EQ(data["steps"][1]["moves"], nlohmann::json::parse(R"([["T0", [0, 2]]])"));
  EXPECT_EQ(data["graphs"][0]["edges"], nlohmann::json::parse("[[0, 1], [1, 2]]"));
  EXPECT_EQ(data["graphs"][0]["nodes"][2]["error"], true);
}

TEST_F(Html, LongArraysShowWhatIsNotZero) {
  const model::Type type = model::Type::fixed(8, false).array_of(1000);
  std::vector<model::Value> values(1000, 0);
  values[7] = 3;
  program_.add_shared({.name = "long", .type = type, .initial = values});
  model::Run& run = *answer_.result.run;
  const model::Interpreter interpreter(program_, 1);
  run = {interpreter.initial_states().at(0), {}};
  while (run.steps.size() < 2) run.steps.push_back(interpreter.successors(run.last()).at(0));
  const auto data = data_of(to_html(program_, answer_, {}, TraceDetail::Full));
  EXPECT_EQ(data["initial"], nlohmann::json::parse(R"([["</script>&", "0"], ["long[7]", "3"]])"));
}

TEST_F(Html, OtherVerdictsHaveNoSteps) {
  answer_.result = result::Result::unknown("time is up");
  answer_.attempts.push_back({});
  const auto data = data_of(to_html(program_, answer_, {}, TraceDetail::Story));
  EXPECT_EQ(data["verdict"], "UNKNOWN");
  EXPECT_TRUE(data["steps"].empty());
  EXPECT_EQ(data["tried"].size(), 1U);
}

}  // namespace
}  // namespace cohort::report
