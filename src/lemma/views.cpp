#include "lemma/views.hpp"

#include <algorithm>
#include <functional>
#include <set>

#include <fmt/core.h>

#include "base/contract.hpp"
#include "model/analysis/thread_limits.hpp"

namespace cohort::lemma {

using model::Command;
using model::PlaceId;
using model::TemplateId;

Alphabet::Alphabet(const model::Commands& commands, const ViewOptions& options)
    : commands_(commands), options_(options), limits_(model::thread_limits(commands)) {
  add_spots();
  classify();
  find_movers();
  find_initial();
}

SpotId Alphabet::add(Spot spot) {
  const auto [it, inserted] = numbers_.emplace(spot, static_cast<SpotId>(spots_.size()));
  if (inserted) spots_.push_back(spot);
  return it->second;
}

// A passive thread may block a broadcast, so a state with fewer threads has steps that one with more has not: threads
// of a group of any size may be idle for good, then.
void Alphabet::add_spots() {
  const model::Program& program = commands_.program();
  for (std::size_t i = 0; i < commands_.places().size(); ++i) {
    by_place_.push_back(add({commands_.places()[i].templ, PlaceId(i), false}));
  }
  std::set<TemplateId> idle;
  std::set<TemplateId> ending;
  bool broadcasts = false;
  for (const Command& command : commands_.all()) {
    broadcasts = broadcasts || command.broadcasts;
    for (const model::CommandChild& child : command.children) idle.insert(commands_.place(child.place).templ);
    if (!command.to) ending.insert(commands_.place(command.from).templ);
    for (const model::CommandTake& take : command.takes) {
      if (!take.to) ending.insert(commands_.place(take.from).templ);
    }
  }
  for (const model::InitialThreads& group : program.initial) {
    if (!group.count && broadcasts) idle.insert(group.templ);
  }
  for (const TemplateId templ : idle) add({templ, std::nullopt, false});
  for (const TemplateId templ : ending) add({templ, std::nullopt, limits_[templ.value].has_value()});
}

void Alphabet::classify() {
  const std::size_t templates = commands_.program().templates.size();
  classes_.assign(templates, 0);
  needed_.assign(1, options_.threads);
  std::uint64_t crowd = 0;
  bool any_number = false;
  for (std::size_t i = 0; i < templates; ++i) {
    if (options_.singles && limits_[i] == 1) {
      classes_[i] = needed_.size();
      needed_.push_back(1);
    } else if (limits_[i]) {
      crowd += *limits_[i];
    } else {
      any_number = true;
    }
  }
  if (!any_number) needed_[0] = static_cast<std::uint32_t>(std::min<std::uint64_t>(crowd, needed_[0]));
}

bool Alphabet::is_atomic(SpotId id) const {
  const Spot& spot = spots_[id];
  return spot.place && commands_.place(*spot.place).atomic;
}

bool Alphabet::possible(const std::vector<SpotId>& threads) const {
  std::vector<std::uint64_t> counts(limits_.size(), 0);
  return std::all_of(threads.begin(), threads.end(), [&](SpotId spot) {
    const TemplateId templ = spots_[spot].templ;
    return !limits_[templ.value] || ++counts[templ.value] <= *limits_[templ.value];
  });
}

SpotId Alphabet::after_end(TemplateId templ) const {
  return numbers_.at({templ, std::nullopt, limits_[templ.value].has_value()});
}

void Alphabet::find_movers() {
  for (const Command& command : commands_.all()) {
    auto& movers = movers_.emplace_back();
    const TemplateId templ = commands_.place(command.from).templ;
    movers.push_back({at(command.from), command.to ? at(*command.to) : after_end(templ)});
    for (const model::CommandChild& child : command.children) {
      movers.push_back({numbers_.at({commands_.place(child.place).templ, std::nullopt, false}), at(child.place)});
    }
    for (const model::CommandTake& take : command.takes) {
      const TemplateId taken = commands_.place(take.from).templ;
      movers.push_back({at(take.from), take.to ? at(*take.to) : after_end(taken)});
    }
  }
}

// How many threads may be at each spot at the start; a view takes no more.
void Alphabet::find_initial() {
  constexpr std::uint64_t unlimited = ~std::uint64_t{0};
  std::map<SpotId, std::uint64_t> supply;
  std::vector<std::uint64_t> started(limits_.size(), 0);
  for (const model::InitialThreads& group : commands_.program().initial) {
    const auto place = commands_.find({group.templ, group.location, false});
    COHORT_EXPECT(place, "threads start at a place within reach");
    std::uint64_t& here = supply[at(*place)];
    here = group.count && here != unlimited ? here + *group.count : unlimited;
    started[group.templ.value] += group.count.value_or(0);
  }
  for (SpotId id = 0; id < spots_.size(); ++id) {
    if (spots_[id].place || spots_[id].gone) continue;
    const auto& most = limits_[spots_[id].templ.value];
    supply[id] = most ? *most - std::min(*most, started[spots_[id].templ.value]) : unlimited;
  }
  View view;
  std::vector<std::uint32_t> missing = needed_;
  const std::function<void(SpotId)> extend = [&](SpotId from) {
    if (std::all_of(missing.begin(), missing.end(), [](std::uint32_t count) { return count == 0; })) {
      initial_.push_back(view);
      return;
    }
    for (SpotId id = from; id < spots_.size(); ++id) {
      const std::uint64_t used = static_cast<std::uint64_t>(std::count(view.begin(), view.end(), id));
      if (missing[class_of(id)] == 0 || !supply.contains(id) || used >= supply.at(id)) continue;
      view.push_back(id);
      --missing[class_of(id)];
      extend(id);
      ++missing[class_of(id)];
      view.pop_back();
    }
  };
  extend(0);
}

std::string Alphabet::name(SpotId id) const {
  const Spot& spot = spots_[id];
  if (spot.place) return commands_.name(*spot.place);
  return fmt::format("{} ({})", commands_.program().templ(spot.templ).name, spot.gone ? "ended" : "not running");
}

std::string Alphabet::name(const View& view) const {
  std::string result;
  for (const SpotId spot : view) result += (result.empty() ? "" : " | ") + name(spot);
  return result;
}

}  // namespace cohort::lemma
