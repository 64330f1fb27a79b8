// How a Petri net becomes a Program.  A token is a thread of template `token`, which has one location for each place.
// The transitions are the edges of one more thread, `net`: it takes the tokens that a transition consumes, moves those
// that it transfers and starts those that it produces.  A net has no shared variables.
//
// When the tokens at the start are given by ranges (`x in [2,4]`), the thread `net` begins at location `start`; its
// edges there are the possible choices, one for each such place in turn, and lead to location `net`, which targets then
// demand.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/env.hpp"
#include "base/source.hpp"
#include "model/program.hpp"

namespace cohort::frontend {

class NetBuilder {
 public:
  using Place = std::uint32_t;
  using Tokens = std::vector<std::pair<Place, std::uint64_t>>;

  // What a transition does to one place.
  struct Effect {
    Place place = 0;
    std::uint64_t needs = 0;    // tokens that must be there
    std::uint64_t removes = 0;  // at most `needs`
    std::uint64_t adds = 0;     // after everything else
    // Where the tokens that remain after `removes` go: nothing: they stay; else to that place, or away when it is
    // `nowhere`.
    std::optional<Place> empties_into;
  };
  static constexpr Place nowhere = ~Place{0};
  // Arc weights and targets are lists of threads in the model, so they are kept within reason.
  static constexpr std::uint64_t max_weight = 100'000;
  // Runs are executed with every token as a thread of its own, so more would outgrow any memory before a limit is seen.
  static constexpr std::uint64_t max_tokens = 1'000'000;

  // With `env`, throws Stopped at its limits.
  explicit NetBuilder(std::string name, Env* env = nullptr);

  Place add_place(const std::string& name, const SourceSpan& span);
  // Exactly `least` tokens at the start, or at least that many.
  void set_initial(Place place, std::uint64_t least, bool exact);
  void set_initial_range(Place place, std::uint64_t least, std::uint64_t most);
  // Call after all initial tokens are set.
  void add_transition(const std::vector<Effect>& effects, const SourceSpan& span, std::string text);
  void add_target(const Tokens& tokens, const SourceSpan& span, std::string text);
  model::Program finish();

  // The thread that a token at a place is, in the program.
  static std::pair<model::TemplateId, model::LocId> position(Place place) {
    return {model::TemplateId(1), model::LocId(place)};
  }

 private:
  struct Range {
    Place place = 0;
    std::uint64_t least = 0;
    std::uint64_t most = 0;
  };

  model::LocId location_of(Place place) const { return model::LocId(place); }
  model::LocId discarded();
  void add_start();

  Env* env_;
  model::Program program_;
  model::TemplateId net_;
  model::TemplateId token_;
  model::LocId run_;
  std::optional<model::LocId> discarded_;
  std::vector<Range> ranges_;
};

// A target on the command line: `place>=k` or just `place` (k = 1), separated by commas.  `text` names the option in
// diagnostics.
struct TargetTerm {
  std::string place;
  std::uint64_t count = 1;
  SourceSpan span;
};
std::vector<TargetTerm> parse_target_terms(const SourceFilePtr& text);

}  // namespace cohort::frontend
