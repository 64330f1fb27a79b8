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

class PointsTo {
 public:
  explicit PointsTo(const Flat& flat);

  // What the value of the term may point to.
  std::set<Target> targets(TermId term) const;
  // The places that an access may touch.
  std::set<Target> places(AccessId access) const;
  // What the scalar at the place may point to.
  const std::set<Target>& content(InstId inst, std::int64_t offset) const;
  // Every cell with something in it.
  const std::map<std::pair<InstId, std::int64_t>, std::set<Target>>& cells() const { return cells_; }

 private:
  bool store(AccessId access, const std::set<Target>& values);
  bool pass(const Node& node);
  bool is_inside_scalar(InstId inst, std::int64_t offset, const Access& access) const;
  void add_moved(const Target& target, std::uint64_t element, std::optional<std::int64_t> steps,
                 std::set<Target>& result) const;
  std::set<Target> moved(const Term& sum) const;

  const Flat& flat_;
  std::map<std::pair<InstId, std::int64_t>, std::set<Target>> cells_;
};

}  // namespace cohort::frontend::c::lower
