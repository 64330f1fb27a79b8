#include "engine/explicit/concretize.hpp"

#include <algorithm>

#include "base/contract.hpp"

namespace cohort::engine::explicit_ {

using model::LocalId;
using model::no_id;

namespace {

std::vector<StateStore::Ref> path_to(const StateStore& store, StateStore::Ref bad) {
  std::vector<StateStore::Ref> path;
  for (StateStore::Ref ref = bad; ref != StateStore::none; ref = store.parent(ref)) path.push_back(ref);
  std::reverse(path.begin(), path.end());
  COHORT_EXPECT(!path.empty(), "a violation has a path to it");
  return path;
}

model::State to_state(const model::ThreadSystem& system, model::SharedId shared, const PlainSpace::Slots& slots) {
  model::State state{system.shared(shared), {}};
  for (const LocalId local : slots) {
    state.threads.push_back(local != no_id ? std::optional(system.local(local)) : std::nullopt);
  }
  return state;
}

// The step that faults, taken by the thread in `slot`: what went wrong is asked of the kernel again.
model::Transition fault_step(const model::ThreadSystem& system, const model::State& state, std::size_t slot,
                             std::uint32_t edge) {
  const model::EdgeRef ref{state.threads[slot]->templ, edge};
  for (const model::Outcome& outcome : system.stepper().outcomes(ref, state.shared, *state.threads[slot])) {
    if (outcome.fault) return {slot, ref, state, {}, outcome.fault, outcome.fault_action};
  }
  COHORT_UNREACHABLE("a transition that faults has an outcome that does");
}

bool same_word(std::span<const std::uint8_t> word, const std::uint8_t* stored) {
  return std::equal(word.begin(), word.end(), stored);
}

// Moves `count` threads from one local state to another, skipping slots already dealt with.
void move_threads(PlainSpace::Slots& slots, std::vector<bool>& done, LocalId from, LocalId to, std::uint32_t count) {
  for (std::size_t slot = 0; slot < done.size() && count > 0; ++slot) {
    if (done[slot] || slots[slot] != from) continue;
    slots[slot] = to;
    done[slot] = true;
    --count;
  }
  COHORT_EXPECT(count == 0, "counted threads exist");
}

// Applies the transition that the space just visited to concrete slots; returns the slots of new threads.
std::vector<std::size_t> apply(model::ThreadSystem& system, const CounterSpace& space, std::size_t active,
                               const model::ThreadSystem::Transition& transition, PlainSpace::Slots& slots) {
  std::vector<bool> done(slots.size(), false);
  done[active] = true;
  for (const PassiveChange& change : space.passive_changes()) {
    if (change.count > 0) move_threads(slots, done, change.from, change.to, change.count);
  }
  // The slot of an active thread that ends is free only after the step.
  slots[active] = transition.local;
  std::vector<std::size_t> spawned;
  for (std::uint32_t i = 0; i < space.spawned(); ++i) {
    std::size_t place = 0;
    while (place < slots.size() && (slots[place] != no_id || place == active)) ++place;
    if (place == slots.size()) slots.push_back(no_id);
    slots[place] = system.spawned(transition.spawns)[i];
    spawned.push_back(place);
  }
  while (!slots.empty() && slots.back() == no_id) slots.pop_back();
  return spawned;
}

// The step of the thread in `slot` of the program itself that the visited one, over objects without names, stands for.
// `places` says where the objects are that the step leaves for others to see.
model::ThreadSystem::Transition named_step(model::ThreadSystem& system, HeapNames& names, model::SharedId shared,
                                           LocalId local, model::ThreadSystem::Transition visited,
                                           const HeapNames::Places& places) {
  const auto with_children = [&](const model::ThreadSystem::Transition& own) {
    if ((own.spawns == no_id) != (visited.spawns == no_id)) return false;
    if (own.spawns == no_id) return true;
    const auto children = system.spawned(own.spawns);
    const auto wanted = system.spawned(visited.spawns);
    return std::equal(children.begin(), children.end(), wanted.begin(), wanted.end(),
                      [&](LocalId child, LocalId other) { return child == names.moved(other, places); });
  };
  const auto steps = system.successors(shared, local);
  for (const model::ThreadSystem::Transition own : std::vector(steps.begin(), steps.end())) {
    if (own.faults || own.edge != visited.edge || (own.local == no_id) != (visited.local == no_id)) continue;
    if (own.local != no_id && own.local != names.moved(visited.local, places)) continue;
    if (with_children(own) && names.agree(visited.shared, places, own.shared)) return own;
  }
  COHORT_UNREACHABLE("what can be done without names can be done with them");
}

// As below, where objects have no names: they get those of the program again.
model::Run concretize_names(model::ThreadSystem& system, CounterSpace& space, const StateStore& store,
                            const SearchOutcome& outcome) {
  const auto path = path_to(store, outcome.bad);
  HeapNames& names = *space.names();
  space.load(store.bytes(path[0]));
  PlainSpace::Slots slots;
  for (const Cell& cell : space.cells()) slots.insert(slots.end(), cell.count, cell.local);
  model::SharedId shared = space.shared();
  model::Run run{to_state(system, shared, slots), {}};
  // Where the objects of the stored state are in the program's; an object that nothing led to before is a new one.
  HeapNames::Places places = names.own_places();
  for (std::size_t i = 0; i < path.size(); ++i) {
    const bool last = i + 1 == path.size();
    if (last && !outcome.fault) break;
    space.load(store.bytes(path[i]));
    const bool found = !space.for_each_successor([&](LocalId active, const auto& transition) {
      if (transition.faults != last) return true;
      if (!last && !same_word(space.encode_next(), store.bytes(path[i + 1]))) return true;
      const LocalId own = names.moved(active, places);
      const auto slot = static_cast<std::size_t>(std::find(slots.begin(), slots.end(), own) - slots.begin());
      COHORT_EXPECT(slot < slots.size(), "a counted thread exists");
      if (last) {
        run.steps.push_back(fault_step(system, run.last(), slot, transition.edge));
        return false;
      }
      if (space.is_next_inside()) names.look(space.next_shared(), space.next_cells());
      HeapNames::Places left = places;
      for (std::size_t object = 0; object < left.size(); ++object) {
        if (names.places()[object] == HeapNames::nowhere) left[object] = HeapNames::nowhere;
      }
      const auto step = named_step(system, names, shared, own, transition, left);
      const model::EdgeRef edge{system.local(own).templ, step.edge};
      auto spawned = apply(system, space, slot, step, slots);
      shared = step.shared;
      run.steps.push_back({slot, edge, to_state(system, shared, slots), std::move(spawned), {}, 0});
      places = names.followed(left);
      return false;
    });
    COHORT_EXPECT(found, "a stored state is a successor of its parent");
  }
  return run;
}

}  // namespace

model::Run concretize(model::ThreadSystem& system, CounterSpace& space, const StateStore& store,
                      const SearchOutcome& outcome) {
  if (space.names() != nullptr) return concretize_names(system, space, store, outcome);
  const auto path = path_to(store, outcome.bad);
  space.load(store.bytes(path[0]));
  PlainSpace::Slots slots;
  for (const Cell& cell : space.cells()) slots.insert(slots.end(), cell.count, cell.local);
  model::Run run{to_state(system, space.shared(), slots), {}};
  for (std::size_t i = 0; i < path.size(); ++i) {
    const bool last = i + 1 == path.size();
    if (last && !outcome.fault) break;
    space.load(store.bytes(path[i]));
    const bool found = !space.for_each_successor([&](LocalId active, const auto& transition) {
      const auto slot = static_cast<std::size_t>(std::find(slots.begin(), slots.end(), active) - slots.begin());
      COHORT_EXPECT(slot < slots.size(), "a counted thread exists");
      if (last) {
        if (!transition.faults) return true;
        run.steps.push_back(fault_step(system, run.last(), slot, transition.edge));
        return false;
      }
      if (transition.faults || !same_word(space.encode_next(), store.bytes(path[i + 1]))) return true;
      const model::EdgeRef edge{system.local(active).templ, transition.edge};
      auto spawned = apply(system, space, slot, transition, slots);
      run.steps.push_back({slot, edge, to_state(system, transition.shared, slots), std::move(spawned), {}, 0});
      return false;
    });
    COHORT_EXPECT(found, "a stored state is a successor of its parent");
  }
  return run;
}

model::Run concretize(model::ThreadSystem& system, PlainSpace& space, const StateStore& store,
                      const SearchOutcome& outcome) {
  const auto path = path_to(store, outcome.bad);
  space.load(store.bytes(path[0]));
  model::Run run{to_state(system, space.shared(), space.slots()), {}};
  for (std::size_t i = 0; i < path.size(); ++i) {
    const bool last = i + 1 == path.size();
    if (last && !outcome.fault) break;
    space.load(store.bytes(path[i]));
    const bool found = !space.for_each_successor([&](std::size_t slot, const auto& transition) {
      if (last) {
        if (!transition.faults) return true;
        run.steps.push_back(fault_step(system, run.last(), slot, transition.edge));
        return false;
      }
      if (transition.faults || !same_word(space.encode_next(), store.bytes(path[i + 1]))) return true;
      const model::EdgeRef edge{system.local(space.slots()[slot]).templ, transition.edge};
      run.steps.push_back(
          {slot, edge, to_state(system, transition.shared, space.next_slots()), space.spawned(), {}, 0});
      return false;
    });
    COHORT_EXPECT(found, "a stored state is a successor of its parent");
  }
  return run;
}

}  // namespace cohort::engine::explicit_
