// The interface of every engine, and the checklist for a new one:
//   1. one folder engine/<name> that includes base, model, result, dd and smt, and no other engine;
//   2. refuses() names, in one sentence, what in the task it cannot take; nothing is ignored or approximated;
//   3. check() polls env.stop_requested() in every long loop and turns a stop into UNKNOWN with what was established;
//   4. UNSAFE carries a run over task.program that replays; SAFE carries a certificate when options.certificate is set;
//   5. one line in engine/registry.cpp.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/env.hpp"
#include "model/program.hpp"
#include "result/result.hpp"

namespace cohort::engine {

// FewestDeviations: states that are reached with few untimely switches between threads come first.
// Random: single executions at random, without end.
enum class SearchOrder : std::uint8_t { BreadthFirst, DepthFirst, FewestDeviations, Random };

// How the engine bmc represents integers; both are exact.
enum class IntegerMode : std::uint8_t { Bits, Math };

struct BmcOptions {
  // Depths to check, one after the other; neither: growing ones, until all executions are covered or a limit is
  // reached.
  std::optional<std::uint32_t> first_depth;
  std::optional<std::uint32_t> last_depth;
  bool projection = true;    // only steps that influence the property
  bool normal_form = false;  // one execution of each class of those that differ in the order of independent steps
  IntegerMode integers = IntegerMode::Bits;
  std::optional<std::uint32_t> contexts;  // at most this many stretches of steps by one thread
  std::string dump_folder;                // where formulas are written to; empty: nowhere
};

// Improvements of the Karp-Miller construction that can be switched off one by one, to measure them.
struct KarpMillerImprovements {
  bool shared_first = true;    // successors in the same control state are explored first
  bool minimal_chains = true;  // labels are compared with the minimal ancestors only
  bool coverage = true;        // a branch ends where any active node covers it, not only at an equal ancestor
  bool subtrees = true;        // a new node ends the whole subtrees of nodes that it covers, not only those nodes
  bool index = true;           // nodes that may cover a label are found by control state and occupied places
  bool turns = true;           // a backward search takes turns with a large tree
};

struct EngineOptions {
  bool symmetry = true;              // off: threads are told apart (the baseline)
  bool partial_order = false;        // skip interleavings that make no difference
  bool merging = true;               // symbolic: merge states that differ in one component
  bool inactive = true;              // pointer engines: reset locals that cannot matter any more
  bool reorder = false;              // symbolic: look for a better order of variables when diagrams have grown
  std::optional<SearchOrder> order;  // none: the engine's own
  bool classic_karp_miller = false;
  bool symbolic_karp_miller = false;  // sets of data in its nodes, for programs with much nondeterminism
  KarpMillerImprovements karp_miller;
  bool whole_cover = false;  // Karp-Miller: a violation does not end the construction
  bool certificate = false;  // SAFE must come with a certificate
  BmcOptions bmc;
  bool sample_choices = false;  // explicit: choices of wide types take some values only; never ends in SAFE then
};

// `program` is flat and, usually, simplified.
struct Task {
  const model::Program& program;
  std::optional<std::uint32_t> bound;  // threads alive at a time; none: any number
  EngineOptions options;
};

class Engine {
 public:
  Engine() = default;
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;
  virtual ~Engine() = default;

  virtual std::string_view name() const = 0;
  // What it is for, and which fragment it takes: a sentence each.
  virtual std::string_view purpose() const = 0;
  virtual std::string_view fragment() const = 0;
  // Does it take properties of kind Deadlock?  Whoever chooses an engine asks this before refuses().
  virtual bool looks_for_deadlocks() const { return false; }
  // Does it know orders that choose schedules, FewestDeviations and Random?  This is asked before refuses(), too.
  virtual bool chooses_schedules() const { return false; }
  // None: the engine takes the task.
  virtual std::optional<std::string> refuses(const Task& task) const = 0;
  virtual result::Result check(Env& env, const Task& task) const = 0;
};

// All engines, in the order in which `auto` considers them.
const std::vector<std::unique_ptr<Engine>>& engines();
const Engine* find_engine(std::string_view name);

}  // namespace cohort::engine
