// The conditions that an invariant over views must meet, as combinations of spots.  A clause is one way in which a
// command can change a view: some of the threads that the command moves (the active one, those it creates, those it
// takes) are in the view, the others are outside, and the rest of the view are bystanders.  So there are
//   - own steps: the active thread is in view;
//   - interference: none of the movers is, and the view changes by the shared variables alone (or by a broadcast);
//   - creations and takes with any mix of both, where the other part stands outside.
// The configuration of a clause is all of these threads, and every view of it that the invariant speaks of may be
// assumed before the step: the hypotheses.  Afterwards the view must satisfy the invariant: the head.
//
// Soundness: every step of every execution, seen by any choice of threads as a view, is an instance of some clause, as
// the enumeration runs over all masks of movers and all multisets of bystanders that are not known to be out of reach.
// A hypothesis too few makes an invariant harder to find; a clause too few would make it wrong.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <utility>
#include <vector>

#include "lemma/views.hpp"

namespace cohort::lemma {

struct Clause {
  std::size_t command = 0;
  std::vector<SpotId> before;       // the configuration: movers first, the active one foremost
  std::vector<SpotId> after;        // the same threads
  std::vector<std::uint32_t> seen;  // of the configuration: the view of the head, sorted by spots
  // Views of the configuration before the step.
  std::vector<std::vector<std::uint32_t>> hypotheses;
  bool is_interference = false;  // none of the movers is in view, and bystanders do not change
};

View view_of(const std::vector<SpotId>& spots, const std::vector<std::uint32_t>& members);

// All ways to choose a view among these threads: indices, sorted by spots.
std::vector<std::vector<std::uint32_t>> views_among(const Alphabet& alphabet, const std::vector<SpotId>& threads);

// All arrangements of a view that differ only between threads at equal spots, as positions; the first is the identity.
std::vector<std::vector<std::uint32_t>> arrangements(const View& view);

// Views that are within reach so far.
class Reached {
 public:
  bool contains(const View& view) const { return views_.contains(view); }
  void insert(const View& view);
  // Are the two in a common view?  With views of one thread: each in some view.
  bool together(SpotId one, SpotId other) const;
  const std::set<SpotId>& spots() const { return spots_; }
  const std::set<View>& views() const { return views_; }

 private:
  std::set<View> views_;
  std::set<SpotId> spots_;
  std::set<std::pair<SpotId, SpotId>> pairs_;
};

// Calls visit(Clause) for each clause of the command whose hypotheses are all within reach.
void for_each_clause(const Alphabet& alphabet, const Reached& reached, std::size_t command,
                     const std::function<void(Clause)>& visit);

}  // namespace cohort::lemma
