// Abstract states, interned to small numbers.  A shared state has a value for each shared predicate; a thread state is
// a place and a value for each local and mixed predicate of the template, with a mark where the predicate is not known
// there.  Thread state 0 is a thread that does not exist, because it is not created yet or has ended: nobody can see
// the difference.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "model/commands.hpp"

namespace cohort::abstraction {

// One character for each predicate of the scope: '0', '1', or unknown.
using Bits = std::string;
inline constexpr char unknown_bit = '-';

using SharedState = model::Id<struct SharedStateTag>;
using ThreadState = model::Id<struct ThreadStateTag>;

inline constexpr ThreadState absent{};

class States {
 public:
  States() { threads_.emplace_back(); }

  SharedState shared(const Bits& bits) {
    const auto [it, fresh] = shared_numbers_.emplace(bits, SharedState(shared_.size()));
    if (fresh) shared_.push_back(bits);
    return it->second;
  }
  ThreadState thread(model::PlaceId place, const Bits& bits) {
    const auto [it, fresh] = thread_numbers_.emplace(std::pair(place, bits), ThreadState(threads_.size()));
    if (fresh) threads_.emplace_back(place, bits);
    return it->second;
  }

  const Bits& bits(SharedState state) const { return shared_[state.value]; }
  // Of threads that exist.
  const Bits& bits(ThreadState state) const { return threads_[state.value].second; }
  model::PlaceId place(ThreadState state) const { return threads_[state.value].first; }

  std::size_t shared_count() const { return shared_.size(); }
  std::size_t thread_count() const { return threads_.size(); }

 private:
  std::vector<Bits> shared_;
  std::vector<std::pair<model::PlaceId, Bits>> threads_;
  std::map<Bits, SharedState> shared_numbers_;
  std::map<std::pair<model::PlaceId, Bits>, ThreadState> thread_numbers_;
};

}  // namespace cohort::abstraction
