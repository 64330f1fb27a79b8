#include "engine/symbolic/expand.hpp"

#include <set>

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
      const Place& place = search.sets().place(cell.set);
      const auto locals = valuations(search.sets().local_bdd(cell.set), search.encoding().local_vars(),
                                     program.templ(place.templ).local_slots());
      for (std::uint32_t i = 0; i < cell.count; ++i) {
        std::vector<model::State> extended;
        for (const model::State& before : partial) {
          for (const model::Valuation& values : locals) {
            extended.push_back(before);
            extended.back().threads.emplace_back(model::ThreadState{place.templ, place.location, place.atomic, values});
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
