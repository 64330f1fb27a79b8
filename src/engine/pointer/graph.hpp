// The owner of bliss: directed graphs with coloured vertices, their automorphisms and canonical labellings.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace cohort::engine::pointer {

class ColouredGraph {
 public:
  ColouredGraph();
  ~ColouredGraph();
  ColouredGraph(const ColouredGraph&) = delete;
  ColouredGraph& operator=(const ColouredGraph&) = delete;

  std::uint32_t add_vertex(std::uint32_t colour);
  void add_edge(std::uint32_t from, std::uint32_t to);

  // Generators of the automorphism group, each a mapping of vertices.
  std::vector<std::vector<std::uint32_t>> automorphisms();
  // Labels under which isomorphic graphs are equal; vertices of a smaller colour have smaller labels.
  std::vector<std::uint32_t> canonical_labels();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace cohort::engine::pointer
