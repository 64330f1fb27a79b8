// Each template becomes a procedure, each location a label, each edge one statement: the guard joins the constraint,
// where plain names are values before the step.  A location with several edges begins with a `goto` to them.  The
// thread thereby commits itself to an edge before the guard is known, which changes no reachable violation: whatever
// step was possible before, the thread can commit itself to just then.
//
// Some actions have no statement of their own: a guarded spawn (`enforce` makes them), or a write that ends the thread.
// They become a sequence inside an atomic section.  A guard that fails there ends the execution, but an execution that
// enters the section only when the guard holds exists as well, so again no violation is lost or gained.  Whether the
// thread is inside a section of its own already is found by propagating the flag along the edges; where both is
// possible and it matters, the step is refused.
#include "convert/bp.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "base/contract.hpp"
#include "convert/expr_text.hpp"
#include "convert/fragment.hpp"
#include "convert/text_writer.hpp"

namespace cohort::convert {

namespace {

using model::Action;
using model::AtomicChange;
using model::Expr;
using model::ExprId;
using model::LocId;
using model::LValue;
using model::Op;
using model::Program;
using model::Template;
using model::TemplateId;

constexpr std::string_view reserved =
    "abortif assert assume atomic_begin atomic_end begin bool constrain dead decl dfs do else elsif end end_thread "
    "enforce F fi goto if main od return schoose skip start_thread sync T then thread_local void while";

constexpr Operators operators{.conj = "&",
                              .disj = "|",
                              .implies = "=>",
                              .exclusive = "^",
                              .equal = "=",
                              .truth = "1",
                              .falsity = "0",
                              .question = {},
                              .colon = {}};

// For each location of a template, whether a thread may stand there outside and inside an atomic section.
struct AtomicFlow {
  std::vector<bool> outside;
  std::vector<bool> inside;
};

AtomicFlow atomic_flow(const Program& program, TemplateId id) {
  const Template& templ = program.templ(id);
  AtomicFlow flow{std::vector<bool>(templ.locations.size()), std::vector<bool>(templ.locations.size())};
  flow.outside[templ.entry.value] = true;
  for (const model::InitialThreads& group : program.initial) {
    if (group.templ == id) flow.outside[group.location.value] = true;
  }
  for (const Template& creator : program.templates) {
    for (const model::Edge& edge : creator.edges) {
      for (const model::Spawn& spawn : edge.actions.front().spawns) {
        if (spawn.templ == id) flow.outside[spawn.location.value] = true;
      }
    }
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (const model::Edge& edge : templ.edges) {
      const AtomicChange change = edge.actions.front().atomic;
      const bool reached = flow.outside[edge.source.value] || flow.inside[edge.source.value];
      const bool outside =
          change == AtomicChange::Exit ? reached : change == AtomicChange::None && flow.outside[edge.source.value];
      const bool inside =
          change == AtomicChange::Enter ? reached : change == AtomicChange::None && flow.inside[edge.source.value];
      changed |= (outside && !flow.outside[edge.target.value]) || (inside && !flow.inside[edge.target.value]);
      if (outside) flow.outside[edge.target.value] = true;
      if (inside) flow.inside[edge.target.value] = true;
    }
  }
  return flow;
}

class Writer : private TextWriter {
 public:
  explicit Writer(const Program& program) : TextWriter(program, reserved) {
    for (std::size_t i = 0; i < program.templates.size(); ++i) {
      procedure_names_.push_back(is_main(TemplateId(i)) ? "main" : names_.fresh(program.templates[i].name));
      name_locals(program.templates[i], "");
    }
  }

  std::string write() {
    if (!program_.initial.front().count) line("// initial: N");
    for (std::size_t i = 0; i < program_.shared.size(); ++i)
      write_declaration(program_.shared[i], shared_names_[i], "");
    for (std::size_t i = 0; i < program_.templates.size(); ++i) write_procedure(TemplateId(i));
    return std::move(out_);
  }

 private:
  void write_declaration(const model::Variable& variable, const std::string& name, std::string_view indent) {
    if (variable.initial.empty()) {
      line("{}decl {};", indent, name);
    } else {
      line("{}decl {} := {};", indent, name, variable.initial.front());
    }
  }

  void write_procedure(TemplateId id) {
    current_ = id;
    const Template& templ = program_.templ(id);
    flow_ = atomic_flow(program_, id);
    const std::vector<model::VarId> parameter_ids = parameters(id);
    std::vector<std::string> params;
    for (const model::VarId param : parameter_ids) params.push_back(local_names_[id.value][param.value]);
    line("");
    line("void {}({}) begin", procedure_names_[id.value], fmt::join(params, ", "));
    for (std::size_t k = 0; k < templ.locals.size(); ++k) {
      if (std::find(parameter_ids.begin(), parameter_ids.end(), model::VarId(k)) != parameter_ids.end()) continue;
      write_declaration(templ.locals[k], local_names_[id.value][k], "  ");
    }
    const model::OutEdges out_edges(templ);
    bool error_written = false;
    std::vector<LocId> order{templ.entry};
    for (std::size_t i = 0; i < templ.locations.size(); ++i) {
      if (LocId(i) != templ.entry) order.emplace_back(LocId(i));
    }
    for (const LocId location : order) {
      if (templ.locations[location.value].error) {
        if (!error_written) line("SLIC_ERROR: assume(0);");
        error_written = true;
      } else {
        write_location(location, out_edges.of(location));
      }
    }
    line("end");
  }

  // All error locations of a procedure are the one label that is always checked.
  std::string label(LocId location) const {
    if (program_.templ(current_).locations[location.value].error) return "SLIC_ERROR";
    return fmt::format("L{}", location.value);
  }

  void write_location(LocId location, const std::vector<std::uint32_t>& edges) {
    if (edges.empty()) {
      line("{}: assume(0);", label(location));
    } else if (edges.size() == 1) {
      write_edge(label(location), program_.templ(current_).edges[edges.front()]);
    } else {
      std::vector<std::string> targets;
      for (std::size_t i = 0; i < edges.size(); ++i) targets.push_back(fmt::format("{}_{}", label(location), i));
      line("{}: goto {};", label(location), fmt::join(targets, ", "));
      for (std::size_t i = 0; i < edges.size(); ++i) write_edge(targets[i], program_.templ(current_).edges[edges[i]]);
    }
  }

  void write_edge(const std::string& at, const model::Edge& edge) {
    const Action& action = edge.actions.front();
    expect_choices_once(action);
    std::string text;
    for (const std::string& statement : statements(edge)) text += statement + "; ";
    if (!action.ends_thread) text += fmt::format("goto {}; ", label(edge.target));
    text.pop_back();
    line("{}: {}", at, text);
  }

  // Each `*` of the text is a choice of its own, so a choice that two places share cannot be said.
  void expect_choices_once(const Action& action) const {
    std::unordered_map<ExprId, int> uses;
    const auto count = [&](auto&& self, ExprId root) -> void {
      const Expr& node = program_.exprs[root];
      if (node.op == Op::Nondet && ++uses[root] > 1) {
        throw_unsupported(action.span,
                          "one choice that is used in several places cannot be converted to a Boolean program");
      }
      for (const ExprId arg : node.args) self(self, arg);
      if (node.op == Op::Ite) self(self, node.args.front());  // a conditional is written with its condition twice
    };
    if (action.guard) count(count, *action.guard);
    for (const model::Assign& assign : action.assigns) count(count, assign.value);
    for (const ExprId conjunct : action.constraint) count(count, conjunct);
    for (const model::Spawn& spawn : action.spawns) {
      for (const model::Assign& assign : spawn.locals) count(count, assign.value);
    }
  }

  std::vector<std::string> statements(const model::Edge& edge) const {
    const Action& action = edge.actions.front();
    std::vector<std::string> result;
    if (!action.assigns.empty() || !action.constraint.empty()) {
      result.push_back(update_text(action));
    } else if (action.guard && !program_.exprs.is_true(*action.guard)) {
      result.push_back(fmt::format("assume({})", text_(*action.guard).text));
    }
    for (const model::Spawn& spawn : action.spawns) result.push_back(spawn_text(action, spawn));
    if (action.ends_thread) result.emplace_back("end_thread");
    if (action.atomic == AtomicChange::Enter) result.insert(result.begin(), "atomic_begin");
    if (action.atomic == AtomicChange::Exit && !action.ends_thread) result.emplace_back("atomic_end");
    if (result.empty()) return {"skip"};
    if (result.size() == 1 || action.atomic == AtomicChange::Enter) return result;
    if (flow_.outside[edge.source.value] && flow_.inside[edge.source.value]) {
      throw_unsupported(
          action.span,
          "a guarded step that may be inside or outside an atomic section cannot be converted to a Boolean program");
    }
    if (flow_.outside[edge.source.value]) {
      result.insert(result.begin(), "atomic_begin");
      if (!action.ends_thread && action.atomic != AtomicChange::Exit) result.emplace_back("atomic_end");
    }
    return result;
  }

  std::string update_text(const Action& action) const {
    std::vector<std::string> targets;
    std::vector<std::string> values;
    for (const model::Assign& assign : action.assigns) {
      targets.push_back(target_text(assign.target));
      values.push_back(text_(assign.value).text);
    }
    if (targets.empty()) {
      targets.emplace_back("_");
      values.emplace_back("0");
    }
    std::vector<std::string> conjuncts;
    const auto add = [&](ExprId condition) {
      const Text text = text_(condition);
      if (!text.is_true()) conjuncts.push_back(fmt::format("({})", text.text));
    };
    if (action.guard) add(*action.guard);
    for (const ExprId conjunct : action.constraint) add(conjunct);
    const std::string update = fmt::format("{} := {}", fmt::join(targets, ", "), fmt::join(values, ", "));
    return conjuncts.empty() ? update : fmt::format("{} constrain {}", update, fmt::join(conjuncts, " & "));
  }

  std::string target_text(const LValue& target) const {
    if (target.kind == LValue::Kind::Shared) return shared_names_[target.var.value];
    COHORT_EXPECT(target.kind != LValue::Kind::Remote, "the fragment check has refused remote writes");
    if (target.kind == LValue::Kind::Passive) return passive_text(target.templ, target.var, 0);
    return local_names_[current_.value][target.var.value];
  }

  std::string passive_text(TemplateId owner, model::VarId var, model::Value number) const {
    return fmt::format("{}{:$<{}}{}", local_names_[owner.value][var.value], "", number + 1,
                       owner == current_ ? "" : procedure_names_[owner.value]);
  }

  std::string spawn_text(const Action& action, const model::Spawn& spawn) const {
    if (spawn.copies_locals) {
      if (!spawn.locals.empty()) refuse_spawn(action, "a spawn that copies the locals and sets some");
      return fmt::format("start_thread goto {}", label(spawn.location));
    }
    const Template& templ = program_.templ(spawn.templ);
    if (spawn.location != templ.entry) refuse_spawn(action, "a spawn into the middle of another procedure");
    if (is_main(spawn.templ) && !spawn.locals.empty()) refuse_spawn(action, "a spawn of main with arguments");
    for (const model::Assign& assign : spawn.locals) {
      const bool is_param =
          std::find(templ.params.begin(), templ.params.end(), assign.target.var) != templ.params.end();
      if (!is_param) refuse_spawn(action, "a spawn that sets other locals than the parameters");
    }
    std::vector<std::string> args;
    for (const model::VarId param : parameters(spawn.templ))
      args.push_back(argument_text(spawn, templ.local(param), param));
    if (!args.empty() && !action.assigns.empty()) refuse_spawn(action, "a spawn with arguments and assignments");
    return fmt::format("start_thread {}({})", procedure_names_[spawn.templ.value], fmt::join(args, ", "));
  }

  // A parameter that the spawn does not set starts as it is declared.
  std::string argument_text(const model::Spawn& spawn, const model::Variable& variable, model::VarId param) const {
    const auto given = std::find_if(spawn.locals.begin(), spawn.locals.end(),
                                    [&](const model::Assign& assign) { return assign.target.var == param; });
    if (given != spawn.locals.end()) return text_(given->value).text;
    return variable.initial.empty() ? "*" : text_.constant(variable.initial.front(), variable.type).text;
  }

  bool is_main(TemplateId id) const { return program_.initial.front().templ == id; }

  // Nobody passes arguments to main.
  std::vector<model::VarId> parameters(TemplateId id) const {
    return is_main(id) ? std::vector<model::VarId>() : program_.templ(id).params;
  }

  [[noreturn]] static void refuse_spawn(const Action& action, std::string_view feature) {
    throw_unsupported(action.span, fmt::format("{} cannot be converted to a Boolean program", feature));
  }

  Text leaf(const Expr& node) const {
    const std::string_view prime = node.primed ? "'" : "";
    switch (node.op) {
      case Op::SharedVar: return {fmt::format("{}{}", prime, shared_names_[node.var.value]), {}};
      case Op::LocalVar: return {fmt::format("{}{}", prime, local_names_[current_.value][node.var.value]), {}};
      case Op::PassiveVar: return {fmt::format("{}{}", prime, passive_text(node.templ, node.var, node.value)), {}};
      case Op::Nondet: return {"*", {}};
      default: COHORT_UNREACHABLE("leaves are variables and choices");
    }
  }

  std::vector<std::string> procedure_names_;
  AtomicFlow flow_;
  ExprText text_{program_.exprs, operators, [this](const Expr& node, ExprId) { return leaf(node); }};
};

}  // namespace

std::string to_bp(const Program& program) {
  require_fragment(program, {.target = "a Boolean program", .passive_choices = true, .any_passive = true});
  const bool one_group = program.initial.size() == 1 && program.initial.front().count.value_or(1) == 1 &&
                         program.initial.front().location == program.templ(program.initial.front().templ).entry;
  if (!one_group)
    throw_unsupported({}, "a start other than threads at the entry of main cannot be converted to a Boolean program");
  return Writer(program).write();
}

}  // namespace cohort::convert
