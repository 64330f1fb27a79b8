#include "engine/symbolic/plain_search.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "base/contract.hpp"
#include "engine/self_check.hpp"
#include "model/interpreter.hpp"

namespace cohort::engine::symbolic {

namespace {

void trim(PlainSearch::Places& places) {
  while (!places.empty() && !places.back()) places.pop_back();
}

std::uint32_t alive(const PlainSearch::Places& places) {
  return static_cast<std::uint32_t>(
      std::count_if(places.begin(), places.end(), [](const auto& p) { return p.has_value(); }));
}

}  // namespace

PlainSearch::PlainSearch(Env& env, const Task& task)
    : env_(env),
      program_(task.program),
      options_(task.options),
      bound_(*task.bound),
      encoding_(env, task.program, *task.bound),
      transitions_(task.program, encoding_),
      violations_(task.program, transitions_) {
  if (options_.partial_order) reduction_.emplace(program_, encoding_);
  for (std::uint32_t slot = 0; slot < bound_; ++slot) {
    std::vector<std::pair<dd::Var, dd::Var>> pairs;
    for (std::uint32_t local = 0; local < encoding_.local_slots(); ++local) {
      for (const Copy copy : {Copy::Before, Copy::After}) {
        pairs.emplace_back(encoding_.local(local, copy), encoding_.thread_local_copy(slot, local, copy));
      }
    }
    to_slot_.emplace_back(pairs);
  }
}

std::vector<dd::Var> PlainSearch::slot_vars(std::uint32_t slot) const {
  std::vector<dd::Var> result;
  for (std::uint32_t local = 0; local < encoding_.local_slots(); ++local)
    result.push_back(encoding_.thread_local_copy(slot, local));
  return result;
}

dd::VarSet PlainSearch::variables(const Places& places) const {
  std::vector<dd::Var> result = encoding_.shared_vars().variables();
  for (std::uint32_t slot = 0; slot < places.size(); ++slot) {
    if (!places[slot]) continue;
    for (const dd::Var variable : slot_vars(slot)) result.push_back(variable);
  }
  return dd::VarSet(std::move(result));
}

std::optional<PlainSearch::Found> PlainSearch::run() {
  for (const auto& counts : model::initial_thread_counts(program_, bound_)) {
    Node node{{}, transitions_.initial_shared(), {}};
    for (std::size_t group = 0; group < counts.size(); ++group) {
      const model::InitialThreads& threads = program_.initial[group];
      const dd::Bdd locals = transitions_.initial_locals(threads.templ);
      for (std::uint32_t i = 0; i < counts[group]; ++i) {
        node.states &= to_slot(static_cast<std::uint32_t>(node.places.size()))(locals);
        node.places.push_back(Place{threads.templ, threads.location, false});
      }
    }
    if (node.states.is_false()) continue;
    if (auto found = violation(node)) return found;
    reached_[node.places] |= node.states;
    frontier_[node.places] = node;
  }
  return explore();
}

std::optional<PlainSearch::Found> PlainSearch::close() {
  COHORT_EXPECT(finished_ && reduction_, "a reduced search that is complete is closed");
  reduction_.reset();
  finished_ = false;
  for (const auto& [places, states] : reached_) frontier_[places] = {places, states, {}};
  nodes_.clear();
  return explore();
}

// Expands every node again: nothing new may come of it.
bool PlainSearch::is_closed() {
  const std::size_t count = nodes_.size();
  for (std::uint32_t node = 0; node < count; ++node) {
    if (env_.stop_requested("symbolic-plain")) return true;
    if (expand(node) || !frontier_.empty()) return false;
  }
  return true;
}

std::optional<PlainSearch::Found> PlainSearch::explore() {
  while (!frontier_.empty()) {
    ++layers_;
    std::map<Places, Node> layer;
    std::swap(layer, frontier_);
    for (auto& [places, node] : layer) {
      if (env_.stop_requested("symbolic-plain")) return std::nullopt;
      if (options_.reorder && encoding_.reorder_after_growth()) ++reorderings_;
      nodes_.push_back(std::move(node));
      if (auto found = expand(static_cast<std::uint32_t>(nodes_.size() - 1))) return found;
      env_.report_progress([&] {
        return fmt::format("step {}: {} lists of places, {} nodes", layers_, reached_.size(),
                           encoding_.manager().nodes_in_use());
      });
    }
  }
  if (!reduction_) self_check(env_, "the reached states are closed under all steps", [&] { return is_closed(); });
  if (env_.stop_reason() != StopReason::None) return std::nullopt;
  finished_ = true;
  return std::nullopt;
}

std::vector<std::uint32_t> PlainSearch::movers(const Node& node) {
  std::vector<std::uint32_t> all;
  for (std::uint32_t slot = 0; slot < node.places.size(); ++slot) {
    if (!node.places[slot]) continue;
    if (node.places[slot]->atomic) return {slot};
    all.push_back(slot);
  }
  if (reduction_ && all.size() > 1) {
    for (const std::uint32_t slot : all) {
      if (!may_move_alone(node, slot)) continue;
      ++reduced_;
      return {slot};
    }
  }
  return all;
}

bool PlainSearch::may_move_alone(const Node& node, std::uint32_t slot) {
  const model::Dependence& dependence = reduction_->dependence();
  const auto node_of = [&](const Place& place) { return dependence.node(place.templ, place.location); };
  const Place place = *node.places[slot];
  const model::Dependence::Node own = node_of(place);
  if (!dependence.candidate(own)) return false;
  auto others = dependence.nothing();
  for (std::uint32_t other = 0; other < node.places.size(); ++other) {
    if (other == slot || !node.places[other]) continue;
    if (!dependence.commutes(own, node_of(*node.places[other]))) return false;
    model::Dependence::add(others, dependence.future(node_of(*node.places[other])));
  }
  dd::Bdd some;
  for (const EdgeRelation& edge : transitions_.from(place.templ, place.location)) some |= slot_edge(edge, slot).enabled;
  return reduction_->loses_nothing(node.states, node.states & some, others, place.templ, slot_vars(slot));
}

std::optional<PlainSearch::Found> PlainSearch::expand(std::uint32_t node) {
  for (const std::uint32_t slot : movers(nodes_[node])) {
    const Place place = *nodes_[node].places[slot];
    for (const EdgeRelation& edge : transitions_.from(place.templ, place.location)) {
      if (auto found = step(node, slot, edge)) return found;
    }
  }
  return std::nullopt;
}

std::optional<PlainSearch::Found> PlainSearch::step(std::uint32_t node, std::uint32_t slot, const EdgeRelation& edge) {
  Places places = nodes_[node].places;
  const SlotEdge& own = slot_edge(edge, slot);
  dd::Bdd states = image(encoding_, nodes_[node].states, own.main);
  if (edge.broadcast) {
    states = image(encoding_, states, with_passive(edge, slot, places));
    states = image(encoding_, states, own.rest);
  }
  if (states.is_false()) return std::nullopt;
  const auto slots = child_slots(places, edge);
  for (std::size_t number = 0; number < edge.children.size(); ++number) {
    if (number >= slots.size()) {
      states = dd::exists(states, dd::VarSet(encoding_.child_vars(number)));
      continue;
    }
    std::vector<std::pair<dd::Var, dd::Var>> pairs;
    for (std::uint32_t local = 0; local < encoding_.local_slots(); ++local) {
      pairs.emplace_back(encoding_.child(number, local), encoding_.thread_local_copy(slots[number], local));
    }
    states = dd::Renaming(pairs)(states);
    if (slots[number] >= places.size()) places.resize(slots[number] + 1);
    places[slots[number]] = Place{edge.children[number].templ, edge.children[number].location, false};
  }
  if (edge.ends) {
    states = dd::exists(states, dd::VarSet(slot_vars(slot)));
    places[slot].reset();
  } else {
    places[slot]->location = edge.target;
    if (edge.atomic != model::AtomicChange::None) places[slot]->atomic = edge.atomic == model::AtomicChange::Enter;
  }
  trim(places);
  return emit(std::move(places), states, {node, slot, &edge});
}

std::vector<std::uint32_t> PlainSearch::child_slots(const Places& places, const EdgeRelation& edge) const {
  std::vector<std::uint32_t> slots;
  const std::uint32_t room = bound_ - std::min(bound_, alive(places));
  for (std::uint32_t slot = 0; slots.size() < std::min<std::size_t>(edge.children.size(), room); ++slot) {
    if (slot >= places.size() || !places[slot]) slots.push_back(slot);
  }
  return slots;
}

std::optional<PlainSearch::Found> PlainSearch::emit(Places places, const dd::Bdd& states, const Origin& origin) {
  dd::Bdd& known = reached_[places];
  const dd::Bdd fresh = dd::difference(states, known);
  if (fresh.is_false()) return std::nullopt;
  if (auto found = violation({places, fresh, {origin}})) return found;
  known |= fresh;
  Node& waiting = frontier_[places];
  waiting.places = std::move(places);
  waiting.states |= fresh;
  waiting.origins.push_back(origin);
  return std::nullopt;
}

std::optional<PlainSearch::Found> PlainSearch::violation(const Node& node) const {
  auto violated = violations_.find(node.states, [&](model::TemplateId templ, model::LocId location) {
    return static_cast<std::uint32_t>(std::count_if(node.places.begin(), node.places.end(), [&](const auto& place) {
      return place && place->templ == templ && place->location == location;
    }));
  });
  if (!violated) return std::nullopt;
  return Found{{node.places, std::move(violated->shared), node.origins}, violated->property};
}

Relation PlainSearch::spoken_by(const Relation& relation, std::uint32_t slot) const {
  std::vector<dd::Var> modified;
  for (const dd::Var variable : relation.modified.variables()) {
    const auto& locals = encoding_.local_vars().variables();
    const auto it = std::lower_bound(locals.begin(), locals.end(), variable);
    const bool is_local = it != locals.end() && *it == variable;
    modified.push_back(is_local ? encoding_.thread_local_copy(slot, static_cast<std::size_t>(it - locals.begin()))
                                : variable);
  }
  return {to_slot(slot)(relation.bdd), dd::VarSet(std::move(modified))};
}

const PlainSearch::SlotEdge& PlainSearch::slot_edge(const EdgeRelation& edge, std::uint32_t slot) {
  const auto [it, added] = slot_edges_.try_emplace({&edge, slot});
  if (added) {
    it->second.main = spoken_by(edge.main, slot);
    it->second.rest = spoken_by(edge.rest, slot);
    if (edge.broadcast) it->second.active = spoken_by(edge.broadcast->active, slot);
    it->second.enabled = to_slot(slot)(edge.enabled);
  }
  return it->second;
}

// The broadcast as one relation over the active thread and all passive ones.
Relation PlainSearch::with_passive(const EdgeRelation& edge, std::uint32_t slot, const Places& places) {
  Relation result = slot_edge(edge, slot).active;
  std::vector<dd::Var> modified = result.modified.variables();
  for (std::uint32_t other = 0; other < places.size(); ++other) {
    if (other == slot || !places[other] || places[other]->templ != edge.ref.templ) continue;
    const auto [it, added] = passive_.try_emplace({&edge, slot, other});
    std::vector<std::pair<dd::Var, dd::Var>> pairs;
    for (std::uint32_t local = 0; local < encoding_.local_slots(); ++local) {
      for (const Copy copy : {Copy::Before, Copy::After}) {
        pairs.emplace_back(encoding_.passive(local, copy), encoding_.thread_local_copy(other, local, copy));
      }
      const dd::Var before = encoding_.passive(local);
      if (edge.broadcast->passive_modified.contains(before))
        modified.push_back(encoding_.thread_local_copy(other, local));
    }
    if (added) it->second = dd::Renaming(pairs)(to_slot(slot)(edge.broadcast->passive));
    result.bdd &= it->second;
  }
  result.modified = dd::VarSet(std::move(modified));
  return result;
}

std::string PlainSearch::established() const {
  return fmt::format("no violation within {} steps ({} lists of places)", layers_ > 0 ? layers_ - 1 : 0,
                     reached_.size());
}

void PlainSearch::record(Statistics& statistics) const {
  statistics.set("symbolic_states", std::uint64_t{reached_.size()});
  statistics.set("symbolic_states_expanded", std::uint64_t{nodes_.size()});
  statistics.set("layers", layers_);
  if (options_.reorder) statistics.set("reorderings", reorderings_);
  if (reduction_) statistics.set("states_expanded_by_one_thread", reduced_);
  statistics.set("diagram_nodes", encoding_.manager().nodes_allocated());
}

}  // namespace cohort::engine::symbolic
