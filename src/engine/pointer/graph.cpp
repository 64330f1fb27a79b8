#include "engine/pointer/graph.hpp"

#include <cstdio>

#include <bliss/graph.hh>

namespace cohort::engine::pointer {

struct ColouredGraph::Impl {
  bliss::Digraph graph;
};

// The library does not free what its component recursion makes where the colours alone tell all vertices apart.
ColouredGraph::ColouredGraph() : impl_(std::make_unique<Impl>()) {
  impl_->graph.set_component_recursion(false);
}
ColouredGraph::~ColouredGraph() = default;

std::uint32_t ColouredGraph::add_vertex(std::uint32_t colour) {
  return impl_->graph.add_vertex(colour);
}

void ColouredGraph::add_edge(std::uint32_t from, std::uint32_t to) {
  impl_->graph.add_edge(from, to);
}

std::vector<std::vector<std::uint32_t>> ColouredGraph::automorphisms() {
  std::vector<std::vector<std::uint32_t>> generators;
  bliss::Stats stats;
  impl_->graph.find_automorphisms(
      stats,
      [](void* target, unsigned int n, const unsigned int* image) {
        static_cast<std::vector<std::vector<std::uint32_t>>*>(target)->emplace_back(image, image + n);
      },
      &generators);
  return generators;
}

std::vector<std::uint32_t> ColouredGraph::canonical_labels() {
  bliss::Stats stats;
  const unsigned int* labels = impl_->graph.canonical_form(stats, nullptr, nullptr);
  return {labels, labels + impl_->graph.get_nof_vertices()};
}

}  // namespace cohort::engine::pointer
