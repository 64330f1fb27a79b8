#include "engine/symbolic/expand.hpp"

#include <set>

#include "engine/symbolic/concretize.hpp"

namespace cohort::engine::symbolic {

namespace {

std::vector<model::Valuation> valuations(const dd::Bdd& set, const dd::VarSet& variables, std::uint32_t slots) {
  std::set<model::Valuation> distinct;
  dd::for_each_assignment(set, variables, [&](const dd::Assignment& literals) {
    model::Valuation values(literals.size(), 0);
    for (const auto& [variable, value] : literals) {
      const auto at = std::lower_bound(variables.variables().begin(), variables.variables().end(), variable);
      values[static_cast<std::size_t>(at - variables.variables().begin())] = value ? 1 : 0;
    }
    values.resize(slots);
    distinct.insert(std::move(values));
    return true;
  });
  return {distinct.begin(), distinct.end()};
}

using Threads = std::vector<model::ThreadState>;

// What the threads of a set may be, together.
std::vector<Threads> choices(const model::Program& program, CounterSearch& search, LocalSet set) {
  const auto& places = search.sets().places_of(set);
  std::vector<std::pair<Threads, dd::Bdd>> partial{{{}, search.sets().local_bdd(set)}};
  for (std::uint32_t member = 0; member < places.size(); ++member) {
    const Place& place = search.sets().place_at(places[member]);
    std::vector<std::pair<Threads, dd::Bdd>> longer;
    for (const auto& [threads, values] : partial) {
      const dd::Bdd own = search.ties().alone(values, places.size(), member);
      for (auto& locals : valuations(own, search.encoding().local_vars(), search.encoding().local_slots())) {
        const dd::Bdd fixed = dd::cube(local_literals(search.encoding(), locals));
        longer.emplace_back(threads, values & (member == 0 ? fixed : search.ties().exchange(0, member)(fixed)));
        locals.resize(program.templ(place.templ).local_slots());
        longer.back().first.push_back({place.templ, place.location, place.atomic, std::move(locals)});
      }
    }
    partial = std::move(longer);
  }
  std::vector<Threads> result;
  for (auto& [threads, values] : partial) result.push_back(std::move(threads));
  return result;
}

}  // namespace

std::vector<model::State> expand(const model::Program& program, CounterSearch& search) {
  std::set<model::State> result;
  for (const CounterState& state : search.reached()) {
    std::vector<model::State> partial;
    for (auto& shared :
         valuations(search.sets().shared_bdd(state.shared), search.encoding().shared_vars(), program.shared_slots())) {
      partial.push_back({std::move(shared), {}});
    }
    for (const Cell& cell : search.cells(state)) {
      const std::vector<Threads> locals = choices(program, search, cell.set);
      for (std::uint32_t i = 0; i < cell.count; ++i) {
        std::vector<model::State> extended;
        for (const model::State& before : partial) {
          for (const Threads& threads : locals) {
            extended.push_back(before);
            extended.back().threads.insert(extended.back().threads.end(), threads.begin(), threads.end());
          }
        }
        partial = std::move(extended);
      }
    }
    for (model::State& complete : partial) result.insert(model::canonical(std::move(complete)));
  }
  return {result.begin(), result.end()};
}

}  // namespace cohort::engine::symbolic
