// Where threads live in the unrolled formula: a fixed number of slots, each with the threads it may hold.
//
// When each thread makes each of its children at most once (no spawn lies on a cycle) and the children are few, every
// spawn gets a slot of its own that nothing else uses.  New threads then depend on nothing but their creator, and a
// slot has one template.  Otherwise slots are reused exactly as the interpreter does: a new thread takes the first
// empty one and, at the bound, none.  Control flow here is that of the thread's own edges and of the steps of others
// that bring it from one place to another.
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

// Where a thread may be at the start.
struct Home {
  model::TemplateId templ;
  model::LocId location;
  std::uint32_t group = 0;  // of initial threads
};

struct Slot {
  std::vector<model::TemplateId> templates;  // of the threads that it may hold
  // Its thread at the start; none: it is empty then.  Several groups without a count share the slots that the others
  // leave: their threads start in ascending order of their groups.
  std::vector<Home> starts;
};

// An edge may bring another thread of `templ` from one place to another, or end it.
struct Shift {
  model::TemplateId templ;
  model::LocId from;
  std::optional<model::LocId> to;
  model::EdgeRef by;
};
std::vector<Shift> shifts_of(const model::Program& program);

class Plan {
 public:
  // Needs refusal() to be none.
  Plan(const model::Program& program, std::optional<std::uint32_t> bound);

  // What in the program cannot be planned; none: nothing.
  static std::optional<std::string> refusal(const model::Program& program, std::optional<std::uint32_t> bound);

  const std::vector<Slot>& slots() const { return slots_; }
  bool reuses_slots() const { return reuses_; }
  // Can a step or a property tell a thread by its number?  Then threads in the same state may differ.
  bool names_threads() const { return names_threads_; }
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
  std::vector<bool> reachable_from(const model::Program& program, model::TemplateId templ,
                                   const std::vector<model::LocId>& starts) const;
  void add_initial(const model::Program& program, std::optional<std::uint32_t> bound);

  std::vector<Slot> slots_;
  std::vector<std::vector<model::LocId>> starts_;  // by slot, where every spawn has its own
  std::map<std::tuple<std::size_t, std::uint32_t, std::size_t>, std::size_t> children_;
  std::vector<Shift> shifts_;
  bool reuses_ = false;
  bool names_threads_ = false;
};

}  // namespace cohort::engine::bmc
