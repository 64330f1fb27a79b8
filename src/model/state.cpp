#include "model/state.hpp"

#include <algorithm>
#include <cstdint>

namespace cohort::model {

namespace {

void mix(std::size_t& hash, std::uint64_t part) {
  hash = (hash ^ part) * 0x9E3779B97F4A7C15ULL;
  hash ^= hash >> 32U;
}

void mix_all(std::size_t& hash, const Valuation& values) {
  for (const Value value : values) mix(hash, static_cast<std::uint64_t>(value) + 1);
}

}  // namespace

std::size_t State::alive() const {
  return static_cast<std::size_t>(
      std::count_if(threads.begin(), threads.end(), [](const auto& thread) { return thread.has_value(); }));
}

std::optional<std::size_t> State::atomic_thread() const {
  for (std::size_t slot = 0; slot < threads.size(); ++slot) {
    if (threads[slot] && threads[slot]->atomic) return slot;
  }
  return std::nullopt;
}

State canonical(State state) {
  std::erase_if(state.threads, [](const auto& thread) { return !thread.has_value(); });
  std::sort(state.threads.begin(), state.threads.end());
  return state;
}

std::size_t ValuationHash::operator()(const Valuation& values) const noexcept {
  std::size_t hash = values.size();
  mix_all(hash, values);
  return hash;
}

std::size_t ThreadStateHash::operator()(const ThreadState& thread) const noexcept {
  std::size_t hash = thread.atomic ? 2 : 1;
  mix(hash, (std::uint64_t{thread.templ.value} << 32U) | thread.location.value);
  mix_all(hash, thread.locals);
  return hash;
}

std::size_t StateHash::operator()(const State& state) const noexcept {
  std::size_t hash = ValuationHash{}(state.shared);
  for (const auto& thread : state.threads) mix(hash, thread ? ThreadStateHash{}(*thread) : 3);
  return hash;
}

}  // namespace cohort::model
