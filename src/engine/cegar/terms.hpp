// Expressions over several threads, as they come up when a condition is taken back along a path, and what is done to
// them.  A local v of thread i is written as a shared variable with a number behind those of the program, so that one
// pool holds them all and substitution is one rewriting.
#pragma once

#include <optional>
#include <set>
#include <vector>

#include "model/commands.hpp"

namespace cohort::engine::cegar {

class PathTerms {
 public:
  PathTerms(model::ExprPool& pool, const model::Program& program);

  // `expr` over the locals of thread `thread`.
  model::ExprId of_thread(model::ExprId expr, std::size_t thread);
  // Which thread and local a variable with a number behind the program's stands for.
  struct Owner {
    std::size_t thread = 0;
    model::VarId local;
  };
  std::optional<Owner> owner(model::VarId var) const;
  std::set<std::size_t> threads_of(model::ExprId expr) const;
  // Back: `expr` speaks of at most one thread, whose locals become LocalVars.
  model::ExprId erase_thread(model::ExprId expr);
  // `expr` over the state after the assignments of the command by `thread`, in terms of the state before.
  model::ExprId before(model::ExprId expr, const model::Command& command, std::size_t thread);
  // The local of the thread replaced by a shared variable plus a constant.
  model::ExprId replace_local(model::ExprId expr, std::size_t thread, model::VarId local, model::ExprId value);

 private:
  model::VarId number(std::size_t thread, model::VarId local) const;
  model::ExprId assigned(const model::Expr& node, model::ExprId index, model::LValue::Kind kind, model::VarId var,
                         const model::Command& command, std::size_t thread);

  model::ExprPool& pool_;
  std::size_t shared_;
  std::size_t stride_ = 1;
};

// The atoms of a Boolean expression in a normal form: comparisons by == and <= only, Boolean variables, no negations,
// no cases (a ? b : c) inside, constants folded.  Atoms that hold always or never are left out.
std::vector<model::ExprId> atoms_of(model::ExprPool& pool, model::ExprId expr);
// The same value with constants folded and sums of constants gathered.
model::ExprId simplified(model::ExprPool& pool, model::ExprId expr);

}  // namespace cohort::engine::cegar
