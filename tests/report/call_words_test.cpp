#include "report/call_words.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cohort::report {
namespace {

TEST(CallWords, ACallIsOneNameWithItsArguments) {
  const auto call = call_of("f(&q[g(1, 2)].m, (x, y))");
  ASSERT_TRUE(call);
  EXPECT_EQ(call->name, "f");
  EXPECT_THAT(call->arguments, testing::ElementsAre("&q[g(1, 2)].m", "(x, y)"));
  EXPECT_TRUE(call_of("f()"));
  EXPECT_FALSE(call_of("x = f(1)"));
  EXPECT_FALSE(call_of("f(1) + g(2)"));
  EXPECT_FALSE(call_of(""));
}

TEST(CallWords, KnownCallsSayWhatTheyDo) {
  EXPECT_EQ(words_of_call("pthread_mutex_lock(&q->m)")->done, "locks q->m");
  const auto wait = words_of_call("pthread_cond_wait(&c, &q.m)");
  EXPECT_EQ(wait->begun, "waits for c, gives q.m back");
  EXPECT_EQ(wait->ended, "is woken, locks q.m again");
  EXPECT_EQ(wait->mutex, "q.m");
  EXPECT_FALSE(words_of_call("my_lock(&m)"));
  EXPECT_EQ(words_of_call("pthread_mutex_lock()")->object, "") << "half a call is no reason to fail";
}

}  // namespace
}  // namespace cohort::report
