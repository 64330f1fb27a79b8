// The edges of a program as relations.  An edge's actions are composed into one relation, except around a broadcast:
// what a passive thread does depends on the active side before and after that very action, so such an edge keeps three
// parts.
//
// The syntactic test for splicing (BOOM section 6.2) is made here, once for each edge: an edge none of whose guards,
// assignments and constraints speaks of shared and local variables at once cannot tie them to each other.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/symbolic/encoding.hpp"
#include "engine/symbolic/relation.hpp"
#include "model/program.hpp"

namespace cohort::engine::symbolic {

struct BroadcastPart {
  Relation active;
  // Over the active side before and after the action, and the passive thread before and, where it is assigned, after.
  dd::Bdd passive{true};
  dd::VarSet passive_modified;
  // The active side's variables that `passive` depends on, in either copy.
  dd::VarSet deciding;
};

struct ChildPlace {
  model::TemplateId templ;
  model::LocId location;
};

struct EdgeRelation {
  model::EdgeRef ref;
  model::LocId target;
  Relation main;  // all actions, or those before the broadcast
  std::optional<BroadcastPart> broadcast;
  Relation rest;  // what follows the broadcast
  std::vector<ChildPlace> children;
  bool ends = false;
  model::AtomicChange atomic = model::AtomicChange::None;  // what the whole edge does to the flag

  bool touches_shared = false;
  bool may_splice = false;
  std::vector<dd::Var> splice_candidates;  // shared variables that the syntactic test names, copies Before

  // States (copies Before) in which some active step exists; set where there is no broadcast.
  dd::Bdd enabled;
  // Flat list of all children's variables.
  std::vector<dd::Var> child_vars;
};

class Transitions {
 public:
  Transitions(const model::Program& program, const Encoding& encoding);

  // Edges leaving `location`.
  const std::vector<EdgeRelation>& from(model::TemplateId templ, model::LocId location) const {
    return edges_[templ.value][location.value];
  }
  const EdgeRelation& edge(model::EdgeRef ref) const;
  // Can a thread there move whatever the values are?
  bool always_enabled(model::TemplateId templ, model::LocId location) const {
    return always_enabled_[templ.value][location.value];
  }

  dd::Bdd initial_shared() const;
  dd::Bdd initial_locals(model::TemplateId templ) const;
  // A condition over shared variables, copies Before.
  dd::Bdd condition(model::ExprId root) const;

  std::size_t edge_count() const { return edge_count_; }
  // Edges that the syntactic test says may splice.
  std::size_t candidate_count() const { return candidate_count_; }

 private:
  struct Choices;

  EdgeRelation compile(model::EdgeRef ref) const;
  Relation compile_active(const model::Action& action) const;
  BroadcastPart compile_broadcast(model::TemplateId templ, const model::Action& action) const;
  dd::Bdd compile_children(const model::Action& action, Choices& choices) const;
  dd::Bdd expression(model::ExprId id, Choices& choices) const;
  dd::Bdd variable(const model::Expr& node, const Choices& choices) const;
  void find_splices(const model::Action& action, EdgeRelation& edge) const;

  const model::Program* program_;
  const Encoding* encoding_;
  std::vector<std::vector<std::vector<EdgeRelation>>> edges_;  // [template][source][..]
  std::vector<std::vector<bool>> always_enabled_;              // [template][source]
  std::size_t edge_count_ = 0;
  std::size_t candidate_count_ = 0;
};

// One sentence that names what in the program cannot be encoded; none: everything can.
std::optional<std::string> unencodable(const model::Program& program);

}  // namespace cohort::engine::symbolic
