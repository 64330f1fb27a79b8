#include "load/test_description.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cohort::load {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TestDescription read(const std::string& text) {
  return read_test_description(std::make_shared<const SourceFile>("tests/one/test.desc", text));
}

TestDescription with_options(const std::string& options) {
  return read("CORE\nmain.tts\n" + options + "\n^EXIT=0$\n^VERIFICATION SUCCESSFUL$\n--\n--\nno comments\n");
}

std::string refusal(const std::string& text) {
  try {
    read(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

std::string refused_options(const std::string& options) {
  return refusal("CORE\nmain.tts\n" + options + "\n");
}

TEST(TestDescription, NamesItsProgramFromItsOwnFolder) {
  const TestDescription test = with_options("--target 1|2,2");
  EXPECT_EQ(test.file, "tests/one/main.tts");
  EXPECT_EQ(test.target, "1|2,2");
  EXPECT_EQ(test.init, "0/0");
}

TEST(TestDescription, TakesInitialConfigurationsOfEachVersion) {
  EXPECT_EQ(with_options(R"(--target "1|2" --init "0|0/73" --prj-all)").init, "0|0/73");
  EXPECT_EQ(with_options("--target 1|2 --initial=single").init, "0|0");
  EXPECT_EQ(with_options("-a 1|2 -i unbounded").init, "0/0");
  EXPECT_EQ(with_options("-i --target 1|2").init, "0|0");
  EXPECT_EQ(with_options("--i-single -s 3 -l4 --i-local2 5 -a'1|2'").init, "3|4,5");
  EXPECT_EQ(with_options("--i-local2 5 --target 1|2").init, "0/0,5");
  EXPECT_EQ(with_options("--i-local2 0 --target 1|2").init, "0/0");
  EXPECT_EQ(with_options("--i-local2 0 --i-single --target 1|2").init, "0|0,0");
}

TEST(TestDescription, LeavesOutHowToSearch) {
  EXPECT_EQ(with_options("-k3 --fw-no-omegas --max_fw_width 5 --fw-info --mode F -t60 --target 1|2").target, "1|2");
}

TEST(TestDescription, TakesLabelsOfBooleanPrograms) {
  const TestDescription test = read("CORE\nmain.bp\n-l ERROR --por -lOTHER\n");
  EXPECT_THAT(test.error_labels, ElementsAre("ERROR", "OTHER"));
  EXPECT_EQ(test.target, std::nullopt);
  EXPECT_EQ(test.init, std::nullopt);
}

TEST(TestDescription, TakesLineEndsOfOtherSystems) {
  const TestDescription test = read("CORE\r\nmain.tts\r\n--target 1|2 \r\n^EXIT=0$\r\n");
  EXPECT_EQ(test.file, "tests/one/main.tts");
  EXPECT_EQ(test.target, "1|2");
}

TEST(TestDescription, RefusesWhatAsksForNoVerdict) {
  EXPECT_THAT(refused_options("-k3"), HasSubstr("cohort cover"));
  EXPECT_THAT(refused_options("--target 1|2 --ignore-target"), HasSubstr("cohort cover"));
}

TEST(TestDescription, RefusesWhatItDoesNotKnow) {
  EXPECT_THAT(refused_options("--target 1|2 --threads 3"), HasSubstr("--threads"));
  EXPECT_THAT(refused_options("--target 1|2 -x"), HasSubstr("-x"));
  EXPECT_THAT(refused_options("--target 1|2 other.tts"), HasSubstr("one program"));
  EXPECT_THAT(refused_options("--target 1|2 -"), HasSubstr("one program"));
  EXPECT_THAT(refusal("CORE\nmain.c\n--bound\n"), HasSubstr("other programs"));
  EXPECT_THAT(refusal("CORE\nother.desc\n\n"), HasSubstr("other programs"));
}

TEST(TestDescription, RefusesMistakes) {
  EXPECT_THAT(refusal(""), HasSubstr("second line"));
  EXPECT_THAT(refusal("CORE\n  \n--target 1|2\n"), HasSubstr("second line"));
  EXPECT_THAT(refused_options("--target"), HasSubstr("needs a value"));
  EXPECT_THAT(refused_options("--target \"1|2"), HasSubstr("not closed"));
  EXPECT_THAT(refused_options("--target 1|2 --stats=yes"), HasSubstr("no value"));
  EXPECT_THAT(refused_options("--target 1|2 -a 1|2"), HasSubstr("twice"));
  EXPECT_THAT(refused_options("--target 1|2 -s x"), HasSubstr("number"));
  EXPECT_THAT(refused_options("--target 1|2 --init 0/0 --i-single"), HasSubstr("given twice"));
  EXPECT_THAT(refused_options("--target none.prop"), HasSubstr("none.prop"));
  EXPECT_THAT(refused_options("--target ''"), HasSubstr("tests/one/"));
}

}  // namespace
}  // namespace cohort::load
