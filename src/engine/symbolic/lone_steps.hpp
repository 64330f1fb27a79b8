// Partial-order reduction for the counter search: which thread of a symbolic state may be expanded alone?
//
// The question is put in every state, and mostly in vain where the program's local steps are merged already, so it must
// cost next to nothing.  What depends on a local set alone (its location, whether that is a candidate) is found once
// for each set; whether steps commute is a bit in a table (model/dependence.hpp); whether a thread can move is
// remembered for each pair of a shared and a local set.  Diagrams are looked at only where it can move in some states
// of a pair and not in others.
//
// A local set is *passing* if its only edge that can be taken touches nothing that any other thread ever sees, can be
// taken with all values in the set, and leads to one local set.  Such a step may be made first in every state that has
// the set, and is the only one then.  Steps of this kind commute with each other, so a state is taken through all of
// them at once, by exchanging each passing set for the first one behind it that is not (`pass`).  The proviso against
// cycles makes that chain finite.  Inside an atomic section only the thread in it moves, and nothing is exchanged.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "engine/symbolic/counter_state.hpp"
#include "engine/symbolic/image.hpp"
#include "engine/symbolic/reduction.hpp"

namespace cohort::engine::symbolic {

class LoneSteps {
 public:
  LoneSteps(const model::Program& program, const Encoding& encoding, const Transitions& transitions, SetTable& sets,
            ThreadImages& images)
      : reduction_(program, encoding),
        encoding_(&encoding),
        transitions_(&transitions),
        sets_(&sets),
        images_(&images) {}

  // The index of a cell of which one thread may be expanded alone; no thread is inside an atomic section.  Passing ones
  // come first.
  std::optional<std::size_t> alone(SharedSet shared, CellView cells);
  std::optional<std::size_t> passing(CellView cells);

  // Makes all steps of threads in passing sets and adds their number to `steps`.  Returns the index of the cell inside
  // an atomic section, if there is one; then no step is made.
  std::optional<std::size_t> pass(Cells& cells, std::uint32_t& steps);

 private:
  using Node = model::Dependence::Node;
  enum class Mobility : std::uint8_t { Nowhere, Somewhere, Everywhere };

  struct Facts {
    Node node = 0;
    bool known = false;
    bool atomic = false;
    bool candidate = false;
    LocalSet passed = 0;      // the first set behind it that is not passing; itself if it is not
    std::uint32_t steps = 0;  // how far that is
  };

  const Facts& facts(LocalSet set) {
    if (facts_.size() <= set) facts_.resize(set + 1);
    if (!facts_[set].known) find_facts(set);
    return facts_[set];
  }
  void find_facts(LocalSet set);
  // What a thread of a passing set becomes; none: the set is not passing.
  std::optional<LocalSet> next(LocalSet set, Node node);
  bool commutes(CellView cells, std::size_t mover);
  bool may_move(SharedSet shared, CellView cells, std::size_t mover);
  Mobility mobility(SharedSet shared, LocalSet set);

  Reduction reduction_;
  const Encoding* encoding_;
  const Transitions* transitions_;
  SetTable* sets_;
  ThreadImages* images_;
  std::vector<Facts> facts_;  // by local set
  std::unordered_map<std::uint64_t, Mobility> mobility_;
};

}  // namespace cohort::engine::symbolic
