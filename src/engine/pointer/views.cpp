#include "engine/pointer/views.hpp"

#include <algorithm>

namespace cohort::engine::pointer {

namespace {

struct View {
  dd::VarSet hidden;  // what is projected away
  dd::Bdd states;
};

// All choices of `size` processes, or of all where there are fewer.
std::vector<std::vector<std::size_t>> choices(std::size_t processes, std::size_t size) {
  size = std::min(size, processes);
  std::vector<std::vector<std::size_t>> result;
  std::vector<bool> chosen(processes, false);
  std::fill(chosen.begin(), chosen.begin() + static_cast<std::ptrdiff_t>(size), true);
  do {
    auto& members = result.emplace_back();
    for (std::size_t process = 0; process < processes; ++process) {
      if (chosen[process]) members.push_back(process);
    }
  } while (std::prev_permutation(chosen.begin(), chosen.end()));
  return result;
}

View make_view(const Encoding& encoding, const std::vector<std::size_t>& members) {
  const Layout& layout = encoding.layout();
  std::vector<dd::Var> hidden;
  for (std::size_t process = 0; process < layout.processes(); ++process) {
    if (std::find(members.begin(), members.end(), process) != members.end()) continue;
    for (std::size_t within = 0; within < layout.block(); ++within) {
      const auto& bits = encoding.bits(layout.location_cell(process) + within);
      hidden.insert(hidden.end(), bits.begin(), bits.end());
    }
  }
  return {dd::VarSet(std::move(hidden)), {}};
}

}  // namespace

dd::Bdd reachable_by_views(const Steps& steps, const Forgetting& forgetting, const dd::Bdd& initial,
                           const dd::Bdd& within, std::size_t size) {
  const Encoding& encoding = steps.encoding();
  std::vector<View> views;
  for (const auto& members : choices(encoding.layout().processes(), size)) {
    View view = make_view(encoding, members);
    view.states = exists(initial, view.hidden);
    views.push_back(std::move(view));
  }
  for (;;) {
    dd::Bdd all = within;
    for (const View& view : views) all &= view.states;
    bool grown = false;
    steps.for_each_image(all, [&](const dd::Bdd& after) {
      const dd::Bdd image = forgetting.reset(after);
      for (View& view : views) {
        const dd::Bdd seen = exists(image, view.hidden);
        if (subset(seen, view.states)) continue;
        view.states |= seen;
        grown = true;
      }
    });
    if (!grown) return all;
  }
}

}  // namespace cohort::engine::pointer
