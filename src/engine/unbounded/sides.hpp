// The two sides of a search for coverability, and the board where they tell each other what they have learned.  See
// sides.cpp.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/env.hpp"
#include "engine/unbounded/backward.hpp"
#include "engine/unbounded/directed.hpp"
#include "engine/unbounded/dynamic_cutoff.hpp"
#include "engine/unbounded/karp_miller.hpp"
#include "engine/unbounded/marking_equation.hpp"
#include "engine/unbounded/net.hpp"
#include "engine/unbounded/widening.hpp"

namespace cohort::engine::unbounded {

// What a side has found out, before it is made an answer.
struct Decision {
  enum class Kind : std::uint8_t {
    Covered,    // the Karp-Miller tree is complete
    BadNode,    // it has a node that violates
    Violation,  // by an execution
    Weights,    // SAFE by the marking equation
    Closed,     // SAFE by a closed set
  };

  Kind kind = Kind::Violation;
  std::string method;
  Execution execution;
  std::vector<Tokens> goals;
  const Backward* proof = nullptr;  // Closed
  bool is_whole = false;            // the set is one of the whole net
};

// Both sides may be at work at the same time.
class Board {
 public:
  // Configurations that the side searching forwards has reached; each is handed over once.
  void tell_coverable(std::vector<Configuration> configurations);
  std::vector<Configuration> take_coverable();
  // Configurations from which the side searching backwards knows the way to a target.
  void tell_ways(std::vector<Directed::Goal> ways);
  std::vector<Directed::Goal> take_ways();

 private:
  std::mutex mutex_;
  std::vector<Configuration> coverable_;
  std::vector<Directed::Goal> ways_;
};

// Looks for violations, and for the whole cover.  Not for systems with broadcasts.
class ForwardSide {
 public:
  ForwardSide(const Env& env, CounterSystem& system, Board& board);

  Env& env() { return env_; }
  std::optional<Decision> grow_tree(std::uint64_t steps);
  std::optional<Decision> search(const Net& net, std::uint64_t steps);
  // That there is a violation is known; an execution is wanted.
  std::optional<Decision> show(const Net& net);
  const KarpMiller* tree() const { return tree_.get(); }
  KarpMiller* tree() { return tree_.get(); }

 private:
  std::optional<Decision> direct(const Net& net, std::uint64_t distances);
  void publish();

  Env env_;
  CounterSystem* system_;
  Board* board_;
  std::unique_ptr<KarpMiller> tree_;
  std::uint32_t published_ = 0;  // nodes of the tree
  std::unique_ptr<Directed> directed_;
};

// Looks for proofs, and finds some violations on the way.
class ProofSide {
 public:
  ProofSide(const Env& env, Board& board) : env_(env), board_(&board) {}

  Env& env() { return env_; }
  std::optional<Decision> prove(const Net& net, const Possible& possible);
  std::optional<Decision> search(const Net& net, const Net& whole, std::uint64_t steps);
  std::size_t traps() const { return traps_; }
  const Backward* backward() const { return search_.get(); }

 private:
  std::optional<Decision> widen(const Net& net, std::uint64_t steps);
  std::optional<Decision> detect_cutoff(const Net& whole, std::uint64_t steps);
  void publish();

  Env env_;
  Board* board_;
  std::unique_ptr<MarkingEquation> equation_;
  bool proving_ = true;    // the marking equation may still prove something
  std::size_t traps_ = 0;  // none at first: they cost more than a look for a violation
  std::unique_ptr<Backward> search_;
  std::size_t published_ = 0;  // elements of the search
  Coverable coverable_;
  std::unique_ptr<Widening> widening_;
  std::unique_ptr<DynamicCutoff> cutoff_;
};

}  // namespace cohort::engine::unbounded
