#include "load/task_definition.hpp"

#include <fmt/core.h>

#include "yaml/reader.hpp"

namespace cohort::load {

namespace {

class Reader : yaml::Reader {
 public:
  explicit Reader(SourceFilePtr file) : yaml::Reader(std::move(file)) {}

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
  // Paths are meant from the folder of the definition.
  std::string beside(const std::string& name) const {
    const std::string& own = file()->name();
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
      throw_unsupported(span_of(language), fmt::format("programs in {}", text(language)));
    }
    if (const YAML::Node model = options["data_model"]) task.bits = data_model(model);
  }
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
