// Sets of shared states and sets of local states, interned: a symbolic state is then a short list of numbers, and what
// was computed for a set once is found again by its number.  A local set has its location and atomic flag beside the
// diagram ("the program counter is explicit", BOOM section 7.1).  Sets are never empty.
//
// A local set may also stand for several threads whose values depend on each other, as those of a thread and of its
// copy do: a *tied* set (tie.hpp).  Its members are ordered by place; member i has the copies of the locals that
// Encoding::member(i) names; and the set is closed under exchanging members at the same place, so that sets that mean
// the same are equal and one member for each place stands for all that are there.  The places of all its members are
// its *shape*.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/contract.hpp"
#include "dd/bdd.hpp"
#include "model/ids.hpp"

namespace cohort::engine::symbolic {

using SharedSet = std::uint32_t;
using LocalSet = std::uint32_t;
using PlaceId = std::uint32_t;
using ShapeId = std::uint32_t;

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

  // One thread.
  LocalSet local(PlaceId place, const dd::Bdd& set) { return of_shape(shape_of_place_[place], set); }
  // Several: members at these places, in ascending order.
  LocalSet tied(const std::vector<PlaceId>& places, const dd::Bdd& set) {
    COHORT_EXPECT(places.size() > 1 && std::is_sorted(places.begin(), places.end()), "members are ordered by place");
    return of_shape(shape(places), set);
  }
  LocalSet of_shape(ShapeId shape, const dd::Bdd& set) {
    COHORT_EXPECT(!set.is_false(), "a symbolic state represents at least one state");
    const std::uint64_t key = (std::uint64_t{shape} << 32U) | set.id();
    const auto [it, added] = local_index_.try_emplace(key, static_cast<LocalSet>(locals_.size()));
    if (added) {
      locals_.push_back(set);
      briefs_.push_back({shape, static_cast<std::uint32_t>(shapes_[shape].places.size()), shapes_[shape].atomic});
      compare(shape, set);
      if (briefs_.back().width > 1) ++tied_;
    }
    return it->second;
  }

  PlaceId place(const Place& place) {
    const auto [it, added] = place_index_.try_emplace(place, static_cast<PlaceId>(places_.size()));
    if (added) {
      places_.push_back(place);
      shape_of_place_.push_back(shape({it->second}));
    }
    return it->second;
  }

  // Have two sets been seen of this shape that have some, but not all, values in common?  Tied sets always count as
  // such, and so do all sets at the places of their members.
  bool overlapping(ShapeId shape) const { return shapes_[shape].overlapping; }
  bool has_overlapping(LocalSet id) const { return shapes_[briefs_[id].shape].overlapping; }
  // For how many shapes that is so; never fewer than before.
  std::size_t overlapping_shapes() const { return overlapping_; }
  bool some_tied() const { return tied_ > 0; }
  std::size_t tied_count() const { return tied_; }

  const dd::Bdd& shared_bdd(SharedSet id) const { return shared_[id]; }
  const dd::Bdd& local_bdd(LocalSet id) const { return locals_[id]; }
  ShapeId shape_of(LocalSet id) const { return briefs_[id].shape; }
  // How many threads one thread count of the set means.
  std::uint32_t width(LocalSet id) const { return briefs_[id].width; }
  const std::vector<PlaceId>& places_of(LocalSet id) const { return shapes_[briefs_[id].shape].places; }
  PlaceId place_of(LocalSet id) const {
    COHORT_EXPECT(briefs_[id].width == 1, "the set stands for one thread");
    return shapes_[briefs_[id].shape].places[0];
  }
  const Place& place(LocalSet id) const { return places_[place_of(id)]; }
  // Is one of its threads inside an atomic section?
  bool atomic(LocalSet id) const { return briefs_[id].atomic; }
  // The members of which one has to move for each of its threads to have moved: those inside an atomic section if there
  // is one, else one for each place.
  const std::vector<std::uint32_t>& movers(LocalSet id) const { return shapes_[briefs_[id].shape].movers; }
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
    ShapeId shape;
    std::uint32_t width;
    bool atomic;
  };
  struct Shape {
    std::vector<PlaceId> places;
    std::vector<std::uint32_t> movers;
    bool atomic = false;
    dd::Bdd seen;  // values of all sets, as long as they are disjoint
    bool overlapping = false;
  };

  ShapeId shape(const std::vector<PlaceId>& places) {
    const auto [it, added] = shape_index_.try_emplace(places, static_cast<ShapeId>(shapes_.size()));
    if (!added) return it->second;
    Shape made{.places = places};
    for (const PlaceId place : places) made.atomic = made.atomic || places_[place].atomic;
    for (std::uint32_t i = 0; i < places.size(); ++i) {
      const bool first = i == 0 || places[i - 1] != places[i];
      if (first && (!made.atomic || places_[places[i]].atomic)) made.movers.push_back(i);
    }
    shapes_.push_back(std::move(made));
    if (places.size() > 1) {
      mark_overlapping(it->second);
      for (const PlaceId place : places) mark_overlapping(shape_of_place_[place]);
    }
    return it->second;
  }

  void mark_overlapping(ShapeId shape) {
    if (std::exchange(shapes_[shape].overlapping, true)) return;
    ++overlapping_;
  }

  // A new set of the shape: disjoint from all others means disjoint from their union.
  void compare(ShapeId shape, const dd::Bdd& set) {
    if (shapes_[shape].overlapping) return;
    if (dd::disjoint(shapes_[shape].seen, set)) {
      shapes_[shape].seen |= set;
    } else {
      mark_overlapping(shape);
    }
  }

  std::deque<dd::Bdd> shared_;
  std::deque<dd::Bdd> locals_;
  std::vector<Brief> briefs_;  // by local set
  std::deque<Place> places_;
  std::vector<ShapeId> shape_of_place_;
  std::deque<Shape> shapes_;
  std::map<std::vector<PlaceId>, ShapeId> shape_index_;
  std::size_t overlapping_ = 0;
  std::size_t tied_ = 0;
  std::unordered_map<std::uint32_t, SharedSet> shared_index_;
  std::unordered_map<std::uint64_t, LocalSet> local_index_;
  std::map<Place, PlaceId> place_index_;
  std::unordered_map<std::uint64_t, bool> shared_subset_;
};

}  // namespace cohort::engine::symbolic
