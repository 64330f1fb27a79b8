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
// cycles makes that chain finite.  Tied sets are not passing.  Inside an atomic section only the thread in it moves,
// and nothing is exchanged.
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

  // A thread that may be expanded alone: of the cell with the index, the member.
  struct Lone {
    std::size_t cell;
    std::uint32_t member;
  };
  // No thread may be inside an atomic section.  Threads in passing sets come first.
  std::optional<Lone> alone(SharedSet shared, CellView cells);
  // The index of a cell with a passing set.
  std::optional<std::size_t> passing(CellView cells);

  // Makes all steps of threads in passing sets and adds their number to `steps`.  Returns the index of the cell inside
  // an atomic section, if there is one; then no step is made.
  std::optional<std::size_t> pass(Cells& cells, std::uint32_t& steps);

 private:
  using Node = model::Dependence::Node;
  enum class Mobility : std::uint8_t { Nowhere, Somewhere, Everywhere };

  struct Facts {
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
  bool commutes(CellView cells, Lone lone);
  bool may_move(SharedSet shared, CellView cells, Lone lone);
  Mobility mobility(SharedSet shared, Mover mover);
  const Place& place(LocalSet set, std::uint32_t member) const {
    return sets_->place_at(sets_->places_of(set)[member]);
  }
  Node node(LocalSet set, std::uint32_t member) const {
    const Place& at = place(set, member);
    return reduction_.dependence().node(at.templ, at.location);
  }
  // Calls visit(node) for every thread but the one; stops when it returns false, and then returns false.
  template <class Visit>
  bool for_each_other(CellView cells, Lone lone, Visit&& visit) const {
    for (std::size_t i = 0; i < cells.size(); ++i) {
      for (std::uint32_t member = 0; member < sets_->width(cells[i].set); ++member) {
        if (i == lone.cell && member == lone.member && cells[i].count == 1) continue;
        if (!visit(node(cells[i].set, member))) return false;
      }
    }
    return true;
  }

  Reduction reduction_;
  const Encoding* encoding_;
  const Transitions* transitions_;
  SetTable* sets_;
  ThreadImages* images_;
  std::vector<Facts> facts_;                                           // by local set
  std::vector<std::unordered_map<std::uint64_t, Mobility>> mobility_;  // by member
};

}  // namespace cohort::engine::symbolic
