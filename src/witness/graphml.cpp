// The GraphML form, version 1.0: one path of edges, each a statement of one thread.  A correctness witness is the
// automaton that allows every execution and claims nothing.
#include <array>
#include <map>
#include <sstream>
#include <string_view>

#include <fmt/core.h>
#include <pugixml.hpp>

#include "base/sha256.hpp"
#include "base/version.hpp"
#include "report/flow.hpp"
#include "witness/witness.hpp"
#include "witness/write.hpp"

namespace cohort::witness {

namespace {

struct Key {
  const char* name;
  const char* domain;  // what it is data of
  const char* type;
};

constexpr std::array<Key, 16> keys = {{{"witness-type", "graph", "string"},
                                       {"sourcecodelang", "graph", "string"},
                                       {"producer", "graph", "string"},
                                       {"specification", "graph", "string"},
                                       {"programfile", "graph", "string"},
                                       {"programhash", "graph", "string"},
                                       {"architecture", "graph", "string"},
                                       {"creationtime", "graph", "string"},
                                       {"witness-format-version", "graph", "string"},
                                       {"entry", "node", "boolean"},
                                       {"violation", "node", "boolean"},
                                       {"threadId", "edge", "string"},
                                       {"createThread", "edge", "string"},
                                       {"enterFunction", "edge", "string"},
                                       {"startline", "edge", "int"},
                                       {"startoffset", "edge", "int"}}};

class GraphWriter {
 public:
  explicit GraphWriter(bool violates, const Task& task) {
    pugi::xml_node root = document_.append_child("graphml");
    root.append_attribute("xmlns") = "http://graphml.graphdrawing.org/xmlns";
    root.append_attribute("xmlns:xsi") = "http://www.w3.org/2001/XMLSchema-instance";
    for (const Key& key : keys) declare(root, key);
    graph_ = root.append_child("graph");
    graph_.append_attribute("edgedefault") = "directed";
    data(graph_, "witness-type", violates ? "violation_witness" : "correctness_witness");
    data(graph_, "sourcecodelang", "C");
    data(graph_, "producer", fmt::format("Cohort {}", version()));
    data(graph_, "specification", task.specification);
    data(graph_, "programfile", task.files.front()->name());
    data(graph_, "programhash", sha256(task.files.front()->text()));
    data(graph_, "architecture", task.bits == 32 ? "32bit" : "64bit");
    data(graph_, "creationtime", time_now());
    data(graph_, "witness-format-version", "1.0");
    last_ = add_node();
    data(last_, "entry", "true");
  }

  // Appends a node and the edge to it.
  pugi::xml_node step(std::uint32_t thread) {
    const std::string source = last_.attribute("id").value();
    last_ = add_node();
    pugi::xml_node edge = graph_.append_child("edge");
    edge.append_attribute("source") = source.c_str();
    edge.append_attribute("target") = last_.attribute("id").value();
    data(edge, "threadId", std::to_string(thread));
    return edge;
  }

  void place(pugi::xml_node edge, const SourceSpan& span) {
    if (!span.known()) return;
    data(edge, "startline", std::to_string(span.line));
    const auto line_start = span.file->line(span.line).data() - span.file->text().data();
    const std::size_t offset = static_cast<std::size_t>(line_start) + (span.column == 0 ? 0 : span.column - 1);
    data(edge, "startoffset", std::to_string(offset));
  }

  void violate() { data(last_, "violation", "true"); }

  static void data(pugi::xml_node node, const char* key, const std::string& value) {
    pugi::xml_node child = node.append_child("data");
    child.append_attribute("key") = key;
    child.text() = value.c_str();
  }

  std::string text() const {
    std::ostringstream out;
    document_.save(out, "  ");
    return out.str();
  }

 private:
  static void declare(pugi::xml_node root, const Key& key) {
    pugi::xml_node node = root.append_child("key");
    node.append_attribute("id") = key.name;
    node.append_attribute("for") = key.domain;
    node.append_attribute("attr.name") = key.name;
    node.append_attribute("attr.type") = key.type;
    if (std::string_view(key.type) == "boolean") node.append_child("default").text() = "false";
  }

  pugi::xml_node add_node() {
    pugi::xml_node node = graph_.append_child("node");
    node.append_attribute("id") = fmt::format("N{}", nodes_++).c_str();
    return node;
  }

  pugi::xml_document document_;
  pugi::xml_node graph_;
  pugi::xml_node last_;
  std::size_t nodes_ = 0;
};

// The function that each thread runs, by the thread's name.
std::map<std::string, std::string> start_routines(const model::Program& program, const report::TraceView& view) {
  std::map<std::string, std::string> names;
  const auto take = [&](const report::ThreadView& thread) {
    const std::string& name = program.templ(thread.state.templ).name;
    names[thread.name] = name.substr(0, name.find_first_of("#. "));
  };
  for (const report::ThreadView& thread : view.threads) take(thread);
  for (const report::StepView& step : view.steps) {
    for (const report::ThreadView& thread : step.created) take(thread);
  }
  return names;
}

void write_path(GraphWriter& graph, const model::Program& program, const result::Answer& answer) {
  const report::TraceView view = report::view_of(program, *answer.result.run);
  const auto routines = start_routines(program, view);
  GraphWriter::data(graph.step(0), "enterFunction", "main");
  const auto flow = report::flow_of(view);
  for (const report::FlowStep& step : flow) {
    // A step that creates several threads is an edge for each.
    for (std::size_t i = 0; i < std::max<std::size_t>(step.created.size(), 1); ++i) {
      pugi::xml_node edge = graph.step(step.number);
      graph.place(edge, step.span);
      if (step.created.empty()) continue;
      const std::string& created = step.created[i];
      GraphWriter::data(edge, "createThread", created.substr(1));
      pugi::xml_node enters = graph.step(static_cast<std::uint32_t>(std::stoul(created.substr(1))));
      graph.place(enters, step.span);
      GraphWriter::data(enters, "enterFunction", routines.at(created));
    }
  }
  const bool at_end = !flow.empty() && (flow.back().violates || flow.back().fault);
  if (!at_end) {
    for (const auto& [thread, span] : violating_places(program, answer)) graph.place(graph.step(thread), span);
  }
  graph.violate();
}

}  // namespace

std::string to_graphml(const model::Program& program, const result::Answer& answer, const Task& task) {
  const bool violates = answer.result.verdict == result::Verdict::Unsafe;
  GraphWriter graph(violates, task);
  if (violates) write_path(graph, program, answer);
  return graph.text();
}

}  // namespace cohort::witness
