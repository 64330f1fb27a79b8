// The YAML form, version 2.2, written by hand: the order of members is that of the format's description, and texts are
// quoted as JSON quotes them, which is YAML.
#include <array>
#include <chrono>
#include <ctime>
#include <random>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "base/contract.hpp"
#include "base/sha256.hpp"
#include "base/version.hpp"
#include "witness/witness.hpp"
#include "witness/write.hpp"

namespace cohort::witness {

namespace {

constexpr const char* format_version = "2.2";

std::string quoted(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
}

std::string_view kind_name(Waypoint::Kind kind) {
  switch (kind) {
    case Waypoint::Kind::FunctionEnter: return "function_enter";
    case Waypoint::Kind::FunctionReturn: return "function_return";
    case Waypoint::Kind::Assumption: return "assumption";
    case Waypoint::Kind::Branching: return "branching";
    case Waypoint::Kind::Target: return "target";
  }
  COHORT_UNREACHABLE("every kind of waypoint has a name");
}

std::string place_text(const Place& place, const std::string& indent) {
  std::string text =
      fmt::format("{0}location:\n{0}  file_name: {1}\n{0}  line: {2}\n", indent, quoted(place.file), place.line);
  if (place.column) text += fmt::format("{}  column: {}\n", indent, *place.column);
  return text;
}

std::string metadata(const Task& task) {
  std::string text = fmt::format(
      "  metadata:\n    format_version: \"{}\"\n    uuid: \"{}\"\n    creation_time: \"{}\"\n    producer:\n      "
      "name: "
      "\"Cohort\"\n      version: {}\n",
      format_version, random_uuid(), time_now(), quoted(std::string(version())));
  if (!task.command_line.empty()) text += fmt::format("      command_line: {}\n", quoted(task.command_line));
  text += "    task:\n      input_files:\n";
  for (const SourceFilePtr& file : task.files) text += fmt::format("        - {}\n", quoted(file->name()));
  text += "      input_file_hashes:\n";
  for (const SourceFilePtr& file : task.files)
    text += fmt::format("        {}: \"{}\"\n", quoted(file->name()), sha256(file->text()));
  return text + fmt::format("      specification: {}\n      data_model: {}\n      language: C\n",
                            quoted(task.specification), task.bits == 32 ? "ILP32" : "LP64");
}

std::string waypoint_text(const Waypoint& waypoint) {
  std::string text =
      fmt::format("        - waypoint:\n            type: {}\n            action: {}\n            thread_id: {}\n",
                  kind_name(waypoint.kind), waypoint.avoid ? "avoid" : "follow", waypoint.thread);
  text += place_text(waypoint.place, "            ");
  if (waypoint.constraint.empty()) return text;
  const bool returns = waypoint.kind == Waypoint::Kind::FunctionReturn;
  return text + fmt::format("            constraint:\n              value: {}\n              format: {}\n",
                            quoted(waypoint.constraint), returns ? "acsl_expression" : "c_expression");
}

std::string violation_content(const Witness& witness) {
  if (witness.segments.empty()) return "  content: []\n";
  std::string text = "  content:\n";
  for (const Segment& segment : witness.segments) {
    text += "    - segment:\n";
    for (const Waypoint& waypoint : segment) text += waypoint_text(waypoint);
  }
  return text;
}

std::string invariant_content(const Witness& witness) {
  if (witness.invariants.empty()) return "  content: []\n";
  std::string text = "  content:\n";
  for (const Invariant& invariant : witness.invariants) {
    text += "    - invariant:\n        type: location_invariant\n" + place_text(invariant.place, "        ");
    text += fmt::format("        value: {}\n        format: c_expression\n", quoted(invariant.value));
  }
  return text;
}

}  // namespace

std::string time_now() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm parts{};
  gmtime_r(&now, &parts);
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text.data();
}

std::string random_uuid() {
  std::random_device device;
  std::array<std::uint32_t, 4> words{};
  for (auto& word : words) word = device();
  words[1] = (words[1] & 0xFFFF0FFFU) | 0x4000U;
  words[2] = (words[2] & 0x3FFFFFFFU) | 0x80000000U;
  return fmt::format("{:08x}-{:04x}-{:04x}-{:04x}-{:04x}{:08x}", words[0], words[1] >> 16U, words[1] & 0xFFFFU,
                     words[2] >> 16U, words[2] & 0xFFFFU, words[3]);
}

std::string to_yaml(const Witness& witness, const Task& task) {
  const bool violates = witness.is_violation;
  return fmt::format("- entry_type: {}\n", violates ? "violation_sequence" : "invariant_set") + metadata(task) +
         (violates ? violation_content(witness) : invariant_content(witness));
}

}  // namespace cohort::witness
