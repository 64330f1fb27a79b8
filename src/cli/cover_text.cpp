#include "cli/cover_text.hpp"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "base/contract.hpp"
#include "cli/state_words.hpp"

namespace cohort::cli {

using engine::Cover;
using engine::CoverNode;
using nlohmann::ordered_json;

namespace {

std::string step_words(const model::Program& program, const model::EdgeRef& step) {
  std::string text;
  for (const model::Action& action : program.edge(step).actions) {
    if (!action.text.empty()) text += (text.empty() ? "" : "; ") + action.text;
  }
  return text.empty() ? fmt::format("{}:{}", program.templ(step.templ).name, step.edge) : text;
}

std::string in_quotes(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    if (c == '\n') {
      result += "\\n";
    } else {
      result += c;
    }
  }
  return result + "\"";
}

std::string remark(const CoverNode& node) {
  if (node.ends) return "  (ends here)";
  return node.in_cover ? "  (in the cover)" : "";
}

ordered_json values_json(const std::vector<model::Variable>& variables, const model::Valuation& values) {
  ordered_json object = ordered_json::object();
  for (const model::Variable& variable : variables) {
    if (!variable.type.is_array()) {
      object[variable.name] = values[variable.slot];
      continue;
    }
    ordered_json& list = object[variable.name] = ordered_json::array();
    for (std::uint32_t i = 0; i < variable.type.slots(); ++i) list.push_back(values[variable.slot + i]);
  }
  return object;
}

ordered_json node_json(const model::Program& program, const CoverNode& node) {
  ordered_json threads = ordered_json::array();
  for (const auto& [thread, count] : node.threads) {
    const model::Template& templ = program.templ(thread.templ);
    const model::Location& location = templ.locations[thread.location.value];
    threads.push_back({{"template", templ.name},
                       {"location", {{"index", thread.location.value}, {"label", location.label}}},
                       {"atomic", thread.atomic},
                       {"locals", values_json(templ.locals, thread.locals)},
                       {"count", count ? ordered_json(*count) : ordered_json("omega")}});
  }
  return {{"shared", values_json(program.shared, node.shared)}, {"threads", threads}};
}

}  // namespace

std::string label_words(const model::Program& program, const CoverNode& node) {
  std::string text = values_words(program.shared, node.shared);
  if (!text.empty()) text += " | ";
  bool first = true;
  for (const auto& [thread, count] : node.threads) {
    text += fmt::format("{}{}: {}", first ? "" : ", ", thread_words(program, thread),
                        count ? std::to_string(*count) : "omega");
    first = false;
  }
  return first ? text + "no threads" : text;
}

std::string cover_text(const model::Program& program, const Cover& cover) {
  std::string text;
  for (const CoverNode& node : cover.nodes) text += label_words(program, node) + "\n";
  return text;
}

std::string tree_text(const model::Program& program, const Cover& cover) {
  std::string text;
  std::vector<std::size_t> depths;
  for (const CoverNode& node : cover.nodes) {
    COHORT_EXPECT(!node.parent || *node.parent < depths.size(), "a parent stands before its children");
    depths.push_back(node.parent ? depths[*node.parent] + 1 : 0);
    const std::string step = node.step ? fmt::format("[{}] ", step_words(program, *node.step)) : "";
    text += std::string(2 * depths.back(), ' ') + step + label_words(program, node) + remark(node) + "\n";
  }
  return text;
}

std::string tree_dot(const model::Program& program, const Cover& cover) {
  std::string text =
      "digraph karp_miller {\n  node [shape=box, fontname=\"monospace\"];\n  edge [fontname=\"monospace\"];\n";
  for (std::size_t i = 0; i < cover.nodes.size(); ++i) {
    const CoverNode& node = cover.nodes[i];
    const char* style = node.ends ? ", style=dashed" : node.in_cover ? ", style=bold" : "";
    text += fmt::format("  n{} [label={}{}];\n", i, in_quotes(label_words(program, node)), style);
    if (!node.parent) continue;
    text += fmt::format("  n{} -> n{} [label={}];\n", *node.parent, i, in_quotes(step_words(program, *node.step)));
  }
  return text + "}\n";
}

ordered_json cover_json(const model::Program& program, const Cover& cover, bool tree) {
  ordered_json list = ordered_json::array();
  for (const CoverNode& node : cover.nodes) {
    ordered_json object = node_json(program, node);
    if (tree) {
      object["in_cover"] = node.in_cover;
      object["ends"] = node.ends;
      object["parent"] = node.parent ? ordered_json(*node.parent) : ordered_json(nullptr);
      object["step"] = node.step ? ordered_json(step_words(program, *node.step)) : ordered_json(nullptr);
    }
    list.push_back(std::move(object));
  }
  return list;
}

}  // namespace cohort::cli
