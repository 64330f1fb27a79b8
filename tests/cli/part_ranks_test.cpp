// Parts given to ranks: each rank has one at a time, and what a rank leaves behind is not lost.
#include "cli/part_ranks.hpp"

#include <chrono>
#include <thread>

#include <gtest/gtest.h>

#include "exchange/threads.hpp"

namespace cohort::cli {
namespace {

TEST(PartRanks, APartWhoseRankHasLeftComesBack) {
  const SeveralFiles task{.parts = {{"a.bp", {}}, {"b.bp", {}}, {"c.bp", {}}}, .arguments = {}};
  exchange::run_in_threads(3, [&](exchange::Exchange& exchange) {
    Env env;
    if (exchange.self() == 1) {
      // Says goodbye with its first order.
      while (!exchange.receive()) exchange.wait();
      exchange.send(0, {});
      return;
    }
    if (exchange.self() == 2) {
      // Sees other files.
      const SeveralFiles other{.parts = {{"d.bp", {}}, {"d.bp", {}}}, .arguments = {}};
      serve_parts(env, other, exchange);
      return;
    }
    PartRanks ranks(task, &exchange);
    EXPECT_TRUE(ranks.start(0));
    EXPECT_TRUE(ranks.start(1));
    EXPECT_FALSE(ranks.start(2)) << "each has one";
    std::optional<std::size_t> lost;
    std::optional<PartResult> refused;
    for (int tries = 0; (!lost || !refused) && tries < 10'000; ++tries) {
      if (auto result = ranks.collect()) refused = result;
      if (auto number = ranks.lost()) lost = number;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    EXPECT_EQ(lost, 0U);
    ASSERT_TRUE(refused);
    EXPECT_EQ(refused->number, 1U);
    EXPECT_NE(refused->err.find("does not see this file"), std::string::npos) << refused->err;
    EXPECT_TRUE(ranks.start(2)) << "rank 2 is free again";
    EXPECT_FALSE(ranks.start(0)) << "rank 1 has left";
    EXPECT_EQ(ranks.running(), 1U);
  });
}

}  // namespace
}  // namespace cohort::cli
