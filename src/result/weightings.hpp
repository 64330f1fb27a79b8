// The linear part of a certificate for any number of threads: weights of local states and control states that no step
// increases, with traps.  Numbers are those of the certificate's tables of local states and control states.
//
// What is verified, in exact arithmetic: no step makes the sum of weights larger; a step that takes a thread (or the
// control state) from a trap also puts one there; each trap holds one in every initial configuration; and in a
// weighting the members of traps weigh at least what the factors of their traps add up to.  Then nothing reachable
// weighs more than the heaviest initial configuration, and every trap stays occupied.  So a configuration m is
// *refuted*, covered by nothing reachable, when it weighs more than that, where the factor of each trap that m does not
// occupy is added: who covers m must occupy it all the same.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "base/env.hpp"

namespace cohort::result {

// Index of a local state and number of threads.
using Multiset = std::vector<std::pair<std::uint32_t, std::uint64_t>>;

struct WeightedTrap {
  std::vector<std::uint32_t> locals;
  std::vector<std::uint32_t> controls;
};

struct Weighting {
  // Those that weigh something, with their weights; the traps that count, with their factors.
  std::vector<std::pair<std::uint32_t, std::int64_t>> locals;
  std::vector<std::pair<std::uint32_t, std::int64_t>> controls;
  std::vector<std::pair<std::uint32_t, std::int64_t>> traps;
};

nlohmann::json traps_to_json(const std::vector<WeightedTrap>& traps);
nlohmann::json weightings_to_json(const std::vector<Weighting>& weightings);

// Verifies what it is told and refutes where something does not hold.
class WeightingChecker {
 public:
  // Without anything, it refutes nothing.
  WeightingChecker() = default;
  WeightingChecker(Env& env, const nlohmann::json& traps, const nlohmann::json& weightings, std::size_t locals,
                   std::size_t controls);

  std::size_t size() const { return weightings_.size(); }
  std::size_t trap_count() const { return traps_.size(); }

  // An initial configuration, with the local states of which there may be any number besides.
  void add_initial(std::uint32_t control, const Multiset& threads, const std::vector<std::uint32_t>& any_number);
  void check_step(std::uint32_t from, const Multiset& used, std::uint32_t to, const Multiset& made) const;
  // A thread that a broadcast leads from one local state to another.
  void check_moved(std::uint32_t from, std::uint32_t to) const;

  // After all initial configurations.
  bool refutes(std::uint32_t control, const Multiset& threads) const;

 private:
  using Sum = __int128;

  struct DenseTrap {
    std::vector<bool> locals;
    std::vector<bool> controls;
  };
  struct DenseWeighting {
    std::vector<std::int64_t> locals;
    std::vector<std::int64_t> controls;
    std::vector<std::pair<std::uint32_t, std::int64_t>> factors;
    Sum start = 0;
  };

  static bool touches(const DenseTrap& trap, std::uint32_t control, const Multiset& threads);
  static Sum weight_of(const DenseWeighting& weighting, std::uint32_t control, const Multiset& threads);
  void read_weighting(const nlohmann::json& entry, std::size_t locals, std::size_t controls);

  std::vector<DenseTrap> traps_;
  std::vector<DenseWeighting> weightings_;
};

}  // namespace cohort::result
