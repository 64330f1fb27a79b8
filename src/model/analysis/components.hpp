// Strongly connected components, for every graph in the house: nodes are small numbers, successors are computed as they
// are needed, and no call is as deep as the graph.
//
// Tarjan, Depth-first search and linear graph algorithms, 1972, with a stack of its own.  Components are closed after
// all components that they lead to.  Time linear in the graph; two numbers a node, and on the way the successors of
// those on the path.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/contract.hpp"

namespace cohort::model {

template <class Successors>
class Components {
 public:
  using Node = std::uint32_t;

  struct Component {
    std::vector<Node> members;  // the first is the one that the search met first
    bool cyclic = false;        // some execution leads from a member back to it
    bool bottom = false;        // no step leads out of it
  };

  // `successors(node)` lists the nodes after `node`, all of them below `count`.
  Components(std::size_t count, Successors successors)
      : successors_(std::move(successors)), number_(count, unseen), low_(count, 0) {
    COHORT_EXPECT(count < closed, "the nodes can be numbered");
  }

  bool seen(Node node) const { return number_[node] != unseen; }

  // Calls close(Component) for each component that is reachable from `root` and new.  Before each step it asks
  // `stopped()`, and returns at once if so; then nothing more can be asked.
  template <class Close, class Stopped>
  void visit(Node root, Close&& close, Stopped&& stopped) {
    COHORT_EXPECT(root < number_.size(), "a search starts at a node of the graph");
    COHORT_EXPECT(path_.empty(), "the search before came to its end");
    if (seen(root)) return;
    enter(root);
    while (!path_.empty()) {
      if (stopped()) return;
      Frame& frame = path_.back();
      if (frame.index < frame.next.size()) {
        step(frame);
      } else {
        leave(close);
      }
    }
  }

 private:
  static constexpr Node unseen = 0;
  static constexpr Node closed = UINT32_MAX;

  struct Frame {
    Node node;
    std::vector<Node> next;
    std::size_t index = 0;
    bool leaves = false;  // some step leads out of its component
    bool loops = false;   // some step leads back to the node itself
  };

  void enter(Node node) {
    number_[node] = low_[node] = ++count_;
    open_.push_back(node);
    path_.push_back({node, successors_(node)});
  }

  void step(Frame& frame) {
    const Node to = frame.next[frame.index++];
    COHORT_EXPECT(to < number_.size(), "steps lead to nodes of the graph");
    frame.loops = frame.loops || to == frame.node;
    if (number_[to] == unseen) {
      enter(to);  // `frame` may have moved
    } else if (number_[to] == closed) {
      frame.leaves = true;
    } else {
      low_[frame.node] = std::min(low_[frame.node], number_[to]);
    }
  }

  template <class Close>
  void leave(Close&& close) {
    const Frame frame = std::move(path_.back());
    path_.pop_back();
    const bool is_root = low_[frame.node] == number_[frame.node];
    if (!path_.empty()) {
      Frame& above = path_.back();
      // What leaves the component of one leaves that of all in it.
      above.leaves = above.leaves || is_root || frame.leaves;
      if (!is_root) low_[above.node] = std::min(low_[above.node], low_[frame.node]);
    }
    if (!is_root) return;
    const auto first = std::find(open_.rbegin(), open_.rend(), frame.node).base() - 1;
    Component component{{first, open_.end()}, frame.loops, !frame.leaves};
    component.cyclic = component.cyclic || component.members.size() > 1;
    open_.erase(first, open_.end());
    for (const Node member : component.members) number_[member] = closed;
    close(std::move(component));
  }

  Successors successors_;
  std::vector<Node> number_;  // by node: the order in which they were met, from 1
  std::vector<Node> low_;     // by node: the earliest that is known to be in the same component
  std::vector<Node> open_;    // met, and in no closed component yet
  std::vector<Frame> path_;
  Node count_ = 0;
};

// Calls close(Component) for each component that is reachable from `roots`.
template <class Roots, class Successors, class Close>
void for_each_component(std::size_t count, const Roots& roots, Successors successors, Close&& close) {
  Components<Successors> components(count, std::move(successors));
  for (const auto root : roots) components.visit(static_cast<std::uint32_t>(root), close, [] { return false; });
}

}  // namespace cohort::model
