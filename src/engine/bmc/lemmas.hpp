// Facts of one and two threads (lemma/houdini.hpp) for proofs by induction: a state that contradicts them is no state
// of the program, so induction need not start from it.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/env.hpp"
#include "engine/bmc/execution.hpp"
#include "engine/engine.hpp"
#include "lemma/houdini.hpp"
#include "model/commands.hpp"
#include "smt/solver.hpp"
#include "smt/translator.hpp"

namespace cohort::engine::bmc {

class Lemmas {
 public:
  // Looks for facts for at most so many seconds of processor time; there may be none.
  Lemmas(Env& env, const Task& task, double seconds);

  // Is anything known?
  bool any() const { return !levels_.empty(); }
  std::size_t count() const { return count_; }
  // Tells the solver that the facts hold in the state; its numbers are those of the translator.
  void assume(const SymbolicState& state, smt::Translator& translator, smt::Solver& solver) const;

 private:
  struct Level {
    std::unique_ptr<lemma::Houdini> houdini;
    lemma::Invariant invariant;
  };
  class Writer;

  std::unique_ptr<model::Commands> commands_;
  std::vector<Level> levels_;
  std::size_t count_ = 0;
};

}  // namespace cohort::engine::bmc
