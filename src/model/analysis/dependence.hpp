// Which steps of one thread commute with everything that other threads may ever do: the static part of partial-order
// reduction (BOOM section 7.3, with the cycle proviso that the paper leaves out).
//
// For each location, R and W are what a thread there may read and write in its next step, and the future sets R*, W*
// what it, and every thread it makes, may read and write of data that others see, from there on: the least solution of
//     future(l) = union over the edges l -> l' of  access(edge) u future(l') u future(places of new threads).
// Data that others see are the shared variables; also locals, where a broadcast reaches into passive threads; and,
// where steps move other threads, their locations.  The number of threads alive is data too, since a spawn at the bound
// does nothing: a spawn depends on spawns and ends of others, an end on spawns of others.
//
// A thread t at a candidate location may be expanded alone if W_t meets no R* or W* of another thread, R_t meets no W*
// of another, and t can move.  A location is no candidate if one of its edges
//   - is visible: it leads to an error location, enters or leaves a place of a property, or writes what a property
//   reads;
//   - enters an atomic section, which stops all other threads;
//   - touches other threads: a broadcast, a take, a thread reference; or may fault;
//   - or if the location cuts a cycle (the proviso): in the graph of all locations, with links from a spawn to the
//   place
//     of the new thread, every cycle contains a location that is no candidate.  Where the conditions above do not see
//     to that, locations are chosen, first among those whose step depends on others anyway.
//
// Why the proviso suffices: a step by a thread expanded alone leaves a candidate.  Every thread and its descendants can
// make only boundedly many of those in a row, so after boundedly many such steps a state is expanded in full, and what
// was put off is done. The search order plays no part, so the proviso holds for sets of states and with counters as
// well.  docs/symbolic.md has the proof.
//
// The paper counts `assume` and constrained assignments as writes, since executing them on a set of states removes
// those in which they block.  Here `restricting` steps are reads, and the engines see to it that a thread expanded
// alone can move in each state, or in one that the others cannot tell from it.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "model/analysis/bit_set.hpp"
#include "model/program.hpp"

namespace cohort::model {

class Dependence {
 public:
  // What threads may do to data that others see, now or later.
  struct Future {
    BitSet reads;
    BitSet writes;
    bool spawns = false;
    bool ends = false;
  };

  explicit Dependence(const Program& program);

  // Locations of all templates, numbered through: engines look a thread's up once and ask with that.
  using Node = std::uint32_t;
  Node node(TemplateId templ, LocId location) const {
    return static_cast<Node>(first_node_[templ.value] + location.value);
  }

  bool candidate(Node node) const { return facts_[node].candidate; }
  const Future& future(Node node) const { return facts_[node].future; }
  Future nothing() const;
  static void add(Future& total, const Future& more);

  // Does the next step of a thread at `mover` commute with all that one at `other` may ever do?  It commutes with all
  // that several may do if it does so with each.
  bool commutes(Node mover, Node other) const { return commuting_[mover].contains(future_ids_[other]); }

  // Does it commute with all that any thread may do, wherever it is?
  bool always_independent(Node node) const { return facts_[node].always_independent; }

  // Can the others, or a property, tell states apart by this shared variable?
  bool sees_shared(const Future& others, VarId variable) const;
  // Do the others reach into locals of threads of this template?
  bool sees_locals(const Future& others, TemplateId templ) const;

 private:
  struct Facts {
    bool candidate = true;
    bool always_independent = false;
    BitSet reads;
    BitSet writes;
    bool spawns = false;
    bool ends = false;
    Future future;
  };
  struct Link {
    Node source;
    Node target;
  };

  std::size_t shared_bit(VarId variable) const { return variable.value; }
  std::size_t local_bit(TemplateId templ, VarId variable) const { return first_local_[templ.value] + variable.value; }
  std::size_t place_bit(TemplateId templ) const { return first_place_ + templ.value; }

  void number(const Program& program);
  void collect(const Program& program);
  void collect(const Program& program, TemplateId templ, const Edge& edge, Facts& facts);
  void collect_expression(const Program& program, TemplateId templ, ExprId root, Facts& facts);
  void collect_targets(const Program& program, TemplateId templ, const Action& action, Facts& facts);
  void collect_others(const Program& program, TemplateId templ, const Action& action, Facts& facts);
  void touch_all(const Program& program, TemplateId templ, Facts& facts);
  bool visible(const Program& program, TemplateId templ, const Edge& edge) const;
  bool watched_place(const Program& program, TemplateId templ, LocId location) const;
  void find_watched(const Program& program);
  void compare_with_everything();
  void compare_with_each();
  void cut_cycles(const Program& program);
  std::pair<int, std::size_t> cut_preference(Node node, const std::vector<Node>& targets) const;
  std::vector<std::vector<Node>> cyclic_parts(const std::vector<std::vector<Node>>& leaving,
                                              const std::vector<Node>& nodes) const;
  static bool independent(const Facts& facts, const Future& others);
  void close_futures(const Program& program);
  std::vector<Link> links(const Program& program) const;

  std::vector<std::size_t> first_node_;
  std::vector<std::size_t> first_local_;
  std::size_t first_place_ = 0;
  std::size_t bits_ = 0;
  std::vector<Facts> facts_;  // by location
  // Many locations have the same future (those of a loop do), so steps are compared with each different one, once.
  std::vector<std::uint32_t> future_ids_;  // by location
  std::vector<BitSet> commuting_;          // by location, the futures
  std::vector<bool> watched_;              // shared variables that properties read
  bool watches_threads_ = false;           // a property looks at threads by reference
};

}  // namespace cohort::model
