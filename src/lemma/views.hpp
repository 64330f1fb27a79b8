// Views: what an invariant of a few threads speaks of.  A system is taken to have all threads that it will ever have,
// from the start on: each is at a Spot, which is a place of its template, or `idle` (it has not been created), or
// `gone` (it has ended).  A view is a multiset of spots, sorted: k threads, and with `singles` also every thread of a
// template that has only one.  An invariant says of each view which values the shared variables and the locals of its
// threads may have; it holds for every choice of threads, so it speaks of any number of them.
//
// Why idle threads are threads: an invariant over views of k threads says nothing of a state with fewer.  With idle
// ones there are always enough, as far as the template's `limit` goes.  Threads that end go back to idle where there is
// no limit, since nobody can tell the two apart there.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/commands.hpp"

namespace cohort::lemma {

struct Spot {
  model::TemplateId templ;
  std::optional<model::PlaceId> place;  // none: not alive
  bool gone = false;

  auto operator<=>(const Spot&) const = default;
};

using SpotId = std::uint32_t;
using View = std::vector<SpotId>;  // sorted

struct ViewOptions {
  std::uint32_t threads = 1;  // k
  bool singles = false;       // the only threads of their templates are always in view, beside the k
};

// One thread that a command moves.
struct Mover {
  SpotId from;
  SpotId to;
};

class Alphabet {
 public:
  Alphabet(const model::Commands& commands, const ViewOptions& options);

  const model::Commands& commands() const { return commands_; }
  const ViewOptions& options() const { return options_; }
  const std::vector<Spot>& spots() const { return spots_; }
  const Spot& spot(SpotId id) const { return spots_[id]; }
  SpotId at(model::PlaceId place) const { return by_place_[place.value]; }
  // Threads of the template, at most; none: any number.
  const std::optional<std::uint64_t>& limit(model::TemplateId templ) const { return limits_[templ.value]; }
  // How many threads of each class a view has.  Class 0 is the crowd; a single thread is a class of its own.
  const std::vector<std::uint32_t>& needed() const { return needed_; }
  std::size_t class_of(SpotId spot) const { return classes_[spots_[spot].templ.value]; }
  bool is_atomic(SpotId spot) const;
  // No template has more of these threads than there can be.
  bool possible(const std::vector<SpotId>& threads) const;
  // The views at the start; the locals of each thread are as declared.
  const std::vector<View>& initial() const { return initial_; }
  // The active thread first, then those it creates, then those it takes.
  const std::vector<Mover>& movers(std::size_t command) const { return movers_[command]; }
  std::string name(SpotId spot) const;
  std::string name(const View& view) const;

 private:
  void add_spots();
  void classify();
  void find_movers();
  void find_initial();
  SpotId add(Spot spot);
  SpotId after_end(model::TemplateId templ) const;

  const model::Commands& commands_;
  ViewOptions options_;
  std::vector<std::optional<std::uint64_t>> limits_;  // by template
  std::vector<Spot> spots_;
  std::map<Spot, SpotId> numbers_;
  std::vector<SpotId> by_place_;
  std::vector<std::size_t> classes_;  // by template
  std::vector<std::uint32_t> needed_;
  std::vector<View> initial_;
  std::vector<std::vector<Mover>> movers_;  // by command
};

}  // namespace cohort::lemma
