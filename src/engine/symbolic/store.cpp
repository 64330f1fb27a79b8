#include "engine/symbolic/store.hpp"

#include <algorithm>

#include "base/contract.hpp"

namespace cohort::engine::symbolic {

namespace {

// A state is compared with at most this many others at the same places.  More would cost more than
// the states that it saves; leaving some out is safe, since subsumption only spares work.
constexpr std::size_t most_compared = 8;

bool varied(const SetTable& sets, const Cells& cells) {
  return std::any_of(cells.begin(), cells.end(),
                     [&](const Cell& cell) { return sets.varied(sets.place_of(cell.set)); });
}

// The set x with  others = cells - removed + x  as multisets, if there is one.
std::optional<LocalSet> exchanged(const Cells& cells, LocalSet removed, const Cells& others) {
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

std::uint64_t StateStore::hole_hash(std::uint64_t hash, const Cell& cell) const {
  return mix(hash - mix(cell.set)) + mix(sets_->place_of(cell.set));
}

template <class Visit>
bool StateStore::find_partner(const CounterState& state, std::uint64_t hash, const Cell& cell, Visit&& visit) const {
  if (!sets_->varied(sets_->place_of(cell.set))) return false;
  return by_hole_.find(hole_hash(hash, cell), [&](std::uint32_t number) {
    const auto extra = exchanged(state.cells, cell.set, entries_[number].state.cells);
    return extra && sets_->place_of(*extra) == sets_->place_of(cell.set) && visit(Partner{number, *extra});
  });
}

std::optional<CounterState> StateStore::reduce(const CounterState& state) {
  catch_up(state.cells);
  CounterState rest = state;
  const std::uint64_t hash = cells_hash(state.cells);
  const bool known = by_cells_.find(hash, [&](std::uint32_t number) {
    const CounterState& old = entries_[number].state;
    if (old.cells != state.cells) return false;
    if (sets_->shared_subset(state.shared, old.shared)) return true;
    if (merging_)
      rest.shared = sets_->shared(dd::difference(sets_->shared_bdd(rest.shared), sets_->shared_bdd(old.shared)));
    return false;
  });
  if (known || subsumed(state)) return std::nullopt;
  if (!merging_) return rest;
  for (const Cell& cell : state.cells) {
    dd::Bdd fresh = sets_->local_bdd(cell.set);
    const bool nothing_left = find_partner(state, hash, cell, [&](const Partner& other) {
      if (!sets_->shared_subset(state.shared, entries_[other.entry].state.shared)) return false;
      fresh = dd::difference(fresh, sets_->local_bdd(other.set));
      return fresh.is_false();
    });
    if (nothing_left) return std::nullopt;
    if (fresh == sets_->local_bdd(cell.set)) continue;
    // What is left after all subtractions is new in every factor that was subtracted in, so the factors shrink
    // independently.
    remove_thread(rest.cells, cell.set);
    add_thread(rest.cells, sets_->local(sets_->place_of(cell.set), fresh));
  }
  return rest;
}

bool StateStore::subsumed(const CounterState& state) {
  if (!varied(*sets_, state.cells)) return false;
  const auto it = by_places_.find(places_hash(*sets_, state.cells));
  if (it == by_places_.end()) return false;
  std::vector<std::uint32_t>& bucket = it->second;
  std::size_t compared = 0;
  for (std::size_t i = bucket.size(); i-- > 0 && compared < most_compared;) {
    const Entry& old = entries_[bucket[i]];
    if (!old.alive) {
      bucket[i] = bucket.back();
      bucket.pop_back();
      continue;
    }
    ++compared;
    if (sets_->shared_subset(state.shared, old.state.shared) && cells_subsumed(*sets_, state.cells, old.state.cells)) {
      return true;
    }
  }
  return false;
}

void StateStore::insert(CounterState state, std::vector<Origin> origins) {
  catch_up(state.cells);
  while (merging_ && (merge_shared(state, origins) || merge_local(state, origins))) {
    ++merges_;
    catch_up(state.cells);
  }
  add(std::move(state), std::move(origins));
}

bool StateStore::merge_shared(CounterState& state, std::vector<Origin>& origins) {
  std::uint32_t entry = 0;
  const bool found = by_cells_.find(cells_hash(state.cells), [&](std::uint32_t number) {
    entry = number;
    return entries_[number].state.cells == state.cells;
  });
  if (!found) return false;
  const Entry& old = entries_[entry];
  state.shared = sets_->shared(sets_->shared_bdd(state.shared) | sets_->shared_bdd(old.state.shared));
  origins.insert(origins.begin(), old.origins.begin(), old.origins.end());
  remove(entry);
  return true;
}

bool StateStore::merge_local(CounterState& state, std::vector<Origin>& origins) {
  const std::uint64_t hash = cells_hash(state.cells);
  for (const Cell& cell : state.cells) {
    std::optional<Partner> other;
    find_partner(state, hash, cell, [&](const Partner& candidate) {
      if (entries_[candidate.entry].state.shared == state.shared) other = candidate;
      return other.has_value();
    });
    if (!other) continue;
    const Entry& old = entries_[other->entry];
    const LocalSet set = cell.set;
    const dd::Bdd both = sets_->local_bdd(set) | sets_->local_bdd(other->set);
    remove_thread(state.cells, set);
    add_thread(state.cells, sets_->local(sets_->place_of(set), both));
    origins.insert(origins.begin(), old.origins.begin(), old.origins.end());
    remove(other->entry);
    return true;
  }
  return false;
}

void StateStore::add(CounterState state, std::vector<Origin> origins) {
  const auto number = static_cast<std::uint32_t>(entries_.size());
  const std::uint64_t hash = cells_hash(state.cells);
  by_cells_.insert(hash, number);
  entries_.push_back({std::move(state), std::move(origins)});
  ++size_;
  for (const Cell& cell : entries_.back().state.cells) {
    const PlaceId place = sets_->place_of(cell.set);
    if (sets_->varied(place)) {
      index(number, cell, hash);
    } else {
      if (waiting_.size() <= place) waiting_.resize(place + 1);
      waiting_[place].push_back(number);
    }
  }
}

void StateStore::index(std::uint32_t entry, const Cell& cell, std::uint64_t hash) {
  Entry& added = entries_[entry];
  if (merging_) by_hole_.insert(hole_hash(hash, cell), entry);
  if (added.by_places) return;
  added.by_places = true;
  by_places_[places_hash(*sets_, added.state.cells)].push_back(entry);
}

void StateStore::catch_up(const Cells& cells) {
  for (const Cell& cell : cells) {
    const PlaceId place = sets_->place_of(cell.set);
    if (place >= waiting_.size() || waiting_[place].empty() || !sets_->varied(place)) continue;
    for (const std::uint32_t entry : waiting_[place]) {
      if (!entries_[entry].alive) continue;
      const Cells old = entries_[entry].state.cells;
      for (const Cell& there : old) {
        if (sets_->place_of(there.set) == place) index(entry, there, cells_hash(old));
      }
    }
    waiting_[place].clear();
  }
}

void StateStore::remove(std::uint32_t entry) {
  Entry& old = entries_[entry];
  COHORT_EXPECT(old.alive, "an entry is merged once");
  const std::uint64_t hash = cells_hash(old.state.cells);
  by_cells_.erase(hash, entry);
  for (const Cell& cell : old.state.cells) by_hole_.erase(hole_hash(hash, cell), entry);
  old = {{}, {}, false};
  --size_;
}

std::vector<StateStore::Entry> StateStore::take() {
  std::vector<Entry> result;
  for (Entry& entry : entries_) {
    if (entry.alive) result.push_back(std::move(entry));
  }
  entries_.clear();
  by_cells_.clear();
  by_hole_.clear();
  by_places_.clear();
  waiting_.clear();
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
