// A Boolean program's data as decision diagrams: one step of one thread as a relation over the shared variables, the
// thread's locals and, where it creates a thread, the locals of the new one.  Control (locations, atomic sections)
// stays explicit.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/env.hpp"
#include "dd/manager.hpp"
#include "model/program.hpp"

namespace cohort::engine::unbounded {

// What one edge does to sets of states.
struct SymbolicEdge {
  model::LocId target;
  bool ends = false;
  std::optional<model::AtomicChange> atomic;  // the last change on the edge
  std::optional<std::pair<model::TemplateId, model::LocId>> child;
};

class BooleanEncoding {
 public:
  // None: all data are Booleans and every step is one thread's own.
  static std::optional<std::string> refuses(const model::Program& program);

  BooleanEncoding(Env& env, const model::Program& program);

  const model::Program& program() const { return *program_; }
  const SymbolicEdge& edge(model::EdgeRef ref) const { return edges_[ref.templ.value][ref.edge]; }

  dd::Bdd initial_shared() const;
  dd::Bdd initial_locals(model::TemplateId templ) const;
  dd::Bdd shared_condition(model::ExprId condition) const;

  // The states after the edge, over the current shared, local and child variables, from `states` over shared and local
  // ones.
  dd::Bdd image(model::EdgeRef ref, const dd::Bdd& states) const;

  const dd::VarSet& shared_set() const { return shared_; }
  const dd::VarSet& local_set() const { return locals_; }
  const dd::VarSet& child_set() const { return children_; }
  // Locals of a new thread, as those of the thread itself.
  dd::Bdd child_to_local(const dd::Bdd& f) const { return (*child_to_local_)(f); }

 private:
  dd::Bdd encode(model::ExprId expr, const std::vector<model::ExprId>& choices) const;
  dd::Bdd relation(model::TemplateId templ, const model::Action& action) const;
  dd::Bdd valuation(const std::vector<model::Variable>& variables, const std::vector<dd::Var>& at) const;

  const model::Program* program_;
  std::unique_ptr<dd::Manager> manager_;  // outlives every diagram below
  std::vector<dd::Var> shared_now_, shared_next_, local_now_, local_next_, child_, choice_;
  dd::VarSet shared_, locals_, children_, choices_, now_;
  std::unique_ptr<dd::Renaming> next_to_now_, child_to_local_;
  std::vector<std::vector<SymbolicEdge>> edges_;
  std::vector<std::vector<std::vector<dd::Bdd>>> relations_;  // [template][edge][action]
};

}  // namespace cohort::engine::unbounded
