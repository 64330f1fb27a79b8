#include "load/load.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/contract.hpp"

namespace cohort::load {
namespace {

using ::testing::HasSubstr;
using ::testing::Optional;

const std::string example = COHORT_SOURCE_DIR "/examples/bp/semaphore_mutex.bp";

TEST(Load, ChoosesTheFrontEndByTheEnding) {
  ASSERT_NE(front_end_for("a/b.bp"), nullptr);
  EXPECT_EQ(front_end_for("a/b.bp")->ending, ".bp");
  EXPECT_EQ(front_end_for("x.tts.spec")->ending, ".spec");
  EXPECT_EQ(front_end_for("bp"), nullptr);
  EXPECT_THAT(refuses("a.xyz", {}), Optional(HasSubstr("known endings: .bp, ")));
}

TEST(Load, RefusesOptionsThatMeanNothingToTheFormat) {
  Env env;
  EXPECT_EQ(refuses("a.bp", {.error_labels = {"L"}, .zero_init = true, .initial = InitialCount{2}}), std::nullopt);
  EXPECT_EQ(refuses("a.tts", {.init = "0|0", .target = "1|1"}), std::nullopt);
  EXPECT_THAT(refuses("a.bp", {.init = "0|0"}), Optional(HasSubstr("--init means nothing for .bp files")));
  EXPECT_EQ(refuses("a.bp", {.target = "x == 1"}), std::nullopt) << "by values in every language";
  EXPECT_THAT(refuses("a.tts", {.error_labels = {"L"}}), Optional(HasSubstr("--error-label")));
  EXPECT_THAT(refuses("a.spec", {.zero_init = true}), Optional(HasSubstr("--zero-init")));
  EXPECT_THAT(refuses("a.pnml", {.initial = InitialCount{}}), Optional(HasSubstr("--initial")));
  EXPECT_THROW(load(env, "a.xyz", {}), InternalError);
}

TEST(Load, RefusesOptionsForCElsewhere) {
  EXPECT_EQ(refuses("a.c", {.c = {.more_files = {"b.i"}, .defines = {"N"}, .pointer_width = 32}}), std::nullopt);
  EXPECT_THAT(refuses("a.tts", {.c = {.linux_names = true}}), Optional(HasSubstr("--linux means nothing for .tts")));
  EXPECT_THAT(refuses("a.bp", {.c = {.more_files = {"b.bp"}}}), Optional(HasSubstr("a second file means nothing")));
  EXPECT_THAT(refuses("a.c", {.c = {.more_files = {"b.bp"}}}),
              Optional(HasSubstr("only C programs consist of several files")));
  EXPECT_THAT(refuses("a.c", {.init = "0|0"}), Optional(HasSubstr("--init means nothing for .c files")));
  EXPECT_TRUE(is_c("a.i"));
  EXPECT_FALSE(is_c("a.bp"));
}

TEST(Load, SetsTheThreadsAtTheStart) {
  Env env;
  EXPECT_EQ(load(env, example, {}).initial.at(0).count, 1U);
  EXPECT_EQ(load(env, example, {.initial = InitialCount{5}}).initial.at(0).count, 5U);
  EXPECT_EQ(load(env, example, {.initial = InitialCount{}}).initial.at(0).count, std::nullopt);
}

TEST(Load, SaysWhenAFileCannotBeRead) {
  Env env;
  EXPECT_THROW(load(env, "no/such/file.bp", {}), InputError);
}

}  // namespace
}  // namespace cohort::load
