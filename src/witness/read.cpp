// Reads the YAML form of violation witnesses, versions 2.x.  What is not understood is refused with its place: a
// waypoint that is passed over would make another witness of it.
#include <fmt/core.h>

#include "witness/witness.hpp"
#include "yaml/reader.hpp"

namespace cohort::witness {

namespace {

class Reader : yaml::Reader {
 public:
  explicit Reader(SourceFilePtr file) : yaml::Reader(std::move(file)) {}

  ReadWitness read() {
    const YAML::Node root = parse();
    if (!root.IsSequence()) fail(root, "a witness is a list of entries");
    for (const YAML::Node& entry : root) {
      if (text(member(entry, "entry_type")) != "violation_sequence") continue;
      read_metadata(member(entry, "metadata"));
      const YAML::Node content = member(entry, "content");
      if (!content.IsSequence()) fail(content, "expected a list of segments");
      for (const YAML::Node& part : content) result_.witness.segments.push_back(read_segment(member(part, "segment")));
      expect_target();
      return std::move(result_);
    }
    throw_unsupported({file(), 0, 0}, "this witness has no violation sequence: there is no run to execute");
  }

 private:
  void read_metadata(const YAML::Node& metadata) {
    const std::string version = text(member(metadata, "format_version"));
    if (!version.starts_with("2.")) fail(metadata, fmt::format("the format has version {}, expected 2.x", version));
    const YAML::Node task = member(metadata, "task");
    result_.specification = text(member(task, "specification"));
    result_.bits = data_model(member(task, "data_model"));
    const YAML::Node hashes = member(task, "input_file_hashes");
    if (!hashes.IsMap()) fail(hashes, "expected a hash for each file");
    for (const auto& entry : hashes) result_.hashes.emplace_back(text(entry.first), text(entry.second));
  }

  Segment read_segment(const YAML::Node& node) const {
    if (!node.IsSequence() || node.size() == 0) fail(node, "a segment is a list of waypoints");
    Segment segment;
    for (const YAML::Node& part : node) segment.push_back(read_waypoint(member(part, "waypoint")));
    for (std::size_t i = 0; i < segment.size(); ++i) {
      const bool is_last = i + 1 == segment.size();
      const bool targets = segment[i].kind == Waypoint::Kind::Target;
      if (segment[i].avoid && is_last) fail(node, "a segment ends with a waypoint to follow");
      if (!segment[i].avoid && !is_last && !targets) fail(node, "only the last waypoint of a segment is followed");
    }
    return segment;
  }

  Waypoint read_waypoint(const YAML::Node& node) const {
    Waypoint waypoint{.kind = read_kind(member(node, "type"))};
    const std::string action = text(member(node, "action"));
    if (action == "cycle") throw_unsupported(span_of(node), "witnesses of executions that never end");
    if (action != "follow" && action != "avoid") fail(node, fmt::format("`{}` is neither follow nor avoid", action));
    waypoint.avoid = action == "avoid";
    if (const YAML::Node thread = node["thread_id"]) waypoint.thread = number(thread);
    const YAML::Node location = member(node, "location");
    waypoint.place = {text(member(location, "file_name")), number(member(location, "line"))};
    if (const YAML::Node column = location["column"]) waypoint.place.column = number(column);
    if (const YAML::Node constraint = node["constraint"]) waypoint.constraint = text(member(constraint, "value"));
    return waypoint;
  }

  Waypoint::Kind read_kind(const YAML::Node& node) const {
    const std::string kind = text(node);
    if (kind == "function_enter") return Waypoint::Kind::FunctionEnter;
    if (kind == "function_return") return Waypoint::Kind::FunctionReturn;
    if (kind == "assumption") return Waypoint::Kind::Assumption;
    if (kind == "branching") return Waypoint::Kind::Branching;
    if (kind == "target") return Waypoint::Kind::Target;
    fail(node, fmt::format("there are no waypoints of type `{}`", kind));
  }

  void expect_target() const {
    const auto& segments = result_.witness.segments;
    for (std::size_t i = 0; i < segments.size(); ++i) {
      const bool targets = segments[i].back().kind == Waypoint::Kind::Target;
      if (targets != (i + 1 == segments.size())) {
        throw_malformed({file(), 0, 0}, "the last segment, and only that, ends in the target");
      }
    }
    if (segments.empty()) throw_malformed({file(), 0, 0}, "the witness has no segments");
  }

  ReadWitness result_;
};

}  // namespace

ReadWitness read_yaml(const SourceFilePtr& file) {
  try {
    return Reader(file).read();
  } catch (const YAML::Exception& error) {
    throw_malformed({file, 0, 0}, error.what());
  }
}

}  // namespace cohort::witness
