// What the execution of an edge reads and writes, cell by cell, and how a value gets into a variable.
#pragma once

#include <cstddef>
#include <vector>

#include "engine/bmc/cells.hpp"
#include "model/program.hpp"
#include "smt/scene.hpp"
#include "smt/translator.hpp"

namespace cohort::engine::bmc {

// Adds the cells of `variable` that `index` may select, from `first` on; no index: the variable is a scalar.
void add_elements(smt::Translator& translator, std::vector<Access>& accesses, std::size_t first,
                  const model::Variable& variable, const smt::Number* index, smt::Term when);

// Stores `value` in the valuation where `when` holds; `touched` gets the slots that it may have changed.
void store_element(smt::Translator& translator, smt::SymbolicValuation& values, std::vector<std::size_t>& touched,
                   const model::Variable& variable, const smt::Number* index, smt::Term when, const smt::Datum& value);

// Collects reads of cells that other threads can write.
class Reads : public smt::ReadObserver {
 public:
  Reads(const model::Program& program, const Cells& cells, smt::Translator& translator, std::vector<Access>& accesses)
      : program_(program), cells_(cells), translator_(translator), accesses_(accesses) {}

  void shared(model::VarId var, const smt::Number* index) override;
  void local(std::size_t slot, model::TemplateId templ, model::VarId var, const smt::Number* index) override;
  void place(std::size_t slot, model::TemplateId templ, model::LocId location) override;
  void alive(std::size_t slot) override;

 private:
  const model::Program& program_;
  const Cells& cells_;
  smt::Translator& translator_;
  std::vector<Access>& accesses_;
};

}  // namespace cohort::engine::bmc
