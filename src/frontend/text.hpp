// What the languages with C's comments have in common: white space, comments, and statements as traces show them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace cohort::frontend {

bool is_blank(char c);

// One past the comment that starts at `begin`; npos when none starts there, text.size() + 1 when it is unterminated.
std::size_t comment_end(std::string_view text, std::size_t begin);

// The text on one line: comments gone, runs of white space made one blank.
std::string normalized_text(std::string_view text);

}  // namespace cohort::frontend
