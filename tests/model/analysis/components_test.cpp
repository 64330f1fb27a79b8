#include "model/analysis/components.hpp"

#include <algorithm>
#include <random>
#include <set>

#include <gtest/gtest.h>

namespace cohort::model {
namespace {

using Graph = std::vector<std::vector<std::uint32_t>>;

struct Found {
  std::set<std::uint32_t> members;
  bool cyclic = false;
  bool bottom = false;

  auto operator<=>(const Found&) const = default;
};

std::vector<Found> components_from(const Graph& graph, const std::vector<std::uint32_t>& roots) {
  std::vector<Found> result;
  for_each_component(
      graph.size(), roots, [&](std::uint32_t node) { return graph[node]; },
      [&](const auto& component) {
        result.push_back({{component.members.begin(), component.members.end()}, component.cyclic, component.bottom});
      });
  return result;
}

// reach[a][b]: one step or more lead from a to b (Warshall).
std::vector<std::vector<bool>> closure(const Graph& graph) {
  std::vector<std::vector<bool>> reach(graph.size(), std::vector<bool>(graph.size(), false));
  for (std::size_t a = 0; a < graph.size(); ++a) {
    for (const std::uint32_t b : graph[a]) reach[a][b] = true;
  }
  for (std::size_t via = 0; via < graph.size(); ++via) {
    for (std::size_t a = 0; a < graph.size(); ++a) {
      for (std::size_t b = 0; b < graph.size(); ++b) {
        if (reach[a][via] && reach[via][b]) reach[a][b] = true;
      }
    }
  }
  return reach;
}

std::set<Found> by_definition(const Graph& graph, std::uint32_t root) {
  const auto reach = closure(graph);
  std::set<Found> result;
  for (std::uint32_t a = 0; a < graph.size(); ++a) {
    if (a != root && !reach[root][a]) continue;
    Found found{{a}, reach[a][a], true};
    for (std::uint32_t b = 0; b < graph.size(); ++b) {
      if (reach[a][b] && reach[b][a]) found.members.insert(b);
      if (reach[a][b] && !reach[b][a]) found.bottom = false;
    }
    result.insert(found);
  }
  return result;
}

TEST(Components, AreThoseOfTheDefinitionOnRandomGraphs) {
  std::mt19937 random(7);
  for (int round = 0; round < 2000; ++round) {
    Graph graph(1 + random() % 8);
    for (auto& next : graph) {
      for (std::size_t steps = random() % 4; steps > 0; --steps) {
        next.push_back(static_cast<std::uint32_t>(random() % graph.size()));
      }
    }
    const auto found = components_from(graph, {0});
    const std::set<Found> unique(found.begin(), found.end());
    EXPECT_EQ(unique.size(), found.size()) << "a component is closed once";
    EXPECT_EQ(unique, by_definition(graph, 0)) << "round " << round;
  }
}

TEST(Components, AreClosedAfterThoseTheyLeadTo) {
  const auto found = components_from({{1}, {2, 0}, {3}, {2}}, {0, 2});
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].members, (std::set<std::uint32_t>{2, 3}));
  EXPECT_EQ(found[1].members, (std::set<std::uint32_t>{0, 1}));
}

TEST(Components, OfAChainNeedNoDeepCalls) {
  Graph graph(200'000);
  for (std::uint32_t i = 0; i + 1 < graph.size(); ++i) graph[i] = {i + 1};
  EXPECT_EQ(components_from(graph, {0}).size(), graph.size());
}

TEST(Components, StopWhenToldTo) {
  const Graph graph{{1}, {2}, {0}};
  const auto next = [&](std::uint32_t node) { return graph[node]; };
  Components<decltype(next)> components(graph.size(), next);
  int asked = 0;
  components.visit(
      0, [](const auto&) { FAIL() << "closed after the stop"; }, [&] { return ++asked == 3; });
  EXPECT_EQ(asked, 3);
}

TEST(Components, RefuseStepsOutOfTheGraph) {
  EXPECT_THROW(components_from({{1}}, {0}), InternalError);
  EXPECT_THROW(components_from({{}}, {1}), InternalError);
}

}  // namespace
}  // namespace cohort::model
