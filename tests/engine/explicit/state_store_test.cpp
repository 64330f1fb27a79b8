#include "engine/state_store.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "engine/explicit/codec.hpp"

namespace cohort::engine::explicit_ {
namespace {

std::vector<std::uint8_t> word_of(std::uint64_t number) {
  std::vector<std::uint8_t> word;
  put_number(word, number);
  return word;
}

TEST(StateStore, KeepsEveryStateOnceThroughGrowth) {
  StateStore store;
  constexpr std::uint64_t count = 200'000;
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto [ref, fresh] = store.insert(word_of(i * i), static_cast<StateStore::Ref>(i));
    ASSERT_TRUE(fresh) << i;
    ASSERT_EQ(store.parent(ref), i);
  }
  for (std::uint64_t i = 0; i < count; ++i) ASSERT_FALSE(store.insert(word_of(i * i), 0).fresh) << i;
  EXPECT_EQ(store.size(), count);
}

TEST(StateStore, IsReadInTheOrderOfInsertion) {
  StateStore store;
  for (std::uint64_t i = 0; i < 1000; ++i) store.insert(word_of(i * 1000), StateStore::none);
  std::uint64_t expected = 0;
  for (StateStore::Ref ref = store.begin(); ref != store.end();) {
    const std::uint8_t* word = store.bytes(ref);
    const std::uint8_t* end = word;
    ASSERT_EQ(get_number(end), expected * 1000);
    ref = store.next(ref, static_cast<std::size_t>(end - word));
    ++expected;
  }
  EXPECT_EQ(expected, 1000U);
}

RC_GTEST_PROP(Codec, GivesBackEveryNumber, (std::uint64_t number)) {
  const auto word = word_of(number);
  const std::uint8_t* in = word.data();
  RC_ASSERT(get_number(in) == number);
  RC_ASSERT(in == word.data() + word.size());
}

}  // namespace
}  // namespace cohort::engine::explicit_
