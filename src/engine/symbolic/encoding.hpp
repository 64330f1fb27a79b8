// Which decision diagram variable stands for which program variable.  Every value is Boolean, so a slot of a valuation
// is one variable; it comes in several copies: before and after a step, a middle copy for composing two steps, and for
// locals also the copies of new threads, of a passive thread before and after, and of the other members of a tied set.
// Copies of one slot are neighbours in the order, which keeps assignments and equalities small; shared variables stand
// above all locals.
//
// The search without symmetry additionally gives each thread slot its own copies of the locals.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/env.hpp"
#include "dd/manager.hpp"
#include "model/program.hpp"

namespace cohort::engine::symbolic {

enum class Copy : std::uint8_t { Before, After, Middle };

class Encoding {
 public:
  // `thread_slots`: how many threads get copies of their own; 0 for counter abstraction.  `members`: how many threads a
  // tied set may have.
  Encoding(Env& env, const model::Program& program, std::uint32_t thread_slots, std::uint32_t members = 1);

  std::uint32_t shared_slots() const { return shared_slots_; }
  // The most that any template has.
  std::uint32_t local_slots() const { return local_slots_; }

  // The most threads that one action makes.
  std::uint32_t children() const { return children_; }

  dd::Var shared(std::size_t slot, Copy copy = Copy::Before) const;
  dd::Var local(std::size_t slot, Copy copy = Copy::Before) const;
  dd::Var child(std::size_t number, std::size_t slot) const;
  dd::Var passive(std::size_t slot, Copy copy = Copy::Before) const;
  // The locals of member `number` of a tied set; those of the first are `local`.
  dd::Var member(std::size_t number, std::size_t slot) const;
  std::uint32_t members() const { return members_; }
  dd::Var choice(std::size_t number) const { return first_choice_ + static_cast<dd::Var>(number); }
  dd::Var thread_local_copy(std::size_t thread, std::size_t slot, Copy copy = Copy::Before) const;

  // The other copies of a variable that is given by its copy Before.
  static dd::Var after(dd::Var before) { return before + static_cast<dd::Var>(Copy::After); }
  static dd::Var middle(dd::Var before) { return before + static_cast<dd::Var>(Copy::Middle); }

  dd::Manager& manager() const { return *manager_; }
  dd::Bdd literal(dd::Var variable, bool value = true) const { return manager_->literal(variable, value); }

  const dd::VarSet& shared_vars() const { return *shared_vars_; }
  const dd::VarSet& local_vars() const { return *local_vars_; }
  const dd::VarSet& choice_vars() const { return *choice_vars_; }
  std::vector<dd::Var> child_vars(std::size_t number) const;
  std::vector<dd::Var> member_vars(std::size_t number) const;

  // Sifts the variables if the diagrams have at least doubled since the last time; returns whether it did.
  bool reorder_after_growth();

  // All copies After to Before: shared variables, locals, passive locals, thread copies.
  dd::Bdd after_to_before(const dd::Bdd& f) const { return (*after_to_before_)(f); }
  dd::Bdd local_to_passive(const dd::Bdd& f) const { return (*local_to_passive_)(f); }
  dd::Bdd passive_to_local(const dd::Bdd& f) const { return (*passive_to_local_)(f); }
  dd::Bdd child_to_local(std::size_t number, const dd::Bdd& f) const { return child_to_local_[number](f); }

 private:
  // Smaller diagrams are not worth the time.
  static constexpr std::uint64_t least_nodes_to_reorder = std::uint64_t{1} << 15U;

  std::uint64_t next_reordering_ = least_nodes_to_reorder;  // nodes in use
  std::uint32_t shared_slots_ = 0;
  std::uint32_t local_slots_ = 0;
  std::uint32_t children_ = 0;
  std::uint32_t members_ = 1;
  std::uint32_t per_local_ = 0;
  std::uint32_t thread_slots_ = 0;
  dd::Var first_thread_ = 0;
  dd::Var first_choice_ = 0;
  std::uint32_t choices_ = 0;
  // Declared before everything that refers into it, so that it is destroyed last.
  std::unique_ptr<dd::Manager> manager_;
  std::unique_ptr<dd::VarSet> shared_vars_;
  std::unique_ptr<dd::VarSet> local_vars_;
  std::unique_ptr<dd::VarSet> choice_vars_;
  std::unique_ptr<dd::Renaming> after_to_before_;
  std::unique_ptr<dd::Renaming> local_to_passive_;
  std::unique_ptr<dd::Renaming> passive_to_local_;
  std::vector<dd::Renaming> child_to_local_;
};

}  // namespace cohort::engine::symbolic
