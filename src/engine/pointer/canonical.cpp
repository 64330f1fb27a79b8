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
  number_.resize(processes);
  twin_.resize(processes);
  pointed_.resize(processes);
  for (const auto& members : members_) places_.insert(places_.end(), members.begin(), members.end());
  order_ = places_;
  permutation_ = identity(processes);
  image_.resize(layout.cells());
}

const Permutation& Canoniser::operator()(std::span<Cell> cells) {
  if (trivial_) return permutation_;
  if (!symmetry_.listed.empty()) {
    least_image(cells);
    return permutation_;
  }
  start(cells);
  colour(cells);
  settle(cells);
  gather();
  if (!rest_.empty() && !is_exchangeable(cells)) {
    if (is_forest(cells)) {
      // Processes of one colour can be exchanged by an automorphism, so that it does not matter which comes first.
      while (!rest_.empty()) {
        know(rest_.front());
        rest_.erase(rest_.begin());
        follow(cells);
        refine(cells);
        settle(cells);
      }
      gather();
    } else {
      label(cells);
    }
  }
  apply(cells);
  return permutation_;
}

// What the shared pointers lead to is known.
void Canoniser::start(std::span<const Cell> cells) {
  known_.clear();
  followed_ = 0;
  std::fill(number_.begin(), number_.end(), unknown);
  for (const std::uint32_t var : shared_pointers_) {
    if (cells[var] != 0 && number_[cells[var] - 1] == unknown) know(cells[var] - 1U);
  }
  rest_.clear();
  follow(cells);
  for (const std::uint32_t place : places_) {
    if (number_[place] == unknown) rest_.push_back(place);
  }
}

// First colours of the unknown processes, which no known process points to.
void Canoniser::colour(std::span<const Cell> cells) {
  for (const std::uint32_t i : rest_) {
    const Cell* block = cells.data() + layout_->location_cell(i);
    Colour hash = mix(symmetry_.classes[i] + 1, *block);
    for (const std::uint32_t var : data_) hash = mix(hash, block[1 + var]);
    for (const std::uint32_t var : pointers_) {
      const Cell target = block[1 + var];
      const bool known = target != 0 && number_[target - 1] != unknown;
      hash = mix(hash, known ? colours_[target - 1] : target == 0 ? 0 : target == i + 1 ? 1 : 2);
    }
    colours_[i] = hash;
  }
}

// Until no process becomes known and no colour is split.
void Canoniser::settle(std::span<const Cell> cells) {
  for (std::size_t colours = 0; !rest_.empty();) {
    const std::size_t known = known_.size();
    const std::size_t left = find_unique();
    follow(cells);
    if (rest_.empty() || (known_.size() == known && left <= colours)) return;
    colours = known_.size() > known ? 0 : left;
    refine(cells);
  }
}

// What points to a process adds up, so that its order does not matter.
void Canoniser::refine(std::span<const Cell> cells) {
  for (const std::uint32_t i : rest_) next_[i] = 0;
  for (std::size_t i = 0; i < colours_.size(); ++i) {
    const Cell* block = cells.data() + layout_->location_cell(i);
    for (const std::uint32_t var : pointers_) {
      const Cell target = block[1 + var];
      if (target != 0 && number_[target - 1] == unknown) next_[target - 1] += mix(colours_[i], 0x2545F491 + var);
    }
  }
  for (const std::uint32_t i : rest_) {
    const Cell* block = cells.data() + layout_->location_cell(i);
    Colour hash = mix(colours_[i], next_[i]);
    for (const std::uint32_t var : pointers_) {
      hash = mix(hash, block[1 + var] != 0 ? colours_[block[1 + var] - 1] : 0);
    }
    next_[i] = hash;
  }
  for (const std::uint32_t i : rest_) colours_[i] = next_[i];
}

void Canoniser::know(std::uint32_t process) {
  number_[process] = static_cast<std::uint32_t>(known_.size());
  colours_[process] = mix(0x6A09E667F3BCC909ULL, known_.size());
  known_.push_back(process);
}

std::size_t Canoniser::find_unique() {
  const auto before = [&](std::uint32_t a, std::uint32_t b) {
    if (symmetry_.classes[a] != symmetry_.classes[b]) return symmetry_.classes[a] < symmetry_.classes[b];
    return colours_[a] < colours_[b];
  };
  // They are few and mostly in order.
  for (std::size_t i = 1; i < rest_.size(); ++i) {
    const std::uint32_t process = rest_[i];
    std::size_t at = i;
    for (; at > 0 && before(process, rest_[at - 1]); --at) rest_[at] = rest_[at - 1];
    rest_[at] = process;
  }
  std::size_t colours = 0;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < rest_.size();) {
    std::size_t end = i + 1;
    while (end < rest_.size() && !before(rest_[i], rest_[end])) ++end;
    if (end == i + 1) {
      know(rest_[i]);
    } else {
      ++colours;
      for (std::size_t j = i; j < end; ++j) rest_[kept++] = rest_[j];
    }
    i = end;
  }
  rest_.resize(kept);
  return colours;
}

// Whatever known processes point to becomes known.
void Canoniser::follow(std::span<const Cell> cells) {
  const std::size_t known = known_.size();
  for (; followed_ < known_.size(); ++followed_) {
    const Cell* block = cells.data() + layout_->location_cell(known_[followed_]);
    for (const std::uint32_t var : pointers_) {
      if (block[1 + var] != 0 && number_[block[1 + var] - 1] == unknown) know(block[1 + var] - 1U);
    }
  }
  if (known_.size() > known) {
    std::erase_if(rest_, [&](std::uint32_t process) { return number_[process] != unknown; });
  }
}

void Canoniser::gather() {
  if (members_.size() == 1) {
    std::copy(known_.begin(), known_.end(), order_.begin());
    std::copy(rest_.begin(), rest_.end(), order_.begin() + static_cast<std::ptrdiff_t>(known_.size()));
  } else {
    std::size_t at = 0;
    for (std::uint32_t c = 0; c < members_.size(); ++c) {
      for (const auto* part : {&known_, &rest_}) {
        for (const std::uint32_t process : *part) {
          if (symmetry_.classes[process] == c) order_[at++] = process;
        }
      }
    }
  }
}

// Neighbours of one colour are all twins: then any order of them gives the same state.
bool Canoniser::is_exchangeable(std::span<const Cell> cells) {
  note_pointed(cells);
  for (std::size_t i = 1; i < order_.size(); ++i) {
    const std::uint32_t one = order_[i - 1];
    const std::uint32_t other = order_[i];
    const bool same = colours_[one] == colours_[other] && symmetry_.classes[one] == symmetry_.classes[other];
    if (same && !are_outside_twins(cells, one, other) && !are_twins(cells, one, other)) return false;
  }
  return true;
}

// Do two processes, given by their cells, agree on all but pointers?
bool Canoniser::same_data(const Cell* first, const Cell* second) const {
  return *first == *second &&
         std::all_of(data_.begin(), data_.end(), [&](std::uint32_t var) { return first[1 + var] == second[1 + var]; });
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
  if (!same_data(first, second)) return false;
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

// Twins that nobody else points to and that point to the same processes, or to themselves; in a representative they are
// neighbours in their class.
void Canoniser::note_twins(std::span<const Cell> cells) {
  if (trivial_ || !symmetry_.listed.empty()) return;
  note_pointed(cells);
  for (const auto& members : members_) {
    for (std::size_t i = 1; i < members.size(); ++i) {
      twin_[members[i]] = are_outside_twins(cells, members[i - 1], members[i]) ? 1 : 0;
    }
  }
}

// Which processes others point to.
void Canoniser::note_pointed(std::span<const Cell> cells) {
  std::fill(pointed_.begin(), pointed_.end(), 0);
  for (const std::uint32_t var : shared_pointers_) {
    if (cells[var] != 0) pointed_[cells[var] - 1] = 1;
  }
  for (std::size_t i = 0; i < pointed_.size(); ++i) {
    const Cell* block = cells.data() + layout_->location_cell(i);
    for (const std::uint32_t var : pointers_) {
      if (block[1 + var] != 0 && block[1 + var] != i + 1) pointed_[block[1 + var] - 1] = 1;
    }
  }
}

bool Canoniser::are_outside_twins(std::span<const Cell> cells, std::uint32_t one, std::uint32_t other) const {
  if (pointed_[one] != 0 || pointed_[other] != 0) return false;
  const Cell* first = cells.data() + layout_->location_cell(one);
  const Cell* second = cells.data() + layout_->location_cell(other);
  if (!same_data(first, second)) return false;
  for (const std::uint32_t var : pointers_) {
    if (first[1 + var] == one + 1 ? second[1 + var] != other + 1 : first[1 + var] != second[1 + var]) return false;
  }
  return true;
}

// Do the pointers between unknown processes form no cycle, whatever their directions?  Then processes of one colour are
// alike: refinement tells apart all that can be told apart in forests.
bool Canoniser::is_forest(std::span<const Cell> cells) {
  for (const std::uint32_t i : rest_) next_[i] = i;
  const auto root_of = [&](Colour process) {
    while (next_[process] != process) process = next_[process];
    return process;
  };
  for (const std::uint32_t i : rest_) {
    const Cell* block = cells.data() + layout_->location_cell(i);
    for (const std::uint32_t var : pointers_) {
      const Cell target = block[1 + var];
      if (target == 0 || target == i + 1 || number_[target - 1] != unknown) continue;
      const Colour from = root_of(i);
      const Colour to = root_of(target - 1U);
      if (from == to) return false;
      next_[from] = to;
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
