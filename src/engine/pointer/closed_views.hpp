// A proof for any number of processes: all that some of them can see.
//
// A *view* is a part of a state (engine/pointer/part.hpp) with k members.  X is a set of views that holds all views of
// all initial states, and is closed: of every part of k + 1 members all of whose views are in X, what a step of a
// member leaves of any k of them is in X (engine/pointer/part_steps.hpp).  Parts that contradict what is true of ranks
// are left out.
//
// Theorem.  Every view of every reachable state with more than k processes is in X.  Proof by induction over a run:
// take k processes V after a step of t.  If t is not among them, they and t were a part of k + 1 members, of which all
// views were in X, and the step's effect on V is one of those computed with t as guest, since what is not known there
// is any value.  If t is in V, evaluate the step with everybody else outside: if it asks for the identity of a process,
// first of g, then V and g were such a part, with g as guest; if it never asks, any guest will do.  Ranks are ghosts
// that no step reads, and what is_ordered() says is true in every state.  So no view of X that may be bad, and no step
// in a part that may fault, means that no state with more than k processes is bad; those with fewer are searched one by
// one.
//
// Views and parts are kept up to a permutation of the members, with inactive variables reset
// (engine/pointer/activity.hpp), which is a bisimulation whatever the number of processes.  There are finitely many, so
// the closure ends.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/env.hpp"
#include "engine/pointer/activity.hpp"
#include "engine/pointer/part_steps.hpp"

namespace cohort::engine::pointer {

class ClosedViews {
 public:
  enum class Outcome : std::uint8_t { Safe, MayBeBad, Stopped };

  // `layout` is of a program with k + 1 processes that is not refused by refuses_parts(); it and `env` outlive this.
  ClosedViews(Env& env, const Layout& layout, std::size_t k, bool forgets_inactive);

  Outcome run();
  // MayBeBad: what may be; Stopped: why.
  const std::string& reason() const { return reason_; }
  std::size_t count() const { return views_.size(); }
  std::size_t parts() const { return looked_at_.size(); }
  bool uses_ranks() const { return !parts_->queues().empty(); }
  // Is what these processes see of the state among the views, in some order in which they can have been enqueued?  For
  // states of a program with at least k processes.
  bool contains(const model::State& state, const std::vector<std::uint32_t>& processes) const;

 private:
  bool start();
  bool enumerate(Part& part, std::size_t cell, std::uint64_t& tried);
  bool matters(std::size_t cell) const;
  bool add(Part view);
  bool extend(const Part& view);
  bool look_at(const Part& part);
  bool stop(Outcome outcome, std::string reason);
  void reset(Part& part, std::size_t members) const;
  std::vector<Part> arrangements(const Part& view) const;

  Env& env_;
  const Layout& layout_;
  const std::size_t k_;
  Activity activity_;
  std::unique_ptr<Parts> parts_;
  std::unique_ptr<PartSteps> steps_;
  std::set<Part> views_;
  std::vector<const Part*> open_;
  std::map<Part, std::vector<Part>> by_beginning_;  // arrangements of views, by their members but the last
  std::set<Part> looked_at_;
  Outcome outcome_ = Outcome::Safe;
  std::string reason_;
};

}  // namespace cohort::engine::pointer
