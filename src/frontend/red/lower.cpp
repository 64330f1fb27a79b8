// Where the paper leaves room:
//   - A process starts in the first mode, unless a conjunct of `initially` puts it elsewhere (`m[2]`, `forall i:
//   m[i]`).
//     Variables that `initially` says nothing of may start with any value.  A conjunct that fixes a variable is kept in
//     the condition and also becomes the variable's initial value, which saves whoever enumerates the initial states.
//   - A mode's invariant holds whenever a process is in the mode: a step after which the invariant of some process does
//     not hold cannot be taken.  It becomes a last action of each edge, which only has a guard.
//   - `safe` is violated where the condition is not true; `risk` where its negation is not.
#include "frontend/red/lower.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "base/poll.hpp"
#include "frontend/red/defined.hpp"
#include "frontend/red/expression.hpp"
#include "frontend/red/parser.hpp"
#include "model/analysis/visit.hpp"

namespace cohort::frontend::red {

using model::ExprId;
using model::LocId;
using model::Op;
using model::TemplateId;
using model::Type;

namespace {

using Kind = Expression::Kind;

// The executing process before its step, in `mode`, or after its assignments, where the step has led to `mode`.
Scope executing(LocId mode, bool arrived = false) {
  return {.process = Scope::Process::Executing, .bound = {}, .own_mode = mode, .arrived = arrived};
}

void flatten(const Expression& condition, std::vector<const Expression*>& conjuncts) {
  if (condition.kind == Kind::Operator && (condition.name == "and" || condition.name == "&&")) {
    for (const ExpressionPtr& operand : condition.args) flatten(*operand, conjuncts);
  } else {
    conjuncts.push_back(&condition);
  }
}

class Lowering {
 public:
  Lowering(const Algorithm& algorithm, const Options& options)
      : algorithm_(algorithm),
        processes_(count_of(algorithm, options)),
        faults_(options.faults),
        expressions_(program_, processes_) {
    program_.name = algorithm.file->name();
    program_.faults = options.faults == Faults::Ignore ? model::FaultPolicy::Drop : model::FaultPolicy::Violation;
  }

  model::Program run() {
    program_.add_template({.name = "process", .span = algorithm_.modes.front().span});
    for (const Declaration& variable : algorithm_.variables) declare(variable);
    for (const Constant& constant : algorithm_.constants) {
      expressions_.declare(constant.name, {.kind = Symbol::Kind::Constant, .value = constant.value}, constant.span);
    }
    for (const Mode& mode : algorithm_.modes) {
      const LocId location = templ().add_location({.label = mode.name, .span = mode.span, .error = {}});
      expressions_.declare(mode.name, {.kind = Symbol::Kind::Mode, .index = location.value}, mode.span);
    }
    for (std::size_t i = 0; i < algorithm_.modes.size(); ++i) {
      for (const Transition& transition : algorithm_.modes[i].transitions) add_edge(LocId(i), transition);
    }
    add_start();
    add_goals();
    if (processes_ == 0) refuse_calculated_processes();
    return std::move(program_);
  }

 private:
  static std::uint32_t count_of(const Algorithm& algorithm, const Options& options) {
    if (options.any_number) return 0;
    const auto count = options.processes ? options.processes : algorithm.processes;
    if (!count) {
      throw_malformed({algorithm.file, 1, 1},
                      "the number of processes is not given: write 'process count = N;' or use --processes");
    }
    return *count;
  }

  // What is assigned to a pointer must be a process, and which numbers are is not known.
  void refuse_calculated_processes() const {
    const auto look = [&](const model::Expr& node, const SourceSpan& span) {
      if (node.op == Op::Cast && node.type.kind() == Type::Kind::ThreadRef) {
        throw_malformed(span, "where there is any number of processes, none can be calculated");
      }
    };
    for (const auto& [action, edge, templ] : model::actions_of(program_)) {
      for_each_node(program_.exprs, action, [&](const model::Expr& node, ExprId) { look(node, action.span); });
    }
    for (const model::Property& property : program_.properties) {
      if (!property.condition) continue;
      model::for_each_node(program_.exprs, *property.condition,
                           [&](const model::Expr& node, ExprId) { look(node, property.span); });
    }
  }

  model::Template& templ() { return program_.templ(TemplateId(0)); }

  void declare(const Declaration& variable) {
    const Type type = variable.pointer ? Type::thread_ref() : Type::range(variable.lo, variable.hi);
    const model::Variable declared{.name = variable.name, .type = type, .initial = {}, .span = variable.span};
    const std::size_t index = variable.global ? program_.add_shared(declared).value : templ().add_local(declared).value;
    const auto kind = variable.global ? Symbol::Kind::Global : Symbol::Kind::Local;
    expressions_.declare(variable.name, {.kind = kind, .index = index, .type = type}, variable.span);
  }

  void add_edge(LocId source, const Transition& transition) {
    model::Edge edge{.source = source, .target = source, .actions = {}};
    if (transition.target) {
      const Symbol* target = expressions_.find(*transition.target);
      if (target == nullptr || target->kind != Symbol::Kind::Mode) {
        throw_malformed(transition.target_span, fmt::format("there is no mode '{}'", *transition.target));
      }
      edge.target = LocId(target->index);
    }
    const ExprId guard = as_guard(expressions_.condition(*transition.guard, executing(source)));
    if (!program_.exprs.is_true(guard) || transition.assignments.empty()) {
      model::Action action;
      action.guard = guard;
      action.span = transition.span;
      action.text = transition.text;
      edge.actions.push_back(std::move(action));
    }
    for (const Assignment& assignment : transition.assignments) {
      model::Action action;
      action.assigns.push_back(expressions_.assignment(assignment, executing(source)));
      if (faults_ == Faults::Guards) action.guard = can_be_made(action.assigns.back());
      action.span = assignment.span;
      action.text = assignment.text;
      edge.actions.push_back(std::move(action));
    }
    if (has_invariants()) edge.actions.push_back(keep_invariants(edge.target));
    templ().edges.push_back(std::move(edge));
  }

  // With `--faults actions` a condition without a value is false.
  ExprId as_guard(ExprId condition) {
    if (faults_ != Faults::Actions) return condition;
    return program_.exprs.conj(defined(program_.exprs, condition, processes_), condition);
  }

  std::optional<ExprId> can_be_made(const model::Assign& assign) {
    const auto& variables = assign.target.kind == model::LValue::Kind::Shared ? program_.shared : templ().locals;
    const ExprId condition = can_assign(program_.exprs, assign, variables[assign.target.var.value].type, processes_);
    if (program_.exprs.is_true(condition)) return std::nullopt;
    return condition;
  }

  bool has_invariants() const {
    return std::any_of(algorithm_.modes.begin(), algorithm_.modes.end(), [](const Mode& mode) {
      return mode.invariant->kind != Kind::Truth || mode.invariant->number == 0;
    });
  }

  // For the bound process 0: the invariant of the mode that it is in; after a step, of the process that has arrived
  // where.
  ExprId invariant_of_bound(std::optional<LocId> arrived) {
    auto& exprs = program_.exprs;
    ExprId all = exprs.truth();
    const Scope scope{.process = Scope::Process::Bound,
                      .bound = {"the process"},
                      .own_mode = arrived,
                      .arrived = arrived.has_value()};
    for (std::size_t i = 0; i < algorithm_.modes.size(); ++i) {
      const ExprId invariant = expressions_.condition(*algorithm_.modes[i].invariant, scope);
      const ExprId elsewhere = exprs.negate(exprs.at_location(exprs.bound_thread(0), TemplateId(0), LocId(i)));
      all = exprs.conj(all, exprs.disj(elsewhere, invariant));
    }
    return all;
  }

  // The executing process is where the edge leads, the others are where they were.
  model::Action keep_invariants(LocId target) {
    auto& exprs = program_.exprs;
    const Mode& mode = algorithm_.modes[target.value];
    const ExprId own = expressions_.condition(*mode.invariant, executing(target, true));
    const ExprId is_self = exprs.binary(Op::Eq, exprs.bound_thread(0), exprs.self(), Type::boolean());
    const ExprId others = exprs.quantified(Op::ForallThread, exprs.disj(is_self, invariant_of_bound(target)));
    model::Action action;
    action.guard = as_guard(exprs.conj(own, others));
    action.span = mode.span;
    return action;
  }

  void add_start() {
    std::vector<LocId> modes(std::max(processes_, 1U), LocId(0));
    std::vector<const Expression*> conjuncts;
    if (algorithm_.initially) flatten(*algorithm_.initially, conjuncts);
    for (const Expression* conjunct : conjuncts) note_start(*conjunct, modes);
    for (const LocId mode : modes) {
      if (program_.initial.empty() || program_.initial.back().location != mode) {
        program_.initial.push_back({TemplateId(0), mode, 0});
      }
      ++*program_.initial.back().count;
    }
    if (processes_ == 0) program_.initial.back().count.reset();
    auto& exprs = program_.exprs;
    ExprId condition = exprs.truth();
    // With several starting modes, which process is in which one is part of the condition.
    if (program_.initial.size() > 1) {
      for (std::size_t i = 0; i < modes.size(); ++i) {
        const ExprId process = exprs.constant(static_cast<model::Value>(i) + 1, Type::thread_ref());
        condition = exprs.conj(condition, exprs.at_location(process, TemplateId(0), modes[i]));
      }
    }
    for (const Expression* conjunct : conjuncts) {
      condition = exprs.conj(condition, expressions_.condition(*conjunct, {}));
    }
    if (has_invariants()) {
      condition = exprs.conj(condition, exprs.quantified(Op::ForallThread, invariant_of_bound({})));
    }
    if (!exprs.is_true(condition)) program_.initial_condition = condition;
  }

  // What a conjunct of `initially` says of modes and single variables.
  void note_start(const Expression& conjunct, std::vector<LocId>& modes) {
    if (conjunct.kind == Kind::Quantifier && conjunct.name == "forall") {
      std::vector<const Expression*> bodies;
      flatten(*conjunct.args[0], bodies);
      for (const Expression* body : bodies) {
        if (const auto mode = mode_of(*body, conjunct.variable)) std::fill(modes.begin(), modes.end(), *mode);
        note_value(*body, conjunct.variable);
      }
      return;
    }
    for (std::uint32_t i = 0; i < processes_; ++i) {
      if (const auto mode = mode_of(conjunct, std::to_string(i + 1))) modes[i] = *mode;
    }
    note_value(conjunct, "");
  }

  // `m[process]`, or `mode[process] == m`.
  std::optional<LocId> mode_of(const Expression& conjunct, const std::string& process) const {
    const bool compares = conjunct.kind == Kind::Operator && conjunct.name == "==";
    const Expression& spoken_of = compares ? *conjunct.args[0] : conjunct;
    if (spoken_of.kind != Kind::Name || spoken_of.args.empty() || spoken_of.args[0]->name != process)
      return std::nullopt;
    if (compares && spoken_of.name != "mode") return std::nullopt;
    const Expression& mode = compares ? *conjunct.args[1] : conjunct;
    if (compares) {
      const auto number = constant_value(mode);
      if (number && *number >= 0 && *number < static_cast<model::Value>(algorithm_.modes.size())) return LocId(*number);
    }
    const Symbol* symbol = mode.kind == Kind::Name ? expressions_.find(mode.name) : nullptr;
    if (symbol == nullptr || symbol->kind != Symbol::Kind::Mode) return std::nullopt;
    return LocId(symbol->index);
  }

  // `g == c`, or `x[process] == c` for a bound process, fixes the variable.
  void note_value(const Expression& conjunct, const std::string& process) {
    if (conjunct.kind != Kind::Operator || conjunct.name != "==") return;
    const Expression& variable = *conjunct.args[0];
    const auto value = constant_value(*conjunct.args[1]);
    const Symbol* symbol = variable.kind == Kind::Name ? expressions_.find(variable.name) : nullptr;
    if (!value || symbol == nullptr) return;
    const bool global = symbol->kind == Symbol::Kind::Global && variable.args.empty();
    const bool local = symbol->kind == Symbol::Kind::Local && !process.empty() && variable.args.size() == 1 &&
                       variable.args[0]->kind == Kind::Name && variable.args[0]->name == process;
    if (!global && !local) return;
    if (!symbol->type.contains(*value)) return;
    model::Variable& declared = global ? program_.shared[symbol->index] : templ().locals[symbol->index];
    declared.initial = {*value};
  }

  std::optional<model::Value> constant_value(const Expression& expression) const {
    if (expression.kind == Kind::Number || expression.kind == Kind::Truth) return expression.number;
    if (expression.kind == Kind::Null) return 0;
    if (expression.kind != Kind::Name || !expression.args.empty()) return std::nullopt;
    const Symbol* symbol = expressions_.find(expression.name);
    if (symbol == nullptr || symbol->kind != Symbol::Kind::Constant) return std::nullopt;
    return symbol->value;
  }

  void add_goals() {
    for (const Goal& goal : algorithm_.goals) {
      const ExprId condition = expressions_.condition(*goal.condition, {});
      model::Property property{.kind = model::Property::Kind::Condition, .text = goal.text, .span = goal.span};
      property.condition = goal.safe ? program_.exprs.negate(condition) : condition;
      program_.add_property(std::move(property));
    }
    if (program_.faults == model::FaultPolicy::Violation) {
      program_.add_property({.kind = model::Property::Kind::Fault, .text = "no step faults", .span = {}});
    }
  }

  const Algorithm& algorithm_;
  std::uint32_t processes_;
  Faults faults_;
  model::Program program_;
  ExpressionLowering expressions_;
};

}  // namespace

model::Program lower(const Algorithm& algorithm, const Options& options) {
  return Lowering(algorithm, options).run();
}

model::Program load(const SourceFilePtr& file, const Options& options, Env* env) {
  poll(env, "parse-red");
  const auto algorithm = parse(file);
  poll(env, "lower-red");
  return lower(algorithm, options);
}

}  // namespace cohort::frontend::red
