#include "lemma/clauses.hpp"

#include <algorithm>
#include <numeric>

#include "base/contract.hpp"

namespace cohort::lemma {

using model::Command;

View view_of(const std::vector<SpotId>& spots, const std::vector<std::uint32_t>& members) {
  View view;
  view.reserve(members.size());
  for (const std::uint32_t member : members) view.push_back(spots[member]);
  std::sort(view.begin(), view.end());
  return view;
}

namespace {

void sort_by_spot(const std::vector<SpotId>& spots, std::vector<std::uint32_t>& members) {
  std::sort(members.begin(), members.end(), [&](std::uint32_t one, std::uint32_t other) {
    return std::pair(spots[one], one) < std::pair(spots[other], other);
  });
}

}  // namespace

std::vector<std::vector<std::uint32_t>> views_among(const Alphabet& alphabet, const std::vector<SpotId>& threads) {
  std::vector<std::vector<std::uint32_t>> results;
  std::vector<std::uint32_t> chosen;
  std::vector<std::uint32_t> missing = alphabet.needed();
  const std::function<void(std::size_t)> choose = [&](std::size_t from) {
    if (std::all_of(missing.begin(), missing.end(), [](std::uint32_t count) { return count == 0; })) {
      results.push_back(chosen);
      sort_by_spot(threads, results.back());
      return;
    }
    for (std::size_t i = from; i < threads.size(); ++i) {
      std::uint32_t& count = missing[alphabet.class_of(threads[i])];
      if (count == 0) continue;
      --count;
      chosen.push_back(static_cast<std::uint32_t>(i));
      choose(i + 1);
      chosen.pop_back();
      ++count;
    }
  };
  choose(0);
  return results;
}

std::vector<std::vector<std::uint32_t>> arrangements(const View& view) {
  std::vector<std::uint32_t> order(view.size());
  std::iota(order.begin(), order.end(), 0U);
  std::vector<std::vector<std::uint32_t>> results;
  do {
    const bool same_spots = std::equal(order.begin(), order.end(), view.begin(),
                                       [&](std::uint32_t from, SpotId spot) { return view[from] == spot; });
    if (same_spots) results.push_back(order);
  } while (std::next_permutation(order.begin(), order.end()));
  return results;
}

void Reached::insert(const View& view) {
  if (!views_.insert(view).second) return;
  for (std::size_t i = 0; i < view.size(); ++i) {
    spots_.insert(view[i]);
    for (std::size_t j = i + 1; j < view.size(); ++j) pairs_.emplace(view[i], view[j]);
  }
}

bool Reached::together(SpotId one, SpotId other) const {
  return pairs_.contains({std::min(one, other), std::max(one, other)});
}

namespace {

class Enumeration {
 public:
  Enumeration(const Alphabet& alphabet, const Reached& reached, std::size_t command,
              const std::function<void(Clause)>& visit)
      : alphabet_(alphabet),
        reached_(reached),
        command_(alphabet.commands().all()[command]),
        index_(command),
        movers_(alphabet.movers(command)),
        visit_(visit) {
    std::uint32_t threads = 0;
    for (const std::uint32_t count : alphabet.needed()) threads += count;
    pairs_matter_ = threads >= 2;
  }

  void run() {
    for (const Mover& mover : movers_) {
      if (!fits(mover.from)) return;
      before_.push_back(mover.from);
    }
    COHORT_EXPECT(movers_.size() <= model::Commands::most_movers, "a mask has a bit for each thread that moves");
    for (std::uint32_t mask = 0; mask < (1U << movers_.size()); ++mask) with_mask(mask);
  }

 private:
  // May a thread at this spot be among those of the configuration so far?  Two members that no common view knows are
  // in no reachable configuration together, where some view holds both: those of one class if it needs two, and those
  // of different classes.
  bool fits(SpotId spot) const {
    if (!reached_.spots().contains(spot)) return false;
    if (!before_.empty() && alphabet_.is_atomic(spot)) return false;  // others do not move then
    if (!pairs_matter_) return true;
    return std::all_of(before_.begin(), before_.end(), [&](SpotId other) {
      const std::size_t one_class = alphabet_.class_of(spot);
      const bool in_one_view =
          one_class != alphabet_.class_of(other)
              ? alphabet_.needed()[one_class] > 0 && alphabet_.needed()[alphabet_.class_of(other)] > 0
              : alphabet_.needed()[one_class] >= 2;
      return !in_one_view || reached_.together(spot, other);
    });
  }

  void with_mask(std::uint32_t mask) {
    missing_ = alphabet_.needed();
    for (std::size_t i = 0; i < movers_.size(); ++i) {
      if (((mask >> i) & 1U) == 0) continue;
      std::uint32_t& count = missing_[alphabet_.class_of(movers_[i].from)];
      if (count == 0) return;
      --count;
    }
    // A step that changes neither shared variables nor bystanders cannot be seen from outside.
    if (mask == 0 && !command_.writes_shared() && !command_.broadcasts) return;
    mask_ = mask;
    extend(0);
  }

  void extend(SpotId from) {
    if (std::all_of(missing_.begin(), missing_.end(), [](std::uint32_t count) { return count == 0; })) return finish();
    for (auto it = reached_.spots().lower_bound(from); it != reached_.spots().end(); ++it) {
      std::uint32_t& count = missing_[alphabet_.class_of(*it)];
      if (count == 0 || !fits(*it)) continue;
      --count;
      before_.push_back(*it);
      if (alphabet_.possible(before_)) extend(*it);
      before_.pop_back();
      ++count;
    }
  }

  void finish() {
    if (!alphabet_.possible(before_)) return;
    Clause clause;
    clause.command = index_;
    clause.hypotheses = views_among(alphabet_, before_);
    for (const auto& members : clause.hypotheses) {
      if (!reached_.contains(view_of(before_, members))) return;
    }
    clause.before = before_;
    for (const Mover& mover : movers_) clause.after.push_back(mover.to);
    clause.is_interference = mask_ == 0 && !command_.broadcasts;
    move_bystanders(std::move(clause));
  }

  // In a broadcast, each bystander at a place that moves goes to any of its targets.
  void move_bystanders(Clause clause) {
    const std::size_t at = clause.after.size();
    if (at == clause.before.size()) {
      for (std::uint32_t i = 0; i < clause.before.size(); ++i) {
        if (i >= movers_.size() || ((mask_ >> i) & 1U) != 0) clause.seen.push_back(i);
      }
      sort_by_spot(clause.after, clause.seen);
      visit_(std::move(clause));
      return;
    }
    const SpotId spot = clause.before[at];
    const auto& place = alphabet_.spot(spot).place;
    for (const model::CommandMove& move : command_.moves) {
      if (place != move.from) continue;
      for (const model::PlaceId to : move.to) {
        Clause moved = clause;
        moved.after.push_back(alphabet_.at(to));
        move_bystanders(std::move(moved));
      }
      return;
    }
    clause.after.push_back(spot);
    move_bystanders(std::move(clause));
  }

  const Alphabet& alphabet_;
  const Reached& reached_;
  const Command& command_;
  std::size_t index_;
  const std::vector<Mover>& movers_;
  const std::function<void(Clause)>& visit_;
  bool pairs_matter_ = false;
  std::vector<SpotId> before_;
  std::vector<std::uint32_t> missing_;
  std::uint32_t mask_ = 0;
};

}  // namespace

void for_each_clause(const Alphabet& alphabet, const Reached& reached, std::size_t command,
                     const std::function<void(Clause)>& visit) {
  Enumeration(alphabet, reached, command, visit).run();
}

}  // namespace cohort::lemma
