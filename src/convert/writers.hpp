// The writers by the ending of the file they make: a new target language is one line in the table.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "model/program.hpp"

namespace cohort::convert {

struct Writer {
  std::string_view ending;  // with its dot
  std::string_view language;
  bool needs_threads;  // the text is for one bound on the threads alive
  bool takes_calls;    // procedures need not be inlined
  std::string (*write)(const model::Program& program, std::uint32_t threads);
};

std::span<const Writer> writers();

// The writer for a file name, by its ending; none when no language has it.
const Writer* writer_for(std::string_view file_name);

}  // namespace cohort::convert
