// Where threads live in the unrolled formula: a fixed number of slots, each with the threads it may hold.
//
// When each thread makes each of its children at most once (no spawn lies on a cycle) and the children are few, every
// spawn gets a slot of its own that nothing else uses.  New threads then depend on nothing but their creator, and a
// slot has one template.  Otherwise slots are reused exactly as the interpreter does: a new thread takes the first
// empty one and, at the bound, none.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "model/program.hpp"

namespace cohort::engine::bmc {

struct Slot {
  std::vector<model::TemplateId> templates;    // of the threads that it may hold
  std::optional<model::LocId> initial;         // a thread of templates[0] starts here
  std::optional<std::uint32_t> initial_group;  // the group of initial threads that it belongs to
};

class Plan {
 public:
  // Needs refusal() to be none.
  Plan(const model::Program& program, std::optional<std::uint32_t> bound);

  // What in the program cannot be planned; none: nothing.
  static std::optional<std::string> refusal(const model::Program& program, std::optional<std::uint32_t> bound);

  const std::vector<Slot>& slots() const { return slots_; }
  bool reuses_slots() const { return reuses_; }
  // Steps of the longest execution that the control flow allows, along edges that `usable` gives to the thread of a
  // slot; none where some thread may run in a loop.
  using Usable = std::function<bool(std::size_t slot, model::EdgeRef edge)>;
  std::optional<std::uint64_t> longest_execution(const model::Program& program, const Usable& usable) const;
  // By location: can control bring the threads of the slot, which are of this template, there?
  std::vector<bool> reachable_places(const model::Program& program, std::size_t slot, model::TemplateId templ) const;
  // The slot of the child that the `spawn`-th spawn of an edge makes when the thread in `slot` takes it.
  std::size_t child(std::size_t slot, std::uint32_t edge, std::size_t spawn) const;

 private:
  bool give_own_slots(const model::Program& program, std::optional<std::uint32_t> bound);
  void share_slots(const model::Program& program, std::uint32_t bound);
  void add_initial(const model::Program& program, std::optional<std::uint32_t> bound);

  std::vector<Slot> slots_;
  std::vector<model::LocId> starts_;  // by slot, where every spawn has its own
  std::map<std::tuple<std::size_t, std::uint32_t, std::size_t>, std::size_t> children_;
  bool reuses_ = false;
};

}  // namespace cohort::engine::bmc
