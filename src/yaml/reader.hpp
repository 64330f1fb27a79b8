// What reads documents in YAML: members by name, texts and numbers, and diagnostics with their place in the file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <yaml-cpp/yaml.h>

#include "base/source.hpp"

namespace cohort::yaml {

// Readers of one kind of document derive from it.  Whatever is not there, or not as expected, throws InputError.
class Reader {
 protected:
  explicit Reader(SourceFilePtr file) : file_(std::move(file)) {}

  const SourceFilePtr& file() const { return file_; }
  YAML::Node parse() const;
  SourceSpan span_of(const YAML::Node& node) const;
  [[noreturn]] void fail(const YAML::Node& node, const std::string& message) const;
  YAML::Node member(const YAML::Node& node, const char* name) const;
  std::string text(const YAML::Node& node) const;
  // One text, or a list of them.
  std::vector<std::string> texts(const YAML::Node& node) const;
  std::uint32_t number(const YAML::Node& node) const;
  // 32 or 64, as ILP32 and LP64 say.
  unsigned data_model(const YAML::Node& node) const;

 private:
  SourceSpan span_of(const YAML::Mark& mark) const;

  const SourceFilePtr file_;
};

}  // namespace cohort::yaml
