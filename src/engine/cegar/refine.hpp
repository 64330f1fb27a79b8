// New predicates from a path that no run follows: the conditions that contradict each other are taken back along the
// path by weakest preconditions, and every atom that comes up is a candidate.  An atom over one thread loses the
// thread's number.  An atom over two threads cannot be tracked by either; where one of its locals is known to differ
// by a small constant from a shared variable at that point of the path, the shared variable takes its place, and that
// equation becomes a candidate as well and is taken back, too.  Atoms over a value that a step chooses end there; what
// they compare it with is compared instead.  Of equalities that drift apart the order is tried.  When nothing new comes
// up, the values that variables have on the path do.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <tuple>
#include <vector>

#include "abstraction/oracle.hpp"
#include "abstraction/predicates.hpp"
#include "engine/cegar/path.hpp"
#include "engine/cegar/simulate.hpp"
#include "engine/cegar/terms.hpp"

namespace cohort::engine::cegar {

class Refiner {
 public:
  Refiner(model::Commands& commands, abstraction::Predicates& predicates, abstraction::Oracle& oracle);

  // How many predicates are new; the simulation was infeasible.  Values come after preconditions, of the same path, and
  // are those of variables that came up there.
  std::size_t from_preconditions(const Path& path, Simulation& simulation);
  std::size_t from_values(const Path& path, Simulation& simulation);

 private:
  using Atoms = std::vector<model::ExprId>;
  // Equalities of two variables that differ in a constant.
  struct Distances {
    std::set<model::Value> offsets;
    bool ordered = false;  // their order was tried
  };

  void trace_templates(const Path& path);
  void add(model::ExprId condition, Atoms& atoms);
  void add_needs(const Path& path, const Simulation& simulation, std::size_t position, Atoms& atoms);
  void add_trouble(const model::Command& command, std::size_t thread, Atoms& atoms);
  void compare_bounds(const Path& path, const Simulation& simulation, std::size_t position, const Atoms& after,
                      Atoms& atoms);
  Atoms step_back(const Path& path, std::size_t step, const Atoms& atoms);
  model::ExprId at_creation(model::ExprId atom, const Path& path, std::size_t step);
  void separate(Simulation& simulation, std::size_t position, Atoms& atoms);
  bool separate(Simulation& simulation, std::size_t position, model::ExprId atom, Atoms& atoms);
  std::size_t offer(const Atoms& atoms, std::size_t position);
  bool offer(model::ExprId atom, std::size_t position);
  bool add(model::ExprId expr, model::TemplateId templ);

  model::Commands& commands_;
  abstraction::Predicates& predicates_;
  abstraction::Oracle& oracle_;
  PathTerms terms_;
  std::vector<std::vector<model::TemplateId>> templates_;  // [position][thread]
  std::set<model::ExprId> offered_;
  // By template (or none, where both are shared) and the two variables.
  std::map<std::tuple<std::uint32_t, model::ExprId, model::ExprId>, Distances> distances_;
  std::set<model::VarId> involved_;  // variables of the contradiction and its preconditions, with choices or without
};

}  // namespace cohort::engine::cegar
