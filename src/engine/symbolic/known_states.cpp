#include "engine/symbolic/known_states.hpp"

#include <algorithm>
#include <utility>

#include "base/contract.hpp"

namespace cohort::engine::symbolic {

std::optional<CounterState> KnownStates::add(const CounterState& state) {
  if (!exact_) return add_equal(state) ? std::optional(state) : std::nullopt;
  if (caught_up_ < sets_->overlapping_shapes()) catch_up();
  if (known_.size() < cells_->size()) known_.resize(cells_->size());
  Known& known = known_[state.cells];
  const bool seen = known.shared != none;
  if (seen && sets_->shared_subset(state.shared, known.shared)) return std::nullopt;
  if (!seen && overlapping((*cells_)[state.cells])) known.bucket = bucket_of((*cells_)[state.cells]);
  // The diagram gets what was known before the state is.
  if (known.bucket != none) fill(buckets_[known.bucket]);
  CounterState rest = state;
  if (seen) {
    const dd::Bdd& old = sets_->shared_bdd(known.shared);
    rest.shared = sets_->shared(dd::difference(sets_->shared_bdd(state.shared), old));
    known.shared = sets_->shared(sets_->shared_bdd(state.shared) | old);
  } else {
    known.shared = state.shared;
  }
  return known.bucket != none ? subtract(rest, buckets_[known.bucket]) : rest;
}

bool KnownStates::add_equal(const CounterState& state) {
  const std::uint64_t hash = mix((std::uint64_t{state.cells} << 32U) | state.shared);
  if (by_state_.find(hash, [&](std::uint32_t number) { return equal_[number] == state; })) return false;
  by_state_.insert(hash, static_cast<std::uint32_t>(equal_.size()));
  equal_.push_back(state);
  return true;
}

void KnownStates::fill(Bucket& bucket) {
  for (const CellsId old : std::exchange(bucket.waiting, {})) {
    if (bucket.given_up) break;
    const Arrangement threads = arrangement((*cells_)[old]);
    bucket.given_up = by_members_ && threads.places.size() > encoding_->members();
    if (!bucket.given_up) unite(bucket, known_[old].shared, threads);
  }
}

void KnownStates::unite(Bucket& bucket, SharedSet shared, const Arrangement& threads) {
  const std::uint64_t before = parts_;
  bucket.states |= closure(shared, threads);
  if (by_members_) parts_ += dd::node_count(bucket.states) / nodes_of_a_part;
  bucket.parts += parts_ - before;
  if (bucket.parts <= advance + reward * bucket.recognised) return;
  bucket.given_up = true;
  bucket.states = dd::Bdd(false);
}

std::optional<CounterState> KnownStates::subtract(const CounterState& state, Bucket& bucket) {
  if (bucket.given_up) return state;
  const Arrangement threads = arrangement((*cells_)[state.cells]);
  if (by_members_ && threads.places.size() > encoding_->members()) {
    bucket.given_up = true;
    return state;
  }
  const dd::Bdd all = product(state.shared, threads);
  const dd::Bdd fresh = dd::difference(all, bucket.states);
  if (fresh.is_false()) {
    ++bucket.recognised;
    return std::nullopt;
  }
  unite(bucket, state.shared, threads);
  if (fresh == all) return state;
  return CounterState{sets_->shared(dd::exists(fresh, slot_vars(threads.places.size()))), state.cells};
}

void KnownStates::catch_up() {
  caught_up_ = sets_->overlapping_shapes();
  if (sets_->some_tied() && !by_members_) {
    by_members_ = true;
    to_slot_.clear();
    slot_vars_.clear();
    slot_sets_.clear();
  }
  keys_ = {};
  buckets_.clear();
  for (CellsId id = 0; id < known_.size(); ++id) {
    if (known_[id].shared == none || !overlapping((*cells_)[id])) continue;
    known_[id].bucket = bucket_of((*cells_)[id]);
    buckets_[known_[id].bucket].waiting.push_back(id);
  }
}

std::uint32_t KnownStates::bucket_of(CellView cells) {
  constexpr std::uint32_t is_place = std::uint32_t{1} << 31U;
  Cells key;
  for (const Cell& cell : cells) {
    if (!sets_->has_overlapping(cell.set)) {
      add_thread(key, cell.set, cell.count);
      continue;
    }
    for (const PlaceId place : sets_->places_of(cell.set)) add_thread(key, is_place | place, cell.count);
  }
  const CellsId id = keys_.intern(key);
  if (id == buckets_.size()) buckets_.emplace_back();
  return id;
}

bool KnownStates::overlapping(CellView cells) const {
  return std::any_of(cells.begin(), cells.end(), [&](const Cell& cell) { return sets_->has_overlapping(cell.set); });
}

KnownStates::Arrangement KnownStates::arrangement(CellView cells) const {
  struct Thread {
    PlaceId place;
    LocalSet set;
    std::uint32_t instance;
    std::uint32_t member;
    auto operator<=>(const Thread&) const = default;
  };
  Arrangement result;
  std::vector<Thread> threads;
  std::uint32_t instances = 0;
  for (const Cell& cell : cells) {
    if (!sets_->has_overlapping(cell.set)) continue;
    const std::vector<PlaceId>& places = sets_->places_of(cell.set);
    for (std::uint32_t i = 0; i < cell.count; ++i, ++instances) {
      for (std::uint32_t member = 0; member < places.size(); ++member)
        threads.push_back({places[member], cell.set, instances, member});
    }
  }
  std::sort(threads.begin(), threads.end());
  std::vector<std::uint32_t> number(instances, none);  // in the result, by the first of their threads
  for (std::uint32_t slot = 0; slot < threads.size(); ++slot) {
    const Thread& thread = threads[slot];
    result.places.push_back(thread.place);
    std::uint32_t& at = number[thread.instance];
    if (at == none) {
      at = static_cast<std::uint32_t>(result.sets.size());
      result.sets.push_back(thread.set);
      result.slots.emplace_back(sets_->width(thread.set));
    }
    result.slots[at][thread.member] = slot;
  }
  return result;
}

dd::Bdd KnownStates::product(SharedSet shared, const Arrangement& threads) {
  need_slots(threads.places.size());
  return sets_->shared_bdd(shared) & one_order(threads, 0, threads.sets.size());
}

dd::Bdd KnownStates::closure(SharedSet shared, const Arrangement& threads) {
  if (by_members_) return exchanged(product(shared, threads), threads.places);
  need_slots(threads.places.size());
  dd::Bdd result(true);
  for (std::size_t end = threads.sets.size(); end > 0;) {
    std::size_t begin = end - 1;
    while (begin > 0 && threads.places[begin - 1] == threads.places[begin]) --begin;
    result = orders(threads, begin, end) & result;
    end = begin;
  }
  return sets_->shared_bdd(shared) & result;
}

dd::Bdd KnownStates::exchanged(dd::Bdd product, const std::vector<PlaceId>& places) {
  for (std::size_t next = 1; next < places.size(); ++next) {
    dd::Bdd closed = product;
    for (std::size_t before = next; before-- > 0 && places[before] == places[next];) {
      std::vector<std::pair<dd::Var, dd::Var>> pairs;
      for (std::uint32_t local = 0; local < encoding_->local_slots(); ++local) {
        pairs.emplace_back(slot_var(before, local), slot_var(next, local));
        pairs.emplace_back(slot_var(next, local), slot_var(before, local));
      }
      const auto exchange = exchanges_.try_emplace({before, next}, std::move(pairs)).first;
      closed |= exchange->second(product);
      parts_ += dd::node_count(closed) / nodes_of_a_part;
    }
    product = closed;
  }
  return product;
}

dd::Bdd KnownStates::orders(const Arrangement& threads, std::size_t begin, std::size_t end) {
  Cells sets;
  for (std::size_t slot = begin; slot < end; ++slot) add_thread(sets, threads.sets[slot]);
  // A part of the multiset is a number whose digits say how many threads of each set it has; `weights` are those of the
  // digits.
  std::vector<std::size_t> weights;
  std::size_t parts = 1;
  for (const Cell& cell : sets) {
    weights.push_back(parts);
    parts *= cell.count + 1;
    if (parts > most_parts) {
      parts_ += parts;
      return one_order(threads, begin, end);
    }
  }
  parts_ += parts;
  // Any of the sets may come first, before any order of the rest.
  std::vector<dd::Bdd> orders_of(parts);
  orders_of[0] = dd::Bdd(true);
  for (std::size_t part = 1; part < parts; ++part) {
    std::size_t size = 0;
    for (std::size_t i = 0; i < sets.size(); ++i) size += part / weights[i] % (sets[i].count + 1);
    for (std::size_t i = 0; i < sets.size(); ++i) {
      if (part / weights[i] % (sets[i].count + 1) == 0) continue;
      orders_of[part] |= in_slot(sets[i].set, end - size) & orders_of[part - weights[i]];
    }
  }
  return orders_of.back();
}

dd::Bdd KnownStates::one_order(const Arrangement& threads, std::size_t begin, std::size_t end) {
  // From the last thread up: each conjunction then only puts one diagram on top of another.
  dd::Bdd result(true);
  for (std::size_t i = end; i-- > begin;) result = in_slots(threads.sets[i], threads.slots[i]) & result;
  return result;
}

const dd::Bdd& KnownStates::in_slot(LocalSet set, std::size_t slot) {
  if (slot_sets_.size() <= set) slot_sets_.resize(set + 1);
  auto& row = slot_sets_[set];
  if (row.size() <= slot) row.resize(slot + 1);
  if (row[slot].is_false()) row[slot] = to_slot_[slot](sets_->local_bdd(set));
  return row[slot];
}

dd::Bdd KnownStates::in_slots(LocalSet set, const std::vector<std::uint32_t>& slots) {
  if (slots.size() == 1) return in_slot(set, slots[0]);
  auto it = to_slots_.find(slots);
  if (it == to_slots_.end()) {
    std::vector<std::pair<dd::Var, dd::Var>> to;
    for (std::uint32_t member = 0; member < slots.size(); ++member) {
      for (std::uint32_t local = 0; local < encoding_->local_slots(); ++local)
        to.emplace_back(encoding_->member(member, local), slot_var(slots[member], local));
    }
    it = to_slots_.try_emplace(slots, std::move(to)).first;
  }
  return it->second(sets_->local_bdd(set));
}

const dd::VarSet& KnownStates::slot_vars(std::size_t threads) {
  const auto [it, added] = slot_vars_.try_emplace(threads);
  if (added) {
    std::vector<dd::Var> variables;
    for (std::size_t slot = 0; slot < threads; ++slot) {
      for (std::uint32_t local = 0; local < encoding_->local_slots(); ++local)
        variables.push_back(slot_var(slot, local));
    }
    it->second = dd::VarSet(std::move(variables));
  }
  return it->second;
}

void KnownStates::need_slots(std::size_t number) {
  while (to_slot_.size() < number) {
    const std::size_t slot = to_slot_.size();
    if (!by_members_) first_.push_back(encoding_->manager().add_variables(encoding_->local_slots()));
    std::vector<std::pair<dd::Var, dd::Var>> to;
    for (std::uint32_t local = 0; local < encoding_->local_slots(); ++local) {
      to.emplace_back(encoding_->local(local), slot_var(slot, local));
    }
    to_slot_.emplace_back(std::move(to));
  }
}

}  // namespace cohort::engine::symbolic
