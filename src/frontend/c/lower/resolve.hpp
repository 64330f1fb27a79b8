// Where an access leads: the variables and elements it may touch, each with the condition under which it does.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "frontend/c/lower/expressions.hpp"

namespace cohort::frontend::c::lower {

struct Spot {
  model::ExprId guard;
  GroupId group;
  std::optional<model::ExprId> index{};  // for arrays
  std::optional<model::ExprId> outer{};  // the index of the outermost array
  bool is_part = false;                  // some bits of the scalar only: `width` from bit `shift` on
  unsigned shift = 0;
  unsigned width = 0;
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

 private:
  std::optional<Spot> resolve_direct(const Access& access, GroupId group, Expressions& expressions);
  // Of the scalars of the group, or of their parts at some byte.
  Spot resolve_address(GroupId group, model::ExprId address, std::uint64_t part, Expressions& expressions);
  model::ExprId inside_cell(GroupId group, model::ExprId address, Expressions& expressions);
  static std::string other_type(const Inst& inst);
  model::ExprId in_range(model::ExprId address, std::int64_t first, std::int64_t size, Expressions& expressions);

  Flat& flat_;
  const PointsTo& points_to_;
  Layout& layout_;
  Memory& memory_;
  model::Program& program_;
};

}  // namespace cohort::frontend::c::lower
