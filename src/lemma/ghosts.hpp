// Ghost counters: what an invariant of a few threads cannot say of all threads.  "The reader count is the number of
// readers" would need one more thread than any view has, whatever its size.  A ghost is
//     g  =  its value at the start  +  the sum over all threads of the weight of the place where each one is,
// with weights that are small integers by location (threads not running weigh nothing), so that such facts become
// equalities of two shared variables.
//
// A ghost is an ordinary variable of an instrumented program: each edge adds the weights of the places that its threads
// come to and takes away those of the places they leave.  An invariant over it is found like any other.  What is gained
// is an axiom, which holds in every state by the meaning of g and may therefore be assumed in every hypothesis: g is
// the sum over the threads in question plus what the others can weigh.  How many others there are is limited by the
// template's limit, or else by the census' number of threads alive at a time.
//
// Which weights are worth trying is guessed from the variable that the ghost should explain (weights_of); whatever is
// guessed, the axiom holds, so a bad guess costs time and nothing else.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "lemma/views.hpp"
#include "model/commands.hpp"
#include "model/program.hpp"

namespace cohort::lemma {

using Weights = std::vector<std::vector<model::Value>>;  // [template][location]

struct Ghost {
  model::VarId variable;  // of the instrumented program
  model::VarId counter;   // the program's own variable that it is meant to explain
  Weights weights;
  model::Value initial = 0;
  // If set, it is meant to explain the way up from this variable to the counter, on the ring of their type: the numbers
  // that were drawn and not yet served.
  std::optional<model::VarId> behind{};
  bool everywhere = false;  // it counts all threads of the templates that have weights
};

// More threads than this never exist at a time: the assumption of proofs by ghosts where nothing else limits threads.
constexpr std::uint64_t most_threads_alive = std::uint64_t{1} << 30U;

// What is assumed of the value of ghosts[first] + sign * ghosts[second], or of ghosts[first] alone where sign is 0: a
// sum of ghosts is a sum of weights as well.
struct Combination {
  std::size_t first = 0;
  std::size_t second = 0;
  int sign = 0;
  Weights weights;
  model::Value initial = 0;
};

struct Census {
  std::vector<Ghost> ghosts;
  std::uint64_t most_threads = most_threads_alive;  // alive at a time

  struct Range {
    model::Value least = 0;
    model::Value most = 0;
  };
  // Each ghost, and the sums and differences of each two.
  std::vector<Combination> combinations() const;
  // What it can be in a state with threads at these spots.
  Range range(const Alphabet& alphabet, const Combination& combination, const std::vector<SpotId>& threads) const;
  // Does an axiom rest on the number of threads alive, and not on limits of templates alone?
  bool counts_alive(const std::vector<std::optional<std::uint64_t>>& limits) const;
};

struct Instrumented {
  model::Program program;
  std::vector<Ghost> ghosts;  // none: the program is as it was
};

// With variables for these ghosts; `variable` is filled in.  Threads at the start weigh nothing, and broadcasts
// move threads only between places of one weight.
Instrumented instrument(const model::Program& program, std::vector<Ghost> ghosts);

// A ghost for each of the first few shared numbers that some step raises or lowers by a constant, where the places in
// between are known, where there are such also for flags, and one for two numbers of which each only grows, where
// threads raise one and later the other. Where nothing is lowered, one for each number that threads raise once and
// for all, and one for all threads. What broadcasts would change is left out, as no constant says how many
// threads they move.
Instrumented add_ghosts(const model::Program& program);

}  // namespace cohort::lemma
