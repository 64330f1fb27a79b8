// A program that allocates gives the same structure different addresses in every order of its allocations.  Here a
// state is replaced by one in which the objects of each family lie in the order of a walk: first from the shared
// variables, in the order of their slots, then from the threads, in the order of how each of them looks when the
// objects that only threads lead to are numbered as it comes to them.  What the walk does not come to is garbage: it
// gets the values that it had before the first allocation, unless it may be handed out again with what stands in it.
//
// Why it is exact.  By the promise of model/heap.hpp a permutation of the objects of a family is an automorphism of the
// program's executions, outside of atomic sections, and garbage has no influence.  So the state and the one that it is
// replaced by are bisimilar, threads move in one as in the other and violate the same properties; the reachable states
// of the quotient are the images of the reachable states (Ip and Dill's scalarsets, for memory; Iosif's canonical
// heaps). Objects are handed out in the order of their numbers, and those that the walk reaches are placed at the
// front: at most as many as have been handed out, so that the next object to be handed out is still one that nobody
// has.
//
// Which permutation is chosen is a matter of cost alone.  Two threads that look the same may be told apart by what
// else leads to their objects; then equivalent states may stay different.  (Canonical graphs would be exact in that,
// too, and dear: for every step of the search.)
//
// Cost: one pass over the slots that hold addresses and over the objects reached; two interned states where something
// moves.
#include "engine/explicit/heap_names.hpp"

#include <algorithm>

#include "base/contract.hpp"

namespace cohort::engine::explicit_ {

using model::Value;
using model::VarId;

bool HeapNames::cover(const model::Program& program) {
  if (!model::heap_of(program)) return false;
  for (const model::Template& templ : program.templates) {
    for (const model::Edge& edge : templ.edges) {
      for (const model::Action& action : edge.actions) {
        if (!action.takes.empty() || !action.moves.empty() || model::is_broadcast(program.exprs, action)) return false;
      }
    }
  }
  return true;
}

HeapNames::HeapNames(model::ThreadSystem& system) : system_(system) {
  const model::Program& program = system.program();
  COHORT_EXPECT(cover(program), "the heap of the program is known");
  const model::Heap heap = *model::heap_of(program);
  const std::uint32_t slots = program.shared_slots();
  std::vector<bool> addresses(slots, false);
  const auto each_slot = [](const model::Variable& variable, auto&& visit) {
    for (std::uint32_t i = 0; i < variable.type.slots(); ++i) visit(variable.slot + i);
  };
  for (const VarId var : heap.shared) {
    each_slot(program.shared[var.value], [&](std::uint32_t slot) { addresses[slot] = true; });
  }
  initial_.assign(slots, 0);
  in_column_.assign(slots, false);
  std::uint32_t objects = 0;
  for (const model::Heap::Family& given : heap.families) {
    COHORT_EXPECT(given.stride > 0 && given.count > 0, "a family has objects");
    Family family{given.address, given.stride, given.count, objects, given.comes_back, {}};
    for (const VarId var : given.columns) {
      const model::Variable& variable = program.shared[var.value];
      COHORT_EXPECT(variable.type.slots() % given.count == 0, "every object has as many elements");
      COHORT_EXPECT(!variable.initial.empty(), "memory that nobody has written has a fixed value");
      family.columns.push_back({variable.slot, variable.type.slots() / given.count, addresses[variable.slot]});
      std::uint32_t element = 0;
      each_slot(variable, [&](std::uint32_t slot) {
        COHORT_EXPECT(!in_column_[slot], "a part of memory belongs to one object");
        in_column_[slot] = true;
        initial_[slot] = variable.initial[variable.initial.size() == 1 ? 0 : element];
        ++element;
      });
    }
    objects += given.count;
    families_.push_back(std::move(family));
  }
  for (std::uint32_t slot = 0; slot < slots; ++slot) {
    if (addresses[slot] && !in_column_[slot]) roots_.push_back(slot);
  }
  locals_.resize(program.templates.size());
  for (std::size_t i = 0; i < heap.locals.size(); ++i) {
    for (const VarId var : heap.locals[i]) {
      each_slot(program.templates[i].local(var), [&](std::uint32_t slot) { locals_[i].push_back(slot); });
    }
  }
  for (const Family& family : families_) {
    for (std::uint32_t i = 0; i < family.count; ++i) own_.push_back(i);
  }
}

std::optional<HeapNames::Object> HeapNames::at(Value address) const {
  for (std::uint32_t i = 0; i < families_.size(); ++i) {
    const Family& family = families_[i];
    const Value distance = address - family.address;
    if (distance < 0 || distance >= family.stride * static_cast<Value>(family.count)) continue;
    return Object{i, static_cast<std::uint32_t>(distance / family.stride)};
  }
  return std::nullopt;
}

Value HeapNames::moved_address(Value address, const Places& places) const {
  const auto object = at(address);
  if (!object) return address;
  const std::uint32_t place = places[index(*object)];
  COHORT_EXPECT(place != nowhere, "what an address leads to has a place");
  return address + (static_cast<Value>(place) - static_cast<Value>(object->number)) * families_[object->family].stride;
}

void HeapNames::place(const Object& object) {
  places_[index(object)] = placed_[object.family]++;
}

void HeapNames::reach(Value address) {
  const auto object = at(address);
  if (!object || places_[index(*object)] != nowhere) return;
  place(*object);
  reached_.push_back(*object);
}

// Follows the addresses in the objects reached so far, and in those that this leads to.
void HeapNames::walk() {
  for (; walked_ < reached_.size(); ++walked_) {
    const Object object = reached_[walked_];
    for (const Column& column : families_[object.family].columns) {
      if (!column.holds_addresses) continue;
      for (std::uint32_t i = 0; i < column.size; ++i) reach((*state_)[column.slot + object.number * column.size + i]);
    }
  }
}

HeapNames::View HeapNames::view_of(const std::vector<Cell>& cells, std::size_t cell) const {
  const model::ThreadState& thread = system_.local(cells[cell].local);
  View view{{thread.templ.value, thread.location.value}, cell};
  // What has no place yet is counted as the thread comes to it.
  std::vector<Object> own;
  const auto see = [&](Value address) {
    const auto object = at(address);
    if (!object) {
      view.key.insert(view.key.end(), {0, address});
      return;
    }
    const Family& family = families_[object->family];
    const Value inside = (address - family.address) % family.stride;
    if (const std::uint32_t place = places_[index(*object)]; place != nowhere) {
      view.key.insert(view.key.end(), {1, object->family, place, inside});
      return;
    }
    const auto known = std::find_if(own.begin(), own.end(), [&](const Object& other) {
      return other.family == object->family && other.number == object->number;
    });
    view.key.insert(view.key.end(), {2, object->family, known - own.begin(), inside});
    if (known == own.end()) own.push_back(*object);
  };
  std::vector<bool> is_address(thread.locals.size(), false);
  for (const std::uint32_t slot : locals_[thread.templ.value]) is_address[slot] = true;
  for (std::size_t slot = 0; slot < thread.locals.size(); ++slot) {
    if (is_address[slot]) {
      see(thread.locals[slot]);
    } else {
      view.key.push_back(thread.locals[slot]);
    }
  }
  for (std::size_t i = 0; i < own.size(); ++i) {
    const Object object = own[i];
    for (const Column& column : families_[object.family].columns) {
      for (std::uint32_t j = 0; j < column.size; ++j) {
        const Value value = (*state_)[column.slot + object.number * column.size + j];
        if (column.holds_addresses) {
          see(value);
        } else {
          view.key.push_back(value);
        }
      }
    }
  }
  return view;
}

void HeapNames::walk_threads(const std::vector<Cell>& cells) {
  const auto is_open = [&](std::size_t cell) {
    const model::ThreadState& thread = system_.local(cells[cell].local);
    const auto& slots = locals_[thread.templ.value];
    return std::any_of(slots.begin(), slots.end(), [&](std::uint32_t slot) {
      const auto object = at(thread.locals[slot]);
      return object && places_[index(*object)] == nowhere;
    });
  };
  std::vector<View> views;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (is_open(i)) views.push_back(view_of(cells, i));
  }
  std::stable_sort(views.begin(), views.end(),
                   [](const View& left, const View& right) { return left.key < right.key; });
  for (const View& view : views) {
    const model::ThreadState& thread = system_.local(cells[view.cell].local);
    for (const std::uint32_t slot : locals_[thread.templ.value]) reach(thread.locals[slot]);
    walk();
  }
}

// Does it look as if it had never been handed out?
bool HeapNames::is_fresh(const Object& object) const {
  const auto& columns = families_[object.family].columns;
  return std::all_of(columns.begin(), columns.end(), [&](const Column& column) {
    const std::uint32_t begin = column.slot + object.number * column.size;
    for (std::uint32_t slot = begin; slot < begin + column.size; ++slot) {
      if ((*state_)[slot] != initial_[slot]) return false;
    }
    return true;
  });
}

// What may be handed out again keeps what stands in it, and so all that this leads to.
void HeapNames::place_freed() {
  for (std::uint32_t i = 0; i < families_.size(); ++i) {
    const Family& family = families_[i];
    if (!family.comes_back) continue;
    std::vector<std::pair<std::vector<Value>, Object>> kept;
    for (std::uint32_t number = 0; number < family.count; ++number) {
      const Object object{i, number};
      if (places_[index(object)] != nowhere || is_fresh(object)) continue;
      std::vector<Value> content;
      for (const Column& column : family.columns) {
        for (std::uint32_t j = 0; j < column.size; ++j) {
          const Value value = (*state_)[column.slot + number * column.size + j];
          const auto target = column.holds_addresses ? at(value) : std::nullopt;
          content.push_back(target ? Value{places_[index(*target)]} : value);
        }
      }
      kept.emplace_back(std::move(content), object);
    }
    std::stable_sort(kept.begin(), kept.end(),
                     [](const auto& left, const auto& right) { return left.first < right.first; });
    for (const auto& [content, object] : kept) {
      if (places_[index(object)] != nowhere) continue;
      place(object);
      reached_.push_back(object);
      walk();
    }
  }
}

bool HeapNames::stays() const {
  for (std::uint32_t i = 0; i < families_.size(); ++i) {
    for (std::uint32_t number = 0; number < families_[i].count; ++number) {
      const Object object{i, number};
      const std::uint32_t place = places_[index(object)];
      if (place == nowhere ? !is_fresh(object) : place != number) return false;
    }
  }
  return true;
}

model::SharedId HeapNames::rebuilt() const {
  model::Valuation next = *state_;
  for (const std::uint32_t slot : roots_) next[slot] = moved_address(next[slot], places_);
  for (std::size_t slot = 0; slot < next.size(); ++slot) {
    if (in_column_[slot]) next[slot] = initial_[slot];
  }
  for (const Object& object : reached_) {
    for (const Column& column : families_[object.family].columns) {
      for (std::uint32_t i = 0; i < column.size; ++i) {
        const Value value = (*state_)[column.slot + object.number * column.size + i];
        next[column.slot + places_[index(object)] * column.size + i] =
            column.holds_addresses ? moved_address(value, places_) : value;
      }
    }
  }
  return system_.intern_shared(next);
}

model::LocalId HeapNames::moved(model::LocalId local, const Places& places) {
  const auto& slots = locals_[system_.local(local).templ.value];
  const auto differs = [&](std::uint32_t slot) {
    const Value value = system_.local(local).locals[slot];
    return moved_address(value, places) != value;
  };
  if (std::none_of(slots.begin(), slots.end(), differs)) return local;
  model::ThreadState thread = system_.local(local);
  for (const std::uint32_t slot : slots) thread.locals[slot] = moved_address(thread.locals[slot], places);
  return system_.intern_local(thread);
}

void HeapNames::find_reached(model::SharedId shared, const std::vector<Cell>& cells) {
  state_ = &system_.shared(shared);
  places_.assign(own_.size(), nowhere);
  placed_.assign(families_.size(), 0);
  reached_.clear();
  walked_ = 0;
  for (const std::uint32_t slot : roots_) reach((*state_)[slot]);
  walk();
  walk_threads(cells);
  place_freed();
}

void HeapNames::look(model::SharedId shared, const std::vector<Cell>& cells) {
  find_reached(shared, cells);
  for (const Object& object : reached_) places_[index(object)] = object.number;
}

void HeapNames::settle(model::SharedId& shared, std::vector<Cell>& cells) {
  find_reached(shared, cells);
  if (stays()) return;
  shared = rebuilt();
  bool is_changed = false;
  for (Cell& cell : cells) {
    const model::LocalId to = moved(cell.local, places_);
    is_changed = is_changed || to != cell.local;
    cell.local = to;
  }
  // Threads that differed differ still: places are given once.
  if (!is_changed) return;
  std::sort(cells.begin(), cells.end(), [](const Cell& left, const Cell& right) { return left.local < right.local; });
}

HeapNames::Places HeapNames::followed(const Places& places) const {
  Places result = own_;
  for (const Family& family : families_) {
    for (std::uint32_t i = 0; i < family.count; ++i) {
      const std::uint32_t object = family.first + i;
      if (places_[object] != nowhere) result[family.first + places_[object]] = places[object];
    }
  }
  return result;
}

bool HeapNames::agree(model::SharedId first, const Places& places, model::SharedId second) const {
  const model::Valuation& before = system_.shared(first);
  const model::Valuation& after = system_.shared(second);
  std::vector<bool> is_root(before.size(), false);
  for (const std::uint32_t slot : roots_) {
    is_root[slot] = true;
    if (moved_address(before[slot], places) != after[slot]) return false;
  }
  for (std::size_t slot = 0; slot < before.size(); ++slot) {
    if (!is_root[slot] && !in_column_[slot] && before[slot] != after[slot]) return false;
  }
  for (const Family& family : families_) {
    for (std::uint32_t number = 0; number < family.count; ++number) {
      const std::uint32_t place = places[family.first + number];
      if (place == nowhere) continue;
      for (const Column& column : family.columns) {
        for (std::uint32_t i = 0; i < column.size; ++i) {
          const Value value = before[column.slot + number * column.size + i];
          const Value expected = column.holds_addresses ? moved_address(value, places) : value;
          if (after[column.slot + place * column.size + i] != expected) return false;
        }
      }
    }
  }
  return true;
}

}  // namespace cohort::engine::explicit_
