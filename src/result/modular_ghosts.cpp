#include "result/modular_ghosts.hpp"

#include <algorithm>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "base/contract.hpp"
#include "result/checking.hpp"
#include "result/smtlib.hpp"

namespace cohort::result {

using model::Value;
using nlohmann::json;

json ModularGhosts::to_json(const std::vector<Ghost>& ghosts) {
  json list = json::array();
  for (const Ghost& ghost : ghosts) {
    json weights = json::array();
    for (std::size_t templ = 0; templ < ghost.weights.size(); ++templ) {
      for (std::size_t location = 0; location < ghost.weights[templ].size(); ++location) {
        const Value weight = ghost.weights[templ][location];
        if (weight != 0) weights.push_back({{"template", templ}, {"location", location}, {"weight", weight}});
      }
    }
    list.push_back({{"initial", ghost.initial}, {"weights", std::move(weights)}});
  }
  return list;
}

void ModularGhosts::read(const json& list) {
  const model::Program& program = commands_.program();
  for (const json& entry : elements(list, "the ghosts")) {
    expect_members(entry, {"initial", "weights"});
    Ghost ghost{integer(member(entry, "initial"), "the initial value of a ghost"), {}};
    if (ghost.initial < INT32_MIN || ghost.initial > INT32_MAX) refute("a ghost starts too far from zero");
    for (const model::Template& templ : program.templates) ghost.weights.emplace_back(templ.locations.size(), 0);
    for (const json& one : elements(member(entry, "weights"), "the weights of a ghost")) {
      expect_members(one, {"template", "location", "weight"});
      auto& of_template =
          ghost.weights[index_below(member(one, "template"), ghost.weights.size(), "the template of a weight")];
      Value& weight = of_template[index_below(member(one, "location"), of_template.size(), "the location of a weight")];
      if (weight != 0) refute("a ghost has two weights at one location");
      weight = integer(member(one, "weight"), "a weight");
      if (weight < -most_weight || weight > most_weight) refute("a weight of a ghost is too large");
    }
    // The sum over the threads at the start is not known where any number of them exists.
    for (const model::InitialThreads& group : program.initial) {
      if (ghost.weights[group.templ.value][group.location.value] != 0) refute("a ghost has weight at the start");
    }
    ghosts_.push_back(std::move(ghost));
  }
  if (!std::all_of(ghosts_.begin(), ghosts_.end(), [&](const Ghost& ghost) { return keeps_moved(ghost); })) {
    refuse("ghosts of programs whose broadcasts move threads between places of different weights");
  }
}

// How many threads a broadcast moves is not known; their weights must not depend on it.
bool ModularGhosts::keeps_moved(const Ghost& ghost) const {
  const auto weight = [&](model::PlaceId id) {
    const model::Place& place = commands_.place(id);
    COHORT_EXPECT(place.templ.value < ghost.weights.size(), "a ghost has weights for the locations of each template");
    return ghost.weights[place.templ.value][place.location.value];
  };
  for (const model::Command& command : commands_.all()) {
    for (const model::CommandMove& move : command.moves) {
      const bool same = std::all_of(move.to.begin(), move.to.end(),
                                    [&](model::PlaceId to) { return weight(to) == weight(move.from); });
      if (!same) return false;
    }
  }
  return true;
}

std::string ModularGhosts::name(std::size_t ghost) const {
  return SmtLib::shared_name(commands_.program().shared_slots() + ghost);
}

std::string ModularGhosts::declarations() const {
  std::string text;
  for (std::size_t i = 0; i < size(); ++i) text += fmt::format("(declare-const {} (_ BitVec 64))\n", name(i));
  return text;
}

Value ModularGhosts::change(const Ghost& ghost, const model::Command& command) const {
  const auto at = [&](const std::optional<model::PlaceId>& id) -> Value {
    if (!id) return 0;
    const model::Place& place = commands_.place(*id);
    COHORT_EXPECT(place.templ.value < ghost.weights.size(), "a ghost has weights for the locations of each template");
    return ghost.weights[place.templ.value][place.location.value];
  };
  Value total = at(command.to) - at(command.from);
  for (const model::CommandChild& child : command.children) total += at(child.place);
  for (const model::CommandTake& take : command.takes) total += at(take.to) - at(take.from);
  return total;
}

std::vector<std::string> ModularGhosts::after(const model::Command& command) const {
  std::vector<std::string> terms;
  for (std::size_t i = 0; i < size(); ++i) {
    const Value by = change(ghosts_[i], command);
    terms.push_back(by == 0 ? name(i) : fmt::format("(bvadd {} {})", name(i), SmtLib::literal(by)));
  }
  return terms;
}

std::vector<std::string> ModularGhosts::changed_by(const model::Command& command) const {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < size(); ++i) {
    if (change(ghosts_[i], command) != 0) names.push_back(name(i));
  }
  return names;
}

void ModularGhosts::add_axioms(const Ghost& ghost, const std::string& term, const std::vector<Member>& threads,
                               std::vector<std::string>& facts) const {
  Value least = ghost.initial;
  Value most = ghost.initial;
  COHORT_EXPECT(ghost.weights.size() == limits_.size(), "of each template weights and a limit are known");
  std::vector<std::uint64_t> present(limits_.size(), 0);
  std::vector<std::uint64_t> running(limits_.size(), 0);
  for (const Member& thread : threads) {
    ++present[thread.templ.value];
    if (!thread.location) continue;
    ++running[thread.templ.value];
    const Value weight = ghost.weights[thread.templ.value][thread.location->value];
    least += weight;
    most += weight;
  }
  for (std::size_t templ = 0; templ < limits_.size(); ++templ) {
    COHORT_EXPECT(running[templ] <= present[templ] && running[templ] <= most_alive, "who is running is there");
    std::uint64_t others = most_alive - running[templ];
    if (limits_[templ]) others = std::min(others, *limits_[templ] - std::min(*limits_[templ], present[templ]));
    // A thread that is not running weighs nothing.
    Value lightest = 0;
    Value heaviest = 0;
    for (const Value weight : ghost.weights[templ]) {
      lightest = std::min(lightest, weight);
      heaviest = std::max(heaviest, weight);
    }
    least += lightest * static_cast<Value>(others);
    most += heaviest * static_cast<Value>(others);
  }
  facts.push_back(fmt::format("(bvsle {} {})", SmtLib::literal(least), term));
  facts.push_back(fmt::format("(bvsle {} {})", term, SmtLib::literal(most)));
}

// Each ghost is in a small range by its own axioms, so that sums do not wrap around.
std::vector<std::string> ModularGhosts::axioms(const std::vector<Member>& threads) const {
  std::vector<std::string> facts;
  for (std::size_t i = 0; i < size(); ++i) {
    add_axioms(ghosts_[i], name(i), threads, facts);
    for (std::size_t j = 0; j < i; ++j) {
      for (const int sign : {-1, 1}) {
        Ghost sum = ghosts_[i];
        sum.initial += sign * ghosts_[j].initial;
        for (std::size_t templ = 0; templ < sum.weights.size(); ++templ) {
          for (std::size_t location = 0; location < sum.weights[templ].size(); ++location)
            sum.weights[templ][location] += sign * ghosts_[j].weights[templ][location];
        }
        add_axioms(sum, fmt::format("({} {} {})", sign > 0 ? "bvadd" : "bvsub", name(i), name(j)), threads, facts);
      }
    }
  }
  return facts;
}

std::vector<std::string> ModularGhosts::at_start() const {
  std::vector<std::string> facts;
  for (std::size_t i = 0; i < size(); ++i) {
    facts.push_back(fmt::format("(= {} {})", name(i), SmtLib::literal(ghosts_[i].initial)));
  }
  return facts;
}

bool ModularGhosts::rests_on_assumption() const {
  return std::any_of(ghosts_.begin(), ghosts_.end(), [&](const Ghost& ghost) {
    for (std::size_t templ = 0; templ < limits_.size(); ++templ) {
      const auto& weights = ghost.weights[templ];
      const bool weighs = std::any_of(weights.begin(), weights.end(), [](Value weight) { return weight != 0; });
      if (weighs && (!limits_[templ] || *limits_[templ] > most_alive)) return true;
    }
    return false;
  });
}

}  // namespace cohort::result
