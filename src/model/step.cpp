#include "model/step.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/core.h>

#include "base/contract.hpp"
#include "model/analysis/access.hpp"
#include "model/passive.hpp"

namespace cohort::model {

namespace {

// More alternatives than this in one step are refused: nobody can enumerate them.
constexpr std::uint64_t max_alternatives = std::uint64_t{1} << 24U;

// The values that a choice may take: `count` of them from `first` on, or those listed.
struct Alternatives {
  Value first = 0;
  std::uint64_t count = 0;
  std::optional<std::vector<Value>> listed;

  Value at(std::uint64_t index) const { return listed ? (*listed)[index] : first + static_cast<Value>(index); }
};

// More values than this are not enumerated where a run lists those that it needs.
constexpr std::uint64_t most_enumerated = 256;

// `known`: see Stepper::choose_among().
Alternatives alternatives(const Type& type, const State* state, const SourceSpan& span,
                          const std::optional<std::vector<Value>>& known) {
  if (type.kind() == Type::Kind::ThreadRef && state != nullptr) return {0, state->threads.size() + 1, {}};
  const std::uint64_t count = type.cardinality();
  if (known && (count == 0 || count > most_enumerated)) {
    std::vector<Value> listed{type.default_value()};
    std::copy_if(known->begin(), known->end(), std::back_inserter(listed),
                 [&](Value value) { return value != listed[0] && type.contains(value); });
    const std::uint64_t size = listed.size();
    return {0, size, std::move(listed)};
  }
  if (count == 0 || count > max_alternatives) {
    throw_unsupported(
        span, fmt::format("a nondeterministic value of type {} has too many values to enumerate", to_string(type)));
  }
  return {type.first(), count, {}};
}

// Calls visit(values) for every combination of values of the given alternatives.
template <class Visit>
void for_each_combination(const std::vector<Alternatives>& domains, const SourceSpan& span, Visit&& visit) {
  std::uint64_t total = 1;
  for (const Alternatives& domain : domains) {
    total *= domain.count;
    if (total > max_alternatives) throw_unsupported(span, "one step with more than 2^24 nondeterministic alternatives");
  }
  std::vector<std::uint64_t> chosen(domains.size(), 0);
  std::vector<Value> values;
  for (const Alternatives& domain : domains) values.push_back(domain.count > 0 ? domain.at(0) : 0);
  for (std::uint64_t round = 0; round < total; ++round) {
    visit(values);
    for (std::size_t i = 0; i < domains.size(); ++i) {
      chosen[i] = chosen[i] + 1 < domains[i].count ? chosen[i] + 1 : 0;
      values[i] = domains[i].at(chosen[i]);
      if (chosen[i] != 0) break;
    }
  }
}

std::vector<Alternatives> domains_of(const Program& program, const std::vector<ExprId>& choices, const State* state,
                                     const SourceSpan& span, const std::optional<std::vector<Value>>& known) {
  std::vector<Alternatives> domains;
  for (const ExprId choice : choices) domains.push_back(alternatives(program.exprs[choice].type, state, span, known));
  return domains;
}

bool any_listed(const std::vector<Alternatives>& domains) {
  return std::any_of(domains.begin(), domains.end(), [](const Alternatives& one) { return one.listed.has_value(); });
}

void collect_choices(const ExprPool& exprs, ExprId root, std::vector<ExprId>& choices) {
  // Most guards compare a variable with a constant, and there may be very many of them.
  const auto is_plain = [&](ExprId id) { return exprs[id].args.empty() && exprs[id].op != Op::Nondet; };
  const std::vector<ExprId>& args = exprs[root].args;
  if (exprs[root].op != Op::Nondet && std::all_of(args.begin(), args.end(), is_plain)) return;
  for_each_node(exprs, root, [&](const Expr& node, ExprId id) {
    if (node.op == Op::Nondet && std::find(choices.begin(), choices.end(), id) == choices.end()) choices.push_back(id);
  });
}

// Appends the conjuncts of `root` up to the first that makes a choice; false when there is one.
bool collect_leading(const ExprPool& exprs, ExprId root, std::vector<ExprId>& conjuncts) {
  const Expr& node = exprs[root];
  if (node.op == Op::And) {
    return std::all_of(node.args.begin(), node.args.end(),
                       [&](ExprId arg) { return collect_leading(exprs, arg, conjuncts); });
  }
  if (mentions(exprs, root, Op::Nondet)) return false;
  conjuncts.push_back(root);
  return true;
}

// Is the guard false whatever is chosen?  Then no choice is needed, and none refused that cannot be enumerated.
bool is_blocked_anyway(ExprId guard, EvalContext& context) {
  std::vector<ExprId> conjuncts;
  collect_leading(context.program->exprs, guard, conjuncts);
  for (const ExprId conjunct : conjuncts) {
    const bool holds = evaluate(context, conjunct) != 0;
    if (context.fault) break;
    if (!holds) return true;
  }
  context.fault.reset();
  return false;
}

// Is a choice among so many values that it is worth a look whether any is needed?
bool has_wide_choice(const ExprPool& exprs, const std::vector<ExprId>& choices) {
  constexpr std::uint64_t wide = 256;
  return std::any_of(choices.begin(), choices.end(), [&](ExprId choice) {
    const std::uint64_t count = exprs[choice].type.cardinality();
    return count == 0 || count >= wide;
  });
}

// The value as the variable's type keeps it; none, with a fault recorded, when it lies outside a range.
std::optional<Value> fit(EvalContext& context, const Type& type, Value value) {
  const Value wrapped = type.wrap(value);
  if (!type.element().contains(wrapped)) {
    if (!context.fault) context.fault = FaultKind::OutOfRange;
    return std::nullopt;
  }
  return wrapped;
}

}  // namespace

Stepper::Stepper(const Program& program, Env* env) : program_(&program), env_(env) {
  COHORT_EXPECT(is_flat(program), "calls are inlined before a program is executed");
  for (const Template& templ : program.templates) {
    out_edges_.emplace_back(templ);
    auto& edges = infos_.emplace_back();
    for (const Edge& edge : templ.edges) {
      auto& actions = edges.emplace_back();
      for (const Action& action : edge.actions) actions.push_back(analyse(action));
    }
  }
}

Stepper::ActionInfo Stepper::analyse(const Action& action) const {
  const ExprPool& exprs = program_->exprs;
  ActionInfo info;
  info.broadcast = is_broadcast(exprs, action);
  if (action.guard) collect_choices(exprs, *action.guard, info.choices);
  info.guard_chooses = !info.choices.empty();
  for (const Assign& assign : action.assigns) {
    const bool passive = assign.target.kind == LValue::Kind::Passive;
    auto& choices = passive ? passive_info(info, assign.target.templ).choices : info.choices;
    collect_choices(exprs, assign.value, choices);
    if (assign.target.index) collect_choices(exprs, *assign.target.index, choices);
    if (assign.target.ref) collect_choices(exprs, *assign.target.ref, choices);
  }
  for (const ExprId conjunct : action.constraint) {
    const auto threads = passive_threads(exprs, conjunct);
    if (threads.size() > 1) {
      info.ties.push_back(conjunct);
      continue;
    }
    PassiveInfo* passive = threads.empty() ? nullptr : &passive_info(info, *threads[0]);
    (passive != nullptr ? passive->conjuncts : info.active_conjuncts).push_back(conjunct);
    collect_choices(exprs, conjunct, passive != nullptr ? passive->choices : info.choices);
  }
  for (const Spawn& spawn : action.spawns) {
    for (const Assign& assign : spawn.locals) collect_choices(exprs, assign.value, info.choices);
  }
  return info;
}

Stepper::PassiveInfo& Stepper::passive_info(ActionInfo& info, TemplateId templ) {
  const auto it = std::find_if(info.passive.begin(), info.passive.end(),
                               [&](const PassiveInfo& one) { return one.templ == templ; });
  return it != info.passive.end() ? *it : info.passive.emplace_back(PassiveInfo{templ, {}, {}});
}

// Sorting millions takes its time, too.
template <class T>
void Stepper::sort_unique(std::vector<T>& items) const {
  std::sort(items.begin(), items.end(), [&](const T& one, const T& other) {
    poll();
    return one < other;
  });
  items.erase(std::unique(items.begin(), items.end()), items.end());
}

const Action& Stepper::action_of(const Broadcast& broadcast) const {
  return program_->edge(broadcast.edge).actions[broadcast.action];
}

const Stepper::ActionInfo& Stepper::info_of(const Broadcast& broadcast) const {
  return infos_[broadcast.edge.templ.value][broadcast.edge.edge][broadcast.action];
}

std::vector<Outcome> Stepper::outcomes(EdgeRef ref, const Valuation& shared, const ThreadState& thread,
                                       const State* state, std::size_t slot) const {
  const Edge& edge = program_->edge(ref);
  COHORT_EXPECT(thread.templ == ref.templ && thread.location == edge.source,
                "the thread stands at the source of the edge");
  std::vector<Outcome> current(1);
  current[0].shared = shared;
  current[0].thread = thread;
  for (std::uint32_t i = 0; i < edge.actions.size(); ++i) {
    const ActionInfo& info = infos_[ref.templ.value][ref.edge][i];
    std::vector<Outcome> next;
    for (Outcome& before : current) {
      poll();
      if (before.fault) {
        next.push_back(std::move(before));
      } else {
        execute(edge.actions[i], info, ref, i, before, state, slot, next);
      }
    }
    sort_unique(next);
    current = std::move(next);
  }
  for (Outcome& outcome : current) {
    if (!outcome.fault) outcome.thread.location = edge.target;
  }
  return current;
}

void Stepper::execute(const Action& action, const ActionInfo& info, EdgeRef edge, std::uint32_t index,
                      const Outcome& before, const State* state, std::size_t slot,
                      std::vector<Outcome>& results) const {
  // Later actions of an edge see what the earlier ones did, through references too.
  std::optional<State> current;
  if (state != nullptr && index > 0 && uses_other_threads(program_->exprs, action)) {
    current = *state;
    current->shared = before.shared;
    current->threads[slot] = before.thread;
    for (const RemoteWrite& write : before.remote) current->threads[write.thread]->locals[write.slot] = write.value;
    state = &*current;
  }
  EvalContext context;
  context.program = program_;
  context.state = state;
  context.self_slot = slot;
  context.choice_nodes = info.choices;
  if (action.guard && (info.guard_chooses ? has_wide_choice(program_->exprs, info.choices) : !info.choices.empty())) {
    context.shared = context.shared_after = &before.shared;
    context.self = context.self_after = &before.thread;
    if (is_blocked_anyway(*action.guard, context)) return;
  }
  const auto domains = domains_of(*program_, info.choices, state, action.span, known_values_);
  has_sampled_ = has_sampled_ || any_listed(domains);
  for_each_combination(domains, action.span, [&](const std::vector<Value>& values) {
    poll();
    context.shared = context.shared_after = &before.shared;
    context.self = context.self_after = &before.thread;
    context.choice_values = values;
    context.fault.reset();
    Outcome after = before;
    bool proceeds = !action.guard || evaluate(context, *action.guard) != 0;
    if (proceeds && !context.fault) {
      proceeds = assign_active(action, context, slot, after);
      context.shared_after = &after.shared;
      context.self_after = &after.thread;
      for (const ExprId conjunct : info.active_conjuncts) {
        proceeds = proceeds && !context.fault && evaluate(context, conjunct) != 0;
      }
    }
    if (context.fault) {
      expect_within_64_bits(*context.fault, action.span);
      if (program_->faults == FaultPolicy::Drop) return;
      Outcome faulty = before;
      faulty.fault = context.fault;
      faulty.fault_action = index;
      results.push_back(std::move(faulty));
      return;
    }
    if (!proceeds) return;
    if (info.broadcast) {
      COHORT_EXPECT(!after.broadcast, "an edge broadcasts at most once");
      after.broadcast = Broadcast{edge, index, before.shared, after.shared, before.thread, after.thread};
    }
    if (!action.takes.empty()) {
      COHORT_EXPECT(!after.takes, "an edge takes other threads at most once");
      after.takes = index;
    }
    if (action.atomic != AtomicChange::None) after.thread.atomic = action.atomic == AtomicChange::Enter;
    if (action.ends_thread) {
      after.ended = true;
      after.thread.atomic = false;
    }
    if (action.spawns.empty()) {
      results.push_back(std::move(after));
      return;
    }
    COHORT_EXPECT(after.children.empty(), "an edge spawns in one action at most");
    for (auto& offspring : children(action, context)) {
      Outcome with_children = after;
      with_children.children = std::move(offspring);
      results.push_back(std::move(with_children));
    }
  });
}

bool Stepper::assign_active(const Action& action, EvalContext& context, std::size_t slot, Outcome& outcome) const {
  for (const Assign& assign : action.assigns) {
    const LValue& target = assign.target;
    if (target.kind == LValue::Kind::Passive) continue;
    const Template* owner = &program_->templ(outcome.thread.templ);
    std::optional<std::size_t> remote;
    if (target.kind == LValue::Kind::Remote) {
      const Value reference = evaluate(context, *target.ref);
      const ThreadState* thread = dereference(context, reference);
      if (thread == nullptr) return false;
      if (thread->templ != target.templ) {
        context.fault = FaultKind::NullReference;
        return false;
      }
      owner = &program_->templ(target.templ);
      remote = static_cast<std::size_t>(reference) - 1;
    }
    const bool is_shared = target.kind == LValue::Kind::Shared;
    const Variable& variable = is_shared ? program_->shared[target.var.value] : owner->local(target.var);
    const auto value_slot = slot_of(context, variable, target.index);
    const auto value = fit(context, variable.type, evaluate(context, assign.value));
    if (context.fault || !value_slot || !value) return false;
    if (remote && *remote != slot) {
      outcome.remote.push_back({*remote, *value_slot, *value});
    } else {
      (is_shared ? outcome.shared : outcome.thread.locals)[*value_slot] = *value;
    }
  }
  return true;
}

std::vector<std::vector<ThreadState>> Stepper::children(const Action& action, EvalContext& context) const {
  std::vector<std::vector<ThreadState>> families(1);
  for (const Spawn& spawn : action.spawns) {
    const Template& templ = program_->templ(spawn.templ);
    std::vector<Valuation> starts;
    if (spawn.copies_locals) {
      COHORT_EXPECT(spawn.templ == context.self->templ, "only a thread of the same template copies the locals");
      starts.push_back(context.self->locals);
    } else {
      // What the spawn sets itself need not be enumerated first.
      std::vector<Variable> variables = templ.locals;
      for (const Assign& assign : spawn.locals) {
        if (!assign.target.index)
          variables[assign.target.var.value].initial = {templ.local(assign.target.var).type.default_value()};
      }
      starts = initial_valuations(variables);
    }
    std::vector<std::vector<ThreadState>> extended;
    for (Valuation& locals : starts) {
      for (const Assign& assign : spawn.locals) {
        const Variable& variable = templ.local(assign.target.var);
        const auto slot = slot_of(context, variable, assign.target.index);
        const auto value = fit(context, variable.type, evaluate(context, assign.value));
        COHORT_EXPECT(slot && value && !context.fault, "what a new thread is given fits its variables");
        locals[*slot] = *value;
      }
      for (const auto& family : families) {
        poll();
        extended.push_back(family);
        extended.back().push_back({spawn.templ, spawn.location, false, locals});
      }
    }
    families = std::move(extended);
  }
  return families;
}

std::vector<ThreadState> Stepper::passive_outcomes(const Broadcast& broadcast, const ThreadState& passive) const {
  const Action& action = action_of(broadcast);
  const auto& infos = info_of(broadcast).passive;
  std::vector<LocId> targets;
  for (const PassiveMove& move : action.moves) {
    if (move.templ == passive.templ && move.from == passive.location) targets.push_back(move.to);
  }
  if (targets.empty()) targets.push_back(passive.location);

  std::vector<ThreadState> results;
  const auto add_moved = [&](ThreadState thread) {
    for (const LocId target : targets) {
      thread.location = target;
      results.push_back(thread);
    }
  };
  const auto info =
      std::find_if(infos.begin(), infos.end(), [&](const PassiveInfo& one) { return one.templ == passive.templ; });
  // Of a thread of any other template nothing is said, and it stays as it is.
  if (info == infos.end()) {
    add_moved(passive);
    sort_unique(results);
    return results;
  }
  EvalContext context;
  context.program = program_;
  context.shared = &broadcast.shared_before;
  context.shared_after = &broadcast.shared_after;
  context.self = &broadcast.active_before;
  context.self_after = &broadcast.active_after;
  context.passive = &passive;
  context.choice_nodes = info->choices;
  const auto domains = domains_of(*program_, info->choices, nullptr, action.span, known_values_);
  ThreadState after;  // outlives the context that points to it
  for_each_combination(domains, action.span, [&](const std::vector<Value>& values) {
    poll();
    context.choice_values = values;
    context.passive_after = &passive;
    after = passive;
    for (const Assign& assign : action.assigns) {
      if (assign.target.kind != LValue::Kind::Passive || assign.target.templ != passive.templ) continue;
      const Variable& variable = program_->templ(passive.templ).local(assign.target.var);
      const auto slot = slot_of(context, variable, assign.target.index);
      const auto value = fit(context, variable.type, evaluate(context, assign.value));
      COHORT_EXPECT(slot && value && !context.fault, "a passive update does not fault");
      after.locals[*slot] = *value;
    }
    context.passive_after = &after;
    const bool holds = std::all_of(info->conjuncts.begin(), info->conjuncts.end(),
                                   [&](ExprId conjunct) { return evaluate(context, conjunct) != 0; });
    COHORT_EXPECT(!context.fault, "a passive constraint does not fault");
    if (holds) add_moved(after);
  });
  sort_unique(results);
  return results;
}

std::size_t Stepper::tied(const Broadcast& broadcast) const {
  std::size_t most = 0;
  for (const ExprId conjunct : info_of(broadcast).ties) {
    most = std::max(most, passive_threads(program_->exprs, conjunct).size());
  }
  return most;
}

bool Stepper::ties_hold(const Broadcast& broadcast, std::span<const PassivePair> passive) const {
  EvalContext context;
  context.program = program_;
  context.shared = &broadcast.shared_before;
  context.shared_after = &broadcast.shared_after;
  context.self = &broadcast.active_before;
  context.self_after = &broadcast.active_after;
  const auto& ties = info_of(broadcast).ties;
  return std::all_of(ties.begin(), ties.end(), [&](ExprId conjunct) {
    std::vector<std::size_t> chosen;
    return tie_holds(context, conjunct, passive, passive_threads(program_->exprs, conjunct), chosen);
  });
}

// Does the conjunct hold for all choices of different threads that begin with those numbered in `chosen`?
bool Stepper::tie_holds(EvalContext& context, ExprId conjunct, std::span<const PassivePair> passive,
                        std::span<const std::optional<TemplateId>> wanted, std::vector<std::size_t>& chosen) const {
  poll();
  if (chosen.size() == wanted.size()) {
    std::vector<PassivePair> threads;
    for (const std::size_t number : chosen) threads.push_back(passive[number]);
    context.passive = threads[0].before;
    context.passive_after = threads[0].after;
    context.further_passive = std::span(threads).subspan(1);
    const bool holds = evaluate(context, conjunct) != 0;
    COHORT_EXPECT(!context.fault, "a passive constraint does not fault");
    return holds;
  }
  const TemplateId templ = *wanted[chosen.size()];
  for (std::size_t i = 0; i < passive.size(); ++i) {
    const bool taken = std::find(chosen.begin(), chosen.end(), i) != chosen.end();
    if (taken || passive[i].before->templ != templ) continue;
    chosen.push_back(i);
    const bool holds = tie_holds(context, conjunct, passive, wanted, chosen);
    chosen.pop_back();
    if (!holds) return false;
  }
  return true;
}

std::vector<Valuation> Stepper::initial_valuations(const std::vector<Variable>& variables) const {
  std::vector<Alternatives> domains;
  SourceSpan span;
  for (const Variable& variable : variables) {
    for (std::uint32_t element = 0; element < variable.type.slots(); ++element) {
      if (variable.initial.empty()) {
        domains.push_back(alternatives(variable.type.element(), nullptr, variable.span, known_values_));
        span = variable.span;
      } else {
        domains.push_back({variable.initial.size() == 1 ? variable.initial[0] : variable.initial[element], 1, {}});
      }
    }
  }
  has_sampled_ = has_sampled_ || any_listed(domains);
  std::vector<Valuation> valuations;
  for_each_combination(domains, span, [&](const std::vector<Value>& values) {
    poll();
    valuations.push_back(values);
  });
  return valuations;
}

}  // namespace cohort::model
