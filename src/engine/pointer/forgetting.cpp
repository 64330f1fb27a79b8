#include "engine/pointer/forgetting.hpp"

namespace cohort::engine::pointer {

Forgetting::Forgetting(const Encoding& encoding, const Activity& activity) : encoding_(encoding) {
  const Layout& layout = encoding.layout();
  for (std::size_t process = 0; process < layout.processes(); ++process) {
    for (std::size_t var = 0; var < layout.templ().locals.size(); ++var) {
      dd::Bdd inactive;
      for (std::size_t location = 0; location < layout.templ().locations.size(); ++location) {
        const Activity::Condition active = activity.condition(location, var);
        dd::Bdd valuations;
        for (std::size_t v = 0; v < (std::size_t{1} << activity.atoms().size()); ++v) {
          if ((active >> v & 1U) != 0) continue;
          dd::Bdd atoms(true);
          for (std::size_t atom = 0; atom < activity.atoms().size(); ++atom) {
            const std::size_t cell = layout.local_cell(process, activity.atoms()[atom]);
            const dd::Bdd& is_self = encoding.equals(cell, static_cast<Cell>(process + 1));
            atoms &= (v >> atom & 1U) != 0 ? is_self : !is_self;
          }
          valuations |= atoms;
        }
        inactive |= encoding.at(process, static_cast<Cell>(location)) & valuations;
      }
      if (inactive.is_false()) continue;
      locals_.push_back({layout.local_cell(process, var), layout.local(var).default_cell, std::move(inactive)});
    }
  }
}

dd::Bdd Forgetting::reset(dd::Bdd states) const {
  for (const Local& local : locals_) {
    const dd::Bdd here = states & local.inactive;
    if (here.is_false()) continue;
    states =
        difference(states, here) | (encoding_.forget(here, local.cell) & encoding_.equals(local.cell, local.value));
  }
  return states;
}

dd::Bdd Forgetting::unreset(dd::Bdd states) const {
  for (auto local = locals_.rbegin(); local != locals_.rend(); ++local) {
    const dd::Bdd reset = encoding_.before_setting(states, local->cell, local->value);
    states = difference(states, local->inactive) | (local->inactive & reset);
  }
  return states;
}

}  // namespace cohort::engine::pointer
