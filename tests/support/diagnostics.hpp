// What a front end says of a text it cannot take: the rendered diagnostic, or "accepted".
#pragma once

#include <memory>
#include <string>

#include "base/source.hpp"

namespace cohort::test {

inline SourceFilePtr text_file(const std::string& name, const std::string& text) {
  return std::make_shared<const SourceFile>(name, text);
}

template <class Load>
std::string diagnostic(Load&& load) {
  try {
    load();
  } catch (const InputError& error) {
    return error.render();
  }
  return "accepted";
}

}  // namespace cohort::test
