#include "report/flow_graph.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include <fmt/core.h>

#include "report/condition.hpp"
#include "report/text.hpp"

namespace cohort::report {

namespace {

constexpr std::size_t most_nodes = 200;   // that can be read
constexpr std::size_t longest_texts = 3;  // statements of one line

// Locations of one key are one place.
using Key = std::tuple<const SourceFile*, std::uint32_t, std::uint32_t>;

class Builder {
 public:
  Builder(const model::Program& program, model::TemplateId id, const std::set<model::LocId>& visited)
      : program_(program), templ_(program.templ(id)), out_(templ_), visited_(visited) {
    find_reachable(id);
  }

  FlowGraph run() {
    graph_.name = templ_.name.empty() ? "threads" : templ_.name;
    add_nodes(false);
    if (graph_.nodes.size() > most_nodes) {
      graph_.note = fmt::format("Only the places that the run comes to, of {}.", graph_.nodes.size());
      graph_.nodes.clear();
      nodes_.clear();
      add_nodes(true);
    }
    std::set<std::pair<std::size_t, std::size_t>> edges;
    for (const model::Edge& edge : templ_.edges) {
      const auto from = graph_.node_of[edge.source.value];
      const auto to = graph_.node_of[edge.target.value];
      if (from && to && *from != *to) edges.emplace(*from, *to);
    }
    graph_.edges.assign(edges.begin(), edges.end());
    return std::move(graph_);
  }

 private:
  void find_reachable(model::TemplateId id) {
    reachable_.assign(templ_.locations.size(), false);
    std::vector<model::LocId> work;
    const auto reach = [&](model::LocId location) {
      if (reachable_[location.value]) return;
      reachable_[location.value] = true;
      work.push_back(location);
    };
    reach(templ_.entry);
    for (const model::InitialThreads& group : program_.initial) {
      if (group.templ == id) reach(group.location);
    }
    for (const model::Template& creator : program_.templates) {
      for (const model::Edge& edge : creator.edges) {
        for (const model::Action& action : edge.actions) {
          for (const model::Spawn& spawn : action.spawns) {
            if (spawn.templ == id) reach(spawn.location);
          }
        }
      }
    }
    while (!work.empty()) {
      const model::LocId location = work.back();
      work.pop_back();
      for (const std::uint32_t edge : out_.of(location)) reach(templ_.edges[edge].target);
    }
  }

  void add_nodes(bool only_visited) {
    graph_.node_of.assign(templ_.locations.size(), std::nullopt);
    for (std::size_t i = 0; i < templ_.locations.size(); ++i) {
      const model::LocId location(i);
      const bool is_visited = visited_.contains(location);
      if (!reachable_[i] || (only_visited && !is_visited)) continue;
      if (templ_.locations[i].error && !is_visited) continue;
      graph_.node_of[i] = node(location);
    }
  }

  std::size_t node(model::LocId location) {
    const auto& edges = out_.of(location);
    const model::Location& here = templ_.locations[location.value];
    const model::Action* action = edges.empty() ? nullptr : &templ_.edges[edges.front()].actions.front();
    // Where the input has names for locations, those are the places; in C, lines are.
    const bool by_line = program_.atlas != nullptr && action != nullptr && action->span.known() && !here.error;
    const bool is_end = action == nullptr && !here.error && program_.atlas != nullptr;
    Key key{nullptr, 0, location.value + 1};
    if (by_line) key = {action->span.file.get(), action->span.line, 0};
    if (is_end) key = {nullptr, 0, 0};
    const auto [it, is_new] = nodes_.emplace(key, graph_.nodes.size());
    if (is_new) graph_.nodes.push_back(describe(here, action, location, by_line, is_end));
    if (action != nullptr && !here.error) add_text(graph_.nodes[it->second], statement_of(*action));
    return it->second;
  }

  FlowGraph::Node describe(const model::Location& here, const model::Action* action, model::LocId location,
                           bool by_line, bool is_end) const {
    FlowGraph::Node node{.is_error = here.error.has_value()};
    if (action != nullptr) node.span = action->span;
    if (here.error) {
      const model::Property& property = program_.properties[here.error->value];
      node.span = property.span;
      node.place = "violation";
      node.text = property.text;
    } else if (is_end) {
      node.place = "end";
    } else if (by_line) {
      node.place = place_text(node.span);
    } else {
      node.place = here.label.empty() ? fmt::format("place {}", location.value) : here.label;
    }
    return node;
  }

  // As written: parts of a condition are the condition, and behind the last statement is the end of the routine.
  std::string statement_of(const model::Action& action) const {
    if (program_.atlas == nullptr) return action.text;
    return action.text == templ_.name ? "end of " + action.text : with_keyword(action.span, action.text);
  }

  static void add_text(FlowGraph::Node& node, const std::string& text) {
    if (text.empty() || node.text.find(text) != std::string::npos) return;
    if (static_cast<std::size_t>(std::count(node.text.begin(), node.text.end(), ';')) >= longest_texts) return;
    node.text += (node.text.empty() ? "" : "; ") + text;
  }

  const model::Program& program_;
  const model::Template& templ_;
  const model::OutEdges out_;
  const std::set<model::LocId>& visited_;
  std::vector<bool> reachable_;
  std::map<Key, std::size_t> nodes_;
  FlowGraph graph_;
};

}  // namespace

std::vector<FlowGraph> flow_graphs(const model::Program& program, const model::Run* run) {
  std::vector<std::set<model::LocId>> visited(program.templates.size());
  const auto visit = [&](const model::State& state) {
    for (const auto& thread : state.threads) {
      if (thread) visited[thread->templ.value].insert(thread->location);
    }
  };
  if (run != nullptr) {
    visit(run->initial);
    for (const model::Transition& step : run->steps) visit(step.target);
  }
  std::vector<FlowGraph> graphs;
  for (std::size_t i = 0; i < program.templates.size(); ++i) {
    graphs.push_back(Builder(program, model::TemplateId(i), visited[i]).run());
  }
  return graphs;
}

}  // namespace cohort::report
