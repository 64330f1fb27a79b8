// The notation for configurations of a thread transition system.  Targets: `s|l1,l2,...` is shared state s with at
// least these threads.  Initial configurations: `s|b1,b2/u1,u2` is shared state s, exactly the threads b1 and b2, and
// any number of threads in each of u1 and u2; either part may be left out, and `B` and `U` may stand for `|` and `/`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/source.hpp"

namespace cohort::frontend::tts {

// A local state with the place where it was written.
struct PlacedLocal {
  std::uint32_t local = 0;
  SourceSpan span;
};

struct Configuration {
  std::uint32_t shared = 0;
  SourceSpan span;                     // of the shared state
  std::vector<PlacedLocal> bounded;    // a multiset: repetition counts
  std::vector<PlacedLocal> unbounded;  // a set, disjoint from `bounded`
};

Configuration parse_initial(const SourceFilePtr& text);
// `unbounded` stays empty.
Configuration parse_target(const SourceFilePtr& text);

}  // namespace cohort::frontend::tts
