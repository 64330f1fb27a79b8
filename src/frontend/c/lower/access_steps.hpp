// The steps that a node of a body takes to get at what it reads and writes: an edge for each way an access may lead,
// for each load that others can observe, and for each way to go wrong.  What kinds of nodes make of that is in
// emit_body.cpp.
//
// Where the emission stands is a node and the location that its next edge leaves (source_); whoever adds steps in
// between moves source_ on, and back before another way is followed.  A guard that is false makes no edge.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "frontend/c/lower/cells.hpp"
#include "frontend/c/lower/nameless.hpp"
#include "frontend/c/lower/races.hpp"
#include "frontend/c/lower/sections.hpp"

namespace cohort::frontend::c::lower {

// What the bodies of one program are emitted with.
struct Emission {
  Flat& flat;
  Resolver& resolver;
  Layout& layout;
  Memory& memory;
  const Nameless& nameless;
  Races& races;
  model::Program& program;
};

class AccessSteps {
 protected:
  using LocId = model::LocId;
  using ExprId = model::ExprId;

  struct Context {
    Expressions expressions;
    ExprId guard;
    std::vector<model::Assign> effects{};
    std::optional<Piece> unwritten{};  // what the node copies was never written
  };
  using Go = std::function<void(Context, const Spot&)>;
  using Finish = std::function<void(Context)>;

  AccessSteps(const Emission& emission, BodyId id, const std::vector<LocId>& locations);
  // Goes to a node that some path reaches: its location, and how deep in atomic sections it may be.
  void stand_at(NodeId node, Depths depth);

  model::Template& templ() { return program_.templ(model::TemplateId(id_.value)); }
  model::ExprPool& pool() { return program_.exprs; }
  LocId next(std::size_t i) const { return locations_[node_->next[i].value]; }
  Context context() { return {Expressions(flat_, layout_, memory_, program_), pool().truth()}; }
  void add_edge(LocId target, model::Action action, const char* remark = "");
  LocId add_location(std::optional<model::PropertyId> error = std::nullopt);
  LocId error_location(model::Property::Kind kind, const std::string& message);
  // An execution that goes wrong under this condition; without a kind: something that is not modelled.
  void go_wrong(ExprId condition, std::optional<Wrong> kind, const std::string& message);
  // What is not asked for ends the execution.
  void end_undefined(ExprId condition, const std::string& message);
  bool is_shared(AccessId access);
  // Follows each way the access may lead; the rest goes wrong.
  void follow(AccessId access, Context context, const Go& go);
  // Does what is accessed exist, of an object whose size is known at run time only?
  std::optional<ExprId> within_extent(AccessId id, const Spot& spot, Expressions& expressions);
  // Like follow; where races are looked for, the thread first goes to a place that says which cell it is about to
  // access.
  void announce(AccessId access, bool writes, Context context, const Go& go);
  bool in_section() const { return (depth_ & outside) == 0; }
  Races::Place race_place(bool writes, bool is_plain) const;
  // A step to a place where the thread is about to access something.
  void go_to(Races::Place& place, ExprId guard);
  // Performs the loads from number `index` on in this action, in every way they may lead, and finishes it.
  void expand(const std::vector<TermId>& loads, std::size_t index, Context context, const Finish& finish);
  // A value for a scalar that was never written, which it has from now on.
  ExprId choose(const Piece& piece, Context& context);
  // Chooses values for those scalars of the spot that may not have been written, one after the other, not together.
  void fill_in(const Spot& spot, const Context& way);
  // Turns the checks of the terms built since the last time into guards and into edges that go wrong.
  void settle(Context& context);
  // The loads of the node that are not done, with those of the place it assigns last.
  std::vector<TermId> loads_of_node(const std::set<TermId>& done) const;
  // Outside of sections a shared load is a step.  A load that may find its variable unwritten chooses a value, and one
  // choice an action is enough: several would have to be enumerated together.
  bool needs_step(TermId load);
  // Emits edges for the loads that must be steps of their own; returns those that are left for the last action, which
  // touches something shared itself or not.
  std::vector<TermId> split(bool shared_use, Context& context);

  Flat& flat_;
  const BodyId id_;
  const Body& body_;
  Resolver& resolver_;
  Layout& layout_;
  Memory& memory_;
  Races& races_;
  model::Program& program_;
  const Cells cells_;
  const Node* node_ = nullptr;
  std::optional<TermId> copied_;  // what the node stores as it is, where nobody else sees it being read
  LocId source_{};
  Depths depth_ = 0;
  bool announces_;  // accesses lead through places that races are about

 private:
  const Nameless& nameless_;
  const std::vector<LocId>& locations_;  // of the nodes
};

}  // namespace cohort::frontend::c::lower
