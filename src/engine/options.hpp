// What can be asked of engines beyond the question itself: one struct for each owner, one line for each option (see
// base/option.hpp).  Which of them an engine knows is said by Engine::knows; the others are refused by name.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/option.hpp"

namespace cohort::exchange {
class Exchange;
}

namespace cohort::engine {

// FewestDeviations: states that are reached with few untimely switches between threads come first.
// Random: single executions at random, without end.
enum class SearchOrder : std::uint8_t { BreadthFirst, DepthFirst, FewestDeviations, Random };

// How the engine bmc represents integers; both are exact.
enum class IntegerMode : std::uint8_t { Bits, Math };

// Depths to check, one after the other; neither: growing ones, until all executions are covered or a limit is reached.
struct Depths {
  std::optional<std::uint32_t> first;
  std::optional<std::uint32_t> last;

  void parse(const std::string& text);  // "K" or "A..B"
  std::string written() const;
  bool operator==(const Depths&) const = default;
};

// More steps than this make no formula that fits in any memory.
inline constexpr std::uint32_t most_steps = 1'000'000;

// When the engine bmc leaves only steps that influence the property.
enum class ProjectionMode : std::uint8_t { WhenHard, Always, Off };

struct BmcOptions {
  Depths depths = option::parsed(
      depths, {"--depth", "K", "Steps to look at: K, or A..B one after the other; without it, more and more"});
  // Only steps that influence the property.
  ProjectionMode projection = option::choice(
      projection,
      {"--projection", "MODE",
       "Search only the projections of executions on the property: when-hard (once a formula has taken 1000 "
       "conflicts), "
       "always or off"},
      {{"when-hard", ProjectionMode::WhenHard}, {"always", ProjectionMode::Always}, {"off", ProjectionMode::Off}});
  bool normal_form = option::flag(
      normal_form, {"--mpor", "", "Of executions that differ in the order of independent steps, search one"});
  IntegerMode integers = option::choice(
      integers, {"--int", "MODE", "Integers for the solver: bits (as many as needed) or math; both are exact"},
      {{"bits", IntegerMode::Bits}, {"math", IntegerMode::Math}});
  std::optional<std::uint32_t> contexts =
      option::number(contexts, {"--contexts", "N", "At most N stretches of steps by one thread"}, {}, {0, most_steps});
  bool growing_contexts =
      option::flag(growing_contexts, {"--grow-contexts", "",
                                      "At each depth, look first for violations with 1, 2, ... 8 stretches of steps by "
                                      "one thread, then for those with any number"});
  std::string dump_folder =
      option::text(dump_folder, {"--smt-dump", "DIR", "Write every formula to this folder, as SMT-LIB"});
};

// Classic: as first published.  Symbolic: sets of data in its nodes, for programs with much nondeterminism.
enum class KarpMillerVariant : std::uint8_t { Classic, Symbolic };

// Improvements of the Karp-Miller construction that can be switched off one by one, to measure them.
struct KarpMillerImprovements {
  bool shared_first = true;    // successors in the same control state are explored first
  bool minimal_chains = true;  // labels are compared with the minimal ancestors only
  bool coverage = true;        // a branch ends where any active node covers it, not only at an equal ancestor
  bool subtrees = true;        // a new node ends the whole subtrees of nodes that it covers, not only those nodes
  bool index = true;           // nodes that may cover a label are found by control state and occupied places
  bool turns = true;           // a backward search takes turns with a large tree

  void parse(const std::string& text);  // the name of one to switch off, or several with commas
  std::string written() const;
};

struct KarpMillerSwitches {
  std::optional<KarpMillerVariant> variant = option::choice(
      variant, {"--km", "VARIANT", "Karp-Miller: classic (without its improvements) or symbolic (sets of data)"},
      {{"classic", KarpMillerVariant::Classic}, {"symbolic", KarpMillerVariant::Symbolic}});
  KarpMillerImprovements improvements = option::parsed(
      improvements,
      {"--km-off", "NAME,...",
       "Karp-Miller: without one of its improvements: shared-first, minimal-chains, coverage, subtrees, index, turns"},
      option::Kind::Repeatable);
  bool whole_cover =
      option::flag(whole_cover, {"--whole-cover", "", "Karp-Miller: go on after a violation until all is covered"});
};

// How the engine cegar abstracts: exact images when they are asked for, or a Boolean broadcast program made beforehand
// with cubes of at most so many literals.
enum class AbstractionMode : std::uint8_t { Oracle, Cubes0, Cubes1, Cubes2 };

struct CheckpointOptions {
  std::string folder = option::text(
      folder,
      {"--checkpoint", "DIR",
       "Keep the search in this folder at the ends of levels, and take it up again from there after it was killed"});
  std::uint32_t seconds = option::number(
      seconds, {"--checkpoint-every", "S", "Seconds between two checkpoints, at least"}, 60U, {0, 86'400});
};

struct EngineOptions {
  // Known to several engines.
  bool partial_order =
      option::flag(partial_order, {"--por", "", "Partial-order reduction: skip interleavings that make no difference"});
  bool all_orders = option::flag(
      all_orders, {"--no-por", "", "Search all interleavings, where a reduction would be usual (a baseline)"});
  bool symmetry = option::flag(symmetry, {"--no-symmetry", "", "Tell threads apart (a baseline)"}, true);
  std::optional<SearchOrder> order =
      option::choice(order,
                     {"--search", "ORDER",
                      "bfs (shortest traces), dfs, deviations (executions with few untimely switches first) or random"},
                     {{"bfs", SearchOrder::BreadthFirst},
                      {"dfs", SearchOrder::DepthFirst},
                      {"deviations", SearchOrder::FewestDeviations},
                      {"random", SearchOrder::Random}});
  // The symbolic engine's: states that differ in one component are merged; the order of variables is improved when
  // diagrams have grown.
  bool merging = option::flag(merging, {"--no-merging", "", "Do not merge states that differ in one component"}, true);
  bool reorder = option::flag(reorder, {"--reorder", "", "Reorder variables when diagrams have grown"});
  // The pointer engines': locals that cannot matter any more are reset.
  bool inactive = option::flag(inactive, {"--no-inactive", "", "Keep the values of inactive variables"}, true);
  CheckpointOptions checkpoint;
  KarpMillerSwitches karp_miller;
  BmcOptions bmc;
  AbstractionMode abstraction = option::choice(abstraction,
                                               {"--abstraction", "MODE",
                                                "Predicate abstraction: oracle (exact images on demand) or a Boolean "
                                                "program by cubes of length 0 to 2 (c0, c1, c2)"},
                                               {{"oracle", AbstractionMode::Oracle},
                                                {"c0", AbstractionMode::Cubes0},
                                                {"c1", AbstractionMode::Cubes1},
                                                {"c2", AbstractionMode::Cubes2}});

  // Set by Cohort, not by users.
  bool certificate = false;     // SAFE must come with a certificate
  bool sample_choices = false;  // explicit: choices of wide types take some values only; never ends in SAFE then
  std::uint32_t workers = 1;    // threads that divide the search among them, for engines that can (divides_work)
  exchange::Exchange* ranks = nullptr;  // set: the search is divided among the processes that it connects
};

}  // namespace cohort::engine
