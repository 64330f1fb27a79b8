// The cone of influence, without regard to control flow.  What guards, constraints, indices, references, the initial
// condition and properties mention is relevant, and so is what an assignment reads whose target is relevant.  A
// variable that is not cannot decide whether a step is possible, where it leads or what a property says, so two states
// that differ only in such variables have the same steps, to states that differ only there.  The target of an
// assignment that can fault is relevant too, so that the assignment need not be split from its check.
//
// For locals the analysis in liveness.hpp is finer in all but one respect: what others can see is live everywhere,
// though perhaps irrelevant.  Shared variables have no points of death: any thread may read them at any time.  Linear
// in the size of the program.
#include "model/passes/relevance.hpp"
#include "model/analysis/may_fault.hpp"
#include "model/analysis/visit.hpp"

#include <algorithm>
#include <utility>

#include "base/contract.hpp"
#include "base/poll.hpp"

namespace cohort::model {

namespace {

// Variables as nodes of one graph: the shared ones first, then the locals of each template.
class Influence {
 public:
  Influence(const Program& program, Env* env) : program_(program), env_(env) {
    std::size_t count = program.shared.size();
    for (const Template& templ : program.templates) {
      first_local_.push_back(count);
      count += templ.locals.size();
    }
    relevant_.resize(count, false);
    operands_.resize(count);
    for (const auto& [action, edge, templ] : actions_of(program)) add(templ, action);
    if (program.initial_condition) demand(TemplateId{}, *program.initial_condition);
    for (const Property& property : program.properties) {
      if (property.condition) demand(TemplateId{}, *property.condition);
    }
    close();
  }

  bool shared(VarId var) const { return relevant_[var.value]; }
  bool local(TemplateId templ, VarId var) const { return relevant_[node_of(templ, var)]; }

 private:
  std::size_t node_of(TemplateId templ, VarId var) const { return first_local_[templ.value] + var.value; }

  // Calls visit(node) for each variable that `root` reads, seen from a thread of `templ`.
  template <class Visit>
  void for_each_read(TemplateId templ, ExprId root, Visit&& visit) const {
    for_each_node(program_.exprs, root, [&](const Expr& node, ExprId) {
      switch (node.op) {
        case Op::SharedVar: visit(static_cast<std::size_t>(node.var.value)); break;
        case Op::LocalVar: visit(node_of(templ, node.var)); break;
        case Op::PassiveVar:
        case Op::RemoteVar: visit(node_of(node.templ, node.var)); break;
        default: break;
      }
    });
  }

  void mark(std::size_t node) {
    if (relevant_[node]) return;
    relevant_[node] = true;
    pending_.push_back(node);
  }

  void demand(TemplateId templ, ExprId root) {
    for_each_read(templ, root, [&](std::size_t node) { mark(node); });
  }

  void add(TemplateId templ, const Action& action) {
    if (action.guard) demand(templ, *action.guard);
    for (const ExprId conjunct : action.constraint) demand(templ, conjunct);
    for (const Assign& assign : action.assigns) {
      const LValue& target = assign.target;
      const bool shared = target.kind == LValue::Kind::Shared;
      const bool of_others = target.kind == LValue::Kind::Remote || target.kind == LValue::Kind::Passive;
      const TemplateId owner = of_others ? target.templ : templ;
      const Variable& variable = shared ? program_.shared[target.var.value] : program_.templ(owner).local(target.var);
      add_assign(templ, assign, shared ? target.var.value : node_of(owner, target.var), variable.type);
    }
    for (const Spawn& spawn : action.spawns) {
      for (const Assign& assign : spawn.locals) {
        const Type& type = program_.templ(spawn.templ).local(assign.target.var).type;
        add_assign(templ, assign, node_of(spawn.templ, assign.target.var), type);
      }
    }
  }

  void add_assign(TemplateId reader, const Assign& assign, std::size_t target, const Type& type) {
    poll(env_, "relevance");
    if (assign.target.index) demand(reader, *assign.target.index);
    if (assign.target.ref) demand(reader, *assign.target.ref);
    for_each_read(reader, assign.value, [&](std::size_t node) { operands_[target].push_back(node); });
    if (may_fault(program_.exprs, assign.target, type, assign.value)) mark(target);
  }

  void close() {
    while (!pending_.empty()) {
      poll(env_, "relevance");
      const std::size_t node = pending_.back();
      pending_.pop_back();
      for (const std::size_t operand : operands_[node]) mark(operand);
    }
  }

  const Program& program_;
  Env* env_;
  std::vector<std::size_t> first_local_;
  std::vector<bool> relevant_;
  std::vector<std::vector<std::size_t>> operands_;  // of the assignments to each variable
  std::vector<std::size_t> pending_;
};

}  // namespace

RelevantVariables::RelevantVariables(const Program& program, Env* env) {
  COHORT_EXPECT(is_flat(program), "relevance is for flat programs");
  const Influence influence(program, env);
  for (std::size_t i = 0; i < program.shared.size(); ++i) shared_.push_back(influence.shared(VarId(i)));
  for (std::size_t i = 0; i < program.templates.size(); ++i) {
    auto& locals = locals_.emplace_back();
    for (std::size_t j = 0; j < program.templates[i].locals.size(); ++j) {
      locals.push_back(influence.local(TemplateId(i), VarId(j)));
    }
  }
}

RelevantVariables RelevantVariables::everything(const Program& program) {
  RelevantVariables result;
  result.shared_.assign(program.shared.size(), true);
  for (const Template& templ : program.templates) result.locals_.emplace_back(templ.locals.size(), true);
  return result;
}

Program fix_irrelevant(Program program, const RelevantVariables& relevant) {
  const auto fix = [](Variable& variable) { variable.initial = {variable.type.default_value()}; };
  for (std::size_t i = 0; i < program.shared.size(); ++i) {
    if (!relevant.shared(VarId(i))) fix(program.shared[i]);
  }
  for (std::size_t i = 0; i < program.templates.size(); ++i) {
    const TemplateId id(i);
    Template& templ = program.templates[i];
    for (std::size_t j = 0; j < templ.locals.size(); ++j) {
      if (!relevant.local(id, VarId(j))) fix(templ.locals[j]);
    }
    const auto is_irrelevant = [&](const Assign& assign) {
      const LValue& target = assign.target;
      if (target.kind == LValue::Kind::Shared) return !relevant.shared(target.var);
      const bool of_others = target.kind == LValue::Kind::Remote || target.kind == LValue::Kind::Passive;
      return !relevant.local(of_others ? target.templ : id, target.var);
    };
    for (Edge& edge : templ.edges) {
      for (Action& action : edge.actions) {
        std::erase_if(action.assigns, is_irrelevant);
        for (Spawn& spawn : action.spawns) {
          std::erase_if(spawn.locals,
                        [&](const Assign& assign) { return !relevant.local(spawn.templ, assign.target.var); });
        }
      }
    }
  }
  return program;
}

}  // namespace cohort::model
