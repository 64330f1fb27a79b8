// The way back for the search without symmetry.  Threads keep their slots, so a predecessor is one relational product
// per origin.
#include <algorithm>

#include "base/contract.hpp"
#include "engine/symbolic/concretize.hpp"
#include "engine/symbolic/plain_search.hpp"

namespace cohort::engine::symbolic {

model::State PlainSearch::pick_state(const Places& places, const dd::Bdd& states) const {
  const dd::VarSet all = variables(places);
  const dd::Assignment literals = dd::pick(states, all);
  const auto value = [&](dd::Var variable) {
    const auto it = std::lower_bound(all.variables().begin(), all.variables().end(), variable);
    return model::Value{literals[static_cast<std::size_t>(it - all.variables().begin())].second ? 1 : 0};
  };
  model::State state;
  for (const dd::Var variable : encoding_.shared_vars().variables()) state.shared.push_back(value(variable));
  for (std::uint32_t slot = 0; slot < places.size(); ++slot) {
    auto& thread = state.threads.emplace_back();
    if (!places[slot]) continue;
    thread = model::ThreadState{places[slot]->templ, places[slot]->location, places[slot]->atomic, {}};
    const std::uint32_t locals = program_.templ(places[slot]->templ).local_slots();
    for (std::uint32_t local = 0; local < locals; ++local)
      thread->locals.push_back(value(encoding_.thread_local_copy(slot, local)));
  }
  return state;
}

std::optional<model::State> PlainSearch::predecessor(const model::State& after, const Origin& origin) {
  const Node& before = nodes_[origin.node];
  const EdgeRelation& edge = *origin.edge;
  const auto children = child_slots(before.places, edge);
  dd::Assignment literals = shared_literals(encoding_, after.shared);
  for (std::uint32_t slot = 0; slot < after.threads.size(); ++slot) {
    if (!after.threads[slot]) continue;
    const auto& locals = after.threads[slot]->locals;
    const auto child = std::find(children.begin(), children.end(), slot);
    for (std::size_t local = 0; local < locals.size(); ++local) {
      const dd::Var variable = child != children.end()
                                   ? encoding_.child(static_cast<std::size_t>(child - children.begin()), local)
                                   : encoding_.thread_local_copy(slot, local);
      literals.emplace_back(variable, locals[local] != 0);
    }
  }
  const SlotEdge& own = slot_edge(edge, origin.slot);
  dd::Bdd states = dd::cube(literals);
  if (edge.broadcast) {
    states = preimage(states, own.rest, edge.child_vars);
    states = preimage(states, with_passive(edge, origin.slot, before.places), edge.child_vars);
  }
  states = dd::exists(preimage(states, own.main, edge.child_vars), dd::VarSet(edge.child_vars)) & before.states;
  if (states.is_false()) return std::nullopt;
  return pick_state(before.places, states);
}

model::Run PlainSearch::trace(const Found& found) {
  std::vector<model::State> states{pick_state(found.node.places, found.node.states)};
  std::vector<model::EdgeRef> edges;
  std::vector<Origin> origins = found.node.origins;
  while (!origins.empty()) {
    std::optional<model::State> before;
    std::uint32_t node = 0;
    for (const Origin& origin : origins) {
      before = predecessor(states.back(), origin);
      if (!before) continue;
      edges.push_back(origin.edge->ref);
      node = origin.node;
      break;
    }
    COHORT_EXPECT(before.has_value(), "every state of a set was reached from one of its origins");
    states.push_back(std::move(*before));
    origins = nodes_[node].origins;
  }
  std::reverse(states.begin(), states.end());
  std::reverse(edges.begin(), edges.end());
  return run_through(program_, bound_, states, edges);
}

}  // namespace cohort::engine::symbolic
