#include "yaml/reader.hpp"

#include <fmt/core.h>

namespace cohort::yaml {

YAML::Node Reader::parse() const {
  try {
    return YAML::Load(file_->text());
  } catch (const YAML::ParserException& error) {
    throw_malformed(span_of(error.mark), fmt::format("this is not YAML: {}", error.msg));
  }
}

SourceSpan Reader::span_of(const YAML::Mark& mark) const {
  if (mark.is_null()) return {file_, 0, 0};
  return {file_, static_cast<std::uint32_t>(mark.line + 1), static_cast<std::uint32_t>(mark.column + 1)};
}

SourceSpan Reader::span_of(const YAML::Node& node) const {
  return span_of(node.Mark());
}

void Reader::fail(const YAML::Node& node, const std::string& message) const {
  throw_malformed(span_of(node), message);
}

YAML::Node Reader::member(const YAML::Node& node, const char* name) const {
  if (!node.IsMap()) fail(node, fmt::format("expected an object with the member `{}`", name));
  const YAML::Node found = node[name];
  if (!found.IsDefined()) fail(node, fmt::format("the member `{}` is missing", name));
  return found;
}

std::string Reader::text(const YAML::Node& node) const {
  if (!node.IsScalar()) fail(node, "expected a text");
  return node.Scalar();
}

std::vector<std::string> Reader::texts(const YAML::Node& node) const {
  if (node.IsScalar()) return {node.Scalar()};
  if (!node.IsSequence()) fail(node, "expected a text or a list of texts");
  std::vector<std::string> all;
  for (const YAML::Node& one : node) all.push_back(text(one));
  return all;
}

std::uint32_t Reader::number(const YAML::Node& node) const {
  std::uint32_t value = 0;
  if (!node.IsScalar() || !YAML::convert<std::uint32_t>::decode(node, value)) fail(node, "expected a number");
  return value;
}

unsigned Reader::data_model(const YAML::Node& node) const {
  const std::string model = text(node);
  if (model != "ILP32" && model != "LP64") {
    fail(node, fmt::format("the data model is {}, expected ILP32 or LP64", model));
  }
  return model == "ILP32" ? 32 : 64;
}

}  // namespace cohort::yaml
