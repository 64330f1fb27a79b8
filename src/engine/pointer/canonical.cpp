#include "engine/pointer/canonical.hpp"

#include <algorithm>

#include "base/contract.hpp"
#include "engine/pointer/graph.hpp"

namespace cohort::engine::pointer {

namespace {

std::uint64_t mix(std::uint64_t hash, std::uint64_t part) {
  hash = (hash ^ part) * 0x9E3779B97F4A7C15ULL;
  return hash ^ (hash >> 29U);
}

}  // namespace

Canoniser::Canoniser(const Layout& layout, Symmetry symmetry)
    : layout_(&layout), symmetry_(std::move(symmetry)), trivial_(symmetry_.trivial()) {
  const std::uint32_t processes = layout.processes();
  COHORT_EXPECT(symmetry_.classes.size() == processes, "every process has a class");
  for (std::uint32_t var = 0; var < layout.shared_count(); ++var) {
    if (layout.shared(var).pointer) shared_pointers_.push_back(var);
  }
  for (std::uint32_t var = 0; var < layout.templ().locals.size(); ++var) {
    (layout.local(var).pointer ? pointers_ : data_).push_back(var);
  }
  for (std::uint32_t i = 0; i < processes; ++i) {
    if (symmetry_.classes[i] >= members_.size()) members_.resize(symmetry_.classes[i] + 1);
    members_[symmetry_.classes[i]].push_back(i);
  }
  colours_.resize(processes);
  next_.resize(processes);
  for (const auto& members : members_) order_.insert(order_.end(), members.begin(), members.end());
  permutation_ = identity(processes);
  image_.resize(layout.cells());
}

const Permutation& Canoniser::operator()(std::span<Cell> cells) {
  if (trivial_) return permutation_;
  if (!symmetry_.listed.empty()) {
    least_image(cells);
    return permutation_;
  }
  colour(cells);
  std::size_t colours = count();
  while (colours < colours_.size()) {
    const std::size_t refined = refine(cells);
    if (refined <= colours) break;
    colours = refined;
  }
  sort();
  if (colours < colours_.size() && !is_exchangeable(cells)) label(cells);
  apply(cells);
  return permutation_;
}

void Canoniser::colour(std::span<const Cell> cells) {
  const std::size_t processes = colours_.size();
  for (std::size_t i = 0; i < processes; ++i) {
    const Cell* block = cells.data() + layout_->location_cell(i);
    Colour hash = mix(symmetry_.classes[i] + 1, *block);
    for (const std::uint32_t var : data_) hash = mix(hash, block[1 + var]);
    for (const std::uint32_t var : pointers_) {
      const Cell target = block[1 + var];
      hash = mix(hash, target == 0 ? 0 : target == i + 1 ? 1 : 2);
    }
    colours_[i] = hash;
  }
  for (const std::uint32_t var : shared_pointers_) {
    if (cells[var] != 0) colours_[cells[var] - 1] = mix(colours_[cells[var] - 1], 0x51ED270B + var);
  }
}

std::size_t Canoniser::refine(std::span<const Cell> cells) {
  const std::size_t processes = colours_.size();
  std::fill(next_.begin(), next_.end(), 0);
  // What points to a process adds up, so that its order does not matter.
  for (std::size_t i = 0; i < processes; ++i) {
    const Cell* block = cells.data() + layout_->location_cell(i);
    for (const std::uint32_t var : pointers_) {
      if (block[1 + var] != 0) next_[block[1 + var] - 1] += mix(colours_[i], 0x2545F491 + var);
    }
  }
  for (std::size_t i = 0; i < processes; ++i) {
    const Cell* block = cells.data() + layout_->location_cell(i);
    Colour hash = mix(colours_[i], next_[i]);
    for (const std::uint32_t var : pointers_) {
      hash = mix(hash, block[1 + var] != 0 ? colours_[block[1 + var] - 1] : 0);
    }
    next_[i] = hash;
  }
  colours_.swap(next_);
  return count();
}

std::size_t Canoniser::count() const {
  std::size_t distinct = 0;
  for (std::size_t i = 0; i < colours_.size(); ++i) {
    bool fresh = true;
    for (std::size_t j = 0; j < i && fresh; ++j) fresh = colours_[j] != colours_[i];
    distinct += fresh ? 1 : 0;
  }
  return distinct;
}

void Canoniser::sort() {
  std::sort(order_.begin(), order_.end(), [&](std::uint32_t a, std::uint32_t b) {
    if (symmetry_.classes[a] != symmetry_.classes[b]) return symmetry_.classes[a] < symmetry_.classes[b];
    if (colours_[a] != colours_[b]) return colours_[a] < colours_[b];
    return a < b;
  });
}

// Neighbours of one colour are all twins: then any order of them gives the same state.
bool Canoniser::is_exchangeable(std::span<const Cell> cells) const {
  for (std::size_t i = 1; i < order_.size(); ++i) {
    const std::uint32_t one = order_[i - 1];
    const std::uint32_t other = order_[i];
    const bool same = colours_[one] == colours_[other] && symmetry_.classes[one] == symmetry_.classes[other];
    if (same && !are_twins(cells, one, other)) return false;
  }
  return true;
}

// Does exchanging the two leave the state as it is?
bool Canoniser::are_twins(std::span<const Cell> cells, std::uint32_t one, std::uint32_t other) const {
  const auto exchanged = [&](Cell pointer) -> Cell {
    if (pointer == one + 1) return static_cast<Cell>(other + 1);
    if (pointer == other + 1) return static_cast<Cell>(one + 1);
    return pointer;
  };
  const Cell* first = cells.data() + layout_->location_cell(one);
  const Cell* second = cells.data() + layout_->location_cell(other);
  if (*first != *second) return false;
  for (const std::uint32_t var : data_) {
    if (first[1 + var] != second[1 + var]) return false;
  }
  for (const std::uint32_t var : pointers_) {
    if (exchanged(first[1 + var]) != second[1 + var]) return false;
  }
  for (const std::uint32_t var : shared_pointers_) {
    if (exchanged(cells[var]) != cells[var]) return false;
  }
  for (std::size_t i = 0; i < colours_.size(); ++i) {
    if (i == one || i == other) continue;
    const Cell* block = cells.data() + layout_->location_cell(i);
    for (const std::uint32_t var : pointers_) {
      if (exchanged(block[1 + var]) != block[1 + var]) return false;
    }
  }
  return true;
}

// A pointer is a vertex of its own between its two processes, coloured by its name.
void Canoniser::label(std::span<const Cell> cells) {
  ++labellings_;
  ColouredGraph graph;
  const auto processes = static_cast<std::uint32_t>(colours_.size());
  std::vector<std::uint32_t> rank(processes, 0);
  for (std::size_t i = 1; i < order_.size(); ++i) {
    const bool same = colours_[order_[i]] == colours_[order_[i - 1]] &&
                      symmetry_.classes[order_[i]] == symmetry_.classes[order_[i - 1]];
    rank[order_[i]] = rank[order_[i - 1]] + (same ? 0 : 1);
  }
  for (std::uint32_t i = 0; i < processes; ++i) graph.add_vertex(rank[i]);
  for (std::uint32_t i = 0; i < processes; ++i) {
    for (const std::uint32_t var : pointers_) {
      const Cell target = cells[layout_->local_cell(i, var)];
      if (target == 0) continue;
      const std::uint32_t pointer = graph.add_vertex(processes + var);
      graph.add_edge(i, pointer);
      graph.add_edge(pointer, target - 1U);
    }
  }
  const auto labels = graph.canonical_labels();
  std::sort(order_.begin(), order_.end(), [&](std::uint32_t a, std::uint32_t b) { return labels[a] < labels[b]; });
}

// The processes of a class take the places of the class, in order.
void Canoniser::apply(std::span<Cell> cells) {
  std::size_t at = 0;
  bool changes = false;
  for (const auto& members : members_) {
    for (const std::uint32_t place : members) {
      changes = changes || order_[at] != place;
      permutation_[order_[at++] + 1] = place + 1;
    }
  }
  if (!changes) return;
  permute(cells, permutation_, image_);
  std::copy(image_.begin(), image_.end(), cells.begin());
}

void Canoniser::permute(std::span<const Cell> cells, const Permutation& permutation, Cells& image) const {
  std::copy(cells.begin(), cells.begin() + static_cast<std::ptrdiff_t>(layout_->shared_count()), image.begin());
  for (const std::uint32_t var : shared_pointers_) image[var] = static_cast<Cell>(permutation[cells[var]]);
  for (std::size_t i = 0; i < colours_.size(); ++i) {
    const Cell* from = cells.data() + layout_->location_cell(i);
    Cell* to = image.data() + layout_->location_cell(permutation[i + 1] - 1);
    std::copy(from, from + layout_->block(), to);
    for (const std::uint32_t var : pointers_) to[1 + var] = static_cast<Cell>(permutation[from[1 + var]]);
  }
}

void Canoniser::least_image(std::span<Cell> cells) {
  best_.assign(cells.begin(), cells.end());
  permutation_ = identity(layout_->processes());
  for (const Permutation& permutation : symmetry_.listed) {
    permute(cells, permutation, image_);
    if (image_ >= best_) continue;
    best_.swap(image_);
    permutation_ = permutation;
  }
  std::copy(best_.begin(), best_.end(), cells.begin());
}

}  // namespace cohort::engine::pointer
