#include "engine/unbounded/counter_system.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "base/contract.hpp"
#include "model/analysis/visit.hpp"
#include "model/passive.hpp"
#include "model/property.hpp"

namespace cohort::engine::unbounded {

using model::LocalId;
using model::Property;
using model::PropertyId;

namespace {

bool quantifies(const model::Program& program, const std::optional<model::ExprId>& condition) {
  return condition && (model::mentions(program.exprs, *condition, model::Op::ForallThread) ||
                       model::mentions(program.exprs, *condition, model::Op::ExistsThread));
}

bool takes_data(const model::Program& program) {
  for (const auto& [action, edge, templ] : model::actions_of(program)) {
    for (const model::Take& take : action.takes) {
      if (!program.templ(take.templ).locals.empty()) return true;
    }
  }
  return false;
}

}  // namespace

bool CounterSystem::judges(model::PropertyKind kind) {
  using Kind = model::PropertyKind;
  switch (kind) {
    case Kind::Assertion:
    case Kind::ErrorLabel:
    case Kind::Cut:
    case Kind::Cover:
    case Kind::Condition:
    case Kind::Fault: return true;
    case Kind::Deadlock: return false;  // it is not upward closed
  }
  COHORT_UNREACHABLE("every kind of property is judged or not");
}

std::optional<std::string> CounterSystem::refuses(const model::Program& program) {
  if (auto reason = model::unjudged(program, judges)) return reason;
  if (!model::is_flat(program)) return "calls must be inlined first";
  if (model::uses_thread_refs(program)) return "threads that refer to each other cannot be counted";
  if (quantifies(program, program.initial_condition)) return "the initial condition speaks of several threads";
  if (const auto what = model::first_tie(program)) {
    return fmt::format("the step {} ties several passive threads to each other", *what);
  }
  if (takes_data(program)) return "an action takes along threads that have local variables";
  for (const Property& property : program.properties) {
    if (quantifies(program, property.condition)) {
      return fmt::format("the property '{}' quantifies over threads", property.text);
    }
  }
  return std::nullopt;
}

std::size_t CounterSystem::ControlHash::operator()(const Control& control) const noexcept {
  std::uint64_t hash = control.shared * 0x9E3779B97F4A7C15ULL;
  hash = (hash ^ control.holder) * 0xBF58476D1CE4E5B9ULL;
  hash = (hash ^ (hash >> 29U) ^ control.single.value) * 0x94D049BB133111EBULL;
  return hash ^ (hash >> 32U);
}

CounterSystem::CounterSystem(const model::Program& program, Env* env) : program_(&program) {
  COHORT_EXPECT(!refuses(program), "only programs that are not refused are counted");
  is_table_ = is_table_program(program);
  if (is_table_) {
    build_table();
  } else {
    threads_ = std::make_unique<model::ThreadSystem>(program, env);
    build_initial();
  }
}

std::size_t CounterSystem::place_count() const {
  return is_table_ ? template_of_.size() : threads_->local_count();
}

ControlId CounterSystem::intern_control(const Control& control) {
  const auto [entry, is_new] = control_index_.try_emplace(control, static_cast<ControlId>(controls_.size()));
  if (is_new) {
    controls_.push_back(control);
    control_facts_.push_back(facts_of(control));
    holder_expanded_.push_back(false);
    leaving_.emplace_back();
    free_.emplace_back();
  }
  return entry->second;
}

CounterSystem::ControlFacts CounterSystem::facts_of(const Control& control) const {
  ControlFacts facts;
  if (control.holder != model::no_id) facts.error = threads_->error(control.holder);
  if (single_) facts.error = program_->templ(*single_).locations[control.single.value].error;
  model::Valuation shared;
  if (!is_table_) shared = threads_->shared(control.shared);
  if (is_table_ && !program_->shared.empty()) shared = {static_cast<model::Value>(control.shared)};
  for (std::size_t i = 0; i < program_->properties.size(); ++i) {
    const Property& property = program_->properties[i];
    if (property.kind != Property::Kind::Cover && property.kind != Property::Kind::Condition) continue;
    model::EvalContext context;
    context.program = program_;
    context.shared = context.shared_after = &shared;
    if (!model::is_bad(context, property)) continue;
    facts.covers.push_back(PropertyId(i));
  }
  return facts;
}

std::vector<RuleId>& CounterSystem::row(ControlId control, Place trigger) {
  std::uint32_t index = row_index_.find(control, trigger);
  if (index == model::PairTable::absent) {
    index = static_cast<std::uint32_t>(rows_.size());
    row_index_.insert(control, trigger, index);
    rows_.emplace_back();
  }
  return rows_[index];
}

RuleId CounterSystem::add_rule(const Draft& draft) {
  Rule rule;
  rule.from = draft.from;
  rule.to = draft.to;
  rule.pre_begin = static_cast<std::uint32_t>(arena_.size());
  rule.pre_count = static_cast<std::uint32_t>(draft.pre.size());
  arena_.insert(arena_.end(), draft.pre.begin(), draft.pre.end());
  rule.post_begin = static_cast<std::uint32_t>(arena_.size());
  rule.post_count = static_cast<std::uint32_t>(draft.post.size());
  arena_.insert(arena_.end(), draft.post.begin(), draft.post.end());
  rule.broadcast = draft.broadcast;
  rule.faults = draft.faults;
  rule.edge = draft.edge;
  rule.active = draft.active;
  rule.active_after = draft.active_after;
  rule.ends = draft.ends;
  has_broadcasts_ = has_broadcasts_ || draft.broadcast != none;
  const RuleId id = static_cast<RuleId>(rules_.size());
  COHORT_EXPECT(arena_.size() < none && id < none, "rules are numbered with 32 bits");
  rules_.push_back(rule);
  leaving_[draft.from].push_back(id);
  return id;
}

void CounterSystem::enabled(ControlId control, TokenView tokens, std::vector<RuleId>& result) {
  if (controls_[control].holder != model::no_id) {
    expand_holder(control);
  } else {
    for (const Token& token : tokens) expand(control, token.place);
  }
  const auto keep = [&](const std::vector<RuleId>& candidates) {
    for (const RuleId id : candidates) {
      const Rule& candidate = rules_[id];
      // The trigger is occupied, so a rule that consumes one thread needs no second look.
      if (candidate.pre_count > 1 || (candidate.pre_count == 1 && pre(candidate)[0].count > 1)) {
        if (!covers(tokens, pre(candidate))) continue;
      }
      result.push_back(id);
    }
  };
  keep(free_[control]);
  for (const Token& token : tokens) {
    const std::uint32_t index = row_index_.find(control, token.place);
    if (index != model::PairTable::absent) keep(rows_[index]);
  }
}

void CounterSystem::expand(ControlId control, Place place) {
  if (is_table_ || expanded_.find(control, place) != model::PairTable::absent) return;
  COHORT_EXPECT(controls_[control].holder == model::no_id, "inside an atomic section only its thread moves");
  COHORT_EXPECT(!frozen_, "the rules of every possible thread state are known");
  expanded_.insert(control, place, 0);
  add_transitions(control, place, place);
}

void CounterSystem::expand_holder(ControlId control) {
  if (holder_expanded_[control]) return;
  COHORT_EXPECT(!frozen_, "the rules of every possible control state are known");
  holder_expanded_[control] = true;
  add_transitions(control, controls_[control].holder, none);
}

void CounterSystem::add_transitions(ControlId control, LocalId local, Place active) {
  const auto found = threads_->successors(controls_[control].shared, local);
  const std::vector<model::ThreadSystem::Transition> transitions(found.begin(), found.end());
  for (const auto& transition : transitions) {
    const RuleId id = add_rule(draft_of(control, local, active, transition));
    const TokenView consumed = pre(rules_[id]);
    if (consumed.empty()) {
      free_[control].push_back(id);
    } else {
      row(control, active != none ? active : consumed.front().place).push_back(id);
    }
  }
}

CounterSystem::Draft CounterSystem::draft_of(ControlId control, LocalId local, Place active,
                                             const model::ThreadSystem::Transition& transition) {
  Draft draft;
  draft.from = control;
  draft.edge = {threads_->local(local).templ, transition.edge};
  draft.faults = transition.faults;
  draft.active = active;
  if (active != none) add(draft.pre, active, 1);
  if (transition.faults) {
    draft.to = control;
    return draft;
  }
  Control next{.shared = transition.shared};
  if (transition.local == model::no_id) {
    draft.ends = true;
  } else if (threads_->is_atomic(transition.local)) {
    next.holder = transition.local;
  } else {
    draft.active_after = transition.local;
    add(draft.post, transition.local, 1);
  }
  if (transition.spawns != model::no_id) {
    for (const LocalId child : threads_->spawned(transition.spawns)) add(draft.post, child, 1);
  }
  if (transition.takes) {
    for (const model::Take& take : threads_->takes(local, transition)) {
      add(draft.pre, threads_->intern_local({take.templ, take.from, false, {}}), 1);
      if (take.to) add(draft.post, threads_->intern_local({take.templ, *take.to, false, {}}), 1);
    }
  }
  draft.broadcast = transition.broadcast == model::no_id ? none : transition.broadcast;
  draft.to = intern_control(next);
  return draft;
}

std::span<const Place> CounterSystem::passive(std::uint32_t broadcast, Place place) {
  if (!is_table_) return threads_->passive_successors(broadcast, place);
  const auto& moves = table_broadcasts_[broadcast];
  const auto found = moves.find(place);
  if (found != moves.end()) return found->second;
  passive_itself_ = place;
  return {&passive_itself_, 1};
}

std::optional<PropertyId> CounterSystem::error_at(Place place) const {
  if (!is_table_) return threads_->error(place);
  const std::uint32_t templ = template_of_[place];
  return program_->templates[templ].locations[place - template_base_[templ]].error;
}

std::optional<PropertyId> CounterSystem::violated(ControlId control, TokenView tokens) const {
  const ControlFacts& facts = control_facts_[control];
  if (facts.error) return facts.error;
  for (const Token& token : tokens) {
    if (const auto error = error_at(token.place)) return error;
  }
  for (const PropertyId id : facts.covers) {
    if (covers_property(control, tokens, program_->properties[id.value])) return id;
  }
  return std::nullopt;
}

bool CounterSystem::covers_property(ControlId control, TokenView tokens, const Property& property) const {
  const auto& wanted = property.threads;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    // Threads in the same location are asked for together, at the first of them.
    const auto [templ, location] = wanted[i];
    if (std::find(wanted.begin(), wanted.begin() + i, wanted[i]) != wanted.begin() + i) continue;
    const auto needed = static_cast<std::uint64_t>(std::count(wanted.begin() + i, wanted.end(), wanted[i]));
    std::uint64_t present = 0;
    if (is_table_ && single_ == templ) {
      present = controls_[control].single == location ? 1 : 0;
    } else if (is_table_) {
      present = count_at(tokens, place_of(templ, location));
    } else {
      const auto counts = [&, templ = templ, location = location](LocalId local) {
        const model::ThreadState& state = threads_->local(local);
        return state.templ == templ && state.location == location;
      };
      if (controls_[control].holder != model::no_id && counts(controls_[control].holder)) ++present;
      for (const Token& token : tokens) present += counts(token.place) ? token.count : 0;
    }
    if (present < needed) return false;
  }
  return true;
}

Place CounterSystem::place_of(model::TemplateId templ, model::LocId location) const {
  COHORT_EXPECT(is_table_, "only in a table program a location is one place");
  return template_base_[templ.value] + location.value;
}

model::ThreadState CounterSystem::thread_state(Place place) const {
  if (!is_table_) return threads_->local(place);
  const std::uint32_t templ = template_of_[place];
  return {model::TemplateId(templ), model::LocId(place - template_base_[templ]), false, {}};
}

model::ThreadState CounterSystem::holder_state(ControlId control) const {
  COHORT_EXPECT(controls_[control].holder != model::no_id, "some thread is inside an atomic section");
  return threads_->local(controls_[control].holder);
}

model::ThreadState CounterSystem::single_state(ControlId control) const {
  COHORT_EXPECT(single_.has_value(), "the program has a thread that exists once");
  return {*single_, controls_[control].single, false, {}};
}

model::Valuation CounterSystem::shared_state(ControlId control) const {
  if (!is_table_) return threads_->shared(controls_[control].shared);
  if (program_->shared.empty()) return {};
  return {static_cast<model::Value>(controls_[control].shared)};
}

// The ways to give one group of initial threads its local states, for every configuration made so far.
void CounterSystem::add_initial(std::vector<Configuration>& partial, const model::InitialThreads& group) {
  constexpr std::size_t max_initial = std::size_t{1} << 22U;
  std::vector<Place> places;
  for (const model::Valuation& locals : threads_->stepper().initial_valuations(program_->templ(group.templ).locals)) {
    places.push_back(threads_->intern_local({group.templ, group.location, false, locals}));
  }
  std::sort(places.begin(), places.end());
  if (!group.count) {
    for (Configuration& configuration : partial) {
      for (const Place place : places) add(configuration.tokens, place, omega);
    }
    return;
  }
  // Multisets: each thread takes a place not before that of the thread placed last.
  struct Choice {
    Configuration configuration;
    std::size_t last = 0;
  };
  std::vector<Choice> choices;
  for (Configuration& configuration : partial) choices.push_back({std::move(configuration), 0});
  for (std::uint32_t i = 0; i < *group.count; ++i) {
    std::vector<Choice> extended;
    for (const Choice& choice : choices) {
      for (std::size_t next = choice.last; next < places.size(); ++next) {
        extended.push_back({choice.configuration, next});
        add(extended.back().configuration.tokens, places[next], 1);
      }
      if (extended.size() > max_initial) {
        throw_unsupported(program_->templ(group.templ).span, "more than 2^22 initial configurations");
      }
    }
    choices = std::move(extended);
  }
  partial.clear();
  for (Choice& choice : choices) partial.push_back(std::move(choice.configuration));
}

void CounterSystem::build_initial() {
  for (const model::Valuation& shared : threads_->stepper().initial_valuations(program_->shared)) {
    if (program_->initial_condition) {
      model::EvalContext context;
      context.program = program_;
      context.shared = context.shared_after = &shared;
      if (!model::holds(context, *program_->initial_condition)) continue;
    }
    std::vector<Configuration> partial(1);
    partial[0].control = intern_control({.shared = threads_->intern_shared(shared)});
    for (const model::InitialThreads& group : program_->initial) add_initial(partial, group);
    std::move(partial.begin(), partial.end(), std::back_inserter(initial_));
  }
}

}  // namespace cohort::engine::unbounded
