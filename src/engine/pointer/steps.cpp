#include "engine/pointer/steps.hpp"

#include "base/contract.hpp"

namespace cohort::engine::pointer {

using model::Value;

Steps::Steps(const Encoding& encoding) : encoding_(encoding) {
  const Layout& layout = encoding.layout();
  Terms terms(encoding);
  for (std::size_t process = 0; process < layout.processes(); ++process) {
    for (const model::Edge& edge : layout.templ().edges) {
      Step step{.location_cell = layout.location_cell(process),
                .source = static_cast<Cell>(edge.source.value),
                .target = static_cast<Cell>(edge.target.value)};
      for (const model::Action& action : edge.actions) step.actions.push_back(compile(terms, action, process));
      steps_.push_back(std::move(step));
    }
  }
  for (const Step& step : steps_) faulting_ |= before_fault(step);
}

Steps::Action Steps::compile(Terms& terms, const model::Action& action, std::size_t process) const {
  Action result;
  if (action.guard) {
    const Truth guard = terms.truth(*action.guard, process);
    result.guard = guard.holds;
    result.fault = guard.fault;
  }
  COHORT_EXPECT(action.assigns.size() <= 1 || !action.guard, "refused by refuses_symbolic()");
  for (const model::Assign& assign : action.assigns) {
    dd::Bdd fault;
    result.assigns.push_back(updates(terms, assign, process, fault));
    result.fault |= result.guard & fault;
  }
  return result;
}

std::vector<Steps::Update> Steps::updates(Terms& terms, const model::Assign& assign, std::size_t process,
                                          dd::Bdd& fault) const {
  const Layout& layout = encoding_.layout();
  const std::size_t var = assign.target.var.value;
  const bool shared = assign.target.kind == model::LValue::Kind::Shared;
  const CellType& type = shared ? layout.shared(var) : layout.local(var);
  std::vector<std::pair<std::size_t, dd::Bdd>> targets;
  if (assign.target.ref) {
    const Cases reference = terms.value(*assign.target.ref, process);
    fault |= reference.fault;
    for (const auto& [target, where] : reference.values) {
      if (target < 1 || target > static_cast<Value>(layout.processes())) {
        fault |= where;
      } else {
        targets.emplace_back(layout.local_cell(static_cast<std::size_t>(target) - 1, var), where);
      }
    }
  } else {
    targets.emplace_back(shared ? var : layout.local_cell(process, var), dd::Bdd(true));
  }
  const Cases values = terms.value(assign.value, process);
  fault |= values.fault;
  std::vector<Update> result;
  for (const auto& [value, where] : values.values) {
    const Value cell_value = value - type.lo;
    if (cell_value < 0 || cell_value >= static_cast<Value>(type.values)) {
      fault |= where;
      continue;
    }
    for (const auto& [cell, there] : targets) {
      result.push_back({cell, static_cast<Cell>(cell_value), where & there});
    }
  }
  for (Update& update : result) update.where = difference(update.where, fault);
  std::erase_if(result, [](const Update& update) { return update.where.is_false(); });
  return result;
}

dd::Bdd Steps::apply(const std::vector<Update>& updates, const dd::Bdd& states) const {
  dd::Bdd result;
  for (const Update& update : updates) {
    const dd::Bdd here = states & update.where;
    if (!here.is_false()) result |= encoding_.forget(here, update.cell) & encoding_.equals(update.cell, update.value);
  }
  return result;
}

dd::Bdd Steps::unapply(const std::vector<Update>& updates, const dd::Bdd& states) const {
  dd::Bdd result;
  for (const Update& update : updates) {
    result |= update.where & encoding_.before_setting(states, update.cell, update.value);
  }
  return result;
}

dd::Bdd Steps::after(const Step& step, const dd::Bdd& states) const {
  dd::Bdd now = states & encoding_.equals(step.location_cell, step.source);
  for (const Action& action : step.actions) {
    if (now.is_false()) return now;
    now &= action.guard;
    for (const auto& updates : action.assigns) now = apply(updates, now);
  }
  if (now.is_false() || step.source == step.target) return now;
  return encoding_.forget(now, step.location_cell) & encoding_.equals(step.location_cell, step.target);
}

dd::Bdd Steps::image(const dd::Bdd& states) const {
  dd::Bdd result;
  for_each_image(states, [&](const dd::Bdd& image) { result |= image; });
  return result;
}

void Steps::for_each_image(const dd::Bdd& states, const std::function<void(const dd::Bdd&)>& visit) const {
  for (const Step& step : steps_) {
    encoding_.poll();
    const dd::Bdd image = after(step, states);
    if (!image.is_false()) visit(image);
  }
}

dd::Bdd Steps::preimage(const dd::Bdd& states) const {
  dd::Bdd result;
  for (const Step& step : steps_) {
    encoding_.poll();
    dd::Bdd now = encoding_.before_setting(states, step.location_cell, step.target);
    // Inside the step the process is still where it was.
    now &= encoding_.equals(step.location_cell, step.source);
    for (auto action = step.actions.rbegin(); action != step.actions.rend() && !now.is_false(); ++action) {
      for (auto updates = action->assigns.rbegin(); updates != action->assigns.rend(); ++updates) {
        now = unapply(*updates, now);
      }
      now &= action->guard;
    }
    result |= now;
  }
  return result;
}

dd::Bdd Steps::before_fault(const Step& step) const {
  dd::Bdd result;
  for (auto action = step.actions.rbegin(); action != step.actions.rend(); ++action) {
    for (auto updates = action->assigns.rbegin(); updates != action->assigns.rend(); ++updates) {
      result = unapply(*updates, result);
    }
    result = (result & action->guard) | action->fault;
  }
  return result & encoding_.equals(step.location_cell, step.source);
}

}  // namespace cohort::engine::pointer
