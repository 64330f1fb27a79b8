#include "engine/symbolic/certify.hpp"

#include <map>
#include <string>
#include <unordered_map>
#include <utility>

namespace cohort::engine::symbolic {

namespace {

using result::Cubes;

std::unordered_map<dd::Var, std::size_t> positions(const std::vector<dd::Var>& variables) {
  std::unordered_map<dd::Var, std::size_t> result;
  for (std::size_t i = 0; i < variables.size(); ++i) result.emplace(variables[i], i);
  return result;
}

// The sets of a certificate, each listed once.
class SetList {
 public:
  using Numbers = std::vector<std::uint32_t>;

  SetList(const model::Program& program, CounterSearch& search, result::SymbolicCertificate& certificate)
      : program_(program), search_(search), certificate_(certificate) {}

  std::uint32_t shared(SharedSet set) {
    const auto [it, added] = shared_.try_emplace(set, static_cast<std::uint32_t>(shared_.size()));
    if (added) {
      certificate_.shared.push_back(
          dd::cube_texts(search_.sets().shared_bdd(set), search_.encoding().shared_vars(), program_.shared_slots()));
    }
    return it->second;
  }

  std::uint32_t local(LocalSet set) {
    const auto [it, added] = locals_.try_emplace(set, static_cast<std::uint32_t>(certificate_.locals.size()));
    if (added) add(search_.sets().place(set), cubes(search_.sets().local_bdd(set), search_.sets().place(set)));
    return it->second;
  }

  // A certificate has no tied sets: each cube is a product, one set for each member.
  const std::vector<Numbers>& tied(LocalSet set) {
    const auto [it, added] = tied_.try_emplace(set);
    if (!added) return it->second;
    const auto& places = search_.sets().places_of(set);
    dd::for_each_cube(search_.sets().local_bdd(set), [&](const dd::Assignment& literals) {
      it->second.push_back({});
      for (std::uint32_t member = 0; member < places.size(); ++member) {
        const Place& place = search_.sets().place_at(places[member]);
        std::string cube(program_.templ(place.templ).local_slots(), '-');
        for (std::size_t slot = 0; slot < cube.size(); ++slot) {
          const dd::Var wanted = search_.encoding().member(member, slot);
          for (const auto& [variable, value] : literals) {
            if (variable == wanted) cube[slot] = value ? '1' : '0';
          }
        }
        it->second.back().push_back(product(place, cube));
      }
      return it->second.size() <= result::SymbolicCertificate::most_states;
    });
    return it->second;
  }

 private:
  Cubes cubes(const dd::Bdd& set, const Place& place) const {
    return dd::cube_texts(set, search_.encoding().local_vars(), program_.templ(place.templ).local_slots());
  }
  std::uint32_t add(const Place& place, Cubes values) {
    certificate_.locals.push_back({place.templ, place.location, place.atomic, std::move(values)});
    return static_cast<std::uint32_t>(certificate_.locals.size() - 1);
  }
  std::uint32_t product(const Place& place, const std::string& cube) {
    const auto [it, added] = products_.try_emplace({place, cube}, 0);
    if (added) it->second = add(place, {cube});
    return it->second;
  }

  const model::Program& program_;
  CounterSearch& search_;
  result::SymbolicCertificate& certificate_;
  std::unordered_map<SharedSet, std::uint32_t> shared_;
  std::unordered_map<LocalSet, std::uint32_t> locals_;
  std::unordered_map<LocalSet, std::vector<Numbers>> tied_;
  std::map<std::pair<Place, std::string>, std::uint32_t> products_;
};

using Entries = std::vector<result::SymbolicCertificate::SymbolicState>;

// Every entry with every list of sets, one thread more in each.
Entries extended(const Entries& entries, const std::vector<SetList::Numbers>& lists) {
  Entries result;
  for (const auto& entry : entries) {
    for (const SetList::Numbers& list : lists) {
      result.push_back(entry);
      for (const std::uint32_t number : list) result.back().cells.emplace_back(number, 1);
    }
  }
  return result;
}

}  // namespace

std::unique_ptr<result::Certificate> certify(const model::Program& program, CounterSearch& search) {
  auto certificate = std::make_unique<result::SymbolicCertificate>();
  certificate->bound = search.bound();
  SetList sets(program, search, *certificate);
  for (const CounterState& state : search.reached()) {
    std::vector<result::SymbolicCertificate::SymbolicState> entries(1);
    entries[0].shared = sets.shared(state.shared);
    for (const Cell& cell : search.cells(state)) {
      if (search.sets().width(cell.set) == 1) {
        const std::uint32_t number = sets.local(cell.set);
        for (auto& entry : entries) entry.cells.emplace_back(number, cell.count);
        continue;
      }
      const auto& cubes = sets.tied(cell.set);
      for (std::uint32_t i = 0; i < cell.count; ++i) {
        if (entries.size() * cubes.size() > result::SymbolicCertificate::most_states) return nullptr;
        entries = extended(entries, cubes);
      }
    }
    if (certificate->states.size() + entries.size() > result::SymbolicCertificate::most_states) return nullptr;
    for (auto& entry : entries) certificate->states.push_back(std::move(entry));
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
