// The pipeline from C without Clang to the model, as a table: stage after stage changes one Flat, which is valid
// between them (validate.hpp).
//
// A stage that optimises only makes the program smaller or cheaper: without it the answer is the same, as far as there
// is one.  `--no-simplify` leaves those out.  The others are needed: later stages, or the model, rely on them.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/c/lower/inline.hpp"
#include "frontend/c/lower/thread_groups.hpp"
#include "frontend/c/lower/validate.hpp"

namespace cohort::frontend::c::lower {

// The program on its way, and what stages tell later ones.
struct Pipeline {
  Pipeline(ir::Unit& unit, const Options& options, std::set<InstId> spread);
  Pipeline(const Pipeline&) = delete;
  Pipeline& operator=(const Pipeline&) = delete;
  ~Pipeline() = default;

  // Runs the stages up to and with the one of this name, or all of them; validates after each where asked to.
  void run(std::string_view last = {});

  Flat flat;
  Inliner inliner;
  const std::set<InstId> spread;       // objects that each of many threads has, and that others can reach
  ThreadTable table{};                 // what looks at threads
  bool reads_handles = false;          // the program looks at numbers of threads that one place creates
  std::vector<ThreadGroup> groups{};   // threads without names
  std::uint64_t threads = 0;           // how many numbers there are
  std::optional<std::string> endless;  // why main does not return
};

struct Stage {
  std::string_view name;
  std::string_view purpose;
  bool optimises = false;
  void (*run)(Pipeline&) = nullptr;
  // Does the question make it necessary, or possible?
  bool (*applies)(const Pipeline&) = [](const Pipeline&) { return true; };
  Facts establishes = no_facts;
};

const std::vector<Stage>& stages();

}  // namespace cohort::frontend::c::lower
