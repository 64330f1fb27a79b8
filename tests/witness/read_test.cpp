#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "witness/witness.hpp"

namespace cohort::witness {
namespace {

using ::testing::HasSubstr;

// As another tool would write it: flow style, a bare formula, no thread where it is main.
constexpr const char* foreign = R"(- entry_type: violation_sequence
  metadata:
    format_version: "2.2"
    uuid: "b1c2d3e4-f5a6-4789-abcd-ef0123456789"
    creation_time: 2026-06-12T12:00:00Z
    producer: {name: Other, version: "1"}
    task:
      input_files: [p.i]
      input_file_hashes: {p.i: "00"}
      specification: G ! call(reach_error())
      data_model: ILP32
      language: C
  content:
  - segment:
    - waypoint: {type: function_enter, action: follow, location: {file_name: p.i, line: 22, function: main}}
  - segment:
    - waypoint: {type: assumption, action: avoid, thread_id: 1, constraint: {value: "x == 2", format: c_expression}, location: {file_name: p.i, line: 17, column: 3}}
    - waypoint: {type: assumption, action: follow, thread_id: 1, constraint: {value: "x == 1", format: c_expression}, location: {file_name: p.i, line: 17}}
  - segment:
    - waypoint: {type: target, action: follow, thread_id: 0, location: {file_name: p.i, line: 24}}
)";

ReadWitness read(const std::string& text) {
  return read_yaml(std::make_shared<const SourceFile>("w.yml", text));
}

std::string refusal(const std::string& old, const std::string& changed) {
  std::string text = foreign;
  const std::size_t at = text.find(old);
  EXPECT_NE(at, std::string::npos) << old;
  text.replace(at, old.size(), changed);
  try {
    read(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(ReadWitness, TakesWhatOthersWrite) {
  const ReadWitness read_witness = read(foreign);
  EXPECT_EQ(read_witness.specification, "G ! call(reach_error())");
  EXPECT_EQ(read_witness.bits, 32U);
  const auto& segments = read_witness.witness.segments;
  ASSERT_EQ(segments.size(), 3U);
  EXPECT_EQ(segments[0][0].kind, Waypoint::Kind::FunctionEnter);
  EXPECT_EQ(segments[0][0].thread, 0U);
  ASSERT_EQ(segments[1].size(), 2U);
  EXPECT_TRUE(segments[1][0].avoid);
  EXPECT_EQ(segments[1][0].place.column, 3U);
  EXPECT_EQ(segments[1][1].constraint, "x == 1");
  EXPECT_EQ(segments[2][0].place.line, 24U);
}

TEST(ReadWitness, RefusesWhatItDoesNotUnderstand) {
  EXPECT_THAT(refusal("\"2.2\"", "\"3.0\""), HasSubstr("2.x"));
  EXPECT_THAT(refusal("ILP32", "ILP64"), HasSubstr("ILP64"));
  EXPECT_THAT(refusal("type: assumption", "type: guess"), HasSubstr("guess"));
  EXPECT_THAT(refusal("action: avoid", "action: ignore"), HasSubstr("ignore"));
  EXPECT_THAT(refusal("action: avoid", "action: cycle"), HasSubstr("never end"));
  EXPECT_THAT(refusal("action: avoid", "action: follow"), HasSubstr("only the last"));
  EXPECT_THAT(refusal("line: 22", "line: twenty"), HasSubstr("number"));
  EXPECT_THAT(refusal("type: target", "type: assumption"), HasSubstr("target"));
  EXPECT_THAT(refusal("violation_sequence", "invariant_set"), HasSubstr("no violation sequence"));
  EXPECT_THAT(refusal("  content:", "  contents:"), HasSubstr("content"));
  EXPECT_THAT(refusal("- entry_type", "entry_type: ["), HasSubstr("YAML"));
}

}  // namespace
}  // namespace cohort::witness
