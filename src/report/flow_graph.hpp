// The control flow of each template as people see it: a place for each line of source, or for each location where the
// input has no lines, and ways between them.  Errors that the run does not end in are left out.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/program.hpp"
#include "model/run.hpp"

namespace cohort::report {

struct FlowGraph {
  struct Node {
    std::string place;  // "stack.c:12", or the label of the location
    std::string text;   // the statements there
    SourceSpan span;
    bool is_error = false;
  };

  std::string name;
  std::string note;  // what is not shown, if anything
  std::vector<Node> nodes;
  std::vector<std::pair<std::size_t, std::size_t>> edges;
  std::vector<std::optional<std::size_t>> node_of;  // by location; none: not shown
};

// One for each template.  Of those that are too large to be read, only the places that the run comes to.
std::vector<FlowGraph> flow_graphs(const model::Program& program, const model::Run* run);

}  // namespace cohort::report
