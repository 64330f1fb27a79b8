#include "engine/symbolic/counter_search.hpp"

#include <utility>

#include <fmt/core.h>

#include "base/contract.hpp"
#include "engine/self_check.hpp"
#include "model/interpreter.hpp"

namespace cohort::engine::symbolic {

CounterSearch::CounterSearch(Env& env, const Task& task, std::size_t loose_parts)
    : env_(env),
      program_(task.program),
      options_(task.options),
      bound_(*task.bound),
      encoding_(env, task.program, 0, task.options.merging ? most_members(task.program, bound_) : 1),
      transitions_(task.program, encoding_),
      violations_(task.program, transitions_),
      images_(encoding_, transitions_, sets_, loose_parts),
      known_(encoding_, sets_, cells_, task.options.merging),
      frontier_(sets_, cells_, origins_, task.options.merging) {
  if (options_.partial_order) reduction_.emplace(program_, encoding_, transitions_, sets_, images_);
}

std::optional<CounterSearch::Found> CounterSearch::run() {
  const dd::Bdd shared = transitions_.initial_shared();
  if (!shared.is_false()) {
    for (const auto& counts : model::initial_thread_counts(program_, bound_)) {
      Cells cells;
      for (std::size_t group = 0; group < counts.size(); ++group) {
        const model::InitialThreads& threads = program_.initial[group];
        const PlaceId place = sets_.place({threads.templ, threads.location, false});
        if (counts[group] > 0)
          add_thread(cells, sets_.local(place, transitions_.initial_locals(threads.templ)), counts[group]);
      }
      const CounterState state{sets_.shared(shared), cells_.intern(cells)};
      if (auto violated = violation(state.shared, cells)) return Found{state, {}, true, std::move(*violated)};
      if (auto fresh = known_.add(state)) frontier_.insert(*fresh, {});
    }
  }
  return explore();
}

std::optional<CounterSearch::Found> CounterSearch::close() {
  COHORT_EXPECT(finished_ && reduction_, "a reduced search that is complete is closed");
  reduction_.reset();
  finished_ = false;
  for (const Node& node : std::exchange(nodes_, {})) frontier_.insert(node.state, node.origins);
  return explore();
}

// Expands every node again: nothing new may come of it.
bool CounterSearch::is_closed() {
  const std::size_t count = nodes_.size();
  for (std::uint32_t node = 0; node < count; ++node) {
    if (env_.stop_requested("symbolic-counter")) return true;
    if (expand(node) || !frontier_.empty()) return false;
  }
  return true;
}

std::optional<CounterSearch::Found> CounterSearch::explore() {
  while (!frontier_.empty()) {
    ++layers_;
    for (const StateStore::Entry& entry : frontier_.take()) {
      if (env_.stop_requested("symbolic-counter")) return std::nullopt;
      if (options_.reorder && encoding_.reorder_after_growth()) ++reorderings_;
      nodes_.push_back({entry.state, entry.origins});
      if (auto found = expand(static_cast<std::uint32_t>(nodes_.size() - 1))) return found;
      env_.report_progress([&] {
        return fmt::format("step {}: {} symbolic states, {} expanded, {} nodes", layers_, cells_.size(), nodes_.size(),
                           encoding_.manager().nodes_in_use());
      });
    }
  }
  if (!reduction_) self_check(env_, "the symbolic states are closed under all steps", [&] { return is_closed(); });
  if (env_.stop_reason() != StopReason::None) return std::nullopt;
  finished_ = true;
  return std::nullopt;
}

template <class Visit>
void CounterSearch::for_each_outcome(SharedSet shared, CellView cells, Mover mover, Visit&& visit) {
  const std::uint32_t alive = thread_count(sets_, cells);
  images_.for_each_successor(shared, mover, alive < bound_ ? bound_ - alive : 0, visit);
}

std::optional<CounterSearch::Found> CounterSearch::expand(std::uint32_t node) {
  const CounterState state = nodes_[node].state;
  before_.assign(cells_[state.cells].begin(), cells_[state.cells].end());
  std::optional<Found> found;
  for (const Mover mover : movers(state.shared, before_)) {
    for_each_outcome(state.shared, before_, mover, [&](const ThreadOutcome& outcome) {
      if (found) return;
      after_ = before_;
      SharedSet shared = state.shared;
      if (apply({mover, &outcome}, shared, after_)) found = emit(shared, {node, mover.set, mover.member, outcome.edge});
    });
    if (found) return found;
  }
  return settle();
}

std::vector<Mover> CounterSearch::movers(SharedSet shared, CellView cells) {
  std::vector<Mover> result;
  const auto all_of = [&](LocalSet set) {
    for (const std::uint32_t member : sets_.movers(set)) result.push_back({set, member});
  };
  if (const auto inside = atomic_cell(cells)) {
    all_of(cells[*inside].set);
  } else if (const auto lone = reduction_ ? reduction_->alone(shared, cells) : std::nullopt) {
    result.push_back({cells[lone->cell].set, lone->member});
  } else {
    for (const Cell& cell : cells) all_of(cell.set);
    return result;
  }
  if (cells.size() > 1) ++reduced_;
  return result;
}

bool CounterSearch::apply(const Step& step, SharedSet& shared, Cells& cells) {
  remove_thread(cells, step.mover.set);
  if (step.outcome->passive != no_passive) {
    Cells moved;
    for (const Cell& cell : cells) {
      const auto& after = images_.passive_image(step.outcome->passive, cell.set);
      if (after.empty()) return false;
      for (const LocalSet set : after) add_thread(moved, set, cell.count);
    }
    cells = std::move(moved);
  }
  for (const LocalSet set : step.outcome->sets) add_thread(cells, set);
  shared = step.outcome->shared.value_or(shared);
  return true;
}

std::optional<CounterSearch::Step> CounterSearch::only_step(SharedSet shared, CellView cells, LocalSet set) {
  COHORT_EXPECT(sets_.movers(set).size() == 1, "one thread of the set can move");
  const Mover mover{set, sets_.movers(set)[0]};
  std::optional<Step> step;
  std::size_t outcomes = 0;
  for_each_outcome(shared, cells, mover, [&](const ThreadOutcome& outcome) {
    ++outcomes;
    step = Step{mover, &outcome};
  });
  return outcomes == 1 && step->outcome->passive == no_passive ? step : std::nullopt;
}

std::vector<std::vector<CounterSearch::Leg>> CounterSearch::ways(const Origin& origin) {
  const CounterState start = nodes_[origin.node].state;
  const Cells cells(cells_[start.cells].begin(), cells_[start.cells].end());
  std::vector<std::vector<Leg>> result;
  const Mover mover{origin.mover, origin.member};
  for_each_outcome(start.shared, cells, mover, [&](const ThreadOutcome& outcome) {
    if (outcome.edge != origin.edge) return;
    std::vector<Leg> way;
    Leg at{start.shared, cells, mover, origin.edge};
    std::optional<Step> step = Step{mover, &outcome};
    while (step) {
      way.push_back(at);
      way.back().mover = step->mover;
      way.back().edge = step->outcome->edge;
      if (!apply(*step, at.shared, at.cells) || way.size() > origin.skipped) break;
      auto lone = atomic_cell(at.cells);
      if (!lone) lone = reduction_->passing(at.cells);
      step = lone ? only_step(at.shared, at.cells, at.cells[*lone].set) : std::nullopt;
    }
    if (way.size() == origin.skipped + 1) result.push_back(std::move(way));
  });
  return result;
}

std::optional<std::size_t> CounterSearch::atomic_cell(CellView cells) const {
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (sets_.atomic(cells[i].set)) return i;
  }
  return std::nullopt;
}

std::optional<CounterSearch::Found> CounterSearch::emit(SharedSet shared, Origin origin) {
  ++emitted_;
  if (reduction_) {
    if (auto found = pass(shared, origin)) return found;
  }
  const std::uint64_t hash = cells_hash(after_);
  cells_.prefetch(hash);
  const std::size_t begin = successor_cells_.size();
  successor_cells_.insert(successor_cells_.end(), after_.begin(), after_.end());
  successors_.push_back({shared, origin, begin, successor_cells_.size(), hash});
  return std::nullopt;
}

std::optional<CounterSearch::Found> CounterSearch::settle() {
  std::optional<Found> found;
  for (const Successor& next : successors_) {
    const CellView cells = CellView(successor_cells_).subspan(next.begin, next.end - next.begin);
    const auto fresh = known_.add({next.shared, cells_.intern(cells, next.hash)});
    if (!fresh) continue;
    if (auto violated = violation(fresh->shared, cells_[fresh->cells])) {
      found = Found{*fresh, next.origin, false, std::move(*violated)};
      break;
    }
    frontier_.insert(*fresh, origins_.make(next.origin));
  }
  successors_.clear();
  successor_cells_.clear();
  return found;
}

std::optional<CounterSearch::Found> CounterSearch::pass(SharedSet& shared, Origin& origin) {
  while (true) {
    const auto inside = reduction_->pass(after_, origin.skipped);
    if (!inside || origin.skipped >= longest_way) break;
    const auto step = only_step(shared, after_, after_[*inside].set);
    if (!step) break;
    // Steps of passing sets keep what violations there are; those inside atomic sections need not.
    if (auto violated = violation(shared, after_))
      return Found{{shared, cells_.intern(after_)}, origin, false, std::move(*violated)};
    COHORT_EXPECT(apply(*step, shared, after_), "only a broadcast can be blocked by others");
    ++origin.skipped;
  }
  passed_ += origin.skipped;
  return std::nullopt;
}

std::vector<CounterState> CounterSearch::reached() {
  StateStore merged(sets_, cells_, origins_, true);
  for (const Node& node : nodes_) merged.insert(node.state, {});
  return merged.states();
}

std::string CounterSearch::established() const {
  return fmt::format("no violation within {} steps ({} symbolic states)", layers_ > 0 ? layers_ - 1 : 0, cells_.size());
}

void CounterSearch::record(Statistics& statistics) const {
  const SpliceFigures& splices = images_.figures();
  statistics.set("symbolic_states", std::uint64_t{cells_.size()});
  statistics.set("symbolic_states_expanded", std::uint64_t{nodes_.size()});
  statistics.set("successors", emitted_);
  statistics.set("layers", layers_);
  if (options_.reorder) statistics.set("reorderings", reorderings_);
  if (reduction_) {
    statistics.set("states_expanded_by_one_thread", reduced_);
    statistics.set("states_passed", passed_);
  }
  statistics.set("merges", frontier_.merges());
  statistics.set("local_sets", std::uint64_t{sets_.local_count()});
  if (sets_.some_tied()) statistics.set("tied_sets", std::uint64_t{sets_.tied_count()});
  statistics.set("shared_sets", std::uint64_t{sets_.shared_count()});
  statistics.set("thread_images", std::uint64_t{images_.remembered()});
  statistics.set("edges", std::uint64_t{transitions_.edge_count()});
  statistics.set("splice_candidate_edges", std::uint64_t{transitions_.candidate_count()});
  statistics.set("splice_edges", std::uint64_t{splices.edges.size()});
  statistics.set("edge_images", splices.images);
  statistics.set("splices", splices.splices);
  std::string counts;
  for (std::size_t n = 1; n < splices.variable_counts.size(); ++n) {
    if (splices.variable_counts[n] > 0)
      counts += fmt::format("{}{}:{}", counts.empty() ? "" : " ", n, splices.variable_counts[n]);
  }
  statistics.set("splice_variables", counts);
  statistics.set("splice_candidates", splices.candidates);
  statistics.set("candidates_with_two_cofactors", splices.satisfiable_twice);
  statistics.set("diagram_nodes", encoding_.manager().nodes_allocated());
}

std::optional<Violation> CounterSearch::violation(SharedSet shared, CellView cells) const {
  return violations_.find(sets_.shared_bdd(shared), [&](model::TemplateId templ, model::LocId location) {
    std::uint32_t count = 0;
    for (const Cell& cell : cells) {
      for (const PlaceId at : sets_.places_of(cell.set)) {
        const Place& place = sets_.place_at(at);
        if (place.templ == templ && place.location == location) count += cell.count;
      }
    }
    return count;
  });
}

}  // namespace cohort::engine::symbolic
