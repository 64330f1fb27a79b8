// Which locals can still matter: the inactive-variable elimination of section 5 of the RED paper.
//
// A local x of a process is active where the process may read it before it is written.  Others' reads (a chain of
// indirections that passes through x, a property) make x active everywhere; reading a pointer in order to follow it is
// reading it.  The analysis runs backward over the template, from locations to locations, and keeps for each location
// and local the upper approximation as a condition over the *atoms* y = P, one for each of up to six local pointers y
// that no other process writes: `y->x = e` overwrites x exactly if y = P.  So the MCS lock's `next` is found inactive
// in modes 2 to 4 if prev = P, as in the paper.  A condition is a set of valuations of the atoms, kept as 64 bits.
//
// Why resetting is exact: let s and t agree on locations, shared variables and the locals active in s.  Then every step
// of s is a step of t and the results agree on what is active in s's successor, since a local that is active there is
// written by the step, with a value read from active locals, or was active before.  So the relation is a bisimulation,
// and s is bisimilar to s with its inactive locals reset.  x's own condition does not depend on the atom of x, so a
// reset does not change it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/pointer/layout.hpp"

namespace cohort::engine::pointer {

class Activity {
 public:
  static constexpr std::size_t most_atoms = 6;
  using Condition = std::uint64_t;  // bit v: active when the atoms have the valuation v

  explicit Activity(const Layout& layout);
  // Everything is active everywhere.
  static Activity everything(const Layout& layout);

  // The locals whose atoms the conditions speak of.
  const std::vector<std::uint32_t>& atoms() const { return atoms_; }
  Condition condition(std::size_t location, std::size_t var) const { return active_[location][var]; }
  // A mask of the valuations that exist.
  Condition always() const;
  bool ever_active(std::size_t location, std::size_t var) const { return active_[location][var] != 0; }

  // Gives the inactive locals of all processes their default values.
  void reset(std::span<Cell> cells) const;
  // Those of one process.
  void reset(std::span<Cell> cells, std::size_t process) const;

 private:
  struct Unanalysed {};
  Activity(const Layout& layout, Unanalysed) : layout_(&layout) {}

  void find_atoms();
  void solve(const std::vector<bool>& observed);
  Condition before_edge(const model::Edge& edge, std::size_t var) const;
  Condition before_action(const model::Action& action, std::size_t var, Condition after) const;
  enum class Truth : std::uint8_t { False, True, Unknown };
  Truth judge(model::ExprId condition, std::size_t valuation) const;
  Truth points_to_self(model::ExprId pointer, std::size_t valuation) const;
  // The valuations that the atoms may have after the action, as a condition.
  Condition valuations_after(const model::Action& action, std::size_t valuation) const;
  std::size_t atom_of(std::uint32_t var) const;  // atoms_.size(): none
  std::size_t valuation(std::span<const Cell> cells, std::size_t process) const;

  const Layout* layout_;
  std::vector<std::uint32_t> atoms_;
  std::vector<std::vector<Condition>> active_;  // [location][local]
};

}  // namespace cohort::engine::pointer
