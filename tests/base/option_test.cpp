#include "base/option.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cohort::option {
namespace {

using ::testing::HasSubstr;

enum class Colour : std::uint8_t { Red, Green };

struct Size {
  std::uint32_t edge = 0;

  void parse(const std::string& text) {
    if (text.empty() || text.find_first_not_of('x') != std::string::npos) throw Refused("not x, xx, ...");
    edge = static_cast<std::uint32_t>(text.size());
  }
  std::string written() const { return std::string(edge, 'x'); }
};

struct Inner {
  bool loud = flag(loud, {"--quiet", "", "Say nothing"}, true);
  std::optional<Size> size = parsed(size, {"--size", "X", "How large"});
};

// Every kind of option once, and members that are none.
struct Sample {
  int unrelated = 7;
  bool fast = flag(fast, {"-f,--fast", "", "Be fast"});
  std::uint32_t count = number(count, {"--count", "N", "How many"}, 4U, {1, 9});
  std::optional<std::uint64_t> seed = number(seed, {"--seed", "N", "Where to start"}, {}, {0, UINT64_MAX});
  std::optional<Colour> colour =
      choice(colour, {"--colour", "C", "Which"}, {{"red", Colour::Red}, {"green", Colour::Green}});
  std::uint32_t bits = choice(bits, {"--bits", "N", "Width"}, {{"32", 32}, {"64", 64}}, 64U);
  std::string out = text(out, {"-o,--output-file", "FILE", "Where to"});
  std::vector<std::string> labels = texts(labels, {"-l,--label", "L", "Labels", "labels"});
  std::vector<std::string> kinds = words(kinds, {"--kind", "K,...", "Kinds"}, {"a"}, {"a", "b"});
  std::optional<double> limit = seconds(limit, {"--limit", "S", "Time"});
  Inner inner;
};

Reference option_called(Sample& values, const std::string& name) {
  for (const Reference& option : options_of(values)) {
    if (option.descriptor().long_name() == name) return option;
  }
  throw std::out_of_range(name);
}

TEST(Option, DescribesWhatTheDefaultsOfTheMembersSay) {
  std::vector<std::string> keys;
  for (const Descriptor& descriptor : describe<Sample>()) keys.push_back(descriptor.key);
  EXPECT_THAT(keys, ::testing::ElementsAre("fast", "count", "seed", "colour", "bits", "output_file", "labels", "kind",
                                           "limit", "quiet", "size"));
  EXPECT_EQ(describe<Sample>()[0].first_name(), "-f");
  EXPECT_EQ(describe<Sample>()[0].long_name(), "--fast");
}

TEST(Option, LeavesPlainValuesBehind) {
  const Sample sample{.fast = true, .count = 2, .inner = {.loud = false}};
  EXPECT_TRUE(sample.fast);
  EXPECT_EQ(sample.count, 2U);
  EXPECT_EQ(sample.unrelated, 7);
  EXPECT_EQ(sample.bits, 64U);
  EXPECT_EQ(sample.kinds, std::vector<std::string>{"a"});
  EXPECT_FALSE(sample.inner.loud);
}

TEST(Option, ParsesEveryKind) {
  Sample sample;
  for (const auto& [name, text] : std::vector<std::pair<std::string, std::string>>{{"--fast", ""},
                                                                                   {"--count", "9"},
                                                                                   {"--seed", "18446744073709551615"},
                                                                                   {"--colour", "green"},
                                                                                   {"--bits", "32"},
                                                                                   {"--output-file", "a b"},
                                                                                   {"--label", "L"},
                                                                                   {"--kind", "b,a"},
                                                                                   {"--limit", "1.5"},
                                                                                   {"--quiet", ""},
                                                                                   {"--size", "xx"}}) {
    EXPECT_FALSE(option_called(sample, name).differs_from_usual()) << name;
    option_called(sample, name).parse(text);
    EXPECT_TRUE(option_called(sample, name).differs_from_usual()) << name;
  }
  EXPECT_TRUE(sample.fast);
  EXPECT_EQ(sample.count, 9U);
  EXPECT_EQ(sample.seed, UINT64_MAX);
  EXPECT_EQ(sample.colour, Colour::Green);
  EXPECT_EQ(sample.bits, 32U);
  EXPECT_EQ(sample.out, "a b");
  EXPECT_EQ(sample.labels, std::vector<std::string>{"L"});
  EXPECT_EQ(sample.kinds, (std::vector<std::string>{"b", "a"}));
  EXPECT_EQ(sample.limit, 1.5);
  EXPECT_FALSE(sample.inner.loud);
  EXPECT_EQ(sample.inner.size->edge, 2U);
  EXPECT_EQ(sample.unrelated, 7);
}

TEST(Option, RefusesWhatItDoesNotTake) {
  Sample sample;
  for (const auto& [name, text] : std::vector<std::pair<std::string, std::string>>{{"--count", "0"},
                                                                                   {"--count", "10"},
                                                                                   {"--count", "4x"},
                                                                                   {"--count", "-1"},
                                                                                   {"--count", ""},
                                                                                   {"--seed", "18446744073709551616"},
                                                                                   {"--colour", "blue"},
                                                                                   {"--bits", "16"},
                                                                                   {"--kind", "a,c"},
                                                                                   {"--kind", ""},
                                                                                   {"--limit", "-1"},
                                                                                   {"--limit", "nan"},
                                                                                   {"--limit", "inf"},
                                                                                   {"--limit", "1s"},
                                                                                   {"--size", "y"}}) {
    EXPECT_THROW(option_called(sample, name).parse(text), Refused) << name << " " << text;
  }
  try {
    option_called(sample, "--colour").parse("blue");
    FAIL();
  } catch (const Refused& refused) {
    EXPECT_THAT(refused.what(), HasSubstr("'blue' is none of red, green"));
  }
}

TEST(Option, ComesBackFromADocument) {
  Sample sample{.fast = true, .count = 3, .seed = 5, .colour = Colour::Red, .bits = 32, .out = "o", .labels = {"a"}};
  sample.limit = 2;
  sample.inner = {.loud = false, .size = Size{3}};
  Sample copy;
  const auto from = options_of(std::as_const(sample));
  const auto to = options_of(copy);
  ASSERT_EQ(from.size(), to.size());
  for (std::size_t i = 0; i < from.size(); ++i) to[i].set(from[i].value());
  for (std::size_t i = 0; i < from.size(); ++i) EXPECT_EQ(to[i].value(), from[i].value()) << from[i].descriptor().key;
  EXPECT_EQ(copy.inner.size->edge, 3U);
  EXPECT_EQ(copy.colour, Colour::Red);
  // And back to what it was.
  option_called(copy, "--colour").set({});
  EXPECT_EQ(copy.colour, std::nullopt);
}

TEST(Option, ConvertsNothingFromADocument) {
  Sample sample;
  EXPECT_THROW(option_called(sample, "--count").set(std::string("4")), Refused);
  EXPECT_THROW(option_called(sample, "--count").set(true), Refused);
  EXPECT_THROW(option_called(sample, "--count").set(std::uint64_t{10}), Refused);
  EXPECT_THROW(option_called(sample, "--count").set({}), Refused);
  EXPECT_THROW(option_called(sample, "--fast").set(std::uint64_t{1}), Refused);
  EXPECT_THROW(option_called(sample, "--colour").set(std::string("blue")), Refused);
  EXPECT_THROW(option_called(sample, "--kind").set(std::vector<std::string>{"c"}), Refused);
}

TEST(Option, MembersAreKnownByTheirPlace) {
  Sample sample;
  const Members some(sample.fast, sample.inner);
  EXPECT_TRUE(some.contain(option_called(sample, "--fast")));
  EXPECT_TRUE(some.contain(option_called(sample, "--quiet")));
  EXPECT_TRUE(some.contain(option_called(sample, "--size")));
  EXPECT_FALSE(some.contain(option_called(sample, "--count")));
  EXPECT_FALSE(Members().contain(option_called(sample, "--fast")));
}

}  // namespace
}  // namespace cohort::option
