// Sets of threads whose values depend on each other.
//
// A new thread that copies its creator's locals is tied to it: the pair is {(l, l)}, not L x L.  Splitting it into
// products, as a splice is split (splice.hpp), gives a state for every value of what is tied, 2^n for n open locals. So
// the pair stays one set, over a copy of the locals for each of its threads.  With the copies of a variable side by
// side in the order its diagram has a few nodes for each local, and so has that of ten threads with equal values.
//
// What a step makes of a tied set (and of the threads that it starts) is a relation over *blocks* of variables, one for
// each thread.  `pack` brings it into the form in which states have sets:
//
//   1. It is cut into its independent parts: blocks A and B are independent if the relation is the conjunction of its
//      projections to A and to B.  (The finest such partition is unique.  It is found exactly for up to `most_blocks`
//      blocks; among more, only single blocks that depend on nothing are recognised, and the rest stays together, which
//      is exact too.)
//   2. A part of several blocks that is a union of at most `loose_parts` products is split after all: sets for single
//      threads are cheaper to work with, and what else is done to threads (merging, reduction) does more with them.
//      `loose_parts` was chosen for one and two Boolean locals; nothing depends on it but time.
//   3. What is left of a part becomes a tied set: blocks in the order of their places, closed under exchanging those at
//      the same place.  Threads at one place are not told apart, so the closure represents the same states, and it
//      makes equal what is the same up to order.  It takes m(m - 1) / 2 exchanges for m blocks at a place: if a
//      relation is closed under the orders of the first j, the union of its exchanges of block j + 1 with each of them
//      and with itself is closed under the orders of j + 1.
//
// A part with more blocks than a tied set may have members is split whatever it costs.  Without merging (--no-merging)
// everything is split: sets of several threads overlap in many ways, and only KnownStates recognises them again.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "engine/symbolic/encoding.hpp"
#include "engine/symbolic/sets.hpp"
#include "engine/symbolic/splice.hpp"

namespace cohort::engine::symbolic {

// How many threads a tied set of the program may have when so many can be alive; 1: nothing ties threads.
std::uint32_t most_members(const model::Program& program, std::uint32_t bound);

class Ties {
 public:
  static constexpr std::size_t default_loose_parts = 4;

  Ties(const Encoding& encoding, SetTable& sets, std::size_t loose_parts)
      : encoding_(&encoding), sets_(&sets), loose_parts_(loose_parts) {}

  // One thread: which variables hold its locals, and where it is.  Blocks are numbered: members first, then children.
  struct Block {
    std::uint32_t number;
    PlaceId place;
  };
  std::uint32_t child_block(std::size_t child) const {
    return encoding_->members() + static_cast<std::uint32_t>(child);
  }

  // The relation as a union of such lists of sets; it is not empty, and speaks of the blocks alone.
  std::vector<std::vector<LocalSet>> pack(const dd::Bdd& relation, const std::vector<Block>& blocks) {
    return pack(relation, blocks, loose_parts_);
  }
  // The same as one list, which is possible where there are no more blocks than members.
  std::vector<LocalSet> pack_whole(const dd::Bdd& relation, const std::vector<Block>& blocks);

  // The relation of the set with the given member's locals in place of the first one's, and the other way round.
  const dd::Bdd& led_by(LocalSet set, std::uint32_t member);
  // The blocks of that, the leader first.
  std::vector<Block> blocks_led_by(LocalSet set, std::uint32_t member) const;

  // Between the copies of two members, in both directions.
  const dd::Renaming& exchange(std::uint32_t a, std::uint32_t b);
  const dd::VarSet& member_vars(std::uint32_t member) { return variables({{member, 0}}); }
  // The values of one of the first `members` members in a relation over them, over the locals.
  dd::Bdd alone(const dd::Bdd& relation, std::size_t members, std::uint32_t member);

 private:
  using Lists = std::vector<std::vector<LocalSet>>;
  struct Part {
    std::vector<Block> blocks;
    dd::Bdd relation;
  };
  static constexpr std::size_t most_blocks = 6;

  Lists pack(const dd::Bdd& relation, const std::vector<Block>& blocks, std::size_t loose_parts);
  Lists pack_part(const Part& part, std::size_t loose_parts);
  std::vector<Part> parts(const dd::Bdd& relation, const std::vector<Block>& blocks);
  // The part with the first block and the other blocks, if there are others.
  std::optional<std::pair<std::vector<Block>, std::vector<Block>>> first_part(const dd::Bdd& relation,
                                                                              const std::vector<Block>& blocks);
  LocalSet tie(Part part);
  std::vector<dd::Var> variables(std::uint32_t block) const;
  const dd::VarSet& variables(const std::vector<Block>& blocks);
  const dd::Renaming& to_members(const std::vector<Block>& blocks);

  const Encoding* encoding_;
  SetTable* sets_;
  std::size_t loose_parts_;
  std::map<std::vector<std::uint32_t>, dd::VarSet> variables_;
  std::map<std::vector<std::uint32_t>, dd::Renaming> to_members_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, dd::Renaming> exchanges_;
  std::map<std::pair<LocalSet, std::uint32_t>, dd::Bdd> led_by_;
};

}  // namespace cohort::engine::symbolic
