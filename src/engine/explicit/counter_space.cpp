#include "engine/explicit/counter_space.hpp"

#include <algorithm>

#include "base/contract.hpp"
#include "model/eval.hpp"
#include "model/interpreter.hpp"

namespace cohort::engine::explicit_ {

using model::LocalId;
using model::no_id;

namespace {

std::vector<Cell>::iterator find_place(std::vector<Cell>& cells, LocalId local) {
  return std::lower_bound(cells.begin(), cells.end(), local,
                          [](const Cell& cell, LocalId id) { return cell.local < id; });
}

}  // namespace

CounterSpace::CounterSpace(model::ThreadSystem& system, std::uint32_t bound, bool reduce)
    : system_(system), bound_(bound), blocks_at_bound_(looks_for_deadlocks(system.program())), violation_(system) {
  COHORT_EXPECT(bound >= 1, "at least one thread may be alive");
  if (reduce) persistent_.emplace(system, bound);
}

void CounterSpace::add(std::vector<Cell>& cells, LocalId local, std::uint32_t count) {
  const auto place = find_place(cells, local);
  if (place != cells.end() && place->local == local) {
    place->count += count;
  } else {
    cells.insert(place, {local, count});
  }
}

void CounterSpace::remove(std::vector<Cell>& cells, LocalId local, std::uint32_t count) {
  const auto place = find_place(cells, local);
  COHORT_EXPECT(place != cells.end() && place->local == local && place->count >= count,
                "only threads that are there leave");
  place->count -= count;
  if (place->count == 0) cells.erase(place);
}

// The active thread arrives in next_, and its new threads with it, as long as the bound allows.  An active thread that
// ends still counts while its new threads are created, as in the interpreter.  False if the bound blocks the step.
bool CounterSpace::arrive(const Transition& transition) {
  if (transition.local != no_id) add(next_, transition.local);
  if (transition.spawns == no_id) return true;
  std::uint32_t alive = transition.local != no_id ? 0 : 1;
  for (const Cell& cell : next_) alive += cell.count;
  for (const LocalId child : system_.spawned(transition.spawns)) {
    if (alive >= bound_) {
      bound_reached_ = true;
      return !blocks_at_bound_;
    }
    add(next_, child);
    ++alive;
    ++spawned_;
  }
  return true;
}

bool CounterSpace::is_next_inside() const {
  return std::any_of(next_.begin(), next_.end(), [&](const Cell& cell) { return system_.is_atomic(cell.local); });
}

const std::uint8_t* CounterSpace::load(const std::uint8_t* word) {
  shared_ = static_cast<model::SharedId>(get_number(word));
  cells_.resize(get_number(word));
  LocalId previous = 0;
  for (Cell& cell : cells_) {
    const std::uint64_t number = get_number(word);
    previous += static_cast<LocalId>(number >> 1U);
    cell = {previous, (number & 1U) != 0 ? static_cast<std::uint32_t>(get_number(word)) : 1};
  }
  return word;
}

bool CounterSpace::pick() {
  if (!persistent_ || !persistent_->pays()) return false;
  const auto is_inside = [&](const Cell& cell) { return system_.is_atomic(cell.local); };
  if (std::any_of(cells_.begin(), cells_.end(), is_inside)) return false;
  return persistent_->choose(shared_, cells_, picked_);
}

void CounterSpace::pick_again() {
  const bool found = persistent_ && persistent_->choose(shared_, cells_, picked_);
  COHORT_EXPECT(found, "what was chosen once can be chosen again");
}

bool CounterSpace::ties_hold(LocalId active, const Transition& transition) const {
  const std::size_t most = transition.broadcast == model::no_id ? 0 : system_.tied(transition.broadcast);
  if (most == 0) return true;
  // Those that were taken along come first, and are not passive.  More threads alike than are tied say nothing new.
  const std::size_t taken = transition.takes ? system_.takes(active, transition).size() : 0;
  std::vector<std::pair<LocalId, LocalId>> passive;
  for (std::size_t i = taken; i < changes_.size(); ++i) {
    const std::size_t count = std::min<std::size_t>(changes_[i].count, most);
    passive.insert(passive.end(), count, {changes_[i].from, changes_[i].to});
  }
  return system_.ties_hold(transition.broadcast, passive);
}

std::span<const std::uint8_t> CounterSpace::encode_next() {
  word_.clear();
  put_number(word_, next_shared_);
  put_number(word_, next_.size());
  LocalId previous = 0;
  for (const Cell& cell : next_) {
    const std::uint64_t distance = cell.local - previous;
    put_number(word_, distance << 1U | (cell.count != 1 ? 1U : 0U));
    if (cell.count != 1) put_number(word_, cell.count);
    previous = cell.local;
  }
  return word_;
}

void CounterSpace::set_next(model::SharedId shared, std::span<const Cell> members) {
  next_shared_ = shared;
  next_.assign(members.begin(), members.end());
  std::sort(next_.begin(), next_.end(), [](const Cell& a, const Cell& b) { return a.local < b.local; });
}

bool CounterSpace::initial_condition_holds(const model::Valuation& shared) const {
  const model::Program& program = system_.program();
  if (!program.initial_condition) return true;
  model::EvalContext context;
  context.program = &program;
  context.shared = &shared;
  return model::holds(context, *program.initial_condition);
}

std::vector<std::vector<std::uint32_t>> CounterSpace::initial_counts() const {
  return model::initial_thread_counts(system_.program(), bound_);
}

}  // namespace cohort::engine::explicit_
