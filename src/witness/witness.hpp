// Witnesses in the formats of SV-COMP: what another tool needs to come to a verdict on a C program again.
//
// A violation witness is a list of segments, each passed when a thread comes to the place of one of its waypoints to
// follow; the last holds the violation itself.  Thread 0 is main, thread k the one that the k-th entry of a function
// at a call which creates threads has made.  A correctness witness has invariants, which hold whenever a thread is
// about to execute the statement at their place.
//
// Versions: 2.2 of the YAML form, whose waypoints have thread ids, and 1.0 of the GraphML form.  Both describe the same
// run; only the YAML form is read.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/env.hpp"
#include "base/source.hpp"
#include "model/run.hpp"
#include "result/answer.hpp"

namespace cohort::witness {

struct Place {
  std::string file;
  std::uint32_t line = 0;
  std::optional<std::uint32_t> column{};  // none: the leftmost one on the line that makes sense
};

struct Waypoint {
  enum class Kind : std::uint8_t { FunctionEnter, FunctionReturn, Assumption, Branching, Target };

  Kind kind = Kind::Target;
  bool avoid = false;  // the run must not pass it before the one of its segment that is followed
  std::uint32_t thread = 0;
  Place place;
  std::string constraint{};  // an expression of C; of FunctionReturn over `\result`
};

using Segment = std::vector<Waypoint>;

struct Invariant {
  Place place;
  std::string value;  // an expression of C
};

struct Task {
  std::vector<SourceFilePtr> files;
  std::string specification;  // "CHECK( init(main()), LTL(G ! data-race) )", a line each
  unsigned bits = 64;
  std::string command_line{};  // how the program was read
};

struct Witness {
  bool is_violation = true;
  std::vector<Segment> segments{};
  std::vector<Invariant> invariants{};
};

// The run of an UNSAFE answer.
Witness violation_witness(const model::Program& program, const result::Answer& answer);
// The invariants of a SAFE answer: where its certificate lists what is reachable, the ranges of the program's integers
// at each statement; else none.
Witness correctness_witness(const model::Program& program, const result::Answer& answer);

// Where the thread that made the last step, and the others that the violation is about, are: the places of the target.
std::vector<std::pair<std::uint32_t, SourceSpan>> violating_places(const model::Program& program,
                                                                   const result::Answer& answer);

std::string to_yaml(const Witness& witness, const Task& task);
std::string to_graphml(const model::Program& program, const result::Answer& answer, const Task& task);

struct ReadWitness {
  Witness witness;
  std::string specification;
  unsigned bits = 64;
  std::vector<std::pair<std::string, std::string>> hashes;  // file, SHA-256
};

// Throws InputError (malformed; unsupported for what is no violation sequence).
ReadWitness read_yaml(const SourceFilePtr& file);

}  // namespace cohort::witness
