#include "model/thread_system.hpp"

#include <algorithm>

#include "base/contract.hpp"

namespace cohort::model {

namespace {

bool same_effect(const ThreadSystem::Transition& left, const ThreadSystem::Transition& right) {
  return left.shared == right.shared && left.local == right.local && left.spawns == right.spawns &&
         left.broadcast == right.broadcast && !left.takes && !right.takes && left.faults == right.faults;
}

}  // namespace

ThreadSystem::ThreadSystem(const Program& program, Env* env, Numbers* numbers)
    : stepper_(program, env), numbers_(numbers) {
  COHORT_EXPECT(!uses_thread_refs(program), "a thread system sees one thread at a time and cannot follow references");
  for (const Template& templ : program.templates) guards_.emplace_back(program, templ);
}

SharedId ThreadSystem::intern_shared(const Valuation& shared) {
  COHORT_EXPECT(shared.size() == program().shared_slots(), "a shared state values every shared variable");
  const auto [it, inserted] = shared_index_.emplace(shared, static_cast<SharedId>(shared_.size()));
  if (!inserted) return it->second;
  if (numbers_ == nullptr) {
    shared_.push_back(&it->first);
  } else {
    it->second = numbers_->shared.number(shared, shared_);
  }
  return it->second;
}

LocalId ThreadSystem::intern_local(const ThreadState& local) {
  COHORT_EXPECT(local.locals.size() == program().templ(local.templ).local_slots(),
                "a local state values every local variable");
  const auto [it, inserted] = local_index_.emplace(local, static_cast<LocalId>(locals_.size()));
  if (!inserted) return it->second;
  if (numbers_ == nullptr) {
    locals_.push_back(&it->first);
  } else {
    it->second = numbers_->locals.number(local, locals_);
  }
  see_locals();
  return it->second;
}

void ThreadSystem::catch_up() {
  COHORT_EXPECT(numbers_ != nullptr, "others give numbers, too");
  numbers_->shared.tell(shared_);
  numbers_->locals.tell(locals_);
  see_locals();
}

void ThreadSystem::see_locals() {
  for (std::size_t id = facts_.size(); id < locals_.size(); ++id) {
    const ThreadState& local = *locals_[id];
    const auto& error = program().templ(local.templ).locations[local.location.value].error;
    facts_.push_back({local.atomic, error ? error->value : no_id});
  }
}

std::optional<PropertyId> ThreadSystem::error(LocalId id) const {
  const std::uint32_t error = facts_[id].error;
  return error != no_id ? std::optional(PropertyId(error)) : std::nullopt;
}

std::span<const ThreadSystem::Transition> ThreadSystem::successors(SharedId shared, LocalId local) {
  const std::uint32_t known = rows_index_.find(shared, local);
  const Row row = known != PairTable::absent ? rows_[known] : expand(shared, local);
  return {transitions_.data() + row.begin, row.count};
}

ThreadSystem::Row ThreadSystem::expand(SharedId shared, LocalId local) {
  COHORT_EXPECT(shared < shared_.size() && local < locals_.size(), "only interned states are expanded");
  Row row{static_cast<std::uint32_t>(transitions_.size()), 0};
  const TemplateId templ = locals_[local]->templ;
  for (const std::uint32_t edge : guards_[templ.value].candidates(locals_[local]->location, *shared_[shared])) {
    for (const Outcome& outcome : stepper_.outcomes({templ, edge}, *shared_[shared], *locals_[local])) {
      const Transition transition = to_transition(outcome, edge);
      const Transition nothing{shared, local, edge, no_id, no_id, false, false};
      const auto is_known = [&](const Transition& other) { return same_effect(other, transition); };
      if (same_effect(transition, nothing)) continue;
      if (std::any_of(transitions_.begin() + row.begin, transitions_.end(), is_known)) continue;
      transitions_.push_back(transition);
    }
  }
  COHORT_EXPECT(transitions_.size() < no_id, "transitions are numbered with 32 bits");
  row.count = static_cast<std::uint32_t>(transitions_.size()) - row.begin;
  rows_index_.insert(shared, local, static_cast<std::uint32_t>(rows_.size()));
  rows_.push_back(row);
  return row;
}

ThreadSystem::Transition ThreadSystem::to_transition(const Outcome& outcome, std::uint32_t edge) {
  COHORT_EXPECT(outcome.remote.empty(), "a program without references writes no remote variable");
  Transition transition;
  transition.edge = edge;
  transition.faults = outcome.fault.has_value();
  transition.shared = intern_shared(outcome.shared);
  if (!outcome.ended) transition.local = intern_local(outcome.thread);
  transition.takes = outcome.takes.has_value();
  if (!outcome.children.empty()) {
    std::vector<LocalId> children;
    for (const ThreadState& child : outcome.children) children.push_back(intern_local(child));
    const auto it = std::find(spawns_.begin(), spawns_.end(), children);
    transition.spawns = static_cast<std::uint32_t>(it - spawns_.begin());
    if (it == spawns_.end()) spawns_.push_back(std::move(children));
  }
  if (outcome.broadcast) {
    transition.broadcast = static_cast<std::uint32_t>(broadcasts_.size());
    broadcasts_.push_back(*outcome.broadcast);
  }
  return transition;
}

std::span<const LocalId> ThreadSystem::passive_successors(std::uint32_t broadcast, LocalId passive) {
  const std::uint32_t known = passive_index_.find(broadcast, passive);
  if (known != PairTable::absent) return passive_[known];
  std::vector<LocalId> results;
  for (const ThreadState& after : stepper_.passive_outcomes(broadcasts_[broadcast], *locals_[passive])) {
    results.push_back(intern_local(after));
  }
  passive_index_.insert(broadcast, passive, static_cast<std::uint32_t>(passive_.size()));
  passive_.push_back(std::move(results));
  return passive_.back();
}

bool ThreadSystem::ties_hold(std::uint32_t broadcast, std::span<const std::pair<LocalId, LocalId>> passive) const {
  std::vector<PassivePair> pairs;
  for (const auto& [before, after] : passive) pairs.push_back({locals_[before], locals_[after]});
  return stepper_.ties_hold(broadcasts_[broadcast], pairs);
}

const std::vector<Take>& ThreadSystem::takes(LocalId active, const Transition& transition) const {
  COHORT_EXPECT(transition.takes, "the transition takes other threads along");
  const Edge& edge = program().edge({locals_[active]->templ, transition.edge});
  const auto it = std::find_if(edge.actions.begin(), edge.actions.end(),
                               [](const Action& action) { return !action.takes.empty(); });
  COHORT_EXPECT(it != edge.actions.end(), "an edge that takes threads says which");
  return it->takes;
}

LocalId ThreadSystem::moved(LocalId local, LocId to) {
  ThreadState after = *locals_[local];
  after.location = to;
  return intern_local(after);
}

}  // namespace cohort::model
