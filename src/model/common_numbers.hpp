// Numbers that several thread systems of one program, each in a thread of its own, give to the same states: what one of
// them numbers has the same number in all others.
//
// The states stand here once, in nodes that never move; each system has a list of pointers to them, which it prolongs
// when it meets a number that it does not know yet.  A system asks here only for states that it has not seen itself, so
// the lock is taken as often as thread states are expanded, not as often as they are used.
#pragma once

#include <cstdint>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace cohort::model {

template <class State, class Hash>
class CommonNumbers {
 public:
  // The number of `state`, new or not; `known` has it then.
  std::uint32_t number(const State& state, std::vector<const State*>& known) {
    const std::lock_guard lock(mutex_);
    const auto [it, inserted] = index_.emplace(state, static_cast<std::uint32_t>(states_.size()));
    if (inserted) states_.push_back(&it->first);
    tell_locked(known);
    return it->second;
  }

  // Appends to the first states, which are `known`, those that have come since.
  void tell(std::vector<const State*>& known) {
    const std::lock_guard lock(mutex_);
    tell_locked(known);
  }

 private:
  void tell_locked(std::vector<const State*>& known) {
    known.insert(known.end(), states_.begin() + static_cast<std::ptrdiff_t>(known.size()), states_.end());
  }

  std::mutex mutex_;
  std::unordered_map<State, std::uint32_t, Hash> index_;
  std::vector<const State*> states_;  // by number; keys of index_
};

}  // namespace cohort::model
