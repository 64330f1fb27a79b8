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
      locals_.push_back(set);
      briefs_.push_back({place, places_[place].atomic});
      compare(place, set);
    }
    return it->second;
  }

  PlaceId place(const Place& place) {
    const auto [it, added] = place_index_.try_emplace(place, static_cast<PlaceId>(places_.size()));
    if (added) {
      places_.push_back(place);
      seen_.emplace_back();
    }
    return it->second;
  }

  // Have two sets been seen at this place that have some, but not all, values in common?
  bool overlapping(PlaceId place) const { return seen_[place].overlapping; }
  // The places where they have, in the order in which that was noticed.
  const std::vector<PlaceId>& overlapping_places() const { return overlapping_; }

  const dd::Bdd& shared_bdd(SharedSet id) const { return shared_[id]; }
  const dd::Bdd& local_bdd(LocalSet id) const { return locals_[id]; }
  PlaceId place_of(LocalSet id) const { return briefs_[id].place; }
  const Place& place(LocalSet id) const { return places_[briefs_[id].place]; }
  bool atomic(LocalSet id) const { return briefs_[id].atomic; }
  const Place& place_at(PlaceId id) const { return places_[id]; }

  bool shared_subset(SharedSet a, SharedSet b) {
    if (a == b) return true;
    const auto [it, added] = shared_subset_.try_emplace((std::uint64_t{a} << 32U) | b, false);
    if (added) it->second = dd::subset(shared_[a], shared_[b]);
    return it->second;
  }

  std::size_t shared_count() const { return shared_.size(); }
  std::size_t local_count() const { return locals_.size(); }

 private:
  // What is asked about a set at every step.
  struct Brief {
    PlaceId place;
    bool atomic;
  };
  struct Seen {
    dd::Bdd all;  // values of all sets, as long as they are disjoint
    bool overlapping = false;
  };

  // A new set at the place: disjoint from all others means disjoint from their union.
  void compare(PlaceId place, const dd::Bdd& set) {
    Seen& seen = seen_[place];
    if (seen.overlapping) return;
    if (dd::disjoint(seen.all, set)) {
      seen.all |= set;
      return;
    }
    seen.overlapping = true;
    overlapping_.push_back(place);
  }

  std::deque<dd::Bdd> shared_;
  std::deque<dd::Bdd> locals_;
  std::vector<Brief> briefs_;  // by local set
  std::deque<Place> places_;
  std::vector<Seen> seen_;
  std::vector<PlaceId> overlapping_;
  std::unordered_map<std::uint32_t, SharedSet> shared_index_;
  std::unordered_map<std::uint64_t, LocalSet> local_index_;
  std::map<Place, PlaceId> place_index_;
  std::unordered_map<std::uint64_t, bool> shared_subset_;
};

}  // namespace cohort::engine::symbolic
