// The linear part of a certificate for any number of threads: weights of local states and control states that no step
// increases, with traps.  Numbers are those of the certificate's tables of local states and control states.
//
// What is verified, in exact arithmetic: no step makes the sum of weights larger; a step that takes a thread (or the
// control state) from a trap also puts one there; each trap holds one in every initial configuration; and in a
// weighting the members of traps weigh at least what the factors of their traps add up to.  Then nothing reachable
// weighs more than the heaviest initial configuration, and every trap stays occupied.  So a configuration m is
// *refuted*, covered by nothing reachable, when it weighs more than that, where the factor of each trap that m does not
// occupy is added: who covers m must occupy it all the same.
//
// A *case distinction* is a tree.  Its inner nodes name an effect, what a step changes, and a number: steps with that
// effect are taken at most so often, or more often.  A leaf is a weighting that holds in its cases: with a factor z for
// each node above it, a step with the effect of the node may add z in the first case and must lose z in the second, so
// that in the end at most (number * z) more, or at least ((number + 1) * z) less, is there than at the start.  The tree
// refutes what all its leaves refute.  Local states with any number of threads at a start weigh nothing and are left
// out of effects.  Programs that broadcast have no effects that are constant, so such trees are refused there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
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

struct WeightingCases {
  std::vector<std::pair<std::uint32_t, std::int64_t>> locals;  // the effect: changes of numbers of threads
  std::vector<std::pair<std::uint32_t, std::int64_t>> controls;
  std::uint64_t most = 0;
  std::vector<WeightingCases> cases;  // at most so often, more often; none: a leaf
  Weighting weighting;
  std::vector<std::int64_t> factors;
};

nlohmann::json cases_to_json(const std::vector<WeightingCases>& cases);
nlohmann::json traps_to_json(const std::vector<WeightedTrap>& traps);
nlohmann::json weightings_to_json(const std::vector<Weighting>& weightings);

// Verifies what it is told and refutes where something does not hold.
class WeightingChecker {
 public:
  // Without anything, it refutes nothing.
  WeightingChecker() = default;
  WeightingChecker(Env& env, const nlohmann::json& traps, const nlohmann::json& weightings, std::size_t locals,
                   std::size_t controls);

  // Trees of cases, besides.
  void read_cases(Env& env, const nlohmann::json& cases);

  std::size_t size() const { return weightings_.size() + cases_.size(); }
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

  struct Effect {
    std::map<std::uint32_t, std::int64_t> locals;
    std::map<std::uint32_t, std::int64_t> controls;

    bool operator==(const Effect&) const = default;
  };
  struct DenseCases {
    Effect effect;
    std::uint64_t most = 0;
    std::vector<DenseCases> cases;
    DenseWeighting weighting;
    std::vector<std::int64_t> factors;
  };
  struct Case {
    const DenseCases* node = nullptr;
    bool more = false;
  };

  static bool touches(const DenseTrap& trap, std::uint32_t control, const Multiset& threads);
  static Sum weight_of(const DenseWeighting& weighting, std::uint32_t control, const Multiset& threads);
  DenseWeighting weighting_from(const nlohmann::json& entry) const;
  static void start(DenseWeighting& weighting, std::uint32_t control, const Multiset& threads,
                    const std::vector<std::uint32_t>& any_number);
  bool refutes(const DenseWeighting& weighting, Sum most, std::uint32_t control, const Multiset& threads) const;

  DenseCases cases_from(Env& env, const nlohmann::json& entry, std::size_t depth) const;
  static void start(DenseCases& cases, std::uint32_t control, const Multiset& threads,
                    const std::vector<std::uint32_t>& any_number);
  Effect effect_of(std::uint32_t from, const Multiset& used, std::uint32_t to, const Multiset& made) const;
  static void check_cases(const DenseCases& cases, std::vector<Case>& way, const Effect& effect, std::uint32_t from,
                          const Multiset& used, std::uint32_t to, const Multiset& made);
  bool refutes(const DenseCases& cases, std::vector<Case>& way, std::uint32_t control, const Multiset& threads) const;

  std::size_t locals_ = 0;
  std::size_t controls_ = 0;
  std::vector<DenseTrap> traps_;
  std::vector<DenseWeighting> weightings_;
  std::vector<DenseCases> cases_;
  std::vector<bool> any_number_;  // local states with any number of threads at a start
};

}  // namespace cohort::result
