// What pointers may point to: Andersen's analysis on the flat program.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "frontend/c/lower/flat.hpp"

namespace cohort::frontend::c::lower {

// A place in an object, its array indices left open: an instance and a collapsed offset; or a function.
struct Target {
  std::optional<ir::FunctionId> function;
  InstId inst;
  std::int64_t offset = 0;

  auto operator<=>(const Target&) const = default;
};

// Every scalar of a type, indices left open: what is at each offset.
std::map<std::int64_t, ir::TypeId> scalars_of(const ir::Unit& unit, ir::TypeId type);

// May a function that nobody defines write to the object?
bool is_writable_from_outside(const Inst& inst);

class PointsTo {
 public:
  explicit PointsTo(const Flat& flat);

  // What the value of the term may point to.
  std::set<Target> targets(TermId term) const;
  // The places that an access may touch.
  std::set<Target> places(AccessId access) const;
  // What the scalar at the place may point to.
  const std::set<Target>& content(InstId inst, std::int64_t offset) const;
  // The objects that the value leads to, directly or through pointers in others of them.
  std::set<InstId> reachable(TermId pointer) const;
  // Every cell with something in it.
  const std::map<std::pair<InstId, std::int64_t>, std::set<Target>>& cells() const { return cells_; }

 private:
  bool store(AccessId access, const std::set<Target>& values);
  bool pass(const Node& node);
  bool change_from_outside(const Node& node);
  bool is_inside_scalar(InstId inst, std::int64_t offset, const Access& access) const;
  void add_parts(ir::TypeId type, std::set<Target>& targets) const;
  void add_neighbours(const Target& target, std::int64_t bytes, std::set<Target>& result) const;
  void add_moved(const Target& target, std::uint64_t element, std::optional<std::int64_t> steps,
                 std::set<Target>& result) const;
  std::set<Target> moved(const Term& sum) const;

  const Flat& flat_;
  std::map<std::pair<InstId, std::int64_t>, std::set<Target>> cells_;
};

}  // namespace cohort::frontend::c::lower
