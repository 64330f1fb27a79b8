// Processes exchanged in sets of states, and the IbSINC reduction of the RED paper (section 7.1): an incomplete but
// sound choice of representatives that diagrams can make.
//
// Going through all pairs i < j of exchangeable processes, the states in which the heuristic says that the two stand in
// the wrong order (`reverse`) are replaced by their images under the exchange.  The heuristic numbers the processes in
// the order in which they are pointed to, by the shared pointers first and by the pointers of earlier processes then;
// among processes that nothing distinguishes so, those come first that point to earlier ones.  To that we add a last
// criterion, their locations and discrete locals, which orders processes outside every structure as well.  Every state
// is replaced by one of its own orbit, so the reduction is sound for whatever `reverse` says; it is incomplete, since
// one orbit may keep several representatives.
#pragma once

#include <optional>
#include <vector>

#include "engine/pointer/encoding.hpp"
#include "engine/pointer/syntax.hpp"

namespace cohort::engine::pointer {

class Exchange {
 public:
  explicit Exchange(const Encoding& encoding) : encoding_(encoding) {}

  // The images of `states` under the exchange of two processes, from 0.
  dd::Bdd permute(const dd::Bdd& states, std::size_t one, std::size_t other) const;
  // The states in which `one` < `other` should be exchanged.
  dd::Bdd reverse(std::size_t one, std::size_t other) const;

 private:
  dd::Bdd exchange_values(const dd::Bdd& states, std::size_t cell, std::size_t one, std::size_t other) const;
  dd::Bdd pointed_first(std::size_t one, std::size_t other) const;
  dd::Bdd points_first(std::size_t one, std::size_t other) const;
  // The cell holds `process` (from 0).
  const dd::Bdd& points(std::size_t cell, std::size_t process) const {
    return encoding_.equals(cell, static_cast<Cell>(process + 1));
  }

  const Encoding& encoding_;
};

class Ibsinc {
 public:
  // `classes`: within each, all processes may be exchanged.
  Ibsinc(const Encoding& encoding, const std::vector<std::uint32_t>& classes);

  // Every state is replaced by its representative.
  dd::Bdd reduce(dd::Bdd states) const;
  // The same for one state; returns the permutation that was used.
  Permutation reduce_one(dd::Bdd& state) const;
  // The states whose representatives are among `states`.
  dd::Bdd unreduce(dd::Bdd states) const;

 private:
  struct Pair {
    std::size_t one = 0;
    std::size_t other = 0;
    dd::Bdd reverse;
  };

  const Encoding& encoding_;
  Exchange exchange_;
  std::vector<Pair> pairs_;
};

}  // namespace cohort::engine::pointer
