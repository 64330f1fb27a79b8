// States as assignments of BDD variables.  Every cell is a binary number, the highest bit first: the shared cells, then
// process after process its location and locals.  The RED paper interleaves the bits of all processes.  But a
// representative lists the processes along the structure that they build, so that a process depends on its neighbours
// above all: with the processes one after the other the diagrams of the MCS lock with 5 processes have a sixth of the
// nodes.  Where symmetry is not used, it can be worse: the ring with 6 processes takes four times as long.  Codes that
// are no value of the cell are outside valid().
#pragma once

#include <functional>
#include <vector>

#include "dd/bdd.hpp"
#include "dd/manager.hpp"
#include "engine/pointer/layout.hpp"

namespace cohort::engine::pointer {

class Encoding {
 public:
  explicit Encoding(const Layout& layout, std::function<bool()> stop_check, std::uint64_t memory_bytes);

  const Layout& layout() const { return *layout_; }
  const dd::Manager& manager() const { return manager_; }
  // Throws dd::OutOfMemory when it is time to stop.  The manager asks at its collections, which can be rare; loops over
  // processes and steps ask here.
  void poll() const;

  // The states in which the cell has this value.
  const dd::Bdd& equals(std::size_t cell, Cell value) const { return equals_[cell][value]; }
  dd::Bdd at(std::size_t process, Cell location) const { return equals(layout_->location_cell(process), location); }
  dd::Bdd valid() const;
  // The cell may have any code afterwards.
  dd::Bdd forget(const dd::Bdd& states, std::size_t cell) const { return exists(states, bits_[cell].set); }
  // The states that become one of `states` when the cell is given the value.
  dd::Bdd before_setting(const dd::Bdd& states, std::size_t cell, Cell value) const;
  const std::vector<dd::Var>& bits(std::size_t cell) const { return bits_[cell].variables; }

  dd::Bdd state(const Cells& cells) const;
  // One of the states, which are not none and valid.
  Cells pick(const dd::Bdd& states) const;
  dd::Natural count(const dd::Bdd& states) const;

 private:
  struct Bits {
    std::vector<dd::Var> variables;  // the highest first
    dd::VarSet set;
  };

  dd::Assignment literals(std::size_t cell, Cell value) const;

  const Layout* layout_;
  std::function<bool()> stop_check_;
  dd::Manager manager_;
  std::vector<Bits> bits_;
  dd::VarSet all_;
  std::vector<std::vector<dd::Bdd>> equals_;
};

}  // namespace cohort::engine::pointer
