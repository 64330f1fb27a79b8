// One representative for each orbit of states under the admissible permutations: exact canonical forms.
//
// A state is a coloured graph: processes are vertices, coloured by location and discrete locals, with an edge for each
// pointer.  A process that a shared pointer leads to, or whose colour is unique in its class, is *known*; known
// processes are numbered, and whatever a known process points to becomes known in turn, so that a queue is numbered in
// one pass.  The colours of the others are refined, as in every canoniser of graphs, by the processes that they point
// to and are pointed to by, until nothing changes.  Colours are 64-bit hashes that depend on nothing but the state up
// to a permutation, so numbers and colours order the processes canonically wherever they differ.  A clash of hashes can
// leave an orbit with two forms, but never gives two orbits one.  Processes that stay equal are mostly twins:
// exchanging them changes nothing, and any order will do.  Where the pointers between those that stay equal form no
// cycle, each is like the others of its colour, and one of them is made known.  Only where they do (two equal rings)
// does bliss label the graph, with the refined colours to start from.
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

  // Is the process in this state a twin of another one with a smaller number, so that its steps lead to the same
  // orbits? Sufficient, not necessary; `cells` is that of the last call of note_twins().
  void note_twins(std::span<const Cell> cells);
  bool has_twin(std::uint32_t process) const { return twin_[process] != 0; }

  // How often sorting did not suffice.
  std::uint64_t labellings() const { return labellings_; }

 private:
  using Colour = std::uint64_t;

  static constexpr std::uint32_t unknown = UINT32_MAX;

  void start(std::span<const Cell> cells);
  void colour(std::span<const Cell> cells);
  void settle(std::span<const Cell> cells);
  void refine(std::span<const Cell> cells);
  // Sorts the unknown processes and makes those with unique colours known; returns the number of colours of the others.
  std::size_t find_unique();
  void follow(std::span<const Cell> cells);
  void know(std::uint32_t process);
  void gather();
  bool is_exchangeable(std::span<const Cell> cells);
  void note_pointed(std::span<const Cell> cells);
  bool is_forest(std::span<const Cell> cells);
  bool same_data(const Cell* first, const Cell* second) const;
  bool are_twins(std::span<const Cell> cells, std::uint32_t one, std::uint32_t other) const;
  bool are_outside_twins(std::span<const Cell> cells, std::uint32_t one, std::uint32_t other) const;
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
  std::vector<std::uint32_t> places_;                // the processes by class
  std::vector<Colour> colours_;
  std::vector<Colour> next_;
  std::vector<std::uint32_t> known_;   // in the order in which they became known
  std::vector<std::uint32_t> number_;  // by process: its place in known_, or unknown
  std::vector<std::uint32_t> rest_;    // the unknown ones, sorted by class and colour
  std::size_t followed_ = 0;           // so many of known_ have been followed
  std::vector<std::uint32_t> order_;   // the processes by class, known ones first, then by colour
  std::vector<std::uint8_t> twin_;
  std::vector<std::uint8_t> pointed_;
  Permutation permutation_;
  Cells image_;
  Cells best_;
  std::uint64_t labellings_ = 0;
};

}  // namespace cohort::engine::pointer
