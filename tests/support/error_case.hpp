// A text that a front end must refuse, and what it must say of it: for tables with one case for each message.
#pragma once

#include <cstdint>
#include <ostream>
#include <string>

#include <gtest/gtest.h>

#include "base/source.hpp"

namespace cohort::test {

struct ErrorCase {
  const char* name;
  std::string text;
  std::uint32_t line;
  std::uint32_t column;
  std::string message;
  InputError::Kind kind = InputError::Kind::Malformed;
};

inline constexpr auto unsupported = InputError::Kind::Unsupported;

inline void PrintTo(const ErrorCase& example, std::ostream* out) {
  *out << example.name;
}

inline std::string name_of(const testing::TestParamInfo<ErrorCase>& instance) {
  return instance.param.name;
}

class Errors : public testing::TestWithParam<ErrorCase> {
 protected:
  template <class Load>
  static void expect_refused(Load&& load) {
    try {
      load(GetParam().text);
      FAIL() << "the program was accepted";
    } catch (const InputError& error) {
      EXPECT_EQ(std::string(error.what()), GetParam().message);
      EXPECT_EQ(error.span().line, GetParam().line);
      EXPECT_EQ(error.span().column, GetParam().column);
      EXPECT_EQ(error.kind(), GetParam().kind);
    }
  }
};

inline std::string repeated(const std::string& text, std::size_t times) {
  std::string result;
  for (std::size_t i = 0; i < times; ++i) result += text;
  return result;
}

}  // namespace cohort::test
