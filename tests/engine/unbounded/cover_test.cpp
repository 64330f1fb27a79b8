#include "engine/cover.hpp"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "frontend/spec/spec.hpp"
#include "frontend/tts/tts.hpp"
#include "support/diagnostics.hpp"
#include "support/explore.hpp"
#include "support/unbounded.hpp"

namespace cohort::engine {
namespace {

// Figure 2.4 of the STAR paper: control states p and q, three counters.
constexpr const char* figure = R"(vars p q a b c
rules
  p >= 1, a >= 1 -> p' = p-1, q' = q+1, a' = a-1, b' = b+1;
  p >= 1, a >= 1 -> p' = p-1, q' = q+1, a' = a-1, c' = c+1;
  q >= 1, c >= 1 -> q' = q-1, p' = p+1, a' = a+2, c' = c-1;
  q >= 1, b >= 1 -> q' = q-1, p' = p+1, a' = a+2, b' = b-1;
init p = 1, q = 0, a = 1, b = 0, c = 0
target q >= 2
)";

using Label = std::pair<model::Valuation, std::map<model::ThreadState, std::optional<std::uint32_t>>>;

Label label_of(const CoverNode& node) {
  Label label{node.shared, {}};
  for (const auto& [thread, count] : node.threads) label.second[thread] = count;
  return label;
}

// "q omega-a b".
std::string in_the_figure(const model::Program& program, const CoverNode& node) {
  std::string text;
  for (const auto& [thread, count] : node.threads) {
    const std::string& place = program.templ(thread.templ).locations[thread.location.value].label;
    text += (text.empty() ? "" : " ") + place + (count ? (*count == 1 ? "" : fmt::format("={}", *count)) : "=w");
  }
  return text;
}

TEST(Cover, OfFigure24IsItsTree) {
  const model::Program program = frontend::spec::load(test::text_file("figure.spec", figure), {.target = {}});
  Env env;
  const Cover cover = minimal_cover(env, program, {.tree = true, .classic = true, .order = std::nullopt});
  ASSERT_EQ(cover.unknown, "");
  ASSERT_EQ(cover.nodes.size(), 13U);
  // Labels of the path to each node, below the root.
  std::multiset<std::string> paths;
  std::vector<std::string> path(cover.nodes.size());
  for (std::size_t i = 0; i < cover.nodes.size(); ++i) {
    const CoverNode& node = cover.nodes[i];
    path[i] = (node.parent ? path[*node.parent] + ", " : "") + in_the_figure(program, node);
    if (node.ends) paths.insert(path[i]);
  }
  EXPECT_EQ(paths, (std::multiset<std::string>{
                       "p a, q b, p a=w, q a=w b, p a=w",
                       "p a, q b, p a=w, q a=w c, p a=w",
                       "p a, q c, p a=w, q a=w b, p a=w",
                       "p a, q c, p a=w, q a=w c, p a=w",
                   }));
  EXPECT_EQ(std::count_if(cover.nodes.begin(), cover.nodes.end(), [](const CoverNode& node) { return node.in_cover; }),
            3)
      << "p with any a, and q with any a and one b or c";
}

TEST(Cover, IsTheSameByTheClassicTree) {
  int compared = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const std::string text = test::random_tts(seed, 3, 3, 5, false);
    for (const char* init : {"0/0", "0|0"}) {
      const model::Program program =
          frontend::tts::load(test::text_file("a.tts", text), {.init = init, .target = {}, .property = {}});
      std::set<Label> labels[2];
      bool complete = true;
      for (const bool classic : {false, true}) {
        Env env;
        env.limits.set_time_limit(2);
        const Cover cover = minimal_cover(env, program, {.tree = false, .classic = classic, .order = std::nullopt});
        complete = complete && cover.unknown.empty();
        for (const CoverNode& node : cover.nodes) labels[classic ? 1 : 0].insert(label_of(node));
        EXPECT_EQ(labels[classic ? 1 : 0].size(), cover.nodes.size()) << "no label twice";
      }
      if (!complete) continue;
      EXPECT_EQ(labels[0], labels[1]) << text << init;
      ++compared;
    }
  }
  EXPECT_GT(compared, 300);
}

TEST(Cover, CoversWhatFewThreadsReachAndNamesNoOtherThreadState) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const std::string text = test::random_tts(seed, 3, 3, 6, false);
    model::Program program =
        frontend::tts::load(test::text_file("a.tts", text), {.init = "0/0", .target = {}, .property = {}});
    Env env;
    const Cover cover = minimal_cover(env, program, {});
    ASSERT_EQ(cover.unknown, "");
    program.initial[0].count = 3;
    for (const model::State& state : test::explore(program, 3).states) {
      std::map<model::ThreadState, std::uint32_t> threads;
      for (const auto& thread : state.threads) {
        if (thread) ++threads[*thread];
      }
      const auto covers = [&](const CoverNode& node) {
        Label label = label_of(node);
        return node.shared == state.shared && std::all_of(threads.begin(), threads.end(), [&](const auto& entry) {
                 const auto found = label.second.find(entry.first);
                 return found != label.second.end() && (!found->second || *found->second >= entry.second);
               });
      };
      EXPECT_TRUE(std::any_of(cover.nodes.begin(), cover.nodes.end(), covers)) << text;
    }
  }
}

}  // namespace
}  // namespace cohort::engine
