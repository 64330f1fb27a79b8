#include "engine/symbolic/lone_steps.hpp"

#include <algorithm>

#include "base/contract.hpp"

namespace cohort::engine::symbolic {

std::optional<std::size_t> LoneSteps::passing(CellView cells) {
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (facts(cells[i].set).steps > 0) return i;
  }
  return std::nullopt;
}

std::optional<std::size_t> LoneSteps::alone(SharedSet shared, CellView cells) {
  if (const auto first = passing(cells)) return first;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (facts(cells[i].set).candidate && commutes(cells, i) && may_move(shared, cells, i)) return i;
  }
  return std::nullopt;
}

std::optional<std::size_t> LoneSteps::pass(Cells& cells, std::uint32_t& steps) {
  bool some = false;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const Facts& own = facts(cells[i].set);
    if (own.atomic) return i;
    some = some || own.steps > 0;
  }
  if (!some) return std::nullopt;
  Cells after;
  for (const Cell& cell : cells) {
    steps += cell.count * facts(cell.set).steps;
    add_thread(after, facts(cell.set).passed, cell.count);
  }
  cells = std::move(after);
  return std::nullopt;
}

void LoneSteps::find_facts(LocalSet set) {
  // From the last set of the chain back, without recursion: chains are as long as the program's local paths.
  std::vector<LocalSet> chain{set};
  while (true) {
    const LocalSet last = chain.back();
    if (facts_.size() <= last) facts_.resize(last + 1);
    Facts& facts = facts_[last];
    if (facts.known) break;
    const Place place = sets_->place(last);
    const Node node = reduction_.dependence().node(place.templ, place.location);
    const bool candidate = !place.atomic && reduction_.dependence().candidate(node);
    facts = {node, true, place.atomic, candidate, last, 0};
    const auto after = candidate ? next(last, node) : std::nullopt;
    if (!after) break;
    chain.push_back(*after);
  }
  for (std::size_t i = chain.size() - 1; i-- > 0;) {
    const Facts& behind = facts_[chain[i + 1]];
    facts_[chain[i]].passed = behind.passed;
    facts_[chain[i]].steps = behind.steps + 1;
  }
}

std::optional<LocalSet> LoneSteps::next(LocalSet set, Node node) {
  if (!reduction_.dependence().always_independent(node)) return std::nullopt;
  const Place place = sets_->place(set);
  dd::Bdd enabled;
  for (const EdgeRelation& edge : transitions_->from(place.templ, place.location)) {
    if (edge.touches_shared || edge.broadcast || edge.ends || !edge.children.empty()) return std::nullopt;
    enabled |= edge.enabled;
  }
  if (!dd::subset(sets_->local_bdd(set), enabled)) return std::nullopt;
  return images_->only_local_successor(set);
}

bool LoneSteps::commutes(CellView cells, std::size_t mover) {
  const model::Dependence& dependence = reduction_.dependence();
  const Node own = facts(cells[mover].set).node;
  if (dependence.always_independent(own)) return true;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (i == mover && cells[i].count == 1) continue;
    if (!dependence.commutes(own, facts(cells[i].set).node)) return false;
  }
  return true;
}

bool LoneSteps::may_move(SharedSet shared, CellView cells, std::size_t mover) {
  const Cell& cell = cells[mover];
  const Mobility mobile = mobility(shared, cell.set);
  if (mobile != Mobility::Somewhere) return mobile == Mobility::Everywhere;
  auto others = reduction_.dependence().nothing();
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (i == mover && cell.count == 1) continue;
    model::Dependence::add(others, reduction_.dependence().future(facts(cells[i].set).node));
  }
  const dd::Bdd states = sets_->shared_bdd(shared) & sets_->local_bdd(cell.set);
  return reduction_.loses_nothing(states, images_->enabled(shared, cell.set), others, sets_->place(cell.set).templ,
                                  encoding_->local_vars().variables());
}

LoneSteps::Mobility LoneSteps::mobility(SharedSet shared, LocalSet set) {
  const Place place = sets_->place(set);
  if (transitions_->always_enabled(place.templ, place.location)) return Mobility::Everywhere;
  const auto [it, added] = mobility_.try_emplace((std::uint64_t{shared} << 32U) | set, Mobility::Nowhere);
  if (added) {
    const dd::Bdd movable = images_->enabled(shared, set);
    const bool everywhere = movable == (sets_->shared_bdd(shared) & sets_->local_bdd(set));
    if (!movable.is_false()) it->second = everywhere ? Mobility::Everywhere : Mobility::Somewhere;
  }
  return it->second;
}

}  // namespace cohort::engine::symbolic
