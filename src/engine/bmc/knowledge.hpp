// What values a thread's variables can have at each of its places after so many steps: an abstract interpretation of
// the program that runs beside the unrolling, one step at a time (see knowledge.cpp).
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <vector>

#include "engine/bmc/execution.hpp"
#include "model/program.hpp"
#include "smt/translator.hpp"
#include "smt/value_set.hpp"

namespace cohort::engine::bmc {

class Knowledge {
 public:
  // `reuses_slots`: threads may live in one slot after the other.
  Knowledge(const model::Program& program, smt::Translator& translator, const SymbolicState& first, bool reuses_slots);

  // What a thread that stands at this place sees: the variables of the state, within what is known of them there.
  smt::SymbolicValuation shared(const SymbolicState& state, std::size_t slot, model::TemplateId templ,
                                model::LocId place) const;
  smt::SymbolicValuation locals(const SymbolicState& state, std::size_t slot, model::TemplateId templ,
                                model::LocId place) const;

  // The next step takes one of these, or none, in the state.
  void advance(const SymbolicState& state, const std::vector<Instruction>& instructions);

 private:
  // The values at one place of one thread.
  struct Values {
    std::vector<smt::ValueSet> locals;            // by slot of the valuation
    std::map<std::size_t, smt::ValueSet> shared;  // of the shared slots that only this thread writes
  };
  using ByPlace = std::vector<std::optional<Values>>;
  struct Arrival {
    std::size_t slot;
    model::TemplateId templ;
    model::LocId place;
    Values values;
  };

  std::optional<Values>& at(std::size_t slot, model::TemplateId templ, model::LocId place);
  const std::optional<Values>& at(std::size_t slot, model::TemplateId templ, model::LocId place) const;
  void join(std::optional<Values>& into, const Values& values) const;
  void note_writer(std::size_t slot, std::size_t shared_slot);
  Values after(const Instruction& instruction) const;
  Values born(const SymbolicState& state, const Child& child) const;
  smt::Datum narrowed(const smt::Datum& datum, const smt::ValueSet& values) const;

  const model::Program& program_;
  const bool reuses_slots_;
  smt::Translator& translator_;
  std::vector<smt::ValueSet> start_;        // of the shared variables
  std::vector<std::vector<bool>> private_;  // [template][slot of the valuation]: no other thread writes it
  std::vector<std::vector<ByPlace>> known_;
  // By shared slot: no thread, one or several have written it so far.
  struct Writer {
    std::optional<std::size_t> slot;
    bool several = false;
  };
  std::vector<Writer> writers_;
};

}  // namespace cohort::engine::bmc
