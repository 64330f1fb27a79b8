#include "report/stretches.hpp"

#include <algorithm>
#include <map>

#include <fmt/core.h>

#include "base/contract.hpp"
#include "model/mistake.hpp"
#include "report/words.hpp"

namespace cohort::report {

using model::LValue;
using model::State;
using model::Transition;

namespace {

constexpr std::string_view freed_mark = " freed";  // of the variable that says whether an object was freed
constexpr std::string_view unsignalled_mark = " wakes up without a signal";  // of the step of a wait that does so
constexpr std::string_view number_name = "thread number";         // of the variable by which a thread knows which it is
constexpr std::string_view finished_name = "finished[]";          // of the table of threads that have ended, by number
constexpr std::string_view written_atomic = "__VERIFIER_atomic";  // what people write who want an atomic section

const model::Variable& variable_at(const model::Program& program, std::size_t slot) {
  const auto holds = [&](const model::Variable& variable) {
    return slot >= variable.slot && slot < variable.slot + variable.type.slots();
  };
  const auto it = std::find_if(program.shared.begin(), program.shared.end(), holds);
  COHORT_EXPECT(it != program.shared.end(), "a slot belongs to a variable");
  return *it;
}

std::string name_at(const model::Variable& variable, std::size_t slot) {
  const auto element = static_cast<std::uint32_t>(slot - variable.slot);
  return written_name(variable.type.is_array() ? model::element_name(variable.name, variable.look, element)
                                               : variable.name);
}

std::string without_index(std::string_view part) {
  return std::string(part.substr(0, part.find('[')));
}

// The last name in what somebody wrote: `lock` of `p->lock`, `fork` of `fork[i]`.
std::string last_name(const std::string& written) {
  std::string text = written;
  while (text.ends_with(']')) {
    std::size_t depth = 0;
    std::size_t at = text.size();
    while (at-- > 0) {
      if (text[at] == ']') ++depth;
      if (text[at] == '[' && --depth == 0) break;
    }
    text.erase(at == std::string::npos ? 0 : at);
  }
  const std::size_t at = text.find_last_of(".>*& (");
  return at == std::string::npos ? text : text.substr(at + 1);
}

std::string quoted(const std::vector<model::Value>& characters) {
  std::string text = "\"";
  for (const model::Value c : characters) {
    if (c == '"' || c == '\\') text += '\\';
    text += static_cast<char>(c);
  }
  return text + "\"";
}

// The text in an array of characters up to its end; none if it has no end, or has characters that cannot be printed.
std::optional<std::string> text_in(const model::Variable& variable, const model::Valuation& values) {
  if (variable.look.kind != model::Look::Kind::Character || !variable.type.is_array()) return std::nullopt;
  if (variable.look.counts.size() != 1 || !variable.name.ends_with("[]")) return std::nullopt;
  std::vector<model::Value> characters;
  for (std::uint32_t i = 0; i < variable.type.slots(); ++i) {
    const model::Value value = values[variable.slot + i];
    if (value == 0) return quoted(characters);
    if (value < ' ' || value > '~') return std::nullopt;
    characters.push_back(value);
  }
  return std::nullopt;
}

}  // namespace

std::string written_name(const std::string& name) {
  std::string result;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (name[i] != '#') {
      result += name[i];
      continue;
    }
    while (i + 1 < name.size() && name[i + 1] >= '0' && name[i + 1] <= '9') ++i;
  }
  return result;
}

std::string object_name(const model::Program& program, const std::set<std::size_t>& slots, const std::string& written) {
  const std::string wanted = last_name(written);
  std::string guess;
  for (const std::size_t slot : slots) {
    const model::Variable& variable = variable_at(program, slot);
    if (!variable.look.internal) continue;
    std::string name = name_at(variable, slot);
    if (variable.name.ends_with(freed_mark)) {
      name = variable.name.substr(0, variable.name.size() - freed_mark.size());
      return variable.type.is_array() ? fmt::format("{}[{}]", name, slot - variable.slot) : name;
    }
    if (name.find(' ') != std::string::npos) continue;  // nobody's object
    std::size_t end = name.size();
    for (std::size_t dot = name.rfind('.'); dot != std::string::npos; dot = dot == 0 ? dot : name.rfind('.', dot - 1)) {
      const std::size_t from = name.rfind('.', dot - 1);
      const std::size_t begin = from == std::string::npos ? 0 : from + 1;
      if (without_index(std::string_view(name).substr(begin, dot - begin)) == wanted) return name.substr(0, dot);
      if (end == name.size()) end = dot;
      if (from == std::string::npos) break;
    }
    // A pointer leads to it whose name is not that of the member.
    if (guess.empty() && end != name.size()) guess = name.substr(0, end);
  }
  return guess.empty() ? written : guess;
}

std::map<model::Value, std::string> numbered_threads(const model::Program& program, const model::Run& run) {
  std::map<model::Value, std::string> numbered;
  std::set<model::Value> shared;  // by a group of threads, any of which may be meant
  const TraceView view = view_of(program, run);
  for (const StepView& step : view.steps) {
    for (const ThreadView& thread : step.created) {
      for (const NamedValue& value : thread.locals) {
        if (value.name == number_name && !numbered.emplace(value.value, thread.name).second) shared.insert(value.value);
      }
    }
  }
  for (const model::Value number : shared) numbered.erase(number);
  return numbered;
}

std::string awaited_thread(const model::Program& program, const std::map<model::Value, std::string>& numbered,
                           const std::set<std::size_t>& slots) {
  for (const std::size_t slot : slots) {
    const model::Variable& variable = variable_at(program, slot);
    if (variable.name != finished_name) continue;
    const auto thread = numbered.find(static_cast<model::Value>(slot - variable.slot));
    if (thread != numbered.end()) return thread->second;
  }
  return "";
}

Stretches::Stretches(const model::Program& program, const model::Run& run)
    : program_(program), run_(run), view_(view_of(program, run)), numbered_(numbered_threads(program, run)) {
  for (std::size_t i = 0; i < view_.steps.size(); ++i) {
    std::string& statement = view_.steps[i].statement;
    if (!statement.ends_with(unsignalled_mark)) continue;
    statement.erase(statement.size() - unsignalled_mark.size());
    unsignalled_.insert(i);
  }
  find_stretches();
}

const State& Stretches::before(std::size_t step) const {
  return step == 0 ? run_.initial : run_.steps[step - 1].target;
}

model::EvalContext Stretches::context(std::size_t step) const {
  model::EvalContext context{.program = &program_, .shared = &before(step).shared};
  context.state = &before(step);
  context.self_slot = run_.steps[step].thread;
  context.self = &*before(step).threads[context.self_slot];
  return context;
}

bool Stretches::in_one_statement(std::size_t one, std::size_t other) const {
  const StepView& left = view_.steps[one];
  const StepView& right = view_.steps[other];
  return left.thread == right.thread && left.span.file == right.span.file && left.span.line == right.span.line &&
         left.span.column == right.span.column && left.statement == right.statement;
}

void Stretches::find_stretches() {
  std::map<std::string, std::size_t> latest;  // of each thread: its stretch so far
  for (std::size_t i = 0; i < run_.steps.size(); ++i) {
    if (i > 0 && in_one_statement(i - 1, i)) {
      stretches_.back().last = i + 1;
      continue;
    }
    Stretch stretch{.first = i, .last = i + 1};
    const auto own = latest.find(view_.steps[i].thread);
    if (own != latest.end() && in_one_statement(stretches_[own->second].first, i)) {
      stretch.begins = false;
      stretches_[own->second].ends = false;
    }
    latest[view_.steps[i].thread] = stretches_.size();
    stretches_.push_back(stretch);
  }
  // Who is alive at the end is still in its last statement, if that is a call or a wait.
  for (const auto& [thread, at] : latest) stretches_[at].ends = !is_inside(stretches_[at]);
}

// Does the next step of the thread, which the run does not have, belong to the same statement?
bool Stretches::is_inside(const Stretch& stretch) const {
  const Transition& last = run_.steps[stretch.last - 1];
  if (last.fault) return true;
  const auto& threads = run_.last().threads;
  if (last.thread >= threads.size() || !threads[last.thread]) return false;
  const model::ThreadState& at = *threads[last.thread];
  const auto& edges = program_.templ(at.templ).edges;
  return std::any_of(edges.begin(), edges.end(), [&](const model::Edge& edge) {
    const model::Action& action = edge.actions.front();
    const StepView& here = step(stretch);
    return edge.source == at.location && action.text == here.statement && action.span.file == here.span.file &&
           action.span.line == here.span.line && action.span.column == here.span.column;
  });
}

std::set<std::size_t> Stretches::shared_changes(const Stretch& stretch) const {
  std::set<std::size_t> slots;
  const model::Valuation& from = before(stretch.first).shared;
  const model::Valuation& to = run_.steps[stretch.last - 1].target.shared;
  for (std::size_t slot = 0; slot < std::min(from.size(), to.size()); ++slot) {
    if (from[slot] != to[slot]) slots.insert(slot);
  }
  return slots;
}

bool Stretches::changes_own_object(const Stretch& stretch) const {
  const Transition& last = run_.steps[stretch.last - 1];
  const auto& from = before(stretch.first).threads[last.thread];
  if (!from || last.fault || last.thread >= last.target.threads.size() || !last.target.threads[last.thread])
    return false;
  const model::Valuation& to = last.target.threads[last.thread]->locals;
  const auto& locals = program_.templ(from->templ).locals;
  return std::any_of(locals.begin(), locals.end(), [&](const model::Variable& variable) {
    // `m.owner`, but no temporary.
    const bool is_member = variable.name.find('.') != std::string::npos && !variable.name.starts_with('$');
    if (!variable.look.internal || !is_member) return false;
    bool differs = false;
    for (std::uint32_t i = 0; i < variable.type.slots(); ++i)
      differs = differs || from->locals[variable.slot + i] != to[variable.slot + i];
    return differs;
  });
}

std::vector<std::string> Stretches::start() const {
  std::set<std::size_t> known;
  std::set<std::size_t> read_first;
  for (std::size_t i = 0; i < run_.steps.size(); ++i) {
    model::EvalContext here = context(i);
    for_each_value(i, [&](const model::Expr& node) {
      const auto slot = slot_read(here, node, false);
      if (slot && !known.contains(*slot)) read_first.insert(*slot);
    });
    known.merge(written({.first = i, .last = i + 1}, LValue::Kind::Shared));
  }
  std::vector<std::string> values;
  for (const model::Variable& variable : program_.shared) {
    for (std::uint32_t element = 0; element < variable.type.slots(); ++element) {
      const std::size_t slot = variable.slot + element;
      if (read_first.contains(slot)) values.push_back(scalar(variable, element, run_.initial.shared[slot]));
    }
  }
  return values;
}

// What the routine of a new thread is given, in parentheses; empty where it does not look at that.
std::string Stretches::given_to(const ThreadView& thread, std::size_t step) const {
  std::string values;
  for (const model::Spawn& spawn : program_.edge(run_.steps[step].edge).actions.front().spawns) {
    if (spawn.templ != thread.state.templ) continue;
    for (const model::Assign& assign : spawn.locals) {
      const model::Variable& variable = program_.templ(spawn.templ).local(assign.target.var);
      if (variable.look.internal || variable.type.is_array()) continue;
      values += (values.empty() ? "" : ", ") +
                model::value_text(variable.look, program_.atlas.get(), thread.state.locals[variable.slot]);
    }
  }
  return values.empty() ? "" : "(" + values + ")";
}

// Is there an object of the library that is called just so, as `m` with `m.owner`?
bool Stretches::is_variable(const std::string& name) const {
  const auto is_global = [&](const model::Variable& variable) {
    return variable.look.internal && variable.name.starts_with(name) && variable.name.size() > name.size() &&
           variable.name[name.size()] == '.';
  };
  if (std::any_of(program_.shared.begin(), program_.shared.end(), is_global)) return true;
  return std::any_of(program_.templates.begin(), program_.templates.end(), [&](const model::Template& templ) {
    return std::any_of(templ.locals.begin(), templ.locals.end(), is_global);
  });
}

// What the library looks at, of what is its own.
std::set<std::size_t> Stretches::internal_reads(const Stretch& stretch) const {
  std::set<std::size_t> slots;
  for (std::size_t i = stretch.first; i < stretch.last; ++i) {
    model::EvalContext here = context(i);
    for_each_value(i, [&](const model::Expr& node) {
      if (const auto slot = slot_read(here, node, true)) slots.insert(*slot);
    });
  }
  return slots;
}

std::string Stretches::joined(const Stretch& stretch) const {
  const std::set<std::size_t> slots = internal_reads(stretch);
  std::string known = awaited_thread(program_, numbered_, slots);
  if (!known.empty()) return known;
  // Whoever has written that it has ended; of threads that are one to those who wait, these count how many have.
  std::set<std::string> ended;
  const std::set<std::size_t> counted = shared_changes(stretch);
  for (const std::size_t slot : slots) {
    if (variable_at(program_, slot).name != finished_name || counted.contains(slot)) continue;
    for (std::size_t i = 0; i < stretch.first; ++i) {
      const bool is_own = view_.steps[i].thread == thread(stretch.first);
      if (!is_own && before(i).shared[slot] != run_.steps[i].target.shared[slot]) ended.insert(view_.steps[i].thread);
    }
  }
  return ended.size() == 1 ? *ended.begin() : "";
}

// What a pointer of this name leads to before the stretch; empty where the thread sees several of that name that lead
// to different objects, or none.
std::string Stretches::pointee_of(const std::string& pointer, const Stretch& stretch) const {
  std::set<std::string> objects;
  const auto look = [&](const std::vector<model::Variable>& variables, const model::Valuation& values) {
    for (const model::Variable& variable : variables) {
      if (variable.look.kind != model::Look::Kind::Pointer || variable.type.is_array()) continue;
      if (written_name(variable.name) != pointer || values[variable.slot] == 0) continue;
      const std::string text = model::value_text(variable.look, program_.atlas.get(), values[variable.slot]);
      if (text.starts_with('&')) objects.insert(text.substr(1));
    }
  };
  const State& state = before(stretch.first);
  const auto& thread = state.threads[run_.steps[stretch.first].thread];
  COHORT_EXPECT(thread, "who moves is alive");
  look(program_.templ(thread->templ).locals, thread->locals);
  if (objects.empty()) look(program_.shared, state.shared);
  return objects.size() == 1 ? *objects.begin() : "";
}

std::optional<CallWords> Stretches::call(const Stretch& stretch) const {
  const auto call = words_of_call(step(stretch).statement);
  if (!call || call->object.empty()) return call;
  std::set<std::size_t> slots = internal_reads(stretch);
  slots.merge(written(stretch, LValue::Kind::Shared));
  // What is freed is the object of which that is stored, not one that the pointer to it was read from.
  const std::set<std::size_t> stored = written(stretch, LValue::Kind::Shared);
  if (std::any_of(stored.begin(), stored.end(),
                  [&](std::size_t slot) { return variable_at(program_, slot).name.ends_with(freed_mark); }))
    slots = stored;
  else if (!step(stretch).statement.starts_with("free"))
    std::erase_if(slots, [&](std::size_t slot) { return variable_at(program_, slot).name.ends_with(freed_mark); });
  const auto name = [&](const std::string& written) {
    return is_variable(written) ? written : object_name(program_, slots, written);
  };
  const std::string mutex = call->mutex.empty() ? "" : name(call->mutex);
  std::string object = name(call->object);
  if (object == call->object) {
    if (std::string pointee = pointee_of(object, stretch); !pointee.empty()) object = std::move(pointee);
  }
  return words_of_call(step(stretch).statement, {object, mutex});
}

std::string Stretches::words(const Stretch& stretch, const CallWords& call) const {
  switch (call.kind) {
    case CallKind::Create: return "";
    case CallKind::Wait:
    case CallKind::Barrier:
      if (stretch.ends && unsignalled_.lower_bound(stretch.first) != unsignalled_.lower_bound(stretch.last))
        return fmt::format("{}wakes up without a signal", stretch.begins ? "waits for " + call.object + " and " : "");
      if (!stretch.ends) return stretch.begins && !shared_changes(stretch).empty() ? call.begun : "";
      return stretch.begins ? call.done : call.ended;
    case CallKind::TryLock: {
      if (!stretch.ends) return "";
      const bool gets_it = !shared_changes(stretch).empty() || changes_own_object(stretch);
      return gets_it ? call.done : "does not get " + call.object;
    }
    case CallKind::Join: {
      if (!stretch.ends) return "";
      const std::string thread = joined(stretch);
      return thread.empty() ? call.done : thread + " has ended";
    }
    case CallKind::Signal:
      return shared_changes(stretch).empty() && stretch.ends    ? call.done + ", for which nobody waits"
             : stretch.ends || !shared_changes(stretch).empty() ? call.done
                                                                : "";
    case CallKind::Lock:
    case CallKind::Unlock:
    case CallKind::Take:
    case CallKind::Other: return stretch.ends || !shared_changes(stretch).empty() ? call.done : "";
  }
  COHORT_UNREACHABLE("every kind of call has words");
}

std::string Stretches::violation(const Stretch& stretch) const {
  for (std::size_t i = stretch.first; i < stretch.last; ++i) {
    const StepView& step = view_.steps[i];
    if (step.fault) return std::string(to_string(*step.fault));
    if (!step.violates) continue;
    const model::Edge& edge = program_.edge(run_.steps[i].edge);
    const auto& error = program_.templ(run_.steps[i].edge.templ).locations[edge.target.value].error;
    COHORT_EXPECT(error, "a step violates at an error location");
    const model::Property& property = program_.properties[error->value];
    if (!property.words.empty()) return exact_words(program_, run_, property);
    const bool is_assertion = mistake_of(property) == model::Mistake::Assertion;
    if (is_assertion && step.statement.find("assert") != std::string::npos) return "fails";
    if (property.text.empty()) return "violates the property";
    if (step.statement.find(property.text) == std::string::npos) return "comes to " + property.text;
    return property.text.ends_with(')') ? "is called" : "is reached";
  }
  return "";
}

// Has the thread moved before?
bool Stretches::is_later(const Stretch& stretch) const {
  const auto moves = [&](const Stretch& other) { return thread(other.first) == thread(stretch.first); };
  const auto first = std::find_if(stretches_.begin(), stretches_.end(), moves);
  return first != stretches_.end() && first->first < stretch.first;
}

Effect Stretches::effect(const Stretch& stretch) const {
  Effect effect;
  for (std::size_t i = stretch.first; i < stretch.last; ++i) {
    const StepView& step = view_.steps[i];
    for (const ThreadView& thread : step.created) {
      effect.created.emplace_back(
          thread.name, fmt::format("running {}{}", program_.templ(thread.state.templ).name, given_to(thread, i)));
    }
    for (const std::string& thread : step.ended) effect.parts.push_back(thread + " ends");
    effect.violates = effect.violates || step.violates || step.fault;
  }
  effect.only_ends = effect.created.empty() && !effect.parts.empty();
  const std::string& routine = program_.templ(run_.steps[stretch.first].edge.templ).name;
  effect.is_at_end = step(stretch).statement == routine && stretch.first > 0 && !effect.violates && is_later(stretch);
  effect.call = call(stretch);
  const auto add = [&](std::string text) {
    if (text.empty()) return;
    effect.only_ends = false;
    effect.parts.push_back(std::move(text));
  };
  if (effect.call && !effect.violates) add(words(stretch, *effect.call));
  effect.wakes_nobody = effect.call && effect.call->kind == CallKind::Signal && shared_changes(stretch).empty();
  if (!effect.call || effect.call->kind != CallKind::Create) add_changes(stretch, effect);
  if (!effect.call) add(atomicity(stretch));
  effect.only_reads = effect.empty();
  // What a call of the library looks at is its own business: handles of threads, states of locks.
  if ((effect.empty() && !effect.call) || effect.violates) add_reads(stretch, effect);
  if (effect.violates) effect.only_reads = false;
  if (effect.violates) add(violation(stretch));
  return effect;
}

// Tells each change; those in `written` even if the value is the same as before.  True if there was one.
bool Stretches::add_differences(const std::vector<model::Variable>& variables, const model::Valuation& from,
                                const model::Valuation& to, const std::set<std::size_t>& written,
                                std::vector<std::string>& parts) const {
  bool found = false;
  for (const model::Variable& variable : variables) {
    if (variable.look.internal) continue;
    std::vector<std::uint32_t> changed;
    for (std::uint32_t element = 0; element < variable.type.slots(); ++element) {
      const std::size_t at = variable.slot + element;
      if (from[at] != to[at] || written.contains(at)) changed.push_back(element);
    }
    found = found || !changed.empty();
    const auto text = changed.size() > 1 ? text_in(variable, to) : std::nullopt;
    if (text) {
      const std::string name = written_name(variable.name);
      parts.push_back(fmt::format("{} = {}", name.substr(0, name.size() - 2), *text));
      continue;
    }
    for (const std::uint32_t element : changed) parts.push_back(scalar(variable, element, to[variable.slot + element]));
  }
  return found;
}

bool Stretches::chooses(std::optional<model::ExprId> root) const {
  bool found = false;
  if (!root) return found;
  for_each_node(program_.exprs, *root,
                [&](const model::Expr& node, model::ExprId) { found = found || node.op == model::Op::Nondet; });
  return found;
}

// The slots that the steps assign: of shared variables, or of the thread's own.  Others may see a write that stores
// what was there before, and so may the thread itself if it stores what it read.
std::set<std::size_t> Stretches::written(const Stretch& stretch, LValue::Kind kind) const {
  COHORT_EXPECT(kind == LValue::Kind::Shared || kind == LValue::Kind::Local, "only these have slots of their own");
  std::set<std::size_t> slots;
  for (std::size_t i = stretch.first; i < stretch.last; ++i) {
    model::EvalContext here = context(i);
    for (const model::Assign& assign : program_.edge(run_.steps[i].edge).actions.front().assigns) {
      if (assign.target.kind != kind || chooses(assign.target.index)) continue;
      const model::Variable& variable = kind == LValue::Kind::Shared
                                            ? program_.shared[assign.target.var.value]
                                            : program_.templ(here.self->templ).local(assign.target.var);
      const auto slot = slot_of(here, variable, assign.target.index);
      if (slot && !here.fault) slots.insert(*slot);
      here.fault.reset();
    }
  }
  return slots;
}

std::string Stretches::scalar(const model::Variable& variable, std::uint32_t element, model::Value value) const {
  const std::string name =
      variable.type.is_array() ? model::element_name(variable.name, variable.look, element) : variable.name;
  return fmt::format("{} = {}", written_name(name), model::value_text(variable.look, program_.atlas.get(), value));
}

void Stretches::add_changes(const Stretch& stretch, Effect& effect) const {
  const Transition& last = run_.steps[stretch.last - 1];
  if (last.fault) return;
  const State& from = before(stretch.first);
  const std::size_t count = effect.parts.size();
  const bool changes_shared = add_differences(program_.shared, from.shared, last.target.shared,
                                              written(stretch, LValue::Kind::Shared), effect.parts);
  const auto& mover = from.threads[last.thread];
  bool changes_own = false;
  if (mover && last.thread < last.target.threads.size() && last.target.threads[last.thread]) {
    // A variable that takes over what all threads see is told even if it had that value.
    bool reads = false;
    for (std::size_t i = stretch.first; i < stretch.last; ++i) {
      model::EvalContext here = context(i);
      for_each_value(i, [&](const model::Expr& node) { reads = reads || slot_read(here, node, false); });
    }
    changes_own =
        add_differences(program_.templ(mover->templ).locals, mover->locals, last.target.threads[last.thread]->locals,
                        reads ? written(stretch, LValue::Kind::Local) : std::set<std::size_t>{}, effect.parts);
    effect.only_locals = changes_own && !changes_shared && !reads && count == 0 && effect.created.empty();
  }
  if (changes_shared || changes_own) effect.only_ends = false;
}

// Whoever wrote an atomic section sees where it begins and ends; those inside of a call are the model's.
std::string Stretches::atomicity(const Stretch& stretch) const {
  if (step(stretch).statement.find(written_atomic) == std::string::npos) return "";
  const auto holds = [&](const State& state) {
    const std::size_t slot = run_.steps[stretch.first].thread;
    return slot < state.threads.size() && state.threads[slot] && state.threads[slot]->atomic;
  };
  const Transition& last = run_.steps[stretch.last - 1];
  if (last.fault || holds(before(stretch.first)) == holds(last.target)) return "";
  if (!holds(last.target) && !last.target.threads[last.thread]) return "";
  return holds(last.target) ? "enters atomic section" : "leaves atomic section";
}

// Calls `visit` with each node of the values that the step looks at.
template <class Visit>
void Stretches::for_each_value(std::size_t step, Visit&& visit) const {
  const auto look = [&](model::ExprId root) {
    for_each_node(program_.exprs, root, [&](const model::Expr& node, model::ExprId) { visit(node); });
  };
  const model::Action& action = program_.edge(run_.steps[step].edge).actions.front();
  if (action.guard) look(*action.guard);
  for (const model::Assign& assign : action.assigns) look(assign.value);
}

// Who wrote the slot of the shared valuation last before the step; none: nobody did.
std::optional<std::string> Stretches::writer(std::size_t slot, std::size_t step) const {
  for (std::size_t i = step; i-- > 0;) {
    if (before(i).shared[slot] != run_.steps[i].target.shared[slot]) return view_.steps[i].thread;
  }
  return std::nullopt;
}

// Values of shared variables that the statement looked at.
void Stretches::add_reads(const Stretch& stretch, Effect& effect) const {
  std::set<std::size_t> seen;
  for (std::size_t i = stretch.first; i < stretch.last; ++i) {
    model::EvalContext here = context(i);
    for_each_value(i, [&](const model::Expr& node) {
      const auto slot = slot_read(here, node, false);
      if (!slot || !seen.insert(*slot).second) return;
      const model::Variable& variable = program_.shared[node.var.value];
      const auto element = static_cast<std::uint32_t>(*slot - variable.slot);
      const model::Value value = before(i).shared[*slot];
      effect.parts.push_back("reads " + scalar(variable, element, value));
      effect.reads.emplace(*slot, value);
      const auto last = writer(*slot, i);
      effect.reads_foreign = effect.reads_foreign || (last && *last != view_.steps[i].thread);
    });
  }
}

std::vector<std::string> Stretches::seen(const Stretch& stretch) const {
  std::vector<std::string> shared;
  std::vector<std::string> own;
  const auto add = [](std::vector<std::string>& values, std::string text) {
    if (std::find(values.begin(), values.end(), text) == values.end()) values.push_back(std::move(text));
  };
  for (std::size_t i = stretch.first; i < stretch.last; ++i) {
    model::EvalContext here = context(i);
    for_each_value(i, [&](const model::Expr& node) {
      if (const auto slot = slot_read(here, node, false)) {
        const model::Variable& variable = program_.shared[node.var.value];
        add(shared, scalar(variable, static_cast<std::uint32_t>(*slot - variable.slot), before(i).shared[*slot]));
      }
      if (node.op != model::Op::LocalVar) return;
      const model::Variable& variable = program_.templ(here.self->templ).local(node.var);
      if (variable.look.internal || (!node.args.empty() && chooses(node.args[0]))) return;
      const auto index = node.args.empty() ? std::nullopt : std::optional<model::ExprId>(node.args[0]);
      const auto slot = slot_of(here, variable, index);
      if (slot && !here.fault) {
        add(own, scalar(variable, static_cast<std::uint32_t>(*slot - variable.slot), here.self->locals[*slot]));
      }
      here.fault.reset();
    });
  }
  shared.insert(shared.end(), own.begin(), own.end());
  // In the order in which the statement names them.
  const std::string& statement = step(stretch).statement;
  const auto place = [&](const std::string& value) {
    return statement.find(last_name(value.substr(0, value.find(" = "))));
  };
  std::stable_sort(shared.begin(), shared.end(),
                   [&](const std::string& left, const std::string& right) { return place(left) < place(right); });
  return shared;
}

// The slot of the shared valuation that the expression reads, of a variable that people know, or of one of the library.
std::optional<std::size_t> Stretches::slot_read(model::EvalContext& context, const model::Expr& node,
                                                bool internal) const {
  if (node.op != model::Op::SharedVar) return std::nullopt;
  const model::Variable& variable = program_.shared[node.var.value];
  if (variable.look.internal != internal) return std::nullopt;
  if (node.args.empty()) return variable.slot;
  if (chooses(node.args[0])) return std::nullopt;
  const auto slot = slot_of(context, variable, node.args[0]);
  const bool faults = context.fault.has_value();
  context.fault.reset();
  return faults ? std::nullopt : slot;
}

}  // namespace cohort::report
