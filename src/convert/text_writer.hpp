// What the writers of other languages share: a copy of the program (its pool of expressions may grow), names in the
// target language for its variables, and the text written so far.
#pragma once

#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "convert/names.hpp"
#include "model/program.hpp"

namespace cohort::convert {

class TextWriter {
 protected:
  // `reserved` as for Names.
  TextWriter(const model::Program& program, std::string_view reserved) : program_(program), names_(reserved) {
    for (const model::Variable& variable : program.shared) shared_names_.push_back(names_.fresh(variable.name));
  }

  // Names the locals of the next template.
  void name_locals(const model::Template& templ, std::string_view prefix) {
    auto& locals = local_names_.emplace_back();
    for (const model::Variable& local : templ.locals)
      locals.push_back(names_.fresh(fmt::format("{}{}", prefix, local.name)));
  }

  template <class... Args>
  void line(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
    out_ += '\n';
  }

  model::Program program_;
  Names names_;
  std::vector<std::string> shared_names_;
  std::vector<std::vector<std::string>> local_names_;  // [template][variable]
  model::TemplateId current_;                          // the one that is written
  std::string out_;
};

}  // namespace cohort::convert
