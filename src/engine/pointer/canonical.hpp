// One representative for each orbit of states under the admissible permutations: exact canonical forms.
//
// A state is a coloured graph: processes are vertices, coloured by location and discrete locals, with an edge for each
// pointer.  Colours are refined, as in every canoniser of graphs, by the colours of the processes that a process points
// to and is pointed to by, until nothing changes; the colours are 64-bit hashes that depend on nothing but the state up
// to a permutation, so sorting by them orders the processes canonically wherever they differ.  A clash of hashes makes
// two colours one, which costs time and not exactness.  Processes that stay equal are mostly twins: exchanging them
// changes nothing, and any order will do.  Only where they are not (two equal queues, a ring of equal processes) does
// bliss label the graph, with the refined colours to start from.
//
// This is for products of symmetric groups, where processes may be sorted within their classes.  A group that is listed
// is gone through, and the least image taken.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/pointer/layout.hpp"
#include "engine/pointer/symmetry.hpp"

namespace cohort::engine::pointer {

class Canoniser {
 public:
  Canoniser(const Layout& layout, Symmetry symmetry);

  // Replaces the state by its representative; returns the permutation that made it, which is valid until the next call.
  const Permutation& operator()(std::span<Cell> cells);

  // How often sorting did not suffice.
  std::uint64_t labellings() const { return labellings_; }

 private:
  using Colour = std::uint64_t;

  void colour(std::span<const Cell> cells);
  // One round; returns the number of colours.
  std::size_t refine(std::span<const Cell> cells);
  void sort();
  std::size_t count() const;
  bool is_exchangeable(std::span<const Cell> cells) const;
  bool are_twins(std::span<const Cell> cells, std::uint32_t one, std::uint32_t other) const;
  void label(std::span<const Cell> cells);
  void apply(std::span<Cell> cells);
  void permute(std::span<const Cell> cells, const Permutation& permutation, Cells& image) const;
  void least_image(std::span<Cell> cells);  // sets permutation_

  const Layout* layout_;
  Symmetry symmetry_;
  bool trivial_;
  std::vector<std::uint32_t> shared_pointers_;
  std::vector<std::uint32_t> pointers_;              // locals
  std::vector<std::uint32_t> data_;                  // locals that are no pointers
  std::vector<std::vector<std::uint32_t>> members_;  // by class, ascending
  std::vector<Colour> colours_;
  std::vector<Colour> next_;
  std::vector<std::uint32_t> order_;  // the processes, sorted by class and colour
  Permutation permutation_;
  Cells image_;
  Cells best_;
  std::uint64_t labellings_ = 0;
};

}  // namespace cohort::engine::pointer
