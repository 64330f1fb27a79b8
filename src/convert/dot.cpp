#include "convert/dot.hpp"

#include <fmt/format.h>

#include "base/contract.hpp"

namespace cohort::convert {

std::string dot_text(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    if (c == '\n') {
      result += "\\n";
    } else if (c != '\r') {
      result += c;
    }
  }
  return result + '"';
}

std::string statement_text(const model::Edge& edge) {
  std::string text;
  for (const model::Action& action : edge.actions) {
    if (!text.empty() && !action.text.empty()) text += '\n';
    text += action.text;
  }
  return text;
}

std::string to_dot(const model::Program& program) {
  std::string out =
      "digraph program {\n  node [shape=box, fontname=\"monospace\"];\n  edge [fontname=\"monospace\"];\n";
  const auto append = [&out]<class... Args>(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(out), format, std::forward<Args>(args)...);
  };
  for (std::size_t t = 0; t < program.templates.size(); ++t) {
    const model::Template& templ = program.templates[t];
    COHORT_EXPECT(templ.locations.empty() || templ.entry.value < templ.locations.size(), "the entry is a location");
    append("  subgraph cluster_{} {{\n    label={};\n", t, dot_text(templ.name));
    for (std::size_t i = 0; i < templ.locations.size(); ++i) {
      const model::Location& location = templ.locations[i];
      const std::string name = location.label.empty() ? fmt::format("{}", i) : location.label;
      append("    n{}_{} [label={}{}{}];\n", t, i, dot_text(name), location.error ? ", peripheries=2, color=red" : "",
             templ.entry.value == i ? ", style=bold" : "");
    }
    for (const model::Edge& edge : templ.edges) {
      const bool ends = edge.actions.size() == 1 && edge.actions.front().ends_thread;
      append("    n{}_{} -> n{}_{} [label={}{}];\n", t, edge.source.value, t, edge.target.value,
             dot_text(statement_text(edge)), ends ? ", style=dashed" : "");
    }
    out += "  }\n";
  }
  return out + "}\n";
}

}  // namespace cohort::convert
