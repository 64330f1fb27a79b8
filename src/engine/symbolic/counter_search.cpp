#include "engine/symbolic/counter_search.hpp"

#include <fmt/core.h>

#include "base/contract.hpp"
#include "model/interpreter.hpp"

namespace cohort::engine::symbolic {

CounterSearch::CounterSearch(Env& env, const Task& task)
    : env_(env),
      program_(task.program),
      options_(task.options),
      bound_(*task.bound),
      encoding_(env, task.program, 0),
      transitions_(task.program, encoding_),
      violations_(task.program, transitions_),
      images_(encoding_, transitions_, sets_),
      known_(encoding_, sets_, cells_, task.options.merging),
      frontier_(sets_, cells_, origins_, task.options.merging) {
  if (options_.partial_order) reduction_.emplace(program_, encoding_);
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
      if (auto violated = violation(state)) return Found{state, {}, true, std::move(*violated)};
      if (auto fresh = known_.add(state)) frontier_.insert(*fresh, {});
    }
  }
  while (!frontier_.empty()) {
    ++layers_;
    for (const StateStore::Entry& entry : frontier_.take()) {
      if (env_.stop_requested()) return std::nullopt;
      nodes_.push_back({entry.state, entry.origins});
      if (auto found = expand(static_cast<std::uint32_t>(nodes_.size() - 1))) return found;
      env_.report_progress([&] {
        return fmt::format("step {}: {} symbolic states, {} expanded, {} nodes", layers_, cells_.size(), nodes_.size(),
                           encoding_.manager().nodes_in_use());
      });
    }
  }
  finished_ = true;
  return std::nullopt;
}

std::optional<CounterSearch::Found> CounterSearch::expand(std::uint32_t node) {
  const CounterState state = nodes_[node].state;
  before_.assign(cells_[state.cells].begin(), cells_[state.cells].end());
  const std::uint32_t alive = thread_count(before_);
  const std::uint32_t room = alive < bound_ ? bound_ - alive : 0;
  std::optional<Found> found;
  for (const Cell& mover : movers(state.shared, before_)) {
    images_.for_each_successor(state.shared, mover.set, room, [&](const ThreadOutcome& outcome) {
      if (found) return;
      after_ = before_;
      remove_thread(after_, mover.set);
      if (outcome.passive != no_passive) {
        Cells moved;
        for (const Cell& cell : after_) {
          const auto after = images_.passive_image(outcome.passive, cell.set);
          if (!after) return;
          add_thread(moved, *after, cell.count);
        }
        after_ = std::move(moved);
      }
      if (outcome.local) add_thread(after_, *outcome.local);
      for (const LocalSet child : outcome.children) add_thread(after_, child);
      found = emit({outcome.shared.value_or(state.shared), cells_.intern(after_)}, {node, mover.set, outcome.edge});
    });
    if (found) return found;
  }
  return std::nullopt;
}

CellView CounterSearch::movers(SharedSet shared, CellView cells) {
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (sets_.place(cells[i].set).atomic) return cells.subspan(i, 1);
  }
  if (reduction_ && cells.size() + thread_count(cells) > 2) {
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (!may_move_alone(shared, cells, cells[i])) continue;
      ++reduced_;
      return cells.subspan(i, 1);
    }
  }
  return cells;
}

bool CounterSearch::may_move_alone(SharedSet shared, CellView cells, const Cell& cell) {
  const model::Dependence& dependence = reduction_->dependence();
  const Place place = sets_.place(cell.set);
  if (!dependence.candidate(place.templ, place.location)) return false;
  auto others = dependence.nothing();
  for (const Cell& other : cells) {
    if (other.set == cell.set && cell.count == 1) continue;
    model::Dependence::add(others, dependence.future(sets_.place(other.set).templ, sets_.place(other.set).location));
  }
  if (!dependence.independent(place.templ, place.location, others)) return false;
  const dd::Bdd states = sets_.shared_bdd(shared) & sets_.local_bdd(cell.set);
  return reduction_->loses_nothing(states, images_.enabled(shared, cell.set), others, place.templ,
                                   encoding_.local_vars().variables());
}

std::optional<CounterSearch::Found> CounterSearch::emit(const CounterState& state, const Origin& origin) {
  ++emitted_;
  auto fresh = known_.add(state);
  if (!fresh) return std::nullopt;
  if (auto violated = violation(*fresh)) return Found{*fresh, origin, false, std::move(*violated)};
  frontier_.insert(*fresh, origins_.make(origin));
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
  if (reduction_) statistics.set("states_expanded_by_one_thread", reduced_);
  statistics.set("merges", frontier_.merges());
  statistics.set("local_sets", std::uint64_t{sets_.local_count()});
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

std::optional<Violation> CounterSearch::violation(const CounterState& state) const {
  return violations_.find(sets_.shared_bdd(state.shared), [&](model::TemplateId templ, model::LocId location) {
    std::uint32_t count = 0;
    for (const Cell& cell : cells_[state.cells]) {
      const Place& place = sets_.place(cell.set);
      if (place.templ == templ && place.location == location) count += cell.count;
    }
    return count;
  });
}

}  // namespace cohort::engine::symbolic
