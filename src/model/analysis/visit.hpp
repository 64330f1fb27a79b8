// Visitors: every action of a program with its place, every expression of an action, every place where it puts threads.
#pragma once

#include <algorithm>
#include <cstddef>
#include <type_traits>

#include "model/program.hpp"

namespace cohort::model {

// One action, and where it stands.  P is Program or const Program.
template <class P>
struct ActionSite {
  template <class T>
  using Like = std::conditional_t<std::is_const_v<P>, const T, T>;

  Like<Action>& action;
  Like<Edge>& edge;
  TemplateId templ;
};

// All actions, template by template and edge by edge:
//     for (const auto& [action, edge, templ] : actions_of(program)) ...
// Bodies may change what they visit, and must not add or remove templates, edges or actions.
template <class P>
class Actions {
 public:
  class Iterator {
   public:
    Iterator(P* program, std::size_t templ) : program_(program), templ_(templ) { settle(); }

    ActionSite<P> operator*() const {
      auto& edge = program_->templates[templ_].edges[edge_];
      return {edge.actions[action_], edge, TemplateId(templ_)};
    }
    Iterator& operator++() {
      ++action_;
      settle();
      return *this;
    }
    bool operator==(const Iterator&) const = default;

   private:
    // Goes on to the next action there is, or to the end.
    void settle() {
      for (; templ_ < program_->templates.size(); ++templ_, edge_ = 0) {
        const auto& edges = program_->templates[templ_].edges;
        for (; edge_ < edges.size(); ++edge_, action_ = 0) {
          if (action_ < edges[edge_].actions.size()) return;
        }
      }
    }

    P* program_;
    std::size_t templ_;
    std::size_t edge_ = 0;
    std::size_t action_ = 0;
  };

  explicit Actions(P& program) : program_(&program) {}

  Iterator begin() const { return {program_, 0}; }
  Iterator end() const { return {program_, program_->templates.size()}; }

 private:
  P* program_;
};

template <class P>
Actions<P> actions_of(P& program) {
  return Actions<P>(program);
}

// Does `holds(const Action&)` of some action?
template <class Holds>
bool any_action(const Edge& edge, Holds&& holds) {
  return std::any_of(edge.actions.begin(), edge.actions.end(), holds);
}

template <class Holds>
bool any_action(const Template& templ, Holds&& holds) {
  return std::any_of(templ.edges.begin(), templ.edges.end(), [&](const Edge& edge) { return any_action(edge, holds); });
}

template <class Holds>
bool any_action(const Program& program, Holds&& holds) {
  return std::any_of(program.templates.begin(), program.templates.end(),
                     [&](const Template& templ) { return any_action(templ, holds); });
}

// Calls visit(ExprId) for each whole expression of the action.
template <class Visit>
void for_each_root(const Action& action, Visit&& visit) {
  const auto visit_target = [&](const LValue& target) {
    if (target.index) visit(*target.index);
    if (target.ref) visit(*target.ref);
  };
  const auto visit_assign = [&](const Assign& assign) {
    visit_target(assign.target);
    visit(assign.value);
  };
  if (action.guard) visit(*action.guard);
  for (const Assign& assign : action.assigns) visit_assign(assign);
  for (const ExprId conjunct : action.constraint) visit(conjunct);
  for (const Spawn& spawn : action.spawns) {
    for (const Assign& assign : spawn.locals) visit_assign(assign);
  }
  if (action.call) {
    for (const ExprId arg : action.call->args) visit(arg);
    for (const auto& result : action.call->results) {
      if (result) visit_target(*result);
    }
  }
  if (action.ret) {
    for (const ExprId value : action.ret->values) visit(value);
  }
}

// Calls visit(const Expr&, ExprId) for each node of each expression of the action.
template <class Visit>
void for_each_node(const ExprPool& pool, const Action& action, Visit&& visit) {
  for_each_root(action, [&](ExprId root) { for_each_node(pool, root, visit); });
}

// Calls visit(TemplateId, LocId) for each place where the action puts a thread, besides the target of its edge.
template <class Visit>
void for_each_placed(const Action& action, Visit&& visit) {
  for (const Spawn& spawn : action.spawns) visit(spawn.templ, spawn.location);
  for (const PassiveMove& move : action.moves) visit(move.templ, move.to);
  for (const Take& take : action.takes) {
    if (take.to) visit(take.templ, *take.to);
  }
}

}  // namespace cohort::model
