// From a path of representatives to a run of the interpreter.  A representative stands for bisimilar states with their
// processes permuted, so the run cannot be found by comparing states.  Instead the walk keeps track of which concrete
// process each process of the representative is: a step of the representative's process p by some edge is a step of the
// concrete process by the same edge, and the permutation that brings the result into its representative is applied to
// the names as well.
#pragma once

#include <functional>
#include <vector>

#include "engine/pointer/layout.hpp"
#include "engine/pointer/syntax.hpp"
#include "model/interpreter.hpp"
#include "model/run.hpp"

namespace cohort::engine::pointer {

class Walk {
 public:
  Walk(const Layout& layout, const Cells& initial);

  // The representative at hand is replaced by its image under the permutation, or by what it is the image of.
  void permute(const Permutation& permutation);
  void unpermute(const Permutation& permutation);
  // Steps that the representative at hand has.
  std::vector<model::Transition> steps(const Cells& representative) const;
  // The concrete processes do what the step of the representative does.
  void take(const model::Transition& step);
  // Takes a step that faults, which the representative has.
  void take_fault(const Cells& representative);

  const model::Run& run() const { return run_; }

 private:
  const Layout& layout_;
  model::Interpreter interpreter_;
  model::Run run_;
  Permutation names_;  // by process of the representative, from 1: the concrete process
};

// `represent` replaces a state by its representative and returns the permutation of the processes that it used; `path`
// is a sequence of representatives, the first that of `initial`, each of a successor of the one before.  With `faults`
// the run ends in a fault in the last state of the path.
model::Run concretize(const Layout& layout, const Cells& initial, const std::vector<Cells>& path, bool faults,
                      const std::function<Permutation(Cells&)>& represent);

}  // namespace cohort::engine::pointer
