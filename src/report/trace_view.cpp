#include "report/trace_view.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "base/contract.hpp"

namespace cohort::report {

using model::State;
using model::ThreadState;
using model::Transition;
using model::Valuation;
using model::Value;
using model::Variable;

namespace {

NamedValue named_value(const Variable& variable, const model::Atlas* atlas, std::uint32_t element, Value value,
                       const std::vector<std::string>& names) {
  NamedValue named{.name = variable.name, .shown = variable.name, .value = value, .internal = variable.look.internal};
  if (variable.type.is_array()) {
    named.name += fmt::format("[{}]", element);
    named.shown = model::element_name(variable.name, variable.look, element);
  }
  named.is_reference = variable.type.element().kind() == model::Type::Kind::ThreadRef;
  if (!named.is_reference) {
    named.text = model::value_text(variable.look, atlas, value);
  } else if (value == 0) {
    named.text = "NULL";
  } else {
    COHORT_EXPECT(value > 0 && static_cast<std::size_t>(value) <= names.size(), "a reference points to a slot in use");
    named.thread = names[static_cast<std::size_t>(value) - 1];
    named.text = *named.thread;
  }
  return named;
}

const std::optional<ThreadState>& in_slot(const State& state, std::size_t slot) {
  static const std::optional<ThreadState> empty;
  return slot < state.threads.size() ? state.threads[slot] : empty;
}

// The statements of an edge, as written, without the actions that passes made.
std::string statement_of(const model::Edge& edge) {
  std::string text;
  for (const model::Action& action : edge.actions) {
    if (action.text.empty()) continue;
    if (!text.empty()) text += "; ";
    text += action.text;
  }
  return text;
}

bool is_error(const model::Template& templ, model::LocId location) {
  return templ.locations[location.value].error.has_value();
}

// Of the ways out of `if`, `while` and `goto`, the one that was taken.  That an assertion holds is no choice.
std::string branch_of(const model::Template& templ, const model::Edge& taken) {
  if (is_error(templ, taken.target)) return "";
  const std::string statement = statement_of(taken);
  for (const model::Edge& edge : templ.edges) {
    if (edge.source != taken.source || edge.target == taken.target || is_error(templ, edge.target)) continue;
    if (statement_of(edge) == statement) return templ.locations[taken.target.value].label;
  }
  return "";
}

SourceSpan span_of(const model::Edge& edge) {
  for (const model::Action& action : edge.actions) {
    if (action.span.known()) return action.span;
  }
  return {};
}

}  // namespace

bool has_modes(const model::Program& program) {
  return !program.templates.empty() && program.templates.front().span.known() &&
         program.templates.front().span.file->name().ends_with(".red");
}

std::string thread_name(const model::Program& program, std::uint32_t number) {
  return has_modes(program) ? fmt::format("P{}", number + 1) : fmt::format("T{}", number);
}

Narrator::Narrator(const model::Program& program, const State& initial) : program_(&program), state_(initial) {
  for (std::size_t slot = 0; slot < initial.threads.size(); ++slot) {
    names_.push_back(thread_name(program, next_name_++));
  }
}

std::vector<NamedValue> Narrator::values_of(const std::vector<Variable>& variables, const Valuation& values,
                                            const std::vector<std::string>& names) const {
  std::vector<NamedValue> result;
  for (const Variable& variable : variables) {
    for (std::uint32_t element = 0; element < variable.type.slots(); ++element) {
      result.push_back(named_value(variable, program_->atlas.get(), element, values[variable.slot + element], names));
    }
  }
  return result;
}

std::vector<NamedValue> Narrator::differences(const std::vector<Variable>& variables, const Valuation& before,
                                              const Valuation& after, const std::vector<std::string>& names) const {
  COHORT_EXPECT(before.size() == after.size(), "a valuation keeps its size along a run");
  std::vector<NamedValue> result;
  for (const Variable& variable : variables) {
    for (std::uint32_t element = 0; element < variable.type.slots(); ++element) {
      const std::size_t at = variable.slot + element;
      if (before[at] != after[at])
        result.push_back(named_value(variable, program_->atlas.get(), element, after[at], names));
    }
  }
  return result;
}

ThreadView Narrator::thread_view(const ThreadState& thread, const std::string& name,
                                 const std::vector<std::string>& names) const {
  return {name, thread, values_of(program_->templ(thread.templ).locals, thread.locals, names)};
}

std::vector<NamedValue> Narrator::shared() const {
  return values_of(program_->shared, state_.shared, names_);
}

std::vector<ThreadView> Narrator::threads() const {
  std::vector<ThreadView> views;
  for (std::size_t slot = 0; slot < state_.threads.size(); ++slot) {
    if (state_.threads[slot]) views.push_back(thread_view(*state_.threads[slot], names_[slot], names_));
  }
  return views;
}

std::optional<std::size_t> Narrator::slot_of(const std::string& name) const {
  for (std::size_t slot = 0; slot < state_.threads.size(); ++slot) {
    if (state_.threads[slot] && names_[slot] == name) return slot;
  }
  return std::nullopt;
}

const std::string& Narrator::name_of(std::size_t slot) const {
  COHORT_EXPECT(slot < names_.size(), "only slots in use have names");
  return names_[slot];
}

NamedValue Narrator::named(const Variable& variable, std::uint32_t element, Value value) const {
  return named_value(variable, program_->atlas.get(), element, value, names_);
}

std::vector<std::string> Narrator::names_after(const Transition& step) const {
  auto names = names_;
  std::uint32_t next = next_name_;
  for (const std::size_t slot : step.spawned) {
    COHORT_EXPECT(slot <= names.size(), "a new thread takes an empty slot or the next one");
    if (slot == names.size()) names.emplace_back();
    names[slot] = thread_name(*program_, next++);
  }
  return names;
}

void Narrator::tell_thread(std::size_t slot, const Transition& step, const std::vector<std::string>& names,
                           StepView& view) const {
  const auto& before = in_slot(state_, slot);
  const auto& after = in_slot(step.target, slot);
  const bool spawned = std::find(step.spawned.begin(), step.spawned.end(), slot) != step.spawned.end();
  if (before && (!after || spawned)) view.ended.push_back(names_[slot]);
  if (after && spawned) view.created.push_back(thread_view(*after, names[slot], names));
  // A thread can be created and ended by one step: then it leaves no trace of itself.
  if (!before || !after || spawned) return;
  COHORT_EXPECT(before->templ == after->templ, "a thread keeps its template");
  auto values = differences(program_->templ(after->templ).locals, before->locals, after->locals, names);
  if (!values.empty()) view.changes.push_back({names[slot], std::move(values)});
  if (slot != step.thread && before->location != after->location) {
    const std::string& label = program_->templ(after->templ).locations[after->location.value].label;
    view.moved.push_back({names[slot], after->location, label});
  }
}

StepView Narrator::tell(const Transition& step) const {
  const model::Edge& edge = program_->edge(step.edge);
  const auto names = names_after(step);
  StepView view{.thread = name_of(step.thread),
                .edge = step.edge,
                .span = span_of(edge),
                .statement = statement_of(edge),
                .branch = branch_of(program_->templ(step.edge.templ), edge),
                .fault = step.fault};
  if (has_modes(*program_)) {
    view.branch.clear();
    if (edge.source != edge.target) view.mode = program_->templ(step.edge.templ).locations[edge.target.value].label;
  }
  view.violates = is_error(program_->templ(step.edge.templ), edge.target);
  view.switches = last_mover_ && *last_mover_ != view.thread;
  if (step.fault) return view;
  const auto& before = in_slot(state_, step.thread);
  const auto& after = in_slot(step.target, step.thread);
  COHORT_EXPECT(before, "the thread that moves is alive");
  view.enters_atomic = !before->atomic && after && after->atomic;
  view.leaves_atomic = before->atomic && !(after && after->atomic);
  auto shared = differences(program_->shared, state_.shared, step.target.shared, names);
  if (!shared.empty()) view.changes.push_back({"", std::move(shared)});
  tell_thread(step.thread, step, names, view);
  for (std::size_t slot = 0; slot < names.size(); ++slot) {
    if (slot != step.thread) tell_thread(slot, step, names, view);
  }
  return view;
}

void Narrator::advance(const Transition& step) {
  COHORT_EXPECT(!step.fault, "a fault ends the run");
  last_mover_ = name_of(step.thread);
  names_ = names_after(step);
  next_name_ += static_cast<std::uint32_t>(step.spawned.size());
  state_ = step.target;
}

TraceView view_of(const model::Program& program, const model::Run& run) {
  Narrator narrator(program, run.initial);
  TraceView view{narrator.shared(), narrator.threads(), {}};
  for (const Transition& step : run.steps) {
    view.steps.push_back(narrator.tell(step));
    if (!step.fault) narrator.advance(step);
  }
  return view;
}

}  // namespace cohort::report
