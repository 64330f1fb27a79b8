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

std::optional<LoneSteps::Lone> LoneSteps::alone(SharedSet shared, CellView cells) {
  if (const auto first = passing(cells)) return Lone{*first, 0};
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (sets_->width(cells[i].set) == 1 && !facts(cells[i].set).candidate) continue;
    for (const std::uint32_t member : sets_->movers(cells[i].set)) {
      const Lone lone{i, member};
      const bool candidate = reduction_.dependence().candidate(node(cells[i].set, member));
      if (candidate && commutes(cells, lone) && may_move(shared, cells, lone)) return lone;
    }
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
    const bool atomic = sets_->atomic(last);
    const bool single = sets_->width(last) == 1;
    const bool candidate = single && !atomic && reduction_.dependence().candidate(node(last, 0));
    facts = {true, atomic, candidate, last, 0};
    const auto after = candidate ? next(last, node(last, 0)) : std::nullopt;
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

bool LoneSteps::commutes(CellView cells, Lone lone) {
  const model::Dependence& dependence = reduction_.dependence();
  const Node own = node(cells[lone.cell].set, lone.member);
  if (dependence.always_independent(own)) return true;
  return for_each_other(cells, lone, [&](Node other) { return dependence.commutes(own, other); });
}

bool LoneSteps::may_move(SharedSet shared, CellView cells, Lone lone) {
  const Mover mover{cells[lone.cell].set, lone.member};
  const Mobility mobile = mobility(shared, mover);
  if (mobile != Mobility::Somewhere) return mobile == Mobility::Everywhere;
  auto others = reduction_.dependence().nothing();
  for_each_other(cells, lone, [&](Node other) {
    model::Dependence::add(others, reduction_.dependence().future(other));
    return true;
  });
  return reduction_.loses_nothing(images_->states(shared, mover), images_->enabled(shared, mover), others,
                                  place(mover.set, mover.member).templ, encoding_->local_vars().variables());
}

LoneSteps::Mobility LoneSteps::mobility(SharedSet shared, Mover mover) {
  const Place& at = place(mover.set, mover.member);
  if (transitions_->always_enabled(at.templ, at.location)) return Mobility::Everywhere;
  if (mobility_.size() <= mover.member) mobility_.resize(mover.member + 1);
  const auto [it, added] =
      mobility_[mover.member].try_emplace((std::uint64_t{shared} << 32U) | mover.set, Mobility::Nowhere);
  if (added) {
    const dd::Bdd movable = images_->enabled(shared, mover);
    const bool everywhere = movable == images_->states(shared, mover);
    if (!movable.is_false()) it->second = everywhere ? Mobility::Everywhere : Mobility::Somewhere;
  }
  return it->second;
}

}  // namespace cohort::engine::symbolic
