// The fixpoint of section 3 of the RED paper on sets of states, forward from the initial states or backward from the
// bad ones, with the reductions in between.
//
// Forward, a layer holds the representatives of the states first reached in so many steps.  A run is found backward
// through the layers: the predecessors of all states that reset and reduction map to the state at hand, picked one at a
// time, and is then walked on the interpreter.  Backward, a layer holds representatives of the states that are so many
// steps from a bad one; a run starts in an initial state of a layer and each step leads one layer down, from a state
// that has the representative at hand.  A step and the reset of inactive variables after it count as one: a pre-image
// is that of all states which the reset maps into the set.  Only states that look reachable to every process are kept
// and, where the search does not end soon so, to every two (engine/pointer/views.hpp): that alone proves most locks,
// and a search among all states that pointers can form gets nowhere.
//
// That the bad states of one orbit are all bad, and the initial ones all initial, is what makes both sound: processes
// are exchanged only if the diagrams of both sets are the same after the exchange (section 6.2).
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/env.hpp"
#include "engine/engine.hpp"
#include "engine/pointer/exchange.hpp"
#include "engine/pointer/forgetting.hpp"
#include "engine/pointer/steps.hpp"
#include "model/run.hpp"

namespace cohort::engine::pointer {

class SymbolicSearch {
 public:
  SymbolicSearch(Env& env, const Task& task, bool backward);

  // A run that violates a property, if there is one; throws dd::OutOfMemory.
  std::optional<model::Run> run();
  bool finished() const { return finished_; }
  std::string established() const;
  void record(Statistics& statistics) const;

 private:
  dd::Bdd initial_states();
  // States that violate a property by themselves.
  dd::Bdd bad_states();
  std::vector<std::uint32_t> find_classes() const;
  bool is_exchangeable(std::uint32_t one, std::uint32_t other) const;
  dd::Bdd represent(const dd::Bdd& states) const { return ibsinc_->reduce(forgetting_->reset(states)); }
  dd::Bdd unrepresent(const dd::Bdd& states) const { return forgetting_->unreset(ibsinc_->unreduce(states)) & valid_; }
  std::optional<model::Run> forward();
  std::optional<model::Run> backward();
  // Among states of the invariant, as long as `goes_on` after each layer.
  std::optional<model::Run> backward_within(const dd::Bdd& invariant, const std::function<bool()>& goes_on);
  model::Run forward_run(const dd::Bdd& goal, bool faults);
  model::Run backward_run(const dd::Bdd& starts);

  Env& env_;
  bool symmetry_;
  bool backward_;
  Layout layout_;
  Activity activity_;
  Encoding encoding_;
  dd::Bdd valid_;
  Steps steps_;
  dd::Bdd initial_;
  dd::Bdd bad_;
  std::vector<std::uint32_t> classes_;
  std::optional<Forgetting> forgetting_;
  std::optional<Ibsinc> ibsinc_;
  std::vector<dd::Bdd> layers_;
  dd::Bdd reached_;
  bool finished_ = false;
};

}  // namespace cohort::engine::pointer
