// Steps on sets of states: the paper's indirect_condition and indirect_assignment, compiled once for each edge and
// process, forward and backward.
//
// An assignment becomes a list of updates "where C holds, the cell becomes v", one for each cell that the chain of
// indirections on its left may end at and each value of its right-hand side.  The conditions are taken in the state
// before, so an assignment in which the target occurs on the right needs no special care: the image of D is the union
// of (exists cell: D and C) and cell = v.
#pragma once

#include <functional>
#include <vector>

#include "engine/pointer/terms.hpp"

namespace cohort::engine::pointer {

class Steps {
 public:
  // Throws dd::OutOfMemory.
  explicit Steps(const Encoding& encoding);

  const Encoding& encoding() const { return encoding_; }
  // States after one step of any process from one of `states`.
  dd::Bdd image(const dd::Bdd& states) const;
  // The same in parts, one for each step that can be taken.
  void for_each_image(const dd::Bdd& states, const std::function<void(const dd::Bdd&)>& visit) const;
  // States from which one step may lead to one of `states`.
  dd::Bdd preimage(const dd::Bdd& states) const;
  // States in which some step faults.
  const dd::Bdd& faulting() const { return faulting_; }

 private:
  struct Update {
    std::size_t cell = 0;
    Cell value = 0;
    dd::Bdd where;
  };
  struct Action {
    dd::Bdd guard{true};
    dd::Bdd fault;
    std::vector<std::vector<Update>> assigns;  // one after the other
  };
  struct Step {
    std::size_t location_cell = 0;
    Cell source = 0;
    Cell target = 0;
    std::vector<Action> actions;
  };

  Action compile(Terms& terms, const model::Action& action, std::size_t process) const;
  std::vector<Update> updates(Terms& terms, const model::Assign& assign, std::size_t process, dd::Bdd& fault) const;
  dd::Bdd apply(const std::vector<Update>& updates, const dd::Bdd& states) const;
  dd::Bdd unapply(const std::vector<Update>& updates, const dd::Bdd& states) const;
  dd::Bdd after(const Step& step, const dd::Bdd& states) const;
  dd::Bdd before_fault(const Step& step) const;

  const Encoding& encoding_;
  std::vector<Step> steps_;
  dd::Bdd faulting_;
};

}  // namespace cohort::engine::pointer
