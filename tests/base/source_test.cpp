#include "base/source.hpp"

#include <gtest/gtest.h>

namespace cohort {
namespace {

TEST(SourceFile, GivesLinesWithoutTheirEndings) {
  const SourceFile file("a.bp", "one\r\ntwo\n\nfour");
  EXPECT_EQ(file.line(1), "one");
  EXPECT_EQ(file.line(2), "two");
  EXPECT_EQ(file.line(3), "");
  EXPECT_EQ(file.line(4), "four");
  EXPECT_EQ(file.line(5), "");
  EXPECT_EQ(file.line(0), "");
}

TEST(InputError, RendersPlaceLineAndCaret) {
  const auto file = std::make_shared<const SourceFile>("a.bp", "decl x;\n\tx = 1;\n");
  const InputError error(InputError::Kind::Malformed, {file, 2, 4}, "expected ':='");
  EXPECT_EQ(error.render(), "a.bp:2:4: error: expected ':='\n  \tx = 1;\n  \t  ^");
}

TEST(InputError, NamesAFileThatCannotBeRead) {
  try {
    read_source_file("no/such/file.bp");
    FAIL() << "a missing file must be reported";
  } catch (const InputError& error) {
    EXPECT_NE(error.render().find("no/such/file.bp: No such file"), std::string::npos) << error.render();
  }
}

}  // namespace
}  // namespace cohort
