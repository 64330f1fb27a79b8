// Valmari's stubborn sets with necessary enabling sets, for threads (docs/identity.md has the proof).  Let S be a set
// of threads.  A thread outside of S is stuck if it cannot move in this state and nobody who can is ever going to write
// what its guards read; S itself stands still.  S is closed if the next steps of its threads, enabled or not, have no
// conflict with the future of any thread outside that is not stuck.  A closed set with a thread that can move is enough
// to explore, if the search sees to it that no thread is put off for ever: one of the successors must be expanded
// later than the state, or the state is expanded in full (Bosnacki and Holzmann's proviso for breadth-first search).
//
// Each thread that can move is tried as a seed, which is then closed; the set with the fewest threads that move wins.
// Threads in the same local state are in or out together.  Choosing single edges instead of threads would give smaller
// sets in theory; on programs the edges of one location exclude each other.
//
// Cost: for k different local states k seeds, each closed in at most k rounds over k^2 pairs; a pair costs a few words.
// Where sets hardly ever help, they are no longer looked for.
#include "engine/explicit/persistent.hpp"

#include <algorithm>

namespace cohort::engine::explicit_ {

// Where the bound blocks who creates threads, it is no step.
bool Persistent::steps(std::span<const model::ThreadSystem::Transition> transitions, std::uint32_t alive) const {
  return std::any_of(transitions.begin(), transitions.end(), [&](const model::ThreadSystem::Transition& transition) {
    return !blocks_at_bound_ || transition.spawns == model::no_id ||
           alive + system_.spawned(transition.spawns).size() <= bound_;
  });
}

void Persistent::look(model::SharedId shared, std::span<const Cell> cells) {
  threads_.assign(cells.size(), {});
  std::uint32_t alive = 0;
  for (const Cell& cell : cells) alive += cell.count;
  full_ = alive + footprints_.most_created() > bound_;
  // References to footprints hold only until the next one is made.
  for (const Cell& cell : cells) {
    footprints_.next(shared, cell.local);
    footprints_.future(cell.local);
  }
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const auto transitions = system_.successors(shared, cells[i].local);
    threads_[i] = {&footprints_.next(shared, cells[i].local), &footprints_.future(cells[i].local), !transitions.empty(),
                   steps(transitions, alive)};
  }
}

// Begins with all that cannot move, and lets go of those that somebody may wake.
void Persistent::find_stuck(const std::vector<bool>& inside) {
  stuck_.assign(threads_.size(), false);
  for (std::size_t i = 0; i < threads_.size(); ++i) stuck_[i] = !inside[i] && !threads_[i].moves;
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = 0; i < threads_.size(); ++i) {
      if (!stuck_[i]) continue;
      for (std::size_t j = 0; j < threads_.size() && stuck_[i]; ++j) {
        if (j == i || inside[j] || stuck_[j] || !conflict(i, j)) continue;
        stuck_[i] = false;
        changed = true;
      }
    }
  }
}

// Returns how many of the threads inside can move; gives up when that is not below `best`.
std::size_t Persistent::close(std::vector<bool>& inside, std::size_t best) {
  const auto movers = [&] {
    std::size_t count = 0;
    for (std::size_t i = 0; i < threads_.size(); ++i) count += inside[i] && threads_[i].moves ? 1 : 0;
    return count;
  };
  for (bool changed = true; changed;) {
    changed = false;
    find_stuck(inside);
    for (std::size_t i = 0; i < threads_.size(); ++i) {
      if (inside[i] || stuck_[i]) continue;
      for (std::size_t j = 0; j < threads_.size() && !inside[i]; ++j) {
        if (!inside[j] || !conflict(j, i)) continue;
        inside[i] = true;
        changed = true;
      }
    }
    if (changed && movers() >= best) return best;
  }
  return movers();
}

bool Persistent::pays() const {
  constexpr std::uint64_t trial = 20'000;
  constexpr std::uint64_t share = 50;
  return asked_ < trial || answered_ >= asked_ / share;
}

bool Persistent::choose(model::SharedId shared, std::span<const Cell> cells, std::vector<bool>& chosen) {
  if (!footprints_.covers_program() || cells.size() < 2) return false;
  ++asked_;
  look(shared, cells);
  std::size_t best = 0;
  for (const Thread& thread : threads_) best += thread.moves ? 1 : 0;
  if (best < 2) return false;
  bool found = false;
  for (std::size_t seed = 0; seed < threads_.size() && (!found || best > 1); ++seed) {
    if (!threads_[seed].steps || threads_[seed].next->stops_others) continue;
    std::vector<bool> inside(threads_.size(), false);
    inside[seed] = true;
    const std::size_t size = close(inside, best);
    if (size >= best) continue;
    best = size;
    chosen = std::move(inside);
    found = true;
  }
  answered_ += found ? 1 : 0;
  return found;
}

}  // namespace cohort::engine::explicit_
