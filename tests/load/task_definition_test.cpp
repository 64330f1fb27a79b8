#include "load/task_definition.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cohort::load {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TaskDefinition read(const std::string& text) {
  return read_task_definition(std::make_shared<const SourceFile>("tasks/t.yml", text));
}

std::string refusal(const std::string& text) {
  try {
    read(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(TaskDefinition, NamesFilesFromItsOwnFolder) {
  const TaskDefinition task = read(R"(format_version: '2.0'
# a comment
input_files: 'a.i'
properties:
  - property_file: ../properties/unreach-call.prp
    expected_verdict: false
  - property_file: /abs/no-data-race.prp
    expected_verdict: true
options:
  language: C
  data_model: ILP32
)");
  EXPECT_THAT(task.files, ElementsAre("tasks/a.i"));
  ASSERT_EQ(task.properties.size(), 2U);
  EXPECT_EQ(task.properties[0].file, "tasks/../properties/unreach-call.prp");
  EXPECT_EQ(task.properties[0].expected, false);
  EXPECT_EQ(task.properties[1].file, "/abs/no-data-race.prp");
  EXPECT_EQ(task.bits, 32U);
}

TEST(TaskDefinition, MayHaveSeveralFilesAndNoMore) {
  const TaskDefinition task = read("format_version: \"2.0\"\ninput_files: [a.c, b.c]\n");
  EXPECT_THAT(task.files, ElementsAre("tasks/a.c", "tasks/b.c"));
  EXPECT_TRUE(task.properties.empty());
  EXPECT_FALSE(task.bits);
}

TEST(TaskDefinition, SaysWhatIsWrong) {
  EXPECT_THAT(refusal("a: [1"), HasSubstr("not YAML"));
  EXPECT_THAT(refusal("- 1\n"), HasSubstr("object"));
  EXPECT_THAT(refusal("format_version: '1.0'\ninput_files: a.c\n"), HasSubstr("2.0"));
  EXPECT_THAT(refusal("format_version: '2.0'\n"), HasSubstr("input_files"));
  EXPECT_THAT(refusal("format_version: '2.0'\ninput_files: {}\n"), HasSubstr("list of texts"));
  EXPECT_THAT(refusal("format_version: '2.0'\ninput_files: []\n"), HasSubstr("no input files"));
  EXPECT_THAT(refusal("format_version: '2.0'\ninput_files: A.java\noptions: {language: Java}\n"), HasSubstr("Java"));
  EXPECT_THAT(refusal("format_version: '2.0'\ninput_files: a.c\noptions: {data_model: LLP64}\n"), HasSubstr("LP64"));
  EXPECT_THAT(refusal("format_version: '2.0'\ninput_files: a.c\nproperties: [1]\n"), HasSubstr("property_file"));
}

}  // namespace
}  // namespace cohort::load
