// What a call of a function that nobody defines may do to memory: everything that its pointers lead to gets any values.
//
// A walk starts at the pointer.  At each object that it comes to, the object's numbers are forgotten: who reads one
// afterwards finds any value, chosen then (that is how memory works that was never written).  From there it may go on
// through any pointer in the object, or make one of these pointers NULL or one to an object that the program does not
// know, or stop.  So it reaches exactly what the function can reach, and in any order; where other threads see the
// object, it may come back and change it again.
//
// Locks and other objects of the thread libraries stay as they are, and so do constants.
#pragma once

#include <vector>

#include "frontend/c/lower/cells.hpp"
#include "frontend/c/lower/resolve.hpp"

namespace cohort::frontend::c::lower {

// The numbers of the object that a function that nobody defines may change.
std::vector<GroupId> forgotten_groups(const Flat& flat, Layout& layout, InstId inst);

class Havoc {
 public:
  Havoc(Flat& flat, BodyId body, const Node& node, Resolver& resolver, Layout& layout, Memory& memory,
        model::Program& program);

  // The edges of the walk, which ends at `next`; returns where it begins.
  model::LocId emit(model::LocId next) const;
  // Puts the walk at an address.
  model::Assign set_position(model::ExprId address, Expressions& expressions) const;

 private:
  // One object as the program's pointers tell them apart: an instance, or one of those in a pool.
  struct Object {
    InstId inst;
    std::uint64_t number = 0;
    std::uint64_t count = 1;  // of all in the instance
    bool is_shared = false;
  };

  std::vector<Object> objects() const;
  model::ExprId is_at(const Object& object, Expressions& expressions) const;
  bool has_pointers(const Object& object) const;
  void forget(const Object& object, model::Action& action) const;
  void follow_pointers(const Object& object, model::LocId entry, model::LocId after) const;
  void add_edge(model::LocId source, model::LocId target, model::Action action) const;
  model::ExprId position() const;

  Flat& flat_;
  const BodyId body_;
  const Node& node_;
  Resolver& resolver_;
  Layout& layout_;
  Memory& memory_;
  model::Program& program_;
  const Cells cells_;
  const model::VarId position_;
};

}  // namespace cohort::frontend::c::lower
