#include "report/listed_states.hpp"

#include <gtest/gtest.h>

namespace cohort::report {
namespace {

using nlohmann::json;

json with(const char* kind, const char* member, const char* entries) {
  return {{"kind", kind},
          {"shared", json::parse("[[0], [1]]")},
          {"locals", json::parse(R"([{"template": 0, "location": 2, "values": []}])")},
          {member, json::parse(entries)}};
}

TEST(ListedStates, EveryKindThatListsIsRead) {
  const auto counted = listed_states(with("counter-set", "states", "[[1, 0, 3]]"));
  ASSERT_TRUE(counted && counted->configurations.size() == 1);
  EXPECT_EQ(counted->configurations[0].shared, 1U);
  EXPECT_EQ(counted->configurations[0].threads[0].second, 3U);
  const auto covered =
      listed_states(with("omega-set", "configurations", R"([{"shared": 0, "threads": [[0, "omega"]]}])"));
  ASSERT_TRUE(covered && covered->configurations.size() == 1);
  EXPECT_EQ(covered->configurations[0].threads[0].second, std::nullopt);
  const auto upward =
      listed_states(with("upward-set", "controls", R"([{"shared": 0, "threads": [0], "possible": [0], "bad": []}])"));
  ASSERT_TRUE(upward && !upward->is_complete);
  EXPECT_EQ(upward->configurations[0].threads.size(), 2U);
  EXPECT_TRUE(listed_states(with("symbolic-set", "states", "[]"))->has_cubes);
}

TEST(ListedStates, OtherProofsListNone) {
  EXPECT_FALSE(listed_states({{"kind", "modular"}, {"views", json::array()}}));
  EXPECT_FALSE(listed_states({{"kind", "control-flow"}}));
}

}  // namespace
}  // namespace cohort::report
