#include "lemma/facts.hpp"

#include <algorithm>

#include "base/contract.hpp"

namespace cohort::lemma {

const Facts::Entry* Facts::find(const View& view) const {
  const auto it = entries_.find(view);
  return it == entries_.end() ? nullptr : &it->second;
}

bool Facts::absorb(const View& view, const Sample& sample) {
  COHORT_EXPECT(sample.locals.size() == view.size(), "a sample has the locals of each thread in view");
  auto it = entries_.find(view);
  const bool is_new = it == entries_.end();
  if (is_new) {
    it = entries_.emplace(view, Entry{}).first;
    for (const SpotId spot : view) it->second.templates.push_back(alphabet_.spot(spot).templ);
    it->second.arrangements = arrangements(view);
    it->second.alive = candidates_(view);
    reached_.insert(view);
  }
  Entry& entry = it->second;
  const std::size_t before = entry.alive.size();
  for (const auto& order : entry.arrangements) {
    Sample arranged{sample.shared, {}};
    for (const std::uint32_t position : order) arranged.locals.push_back(sample.locals[position]);
    std::erase_if(entry.alive, [&](const Atom& atom) { return !atoms_.holds(atom, arranged, entry.templates); });
  }
  killed_ += before - entry.alive.size();
  if (!is_new && before == entry.alive.size()) return false;
  entry.strongest = undominated(entry.alive);
  entry.changed_at = ++clock_;
  return true;
}

}  // namespace cohort::lemma
