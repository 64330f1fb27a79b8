// Task definitions as SV-COMP and BenchExec have them: a `.yml` file that names a C program, its properties and the
// widths of its types.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/source.hpp"

namespace cohort::load {

struct TaskProperty {
  std::string file;              // as a path from here
  std::optional<bool> expected;  // should the property hold?
  std::string subproperty{};     // of one that does not: which part of it
};

struct TaskDefinition {
  std::vector<std::string> files;  // as paths from here, at least one
  std::vector<TaskProperty> properties;
  std::optional<unsigned> bits;  // 32 or 64
};

bool is_task_definition(std::string_view path);

// Throws InputError: malformed, or unsupported for programs in other languages.
TaskDefinition read_task_definition(const SourceFilePtr& file);

}  // namespace cohort::load
