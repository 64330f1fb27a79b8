#include "load/task_definition.hpp"

#include <yaml-cpp/yaml.h>

#include <fmt/core.h>

namespace cohort::load {

namespace {

class Reader {
 public:
  explicit Reader(SourceFilePtr file) : file_(std::move(file)) {}

  TaskDefinition read() {
    const YAML::Node root = parse();
    if (!root.IsMap()) fail(root, "a task definition is an object");
    const std::string version = text(member(root, "format_version"));
    if (version != "2.0" && version != "2.1")
      fail(root, fmt::format("format_version is {}, expected 2.0 or 2.1", version));
    TaskDefinition task;
    for (const std::string& name : texts(member(root, "input_files"))) task.files.push_back(beside(name));
    if (task.files.empty()) fail(root, "the task has no input files");
    if (const YAML::Node properties = root["properties"]) read_properties(properties, task);
    if (const YAML::Node options = root["options"]) read_options(options, task);
    return task;
  }

 private:
  YAML::Node parse() const {
    try {
      return YAML::Load(file_->text());
    } catch (const YAML::ParserException& error) {
      throw_malformed(span_of(error.mark), fmt::format("this is not YAML: {}", error.msg));
    }
  }

  SourceSpan span_of(const YAML::Mark& mark) const {
    if (mark.is_null()) return {file_, 0, 0};
    return {file_, static_cast<std::uint32_t>(mark.line + 1), static_cast<std::uint32_t>(mark.column + 1)};
  }

  [[noreturn]] void fail(const YAML::Node& node, const std::string& message) const {
    throw_malformed(span_of(node.Mark()), message);
  }

  YAML::Node member(const YAML::Node& node, const char* name) const {
    const YAML::Node found = node[name];
    if (!found.IsDefined()) fail(node, fmt::format("the member `{}` is missing", name));
    return found;
  }

  std::string text(const YAML::Node& node) const {
    if (!node.IsScalar()) fail(node, "expected a text");
    return node.Scalar();
  }

  // One text, or a list of them.
  std::vector<std::string> texts(const YAML::Node& node) const {
    if (node.IsScalar()) return {node.Scalar()};
    if (!node.IsSequence()) fail(node, "expected a text or a list of texts");
    std::vector<std::string> all;
    for (const YAML::Node& one : node) all.push_back(text(one));
    return all;
  }

  // Paths are meant from the folder of the definition.
  std::string beside(const std::string& name) const {
    const std::string& own = file_->name();
    const std::size_t slash = own.find_last_of('/');
    return name.starts_with('/') || slash == std::string::npos ? name : own.substr(0, slash + 1) + name;
  }

  void read_properties(const YAML::Node& properties, TaskDefinition& task) const {
    if (!properties.IsSequence()) fail(properties, "expected a list of properties");
    for (const YAML::Node& node : properties) {
      if (!node.IsMap()) fail(node, "a property is an object with the member `property_file`");
      TaskProperty property{.file = beside(text(member(node, "property_file")))};
      if (const YAML::Node expected = node["expected_verdict"]) {
        bool value = false;
        if (!YAML::convert<bool>::decode(expected, value)) fail(expected, "expected true or false");
        property.expected = value;
      }
      if (const YAML::Node sub = node["subproperty"]) property.subproperty = text(sub);
      task.properties.push_back(std::move(property));
    }
  }

  void read_options(const YAML::Node& options, TaskDefinition& task) const {
    if (!options.IsMap()) fail(options, "options are an object");
    if (const YAML::Node language = options["language"]; language && text(language) != "C") {
      throw_unsupported(span_of(language.Mark()), fmt::format("programs in {}", text(language)));
    }
    const YAML::Node model = options["data_model"];
    if (!model) return;
    if (text(model) != "ILP32" && text(model) != "LP64") fail(model, "expected ILP32 or LP64");
    task.bits = text(model) == "ILP32" ? 32 : 64;
  }

  const SourceFilePtr file_;
};

}  // namespace

bool is_task_definition(std::string_view path) {
  return path.ends_with(".yml") || path.ends_with(".yaml");
}

TaskDefinition read_task_definition(const SourceFilePtr& file) {
  try {
    return Reader(file).read();
  } catch (const YAML::Exception& error) {
    throw_malformed({file, 0, 0}, error.what());
  }
}

}  // namespace cohort::load
