#include "engine/bmc/cells.hpp"

#include "model/analysis/access.hpp"

namespace cohort::engine::bmc {

Cells::Cells(const model::Program& program, const Plan& plan) {
  const model::Observed observed(program);
  for (const model::Template& templ : program.templates) others_move_.emplace_back(templ.locations.size(), false);
  for (const Shift& shift : shifts_of(program)) {
    others_move_[shift.templ.value][shift.from.value] = true;
    if (shift.to) others_move_[shift.templ.value][shift.to->value] = true;
  }
  size_ = program.shared_slots();
  const std::size_t templates = program.templates.size();
  for (const Slot& slot : plan.slots()) {
    auto& locals = locals_.emplace_back(templates);
    auto& places = places_.emplace_back(templates);
    for (const model::TemplateId id : slot.templates) {
      const model::Template& templ = program.templ(id);
      auto& variables = locals[id.value];
      for (std::size_t i = 0; i < templ.locals.size(); ++i) {
        variables.emplace_back();
        if (!observed.local(id, model::VarId(i))) continue;
        variables.back() = size_;
        size_ += templ.locals[i].type.slots();
      }
      auto& locations = places[id.value];
      for (std::size_t i = 0; i < templ.locations.size(); ++i) {
        locations.emplace_back();
        if (observed.location(id, model::LocId(i)) || others_move(id, model::LocId(i))) locations.back() = size_++;
      }
    }
  }
  first_alive_ = size_;
  size_ += plan.slots().size();
}

std::optional<std::size_t> Cells::local(std::size_t slot, model::TemplateId templ, model::VarId var,
                                        std::size_t element) const {
  const auto& first = locals_[slot][templ.value][var.value];
  return first ? std::optional(*first + element) : std::nullopt;
}

std::optional<std::size_t> Cells::place(std::size_t slot, model::TemplateId templ, model::LocId location) const {
  const auto& places = places_[slot][templ.value];
  return places.empty() ? std::nullopt : places[location.value];
}

}  // namespace cohort::engine::bmc
