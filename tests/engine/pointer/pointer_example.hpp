// The pointer algorithms among the examples.
#pragma once

#include "frontend/red/red.hpp"
#include "support/example.hpp"

namespace cohort::test {

inline std::vector<Example> pointer_examples() {
  return examples_in("red", ".red");
}

inline model::Program load_pointer(const std::string& name, std::uint32_t processes) {
  const auto path = std::filesystem::path(COHORT_SOURCE_DIR) / "examples/red" / (name + ".red");
  return frontend::red::load(read_source_file(path.string()), {.processes = processes});
}

}  // namespace cohort::test
