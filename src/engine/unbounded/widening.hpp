// Backward search that guesses: configurations are replaced by smaller ones which nothing is known to cover.  See
// widening.cpp.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_set>
#include <vector>

#include "base/env.hpp"
#include "engine/unbounded/antichain.hpp"
#include "engine/unbounded/backward.hpp"
#include "engine/unbounded/net.hpp"

namespace cohort::engine::unbounded {

// Control states, single threads and pairs of threads that can be covered, as far as somebody found out.  The pairs of
// a configuration that occupies many places are not listed; such configurations are kept as they are.
class Coverable {
 public:
  // Omegas mean as many as wanted.
  void learn(ControlId control, TokenView tokens);
  // At most two threads.
  bool covers(ControlId control, TokenView tokens);
  std::size_t size() const { return parts_.size() + large_.size(); }

 private:
  struct Part {
    ControlId control = 0;
    Place first = none;
    Place second = none;

    bool operator==(const Part&) const = default;
  };
  struct PartHash {
    std::size_t operator()(const Part& part) const noexcept;
  };

  std::unordered_set<Part, PartHash> parts_;
  std::vector<Configuration> large_;
  Antichain index_;
};

class Widening {
 public:
  using Outcome = Backward::Outcome;

  // What is learned from wrong guesses is added to `coverable`, which a forward search may add to as well.
  Widening(Env& env, const Net& net, Coverable& coverable, MarkingEquation* equation = nullptr);

  // Paused after so many predecessors have been computed; the next call goes on from there.
  Outcome run(std::uint64_t max_steps = UINT64_MAX);
  // The search that ended, for its execution or its closed set.
  const Backward& search() const { return *search_; }
  std::uint64_t wrong_guesses() const { return wrong_; }

 private:
  void begin();
  std::optional<Tokens> guess(ControlId control, TokenView tokens);
  void learn_from_wrong_guess();
  bool vetoed() const;

  Env* env_;
  const Net* net_;
  Coverable* coverable_;
  MarkingEquation* equation_;
  std::unique_ptr<Backward> search_;
  std::vector<Configuration> guesses_;  // of the search that is under way
  std::uint64_t steps_ = 0;
  std::uint64_t wrong_ = 0;
};

}  // namespace cohort::engine::unbounded
