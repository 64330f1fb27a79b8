// The Boolean broadcast program of an abstraction as a Program, which any engine that takes broadcasts can check.
//
// All templates become one, since a passive variable is one of the executing thread's own template: its locations are
// the places of all of them, its locals the local and mixed predicates of all, and, where there are several, one
// Boolean for each that says whose thread it is.  A constraint on passive threads speaks of those of one template; what
// threads of others have in its variables stays as it is.  A thread that exists at the start is of one of the templates
// of initial threads, as its tags choose; one whose choice does not fit its place never moves.  It is more than there
// is, and sound: executions in which all choices fit are among those of the model.
//
// One command is one edge; one that creates threads or ends its own has a second edge, inside an atomic section, for
// that.  A command that can go wrong has another edge to an error.
//
// Start.  Where all initial states agree on a predicate it starts with that value, else with any: this is more than
// the abstraction of the initial states where predicates depend on each other.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "abstraction/cartesian.hpp"
#include "abstraction/oracle.hpp"
#include "abstraction/predicates.hpp"
#include "model/program.hpp"
#include "model/state.hpp"

namespace cohort::engine::cegar {

struct BooleanModel {
  enum class Kind : std::uint8_t { Step, Trouble, Completion };

  // What an edge stands for: a command, that it goes wrong, or the second half of one.
  struct Meaning {
    Kind kind = Kind::Step;
    std::uint32_t command = 0;
  };

  model::Program program;
  std::vector<Meaning> edges;        // of the one template
  std::vector<std::uint32_t> slots;  // by predicate, in its valuation
  std::vector<std::optional<model::TemplateId>>
      templates;  // by location: whose place it is; none: no thread moves there

  std::vector<std::uint32_t> tags;  // by template: the slot of its tag; empty: there is one

  // Is a passive thread taken for one of the template?
  bool is_tagged(const model::ThreadState& thread, model::TemplateId templ) const {
    return tags.empty() || thread.locals[tags[templ.value]] != 0;
  }
  bool value(const model::State& state, std::optional<std::size_t> thread, std::size_t predicate) const {
    const model::Valuation& values = thread ? state.threads[*thread]->locals : state.shared;
    return values[slots[predicate]] != 0;
  }
};

// `steps` by command; the predicates are known everywhere.
BooleanModel boolean_model(abstraction::Oracle& oracle, const abstraction::Predicates& predicates,
                           const std::vector<abstraction::BroadcastStep>& steps);

}  // namespace cohort::engine::cegar
