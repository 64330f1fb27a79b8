// Objects without names, compared with all permutations of small heaps.
#include "engine/explicit/heap_names.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <set>
#include <vector>

#include <gtest/gtest.h>

namespace cohort::engine::explicit_ {
namespace {

using model::Type;
using model::Valuation;
using model::Value;
using model::VarId;

constexpr std::uint32_t objects = 3;
constexpr Value first_address = 16;
constexpr Value stride = 8;

// Shared: root, value[3], next[3].  Threads have a pointer of their own.
model::Program program_with_heap(bool comes_back = false) {
  const Type address = Type::fixed(64, true);
  model::Program program;
  const VarId root = program.add_shared({.name = "root", .type = address, .initial = {0}});
  const VarId value = program.add_shared({.name = "value", .type = Type::boolean().array_of(objects), .initial = {0}});
  const VarId next = program.add_shared({.name = "next", .type = address.array_of(objects), .initial = {0}});
  model::Template templ{.name = "thread"};
  const VarId own = templ.add_local({.name = "own", .type = address, .initial = {0}});
  templ.entry = templ.add_location({});
  const model::LocId entry = templ.entry;
  program.initial.push_back({program.add_template(std::move(templ)), entry, 2});
  model::Heap heap;
  heap.families.push_back({.address = first_address,
                           .stride = stride,
                           .count = objects,
                           .columns = {value, next},
                           .comes_back = comes_back});
  heap.shared = {root, next};
  heap.locals = {{own}};
  model::Atlas atlas;
  heap.write(atlas);
  program.atlas = std::make_shared<const model::Atlas>(std::move(atlas));
  return program;
}

constexpr std::uint32_t none = objects;

// Objects by number; `none` is NULL.
struct Small {
  std::uint32_t root = none;
  std::array<std::uint32_t, objects> next{none, none, none};
  std::array<Value, objects> value{};
  std::array<std::uint32_t, 2> own{none, none};

  auto operator<=>(const Small&) const = default;
};

Value address(std::uint32_t object) {
  return object == none ? 0 : first_address + stride * static_cast<Value>(object);
}

std::uint32_t object(Value address) {
  return address == 0 ? none : static_cast<std::uint32_t>((address - first_address) / stride);
}

std::set<std::uint32_t> reachable(const Small& state) {
  std::set<std::uint32_t> seen;
  std::vector<std::uint32_t> pending{state.root, state.own[0], state.own[1]};
  while (!pending.empty()) {
    const std::uint32_t at = pending.back();
    pending.pop_back();
    if (at != none && seen.insert(at).second) pending.push_back(state.next[at]);
  }
  return seen;
}

// The objects of a permuted state without garbage, threads sorted.
Small permuted(const Small& state, const std::array<std::uint32_t, objects>& to) {
  const auto move = [&](std::uint32_t from) { return from == none ? none : to[from]; };
  Small result{.root = move(state.root)};
  for (const std::uint32_t one : reachable(state)) {
    result.next[to[one]] = move(state.next[one]);
    result.value[to[one]] = state.value[one];
  }
  result.own = {move(state.own[0]), move(state.own[1])};
  std::sort(result.own.begin(), result.own.end());
  return result;
}

std::set<Small> orbit(const Small& state) {
  std::array<std::uint32_t, objects> to{0, 1, 2};
  std::set<Small> all;
  do {
    all.insert(permuted(state, to));
  } while (std::next_permutation(to.begin(), to.end()));
  return all;
}

class Settler {
 public:
  explicit Settler(bool comes_back = false)
      : program_(program_with_heap(comes_back)), system_(program_), names_(system_) {}

  Small operator()(const Small& state) {
    Valuation shared{address(state.root)};
    shared.insert(shared.end(), state.value.begin(), state.value.end());
    for (const std::uint32_t next : state.next) shared.push_back(address(next));
    model::SharedId id = system_.intern_shared(shared);
    std::map<model::LocalId, std::uint32_t> counts;
    for (const std::uint32_t own : state.own) {
      ++counts[system_.intern_local({model::TemplateId(0), model::LocId(0), false, {address(own)}})];
    }
    std::vector<Cell> cells;
    for (const auto& [local, count] : counts) cells.push_back({local, count});
    names_.settle(id, cells);
    const Valuation& after = system_.shared(id);
    Small result{.root = object(after[0])};
    for (std::uint32_t i = 0; i < objects; ++i) {
      result.value[i] = after[1 + i];
      result.next[i] = object(after[1 + objects + i]);
    }
    std::vector<std::uint32_t> own;
    for (const Cell& cell : cells) own.insert(own.end(), cell.count, object(system_.local(cell.local).locals[0]));
    std::copy(own.begin(), own.end(), result.own.begin());
    std::sort(result.own.begin(), result.own.end());
    return result;
  }

  HeapNames& names() { return names_; }

 private:
  model::Program program_;
  model::ThreadSystem system_;
  HeapNames names_;
};

template <class Visit>
void for_each_small(Visit&& visit) {
  const std::uint32_t pointers = (none + 1) * (none + 1) * (none + 1) * (none + 1) * (none + 1) * (none + 1);
  for (std::uint32_t number = 0; number < pointers * 8; ++number) {
    std::uint32_t rest = number;
    const auto digit = [&](std::uint32_t base) {
      const std::uint32_t result = rest % base;
      rest /= base;
      return result;
    };
    Small state;
    state.root = digit(none + 1);
    for (std::uint32_t& next : state.next) next = digit(none + 1);
    for (std::uint32_t& own : state.own) own = digit(none + 1);
    for (Value& value : state.value) value = digit(2);
    visit(state);
  }
}

// A walk that misses a root, or an address in an object, would leave the orbit.
TEST(HeapNames, StayInTheOrbitAndAreTheSameForAllOfIt) {
  Settler settle;
  std::map<Small, std::set<Small>> forms;  // by the least of the orbit
  for_each_small([&](const Small& state) {
    const Small settled = settle(state);
    const std::set<Small> all = orbit(state);
    ASSERT_TRUE(all.contains(settled));
    forms[*all.begin()].insert(settled);
  });
  // Two threads that look alike may be told apart by how they lie to each other: with pointers to two of three objects
  // in a circle, one is a step ahead of the other or two.  This is the only shape here, with each of the two values.
  std::size_t split = 0;
  for (const auto& [least, settled] : forms) split += settled.size() > 1 ? 1 : 0;
  EXPECT_EQ(split, 2U);
  EXPECT_GT(forms.size(), 1000U);
}

TEST(HeapNames, SettleWhatIsSettled) {
  Settler settle;
  for_each_small([&](const Small& state) {
    const Small once = settle(state);
    ASSERT_EQ(settle(once), once);
    for (const std::uint32_t one : reachable(once)) {
      ASSERT_EQ(settle.names().places()[one], one);
      ASSERT_LT(one, reachable(once).size()) << "what is reached lies in front, so that new objects come after it";
    }
  });
}

TEST(HeapNames, KeepWhatMayBeHandedOutAgain) {
  Settler settle(true);
  // Nothing leads to object 1, which holds something and leads to object 2.
  const Small state{.root = none, .next = {none, 2, none}, .value = {0, 1, 1}, .own = {none, none}};
  const Small settled = settle(state);
  EXPECT_EQ(std::count(settled.value.begin(), settled.value.end(), 1), 2);
  EXPECT_EQ(std::count(settled.next.begin(), settled.next.end(), none), 2);
}

}  // namespace
}  // namespace cohort::engine::explicit_
