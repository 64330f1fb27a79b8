// Numbers for everything that steps of different threads can tell each other through: shared variables, locals that
// other threads see, watched locations and those that other threads bring a thread to or take it from, and whether a
// slot is taken.  Arrays have one cell for each element.  What a thread tells only itself (its other places and its own
// locals) needs no cells: program order stands for it.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "engine/bmc/plan.hpp"
#include "model/program.hpp"
#include "smt/context.hpp"

namespace cohort::engine::bmc {

class Cells {
 public:
  Cells(const model::Program& program, const Plan& plan);

  std::size_t size() const { return size_; }
  std::size_t shared(std::size_t slot_in_valuation) const { return slot_in_valuation; }
  // None where only the owner looks.
  std::optional<std::size_t> local(std::size_t slot, model::TemplateId templ, model::VarId var,
                                   std::size_t element) const;
  std::optional<std::size_t> place(std::size_t slot, model::TemplateId templ, model::LocId location) const;
  // May a step of another thread bring a thread of the template here, or take it away?  Then the place has cells.
  bool others_move(model::TemplateId templ, model::LocId location) const {
    return others_move_[templ.value][location.value];
  }
  std::size_t alive(std::size_t slot) const { return first_alive_ + slot; }

 private:
  std::size_t size_ = 0;
  std::size_t first_alive_ = 0;
  std::vector<std::vector<bool>> others_move_;  // [template][location]
  // [slot][template][variable or location]: the first cell, or none.
  std::vector<std::vector<std::vector<std::optional<std::size_t>>>> locals_;
  std::vector<std::vector<std::vector<std::optional<std::size_t>>>> places_;
};

// A cell that is read or written, where `when` holds (an index that selects it).
struct Access {
  std::size_t cell = 0;
  smt::Term when;
};

}  // namespace cohort::engine::bmc
