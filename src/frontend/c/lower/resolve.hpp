// Where an access leads: the variables and elements it may touch, each with the condition under which it does.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "frontend/c/lower/expressions.hpp"

namespace cohort::frontend::c::lower {

// Some bits of one scalar, and where they stand in what is read or written.
struct Piece {
  GroupId group;
  std::optional<model::ExprId> index{};  // of the scalar, in an array
  // The number of the scalar in its array, where that is known; else it is `delta` more than that of the first piece.
  std::optional<std::uint32_t> element{};
  std::uint32_t delta = 0;
  bool is_whole = true;  // all of the scalar, which is all there is to read or write
  unsigned shift = 0;    // else `width` bits of the scalar from bit `shift` on
  unsigned width = 0;
  unsigned at = 0;  // which come after so many bits of other pieces
};

// A place the access may lead to.  Usually one piece; several where an object is looked at as another type.
struct Spot {
  model::ExprId guard;
  InstId inst;
  std::optional<model::ExprId> outer{};  // the index of the outermost array
  std::vector<Piece> pieces{};

  bool is_whole() const { return pieces.size() == 1 && pieces.front().is_whole; }
  // The pieces are in an array, and which of its elements they are is not known.
  bool is_open() const { return pieces.front().index && !pieces.front().element; }
};

struct Resolved {
  std::vector<Spot> spots;  // at most one guard holds
  // Where the access leads to something that is not modelled, and what.
  std::vector<std::pair<model::ExprId, std::string>> unmodelled;
  std::string fault;  // what it is if it leads nowhere
};

class Resolver {
 public:
  Resolver(Flat& flat, const PointsTo& points_to, Layout& layout, Memory& memory, model::Program& program)
      : flat_(flat), points_to_(points_to), layout_(layout), memory_(memory), program_(program) {}

  // The loads inside the access have their values in `expressions`.
  Resolved resolve(AccessId access, Expressions& expressions);
  // Groups that the access may touch, whatever the indices.
  std::vector<GroupId> groups(AccessId access);
  const std::vector<GroupId>& groups_of(InstId inst) { return layout_.groups_of(inst); }
  // Allocated objects that the pointer may point to.
  std::set<InstId> heap_objects(TermId pointer) const;
  // May the pointer lead to the object that stands for those of functions that nobody defines?
  bool may_be_foreign(TermId pointer) const;
  model::ExprId in_foreign(model::ExprId address, Expressions& expressions);
  // Is it a number that a function that nobody defines may change?  Its value is not known then, but it has one.
  bool is_changed_from_outside(GroupId group);
  // Other bit-fields of the same memory location that somebody stores.
  std::vector<GroupId> neighbours(GroupId group);
  const PointsTo& points_to() const { return points_to_; }

  model::ExprId in_range(model::ExprId address, std::int64_t first, std::int64_t size, Expressions& expressions);

 private:
  std::optional<Spot> resolve_direct(const Access& access, GroupId group, Expressions& expressions);
  // Of the scalars of the group, or of their parts at some byte.
  Spot resolve_address(GroupId group, model::ExprId address, std::uint64_t part, Expressions& expressions);
  void resolve_parts(const Access& access, GroupId group, model::ExprId address, Expressions& expressions,
                     Resolved& result);
  void resolve_run(const Access& access, GroupId group, model::ExprId address, Expressions& expressions,
                   Resolved& result);
  void resolve_bytes(const Access& access, const Target& place, model::ExprId address,
                     const std::vector<GroupId>& known, Expressions& expressions, Resolved& result);
  void keep_floats_apart(const Access& access, Resolved& result) const;
  bool is_regular(InstId inst, std::int64_t offset, std::uint64_t size);
  std::optional<Spot> spot_at(InstId inst, std::int64_t offset, std::uint64_t size, Expressions& expressions);
  static std::string other_type(const Inst& inst);

  Flat& flat_;
  const PointsTo& points_to_;
  Layout& layout_;
  Memory& memory_;
  model::Program& program_;
  std::optional<std::set<GroupId>> changed_from_outside_;
  std::optional<std::set<GroupId>> stored_bit_fields_;
};

}  // namespace cohort::frontend::c::lower
