#include "engine/symbolic/store.hpp"

#include <algorithm>

#include "base/contract.hpp"

namespace cohort::engine::symbolic {

namespace {

// The set x with  others = cells - removed + x  as multisets, if there is one.
std::optional<LocalSet> exchanged(CellView cells, LocalSet removed, CellView others) {
  std::optional<LocalSet> extra;
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < cells.size() || j < others.size()) {
    const LocalSet set =
        j == others.size() || (i < cells.size() && cells[i].set < others[j].set) ? cells[i].set : others[j].set;
    std::uint32_t here = i < cells.size() && cells[i].set == set ? cells[i++].count : 0;
    const std::uint32_t there = j < others.size() && others[j].set == set ? others[j++].count : 0;
    if (set == removed) --here;
    if (here == there) continue;
    if (there != here + 1 || extra) return std::nullopt;
    extra = set;
  }
  return extra;
}

}  // namespace

std::uint64_t StateStore::hole_hash(std::uint64_t hash, const CounterState& state, const Cell& cell) const {
  return mix(hash - mix(cell.set)) + mix((std::uint64_t{sets_->shape_of(cell.set)} << 32U) | state.shared);
}

std::optional<StateStore::Partner> StateStore::find_partner(const CounterState& state, std::uint64_t hash,
                                                            const Cell& cell) const {
  std::optional<Partner> partner;
  by_hole_.find(hole_hash(hash, state, cell), [&](std::uint32_t number) {
    const CounterState& other = entries_[number].state;
    if (other.shared != state.shared) return false;
    const auto extra = exchanged((*cells_)[state.cells], cell.set, (*cells_)[other.cells]);
    if (!extra || sets_->shape_of(*extra) != sets_->shape_of(cell.set)) return false;
    partner = Partner{number, *extra};
    return true;
  });
  return partner;
}

bool StateStore::has_overlapping_sets(CellView cells) const {
  return std::any_of(cells.begin(), cells.end(), [&](const Cell& cell) { return sets_->has_overlapping(cell.set); });
}

void StateStore::insert(CounterState state, Origins::List origins) {
  if (merging_) {
    while (merge_shared(state, origins) || merge_local(state, origins)) ++merges_;
    const auto number = static_cast<std::uint32_t>(entries_.size());
    by_cells_[state.cells] = number;
    const CellView cells = (*cells_)[state.cells];
    const std::uint64_t hash = cells_hash(cells);
    for (const Cell& cell : cells) {
      if (sets_->has_overlapping(cell.set)) by_hole_.insert(hole_hash(hash, state, cell), number);
    }
  }
  entries_.push_back({state, origins});
  ++size_;
}

bool StateStore::merge_shared(CounterState& state, Origins::List& origins) {
  if (by_cells_.size() <= state.cells) by_cells_.resize(cells_->size(), none);
  const std::uint32_t number = by_cells_[state.cells];
  if (number == none) return false;
  const Entry& old = entries_[number];
  state.shared = sets_->shared(sets_->shared_bdd(state.shared) | sets_->shared_bdd(old.state.shared));
  origins = origins_->join(old.origins, origins);
  remove(number);
  return true;
}

bool StateStore::merge_local(CounterState& state, Origins::List& origins) {
  const CellView view = (*cells_)[state.cells];
  if (!has_overlapping_sets(view)) return false;
  const std::uint64_t hash = cells_hash(view);
  for (const Cell& cell : view) {
    const ShapeId shape = sets_->shape_of(cell.set);
    if (!sets_->overlapping(shape)) continue;
    const auto other = find_partner(state, hash, cell);
    if (!other) continue;
    Cells cells(view.begin(), view.end());
    remove_thread(cells, cell.set);
    add_thread(cells, sets_->of_shape(shape, sets_->local_bdd(cell.set) | sets_->local_bdd(other->set)));
    state.cells = cells_->intern(cells);
    origins = origins_->join(entries_[other->entry].origins, origins);
    remove(other->entry);
    return true;
  }
  return false;
}

void StateStore::remove(std::uint32_t entry) {
  Entry& old = entries_[entry];
  COHORT_EXPECT(old.alive, "an entry is merged once");
  by_cells_[old.state.cells] = none;
  const CellView cells = (*cells_)[old.state.cells];
  const std::uint64_t hash = cells_hash(cells);
  for (const Cell& cell : cells) {
    if (sets_->has_overlapping(cell.set)) by_hole_.erase(hole_hash(hash, old.state, cell), entry);
  }
  old.alive = false;
  --size_;
}

std::vector<StateStore::Entry> StateStore::take() {
  std::vector<Entry> result;
  result.reserve(size_);
  for (const Entry& entry : entries_) {
    if (!entry.alive) continue;
    result.push_back(entry);
    if (merging_) by_cells_[entry.state.cells] = none;
  }
  entries_.clear();
  by_hole_.clear();
  size_ = 0;
  return result;
}

std::vector<CounterState> StateStore::states() const {
  std::vector<CounterState> result;
  for (const Entry& entry : entries_) {
    if (entry.alive) result.push_back(entry.state);
  }
  return result;
}

}  // namespace cohort::engine::symbolic
