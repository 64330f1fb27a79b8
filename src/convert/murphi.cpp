// A thread is an element of a scalarset and its state is spread over arrays indexed by it: its place (template and
// location, or `none` where no thread is alive), its locals, and whether it is inside an atomic section.  A free
// element always has the same default values, so that permutations of free elements are one state, and a new thread may
// take any free element: choosing one in particular would need an order that scalarsets do not have.
//
// An edge is one rule under a ruleset over the thread and the edge's choices; a spawn is two, one for a free element
// and one for none.  When the start is not one thread, or all threads alike, it takes steps of its own: `to_start`
// counts down and nothing else happens until it is zero.  These are the only states that the program itself does not
// have.
#include "convert/murphi.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/contract.hpp"
#include "convert/expr_text.hpp"
#include "convert/fragment.hpp"
#include "convert/start.hpp"
#include "convert/step_view.hpp"
#include "convert/text_writer.hpp"

namespace cohort::convert {

namespace {

using model::Expr;
using model::ExprId;
using model::LocId;
using model::LValue;
using model::Op;
using model::Program;
using model::Template;
using model::TemplateId;
using model::Type;
using model::VarId;

constexpr std::string_view reserved =
    "alias array as assert assume at atomic begin boolean bound by case child choice_* clear const count cover do else "
    "elsif end endalias endexists endfor endforall endfunction endif endprocedure endrecord endrule endruleset "
    "endstartstate endswitch endwhile enum error exists false flatten for forall from function if in in_atomic "
    "interleaved invariant isundefined kept_* liveness map multiset multisetadd multisetcount multisetremove "
    "multisetremovepred none of other place print procedure process program put record return rule ruleset saved_* "
    "scalarset self shared_* start_* startstate static switch then thread thread_count to to_start traceuntil "
    "true type undefine undefined union var while";

constexpr Operators operators{.conj = "&", .disj = "|", .implies = "->", .equal = "="};

std::string type_text(const Type& type, const SourceSpan& span) {
  if (type.is_bool()) return "boolean";
  if (type.cardinality() == 0) throw_unsupported(span, "an integer of more than 62 bits cannot be converted to Murphi");
  return fmt::format("{} .. {}", type.first(), type.first() + static_cast<model::Value>(type.cardinality()) - 1);
}

// The text of a statement inside a quoted name.
std::string quotable(std::string_view text) {
  std::string result;
  for (const char c : text) result += c == '"' || c == '\\' ? '\'' : (c == '\n' || c == '\t' || c == '\r' ? ' ' : c);
  return result;
}

class Writer : private TextWriter {
 public:
  Writer(const Program& program, std::uint32_t threads)
      : TextWriter(program, reserved), threads_(threads), start_(plan_start(program, threads)) {
    for (const Template& templ : program.templates) name_template(templ);
  }

  std::string write() {
    for (const Template& templ : program_.templates) {
      for (const model::Edge& edge : templ.edges)
        uses_atomic_ |= edge.actions.front().atomic != model::AtomicChange::None;
    }
    write_declarations();
    write_functions();
    write_start();
    for (std::size_t i = 0; i < program_.templates.size(); ++i) write_rules(TemplateId(i));
    write_invariants();
    return std::move(out_);
  }

 private:
  void name_template(const Template& templ) {
    auto& places = place_names_.emplace_back();
    for (std::size_t i = 0; i < templ.locations.size(); ++i)
      places.push_back(names_.fresh(fmt::format("{}_at_{}", templ.name, i)));
    name_locals(templ, templ.name + "_");
    test_names_.push_back(names_.fresh(fmt::format("is_{}", templ.name)));
  }

  const std::string& place(TemplateId templ, LocId location) const { return place_names_[templ.value][location.value]; }
  std::string local(TemplateId templ, VarId var, std::string_view thread) const {
    return fmt::format("{}[{}]", local_names_[templ.value][var.value], thread);
  }

  void write_declarations() {
    line("-- {} with at most {} threads alive.", program_.name.empty() ? "A program" : quotable(program_.name),
         threads_);
    line("const thread_count: {};", threads_);
    line("type");
    line("  thread: scalarset(thread_count);");
    std::string all = "none";
    for (const auto& places : place_names_) {
      for (const std::string& name : places) all += ", " + name;
    }
    line("  place: enum {{ {} }};", all);
    line("var");
    for (std::size_t i = 0; i < program_.shared.size(); ++i) {
      line("  {}: {};", shared_names_[i], type_text(program_.shared[i].type, program_.shared[i].span));
    }
    line("  at: array [thread] of place;");
    for (std::size_t i = 0; i < program_.templates.size(); ++i) {
      const auto& locals = program_.templates[i].locals;
      for (std::size_t k = 0; k < locals.size(); ++k) {
        line("  {}: array [thread] of {};", local_names_[i][k], type_text(locals[k].type, locals[k].span));
      }
    }
    if (uses_atomic_) {
      line("  atomic: boolean;");
      line("  in_atomic: array [thread] of boolean;");
    }
    if (!start_is_direct()) line("  to_start: 0 .. {};", start_.threads.size());
    line("");
  }

  // Which threads belong to a template, where a broadcast reaches only those, and whether a covering property is met.
  void write_functions() {
    for (std::size_t i = 0; i < program_.properties.size(); ++i) {
      if (program_.properties[i].kind != model::Property::Kind::Cover) continue;
      cover_names_.emplace_back(i, names_.fresh(fmt::format("covered_{}", i)));
      write_cover_function(program_.properties[i], cover_names_.back().second);
    }
    for (std::size_t i = 0; i < program_.templates.size(); ++i) {
      const auto& edges = program_.templates[i].edges;
      const bool broadcasts = std::any_of(edges.begin(), edges.end(), [&](const model::Edge& edge) {
        return model::is_broadcast(program_.exprs, edge.actions.front());
      });
      if (!broadcasts) continue;
      line("function {}(other: thread): boolean;", test_names_[i]);
      line("begin");
      line("  return {};", fmt::format("at[other] = {}", fmt::join(place_names_[i], " | at[other] = ")));
      line("end;");
      line("");
    }
  }

  bool is_determined(const std::vector<model::Variable>& variables) const {
    return std::none_of(variables.begin(), variables.end(), [](const model::Variable& v) { return v.initial.empty(); });
  }

  // One thread, or all threads alike with determined locals: the start states can be written down as such.
  bool start_is_direct() const {
    if (start_.threads.size() == 1) return true;
    return start_.threads.size() == threads_ && start_.groups == 1 &&
           is_determined(program_.templ(start_.threads.front().templ).locals);
  }

  Text initial_value(const model::Variable& variable, const std::string& choice) const {
    if (variable.initial.empty()) return {choice, {}};
    return text_.constant(variable.initial.front(), variable.type);
  }

  void write_defaults(std::string_view thread, const std::string& indent) {
    line("{}at[{}] := none;", indent, thread);
    for (std::size_t i = 0; i < program_.templates.size(); ++i) write_default_locals(TemplateId(i), thread, indent);
    if (uses_atomic_) line("{}in_atomic[{}] := false;", indent, thread);
  }

  void write_default_locals(TemplateId templ, std::string_view thread, const std::string& indent) {
    const auto& locals = program_.templ(templ).locals;
    for (std::size_t k = 0; k < locals.size(); ++k) {
      const Text value = text_.constant(locals[k].type.default_value(), locals[k].type);
      line("{}{} := {};", indent, local(templ, VarId(k), thread), value.text);
    }
  }

  // `name: type` for each variable without initial value, for a ruleset.
  std::vector<std::string> choices_of(const std::vector<model::Variable>& variables) const {
    std::vector<std::string> params;
    for (std::size_t i = 0; i < variables.size(); ++i) {
      if (variables[i].initial.empty())
        params.push_back(fmt::format("start_{}: {}", i, type_text(variables[i].type, variables[i].span)));
    }
    return params;
  }

  void write_thread_start(const StartedThread& thread, std::string_view element, std::string_view prefix,
                          const std::string& indent) {
    const auto& locals = program_.templ(thread.templ).locals;
    line("{}at[{}] := {};", indent, element, place(thread.templ, thread.location));
    for (std::size_t k = 0; k < locals.size(); ++k) {
      const Text value = initial_value(locals[k], fmt::format("{}{}", prefix, k));
      line("{}{} := {};", indent, local(thread.templ, VarId(k), element), value.text);
    }
  }

  void write_start() {
    std::vector<std::string> params;
    for (std::size_t i = 0; i < program_.shared.size(); ++i) {
      const model::Variable& variable = program_.shared[i];
      if (variable.initial.empty())
        params.push_back(fmt::format("shared_{}: {}", i, type_text(variable.type, variable.span)));
    }
    const bool single = start_.threads.size() == 1;
    if (single) {
      params.emplace_back("self: thread");
      for (std::string& param : choices_of(program_.templ(start_.threads.front().templ).locals))
        params.push_back(std::move(param));
    }
    if (!params.empty()) line("ruleset {} do", fmt::join(params, "; "));
    line("startstate \"start\"");
    line("begin");
    for (std::size_t i = 0; i < program_.shared.size(); ++i) {
      line("  {} := {};", shared_names_[i], initial_value(program_.shared[i], fmt::format("shared_{}", i)).text);
    }
    if (uses_atomic_) line("  atomic := false;");
    line("  for other: thread do");
    write_defaults("other", "    ");
    if (start_is_direct() && !single) write_thread_start(start_.threads.front(), "other", "start_", "    ");
    line("  end;");
    if (single) write_thread_start(start_.threads.front(), "self", "start_", "  ");
    if (!start_is_direct()) line("  to_start := {};", start_.threads.size());
    line("end;");
    if (!params.empty()) line("end;");
    line("");
    if (!start_is_direct()) write_start_rules();
  }

  void write_start_rules() {
    for (std::size_t i = 0; i < start_.threads.size(); ++i) {
      std::vector<std::string> params = choices_of(program_.templ(start_.threads[i].templ).locals);
      params.insert(params.begin(), "self: thread");
      line("ruleset {} do", fmt::join(params, "; "));
      line("rule \"start thread {}\"", i);
      line("  (to_start = {}) & (at[self] = none)", start_.threads.size() - i);
      line("==>");
      line("begin");
      line("  to_start := {};", start_.threads.size() - i - 1);
      write_thread_start(start_.threads[i], "self", "start_", "  ");
      line("end;");
      line("end;");
      line("");
    }
  }

  void write_rules(TemplateId templ) {
    current_ = templ;
    const Template source = program_.templ(templ);  // the view adds to the pool, never to the templates
    for (const model::Edge& edge : source.edges) {
      const StepView view = view_step(program_, edge);
      if (view.action->spawns.empty()) {
        write_rule(view, Spawning::None);
      } else {
        write_rule(view, Spawning::Created);
        write_rule(view, Spawning::AtBound);
      }
    }
  }

  enum class Spawning { None, Created, AtBound };

  void write_rule(const StepView& view, Spawning spawning) {
    choices_ = view.choices;
    std::vector<std::string> params{"self: thread"};
    for (std::size_t i = 0; i < view.choices.size(); ++i) {
      params.push_back(
          fmt::format("choice_{}: {}", i, type_text(program_.exprs[view.choices[i]].type, view.action->span)));
    }
    if (spawning == Spawning::Created) {
      params.emplace_back("child: thread");
      for (std::string& param : child_choices(view.action->spawns.front())) params.push_back(std::move(param));
    }
    line("ruleset {} do", fmt::join(params, "; "));
    line("rule \"{}: {}\"", place(current_, view.edge->source), quotable(view.action->text));
    line("  {}", guard_text(view, spawning));
    line("==>");
    write_body(view, spawning);
    line("end;");
    line("");
  }

  std::string guard_text(const StepView& view, Spawning spawning) const {
    std::string guard = fmt::format("(at[self] = {})", place(current_, view.edge->source));
    if (!start_is_direct()) guard += " & (to_start = 0)";
    if (uses_atomic_) guard += " & (!atomic | in_atomic[self])";
    for (const ExprId condition : view.enabled) {
      const Text text = text_(condition);
      if (!text.is_true()) guard += " & " + text.text;
    }
    if (!view.passive_enabled.empty()) {
      std::string all = fmt::format("((other != self) & {}(other))", test_names_[current_.value]);
      std::string conditions;
      for (const ExprId condition : view.passive_enabled)
        conditions += (conditions.empty() ? "" : " & ") + text_(condition).text;
      guard += fmt::format(" & (forall other: thread do {} -> ({}) end)", all, conditions);
    }
    if (spawning == Spawning::Created) guard += " & (at[child] = none)";
    if (spawning == Spawning::AtBound) guard += " & (forall other: thread do (at[other] != none) end)";
    return guard;
  }

  std::vector<std::string> child_choices(const model::Spawn& spawn) const {
    if (spawn.copies_locals) return {};
    std::vector<model::Variable> locals = program_.templ(spawn.templ).locals;
    for (const model::Assign& assign : spawn.locals) locals[assign.target.var.value].initial = {0};
    return choices_of(locals);
  }

  void write_body(const StepView& view, Spawning spawning) {
    const auto passive = in_sequence(program_.exprs, view.passive_assigns);
    const auto active = in_sequence(program_.exprs, view.assigns);
    write_temporaries(passive, "kept_");
    write_temporaries(active, "saved_");
    line("begin");
    if (!passive.empty()) {
      line("  for other: thread do");
      line("    if (other != self) & {}(other) then", test_names_[current_.value]);
      write_assigns(passive, "kept_", "      ");
      line("    end;");
      line("  end;");
    }
    if (spawning == Spawning::Created) write_child(view.action->spawns.front());
    write_assigns(active, "saved_", "  ");
    write_control(view);
    line("end;");
  }

  void write_temporaries(const std::vector<SequencedAssign>& sequence, std::string_view prefix) {
    for (const SequencedAssign& item : sequence) {
      if (!item.save) continue;
      const Type& type = variable(item.assign.target).type;
      line("var {}{}: {};", prefix, *item.temporary, type_text(type, variable(item.assign.target).span));
    }
  }

  const model::Variable& variable(const LValue& target) const {
    return target.kind == LValue::Kind::Shared ? program_.shared[target.var.value]
                                               : program_.templ(current_).local(target.var);
  }

  std::string target_text(const LValue& target) const {
    switch (target.kind) {
      case LValue::Kind::Shared: return shared_names_[target.var.value];
      case LValue::Kind::Local: return local(current_, target.var, "self");
      case LValue::Kind::Passive: return local(current_, target.var, "other");
      case LValue::Kind::Remote: break;
    }
    COHORT_UNREACHABLE("the fragment check has refused remote writes");
  }

  void write_assigns(const std::vector<SequencedAssign>& sequence, std::string_view prefix, const std::string& indent) {
    for (const SequencedAssign& item : sequence) {
      const std::string temporary = item.temporary ? fmt::format("{}{}", prefix, *item.temporary) : "";
      if (item.save) {
        line("{}{} := {};", indent, temporary, text_(item.assign.value).text);
      } else {
        line("{}{} := {};", indent, target_text(item.assign.target),
             item.temporary ? temporary : text_(item.assign.value).text);
      }
    }
  }

  void write_child(const model::Spawn& spawn) {
    line("  at[child] := {};", place(spawn.templ, spawn.location));
    const auto& locals = program_.templ(spawn.templ).locals;
    for (std::size_t k = 0; k < locals.size(); ++k) {
      const auto given = std::find_if(spawn.locals.begin(), spawn.locals.end(),
                                      [&](const model::Assign& assign) { return assign.target.var == VarId(k); });
      std::string value;
      if (given != spawn.locals.end()) {
        value = text_(given->value).text;
      } else if (spawn.copies_locals) {
        value = local(spawn.templ, VarId(k), "self");
      } else {
        value = initial_value(locals[k], fmt::format("start_{}", k)).text;
      }
      line("  {} := {};", local(spawn.templ, VarId(k), "child"), value);
    }
  }

  void write_control(const StepView& view) {
    const bool ends = view.action->ends_thread;
    if (uses_atomic_ && (ends || view.action->atomic == model::AtomicChange::Exit)) {
      // Nobody else holds the section, or this thread could not have moved.
      line("  atomic := false;");
      line("  in_atomic[self] := false;");
    } else if (view.action->atomic == model::AtomicChange::Enter) {
      line("  atomic := true;");
      line("  in_atomic[self] := true;");
    }
    if (ends) {
      line("  at[self] := none;");
      write_default_locals(current_, "self", "  ");
    } else if (view.edge->source != view.edge->target) {
      line("  at[self] := {};", place(current_, view.edge->target));
    }
  }

  void write_invariants() {
    for (std::size_t i = 0; i < program_.templates.size(); ++i) {
      const auto& locations = program_.templates[i].locations;
      for (std::size_t k = 0; k < locations.size(); ++k) {
        if (!locations[k].error) continue;
        line("invariant \"{}\"", quotable(program_.properties[locations[k].error->value].text));
        line("  forall self: thread do (at[self] != {}) end;", place(TemplateId(i), LocId(k)));
        line("");
      }
    }
    for (const auto& [property, name] : cover_names_) {
      line("invariant \"{}\" !{}();", quotable(program_.properties[property].text), name);
    }
  }

  // Counts the threads at each place that is wanted; nested quantifiers over distinct threads would cost a power of
  // their number.
  void write_cover_function(const model::Property& property, const std::string& name) {
    std::map<std::string, std::uint32_t> wanted;
    for (const auto& [templ, location] : property.threads) ++wanted[place(templ, location)];
    line("function {}(): boolean;", name);
    line("var count: 0 .. thread_count;");
    line("begin");
    for (const auto& [where, least] : wanted) {
      line("  count := 0;");
      line("  for other: thread do if at[other] = {} then count := count + 1; end; end;", where);
      line("  if count < {} then return false; end;", least);
    }
    line("  return {};", property.condition ? text_(*property.condition).text : "true");
    line("end;");
    line("");
  }

  Text leaf(const Expr& node, ExprId id) const {
    COHORT_EXPECT(!node.primed, "values after the step are written over the state before");
    switch (node.op) {
      case Op::SharedVar: return {shared_names_[node.var.value], {}};
      case Op::LocalVar: return {local(current_, node.var, "self"), {}};
      case Op::PassiveVar: return {local(current_, node.var, "other"), {}};
      case Op::Nondet: {
        const auto it = std::find(choices_.begin(), choices_.end(), id);
        COHORT_EXPECT(it != choices_.end(), "every choice of a step is a parameter of its rule");
        return {fmt::format("choice_{}", it - choices_.begin()), {}};
      }
      default: COHORT_UNREACHABLE("leaves are variables and choices");
    }
  }

  std::uint32_t threads_;
  Start start_;
  std::vector<std::vector<std::string>> place_names_;
  std::vector<std::string> test_names_;
  std::vector<std::pair<std::size_t, std::string>> cover_names_;
  bool uses_atomic_ = false;
  std::vector<ExprId> choices_;
  ExprText text_{program_.exprs, operators, [this](const Expr& node, ExprId id) { return leaf(node, id); }};
};

}  // namespace

std::string to_murphi(const Program& program, std::uint32_t threads) {
  COHORT_EXPECT(threads >= 1, "at least one thread may be alive");
  require_fragment(program, {.target = "Murphi", .integers = true, .covers = true});
  return Writer(program, threads).write();
}

}  // namespace cohort::convert
