#include "engine/unbounded/net.hpp"

#include <algorithm>

#include "base/contract.hpp"

namespace cohort::engine::unbounded {

Net::Net(CounterSystem& system, const Possible& possible, const std::vector<RuleId>* rules)
    : system_(&system),
      possible_(&possible),
      whole_(rules == nullptr),
      partial_(rules != nullptr),
      initial_(system.initial()) {
  COHORT_EXPECT(possible.complete(), "all rules are known");
  for (const RuleId id : rules ? *rules : possible.live_rules()) {
    const Rule& rule = system.rule(id);
    const TokenView pre = system.pre(rule);
    if (rule.faults) {
      add_target(rule.from, Tokens(pre.begin(), pre.end()), id);
      continue;
    }
    const TokenView post = system.post(rule);
    transitions_.push_back(
        {rule.from, rule.to, Tokens(pre.begin(), pre.end()), Tokens(post.begin(), post.end()), rule.broadcast, {id}});
  }
  add_targets();
}

Execution Net::execution(const std::vector<TransitionId>& path, const Target& target) const {
  Execution execution;
  for (const TransitionId id : path) {
    const auto& rules = transitions_[id].rules;
    execution.rules.insert(execution.rules.end(), rules.begin(), rules.end());
  }
  // What must be there at the start: backwards over the rules from what must be there at the end.
  ControlId control = target.least.control;
  Tokens wanted = target.whole_tokens;
  for (std::size_t i = execution.rules.size(); i-- > 0;) {
    const Rule& rule = system_->rule(execution.rules[i]);
    COHORT_EXPECT(rule.broadcast == none && rule.to == control, "rules follow each other");
    wanted = minus(wanted, system_->post(rule));
    add(wanted, system_->pre(rule));
    control = rule.from;
  }
  if (target.fault != none) execution.rules.push_back(target.fault);
  for (const Configuration& start : system_->initial()) {
    if (start.control != control || !covers(start.tokens, wanted)) continue;
    execution.start = complete_start(*system_, start, wanted);
    return execution;
  }
  COHORT_UNREACHABLE("an execution of the net begins with an initial configuration");
}

// The elements say what is asked for at the places that are left; what is asked for at dropped ones follows the rules.
std::vector<Tokens> Net::goals(const std::vector<TransitionId>& path, const std::vector<Tokens>& elements,
                               const Target& target, Tokens& start) const {
  COHORT_EXPECT(elements.size() == path.size() + 1, "an element before each transition, and one at the end");
  std::vector<Tokens> goals;
  Tokens elsewhere = minus(target.whole_tokens, target.least.tokens);
  for (std::size_t i = path.size(); i-- > 0;) {
    Tokens wanted = elements[i + 1];
    add(wanted, elsewhere);
    const Transition& transition = transitions_[path[i]];
    COHORT_EXPECT(transition.broadcast == none || transition.rules.size() == 1, "broadcasts are not joined");
    for (std::size_t k = transition.rules.size(); k-- > 0;) {
      const Rule& rule = system_->rule(transition.rules[k]);
      goals.push_back(wanted);
      wanted = minus(wanted, system_->post(rule));
      add(wanted, system_->pre(rule));
    }
    // Broadcasts move nobody away from a dropped place that is asked for.
    elsewhere.clear();
    for (const Token& token : wanted) {
      if (is_dropped(token.place)) elsewhere.push_back(token);
    }
  }
  std::reverse(goals.begin(), goals.end());
  start = elements.front();
  add(start, elsewhere);
  return goals;
}

void Net::add_targets() {
  for (ControlId control = 0; control < system_->control_count(); ++control) {
    if (!possible_->is_reached(control)) continue;
    if (system_->error_at_control(control)) add_target(control, {});
    for (const Place place : possible_->places(control)) {
      if (system_->error_at(place)) add_target(control, {{place, 1}});
    }
    for (const model::PropertyId id : system_->cover_candidates(control)) {
      add_cover_targets(control, system_->program().properties[id.value]);
    }
  }
}

void Net::add_cover_targets(ControlId control, const model::Property& property) {
  auto wanted = property.threads;
  std::sort(wanted.begin(), wanted.end());
  const auto drop = [&](const model::ThreadState& thread) {
    const auto it = std::find(wanted.begin(), wanted.end(), std::pair(thread.templ, thread.location));
    if (it != wanted.end()) wanted.erase(it);
  };
  if (system_->has_single()) drop(system_->single_state(control));
  if (system_->control(control).holder != model::no_id) drop(system_->holder_state(control));
  choose_places(control, wanted, 0, {});
}

// A location may stand for several places, one for each value of the local variables: every choice is a target.
void Net::choose_places(ControlId control, const std::vector<std::pair<model::TemplateId, model::LocId>>& wanted,
                        std::size_t index, const Tokens& chosen) {
  if (index == wanted.size()) {
    if (possible_->contains_all(control, chosen)) add_target(control, chosen);
    return;
  }
  if (system_->is_table()) {
    Tokens all = chosen;
    for (const auto& [templ, location] : wanted) {
      if (system_->has_single() && system_->single_state(control).templ == templ) return;
      add(all, system_->place_of(templ, location), 1);
    }
    choose_places(control, wanted, wanted.size(), all);
    return;
  }
  for (const Place place : possible_->places(control)) {
    const model::ThreadState thread = system_->thread_state(place);
    if (std::pair(thread.templ, thread.location) != wanted[index]) continue;
    Tokens extended = chosen;
    add(extended, place, 1);
    choose_places(control, wanted, index + 1, extended);
  }
}

}  // namespace cohort::engine::unbounded
