#include "engine/symbolic/store.hpp"

#include <algorithm>

#include "base/contract.hpp"

namespace cohort::engine::symbolic {

namespace {

// A state is compared with at most this many others at the same places, the newest first.  More would cost more than
// the states that it saves; leaving some out is safe, since subsumption only spares work.
constexpr std::size_t most_compared = 128;

}  // namespace

StateStore::Hole StateStore::hole(const CounterState& state, const Cell& cell) const {
  Hole result{state.shared, sets_->place_of(cell.set), state.cells};
  remove_thread(result.rest, cell.set);
  return result;
}

std::optional<CounterState> StateStore::reduce(const CounterState& state) {
  CounterState rest = state;
  if (const auto it = by_cells_.find(state.cells); it != by_cells_.end()) {
    for (const std::uint32_t entry : it->second) {
      const SharedSet old = entries_[entry].state.shared;
      if (sets_->shared_subset(state.shared, old)) return std::nullopt;
      if (merging_) rest.shared = sets_->shared(dd::difference(sets_->shared_bdd(rest.shared), sets_->shared_bdd(old)));
    }
  }
  if (subsumed(state)) return std::nullopt;
  if (!merging_) return rest;
  for (const Cell& cell : state.cells) {
    const auto it = holes_.find(hole(state, cell));
    if (it == holes_.end()) continue;
    const dd::Bdd fresh = dd::difference(sets_->local_bdd(cell.set), sets_->local_bdd(it->second.set));
    if (fresh.is_false()) return std::nullopt;
    // What is left after all subtractions is new in every factor that was subtracted in, so the factors shrink
    // independently.
    remove_thread(rest.cells, cell.set);
    add_thread(rest.cells, sets_->local(sets_->place_of(cell.set), fresh));
  }
  return rest;
}

bool StateStore::subsumed(const CounterState& state) {
  const auto it = by_profile_.find(profile(*sets_, state.cells));
  if (it == by_profile_.end()) return false;
  std::size_t compared = 0;
  auto& bucket = it->second;
  for (auto entry = bucket.rbegin(); entry != bucket.rend() && compared < most_compared; ++entry) {
    const Entry& old = entries_[*entry];
    if (!old.alive) continue;
    ++compared;
    if (sets_->shared_subset(state.shared, old.state.shared) && cells_subsumed(*sets_, state.cells, old.state.cells))
      return true;
  }
  return false;
}

void StateStore::insert(CounterState state, std::vector<Origin> origins) {
  while (merging_ && (merge_shared(state, origins) || merge_local(state, origins))) ++merges_;
  add(std::move(state), std::move(origins));
}

bool StateStore::merge_shared(CounterState& state, std::vector<Origin>& origins) {
  const auto it = by_cells_.find(state.cells);
  if (it == by_cells_.end()) return false;
  const std::uint32_t entry = it->second.front();
  Entry& old = entries_[entry];
  state.shared = sets_->shared(sets_->shared_bdd(state.shared) | sets_->shared_bdd(old.state.shared));
  origins.insert(origins.begin(), old.origins.begin(), old.origins.end());
  remove(entry);
  return true;
}

bool StateStore::merge_local(CounterState& state, std::vector<Origin>& origins) {
  for (const Cell& cell : state.cells) {
    const auto it = holes_.find(hole(state, cell));
    if (it == holes_.end()) continue;
    const Filling filling = it->second;
    Entry& old = entries_[filling.entry];
    const dd::Bdd both = sets_->local_bdd(cell.set) | sets_->local_bdd(filling.set);
    const LocalSet merged = sets_->local(sets_->place_of(cell.set), both);
    state.cells = it->first.rest;
    add_thread(state.cells, merged);
    origins.insert(origins.begin(), old.origins.begin(), old.origins.end());
    remove(filling.entry);
    return true;
  }
  return false;
}

void StateStore::add(CounterState state, std::vector<Origin> origins) {
  const auto number = static_cast<std::uint32_t>(entries_.size());
  by_cells_[state.cells].push_back(number);
  by_profile_[profile(*sets_, state.cells)].push_back(number);
  if (merging_) {
    for (const Cell& cell : state.cells) holes_.insert_or_assign(hole(state, cell), Filling{number, cell.set});
  }
  entries_.push_back({std::move(state), std::move(origins)});
  ++size_;
}

void StateStore::remove(std::uint32_t entry) {
  Entry& old = entries_[entry];
  COHORT_EXPECT(old.alive, "an entry is merged once");
  old.alive = false;
  old.origins.clear();
  --size_;
  const auto it = by_cells_.find(old.state.cells);
  std::erase(it->second, entry);
  if (it->second.empty()) by_cells_.erase(it);
  for (const Cell& cell : old.state.cells) {
    const auto filled = holes_.find(hole(old.state, cell));
    if (filled != holes_.end() && filled->second.entry == entry) holes_.erase(filled);
  }
  auto& bucket = by_profile_[profile(*sets_, old.state.cells)];
  std::erase(bucket, entry);
}

std::vector<StateStore::Entry> StateStore::take() {
  std::vector<Entry> result;
  for (Entry& entry : entries_) {
    if (entry.alive) result.push_back(std::move(entry));
  }
  entries_.clear();
  by_cells_.clear();
  holes_.clear();
  by_profile_.clear();
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
