#include "engine/explicit/plain_space.hpp"

#include <algorithm>

#include "base/contract.hpp"

namespace cohort::engine::explicit_ {

PlainSpace::PlainSpace(model::ThreadSystem& system, std::uint32_t bound, bool reduce)
    : system_(system), bound_(bound), blocks_at_bound_(looks_for_deadlocks(system.program())), violation_(system) {
  COHORT_EXPECT(bound >= 1, "at least one thread may be alive");
  if (reduce) reduction_.emplace(system);
}

const std::uint8_t* PlainSpace::load(const std::uint8_t* word) {
  shared_ = static_cast<model::SharedId>(get_number(word));
  slots_.resize(get_number(word));
  for (model::LocalId& local : slots_) {
    const auto number = static_cast<std::uint32_t>(get_number(word));
    local = number == 0 ? model::no_id : number - 1;
  }
  return word;
}

bool PlainSpace::stands_for_its_like(std::size_t slot) const {
  for (std::size_t other = 0; other < slot; ++other) {
    if (!done_[other] && slots_[other] == slots_[slot]) return false;
  }
  return true;
}

bool PlainSpace::ties_hold(const Transition& transition) const {
  if (system_.tied(transition.broadcast) == 0) return true;
  std::vector<std::pair<model::LocalId, model::LocalId>> passive;
  for (std::size_t slot = 0; slot < slots_.size(); ++slot) {
    if (!done_[slot] && slots_[slot] != model::no_id) passive.emplace_back(slots_[slot], next_[slot]);
  }
  return system_.ties_hold(transition.broadcast, passive);
}

std::span<const std::uint8_t> PlainSpace::encode_next() {
  word_.clear();
  put_number(word_, next_shared_);
  put_number(word_, next_.size());
  for (const model::LocalId local : next_) put_number(word_, local == model::no_id ? 0 : std::uint64_t{local} + 1);
  return word_;
}

void PlainSpace::list_cells(const Slots& slots) {
  cells_.clear();
  for (const model::LocalId local : slots) {
    if (local != model::no_id) cells_.push_back({local, 1});
  }
}

std::span<const Cell> PlainSpace::list_members(const Slots& slots) {
  cells_.clear();
  for (const model::LocalId local : slots) cells_.push_back({local, 1});
  return cells_;
}

void PlainSpace::set_next(model::SharedId shared, std::span<const Cell> members) {
  next_shared_ = shared;
  next_.clear();
  for (const Cell& member : members) next_.push_back(member.local);
}

std::optional<model::PropertyId> PlainSpace::violated_by_next() {
  list_cells(next_);
  return violation_(next_shared_, cells_);
}

std::optional<model::PropertyId> PlainSpace::violated_by_current() {
  list_cells(slots_);
  return violation_(shared_, cells_);
}

bool PlainSpace::knows_current() const {
  const auto is_known = [&](model::LocalId local) { return local == model::no_id || local < system_.local_count(); };
  return shared_ < system_.shared_count() && std::all_of(slots_.begin(), slots_.end(), is_known);
}

std::optional<model::PropertyId> PlainSpace::violated_by_deadlock() {
  list_cells(slots_);
  return violation_.deadlock(cells_);
}

}  // namespace cohort::engine::explicit_
