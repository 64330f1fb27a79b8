#include "engine/explicit/violation_check.hpp"

#include <algorithm>

#include "base/contract.hpp"
#include "model/eval.hpp"

namespace cohort::engine::explicit_ {

using model::Property;
using model::PropertyId;

ViolationCheck::ViolationCheck(const model::ThreadSystem& system) : system_(&system) {
  const auto& properties = system.program().properties;
  for (std::size_t i = 0; i < properties.size(); ++i) {
    COHORT_EXPECT(properties[i].kind != Property::Kind::Condition, "conditions over all threads are for other engines");
    if (properties[i].kind == Property::Kind::Cover) targets_.emplace_back(i);
    if (properties[i].kind == Property::Kind::Deadlock) deadlock_ = PropertyId(i);
  }
  conditions_.resize(targets_.size());
}

std::optional<PropertyId> ViolationCheck::operator()(model::SharedId shared, std::span<const Cell> cells) {
  for (const Cell& cell : cells) {
    if (const auto error = system_->error(cell.local)) return error;
  }
  for (std::size_t i = 0; i < targets_.size(); ++i) {
    auto wanted = system_->program().properties[targets_[i].value].threads;
    for (const Cell& cell : cells) {
      const model::ThreadState& local = system_->local(cell.local);
      for (std::uint32_t n = 0; n < cell.count; ++n) {
        const auto it = std::find(wanted.begin(), wanted.end(), std::pair(local.templ, local.location));
        if (it == wanted.end()) break;
        wanted.erase(it);
      }
    }
    if (wanted.empty() && condition_holds(i, shared)) return targets_[i];
  }
  return std::nullopt;
}

const model::Location& ViolationCheck::location(model::LocalId local) const {
  const model::ThreadState& thread = system_->local(local);
  return system_->program().templ(thread.templ).locations[thread.location.value];
}

bool ViolationCheck::could_step(model::SharedId shared, model::LocalId local) const {
  const model::ThreadState& thread = system_->local(local);
  const auto& edges = system_->stepper().out_edges(thread.templ).of(thread.location);
  return std::any_of(edges.begin(), edges.end(), [&](std::uint32_t edge) {
    const auto outcomes = system_->stepper().outcomes({thread.templ, edge}, system_->shared(shared), thread);
    return std::any_of(outcomes.begin(), outcomes.end(),
                       [](const model::Outcome& outcome) { return outcome.children.empty() && !outcome.takes; });
  });
}

bool ViolationCheck::runs_in_circles(model::SharedId shared, model::LocalId local) const {
  const model::ThreadState& thread = system_->local(local);
  const auto& edges = system_->stepper().out_edges(thread.templ).of(thread.location);
  return std::any_of(edges.begin(), edges.end(), [&](std::uint32_t edge) {
    const auto outcomes = system_->stepper().outcomes({thread.templ, edge}, system_->shared(shared), thread);
    return std::any_of(outcomes.begin(), outcomes.end(), [&](const model::Outcome& outcome) {
      return !outcome.fault && !outcome.ended && outcome.children.empty() && !outcome.takes && !outcome.broadcast &&
             outcome.shared == system_->shared(shared) && outcome.thread == thread;
    });
  });
}

std::optional<PropertyId> ViolationCheck::deadlock(std::span<const Cell> cells) const {
  const auto waits = [&](const Cell& cell) { return location(cell.local).waits; };
  return !cells.empty() && std::all_of(cells.begin(), cells.end(), waits) ? deadlock_ : std::nullopt;
}

bool ViolationCheck::condition_holds(std::size_t target, model::SharedId shared) {
  const Property& property = system_->program().properties[targets_[target].value];
  if (!property.condition) return true;
  const auto [it, fresh] = conditions_[target].emplace(shared, false);
  if (fresh) {
    model::EvalContext context;
    context.program = &system_->program();
    context.shared = &system_->shared(shared);
    it->second = model::holds(context, *property.condition);
  }
  return it->second;
}

}  // namespace cohort::engine::explicit_
