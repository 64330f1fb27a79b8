// Sets of shared states and sets of local states, interned: a symbolic state is then a short list of numbers, and what
// was computed for a set once is found again by its number.  A local set has its location and atomic flag beside the
// diagram ("the program counter is explicit", BOOM section 7.1).  Sets are never empty.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "base/contract.hpp"
#include "dd/bdd.hpp"
#include "model/ids.hpp"

namespace cohort::engine::symbolic {

using SharedSet = std::uint32_t;
using LocalSet = std::uint32_t;
using PlaceId = std::uint32_t;

struct Place {
  model::TemplateId templ;
  model::LocId location;
  bool atomic = false;

  auto operator<=>(const Place&) const = default;
};

class SetTable {
 public:
  SharedSet shared(const dd::Bdd& set) {
    COHORT_EXPECT(!set.is_false(), "a symbolic state represents at least one state");
    const auto [it, added] = shared_index_.try_emplace(set.id(), static_cast<SharedSet>(shared_.size()));
    if (added) shared_.push_back(set);
    return it->second;
  }

  LocalSet local(PlaceId place, const dd::Bdd& set) {
    COHORT_EXPECT(!set.is_false(), "a symbolic state represents at least one state");
    const std::uint64_t key = (std::uint64_t{place} << 32U) | set.id();
    const auto [it, added] = local_index_.try_emplace(key, static_cast<LocalSet>(locals_.size()));
    if (added) {
      locals_.push_back({place, set});
      ++sets_at_[place];
    }
    return it->second;
  }

  PlaceId place(const Place& place) {
    const auto [it, added] = place_index_.try_emplace(place, static_cast<PlaceId>(places_.size()));
    if (added) {
      places_.push_back(place);
      sets_at_.push_back(0);
    }
    return it->second;
  }

  // Has more than one set been seen at this place?
  bool varied(PlaceId place) const { return sets_at_[place] > 1; }

  const dd::Bdd& shared_bdd(SharedSet id) const { return shared_[id]; }
  const dd::Bdd& local_bdd(LocalSet id) const { return locals_[id].bdd; }
  PlaceId place_of(LocalSet id) const { return locals_[id].place; }
  const Place& place(LocalSet id) const { return places_[locals_[id].place]; }
  const Place& place_at(PlaceId id) const { return places_[id]; }

  bool shared_subset(SharedSet a, SharedSet b) {
    if (a == b) return true;
    const auto [it, added] = shared_subset_.try_emplace((std::uint64_t{a} << 32U) | b, false);
    if (added) it->second = dd::subset(shared_[a], shared_[b]);
    return it->second;
  }

  // Both at the same place.
  bool local_subset(LocalSet a, LocalSet b) {
    if (a == b) return true;
    if (locals_[a].place != locals_[b].place) return false;
    // Asked so often that a hash table would be too slow; later sets, of which there may be very many, are compared
    // anew.
    if (a >= remembered_locals || b >= remembered_locals) return dd::subset(locals_[a].bdd, locals_[b].bdd);
    if (local_subset_.size() <= a) local_subset_.resize(a + 1);
    auto& row = local_subset_[a];
    if (row.size() <= b) row.resize(b + 1, Known::Not);
    if (row[b] == Known::Not) row[b] = dd::subset(locals_[a].bdd, locals_[b].bdd) ? Known::Yes : Known::No;
    return row[b] == Known::Yes;
  }

  std::size_t shared_count() const { return shared_.size(); }
  std::size_t local_count() const { return locals_.size(); }

 private:
  static constexpr LocalSet remembered_locals = 4096;
  enum class Known : std::uint8_t { Not, No, Yes };

  struct Local {
    PlaceId place;
    dd::Bdd bdd;
  };

  std::deque<dd::Bdd> shared_;
  std::deque<Local> locals_;
  std::deque<Place> places_;
  std::vector<std::uint32_t> sets_at_;
  std::unordered_map<std::uint32_t, SharedSet> shared_index_;
  std::unordered_map<std::uint64_t, LocalSet> local_index_;
  std::map<Place, PlaceId> place_index_;
  std::unordered_map<std::uint64_t, bool> shared_subset_;
  std::vector<std::vector<Known>> local_subset_;
};

}  // namespace cohort::engine::symbolic
