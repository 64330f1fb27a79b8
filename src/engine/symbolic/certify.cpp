#include "engine/symbolic/certify.hpp"

#include <unordered_map>

namespace cohort::engine::symbolic {

namespace {

using result::Cubes;

std::unordered_map<dd::Var, std::size_t> positions(const std::vector<dd::Var>& variables) {
  std::unordered_map<dd::Var, std::size_t> result;
  for (std::size_t i = 0; i < variables.size(); ++i) result.emplace(variables[i], i);
  return result;
}

}  // namespace

std::unique_ptr<result::Certificate> certify(const model::Program& program, CounterSearch& search) {
  auto certificate = std::make_unique<result::SymbolicCertificate>();
  certificate->bound = search.bound();
  std::unordered_map<SharedSet, std::uint32_t> shared;
  std::unordered_map<LocalSet, std::uint32_t> locals;
  for (const CounterState& state : search.reached()) {
    result::SymbolicCertificate::SymbolicState entry;
    const auto [it, added] = shared.try_emplace(state.shared, static_cast<std::uint32_t>(shared.size()));
    if (added) {
      certificate->shared.push_back(dd::cube_texts(search.sets().shared_bdd(state.shared),
                                                   search.encoding().shared_vars(), program.shared_slots()));
    }
    entry.shared = it->second;
    for (const Cell& cell : search.cells(state)) {
      const auto [local, is_new] = locals.try_emplace(cell.set, static_cast<std::uint32_t>(locals.size()));
      if (is_new) {
        const Place& place = search.sets().place(cell.set);
        certificate->locals.push_back({place.templ, place.location, place.atomic,
                                       dd::cube_texts(search.sets().local_bdd(cell.set), search.encoding().local_vars(),
                                                      program.templ(place.templ).local_slots())});
      }
      entry.cells.emplace_back(local->second, cell.count);
    }
    certificate->states.push_back(std::move(entry));
  }
  return certificate;
}

std::unique_ptr<result::Certificate> certify(const model::Program& program, const PlainSearch& search) {
  auto certificate = std::make_unique<result::SymbolicCertificate>();
  certificate->bound = search.bound();
  const auto shared_at = positions(search.encoding().shared_vars().variables());
  for (const auto& [places, states] : search.reached()) {
    dd::for_each_cube(states, [&](const dd::Assignment& literals) {
      result::SymbolicCertificate::SymbolicState entry;
      entry.shared = static_cast<std::uint32_t>(certificate->shared.size());
      std::string& shared = certificate->shared.emplace_back(Cubes{std::string(program.shared_slots(), '-')})[0];
      for (const auto& [variable, value] : literals) {
        if (const auto it = shared_at.find(variable); it != shared_at.end()) shared[it->second] = value ? '1' : '0';
      }
      for (std::uint32_t slot = 0; slot < places.size(); ++slot) {
        if (!places[slot]) continue;
        std::string cube(program.templ(places[slot]->templ).local_slots(), '-');
        for (std::size_t local = 0; local < cube.size(); ++local) {
          const dd::Var wanted = search.encoding().thread_local_copy(slot, local);
          for (const auto& [variable, value] : literals) {
            if (variable == wanted) cube[local] = value ? '1' : '0';
          }
        }
        entry.cells.emplace_back(static_cast<std::uint32_t>(certificate->locals.size()), 1);
        certificate->locals.push_back(
            {places[slot]->templ, places[slot]->location, places[slot]->atomic, {std::move(cube)}});
      }
      certificate->states.push_back(std::move(entry));
      return true;
    });
  }
  return certificate;
}

}  // namespace cohort::engine::symbolic
