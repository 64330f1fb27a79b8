// The reachable thread states, read off a closed set of counter states or of states with named threads, or of
// configurations with omegas that cover exactly what is reachable: pairs of what is chosen to be seen of the shared
// state and of one thread's state.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "model/program.hpp"
#include "result/certificate.hpp"

namespace cohort::report {

// What is seen of a thread state.
struct ReachView {
  bool locations = true;                // the thread's location
  std::vector<std::string> variables;   // shared and local ones, by name
  std::optional<std::string> location;  // only threads at locations with this label
};

struct ReachedState {
  model::TemplateId templ;
  std::optional<model::LocId> location;             // none: locations are not seen
  std::vector<std::optional<model::Value>> values;  // of the view's variables; none: the thread has no such variable

  auto operator<=>(const ReachedState&) const = default;
};

// Why the view does not fit the program: a name that nothing has.  None: it fits.
std::optional<std::string> refuses(const model::Program& program, const ReachView& view);

// Sorted, without duplicates.  The set comes from the explicit engine, the pointer engine or a Karp-Miller tree.
std::vector<ReachedState> reached_states(const model::Program& program, const result::Certificate& closed_set,
                                         const ReachView& view);

std::string reach_text(const model::Program& program, const ReachView& view, const std::vector<ReachedState>& states);
nlohmann::ordered_json reach_json(const model::Program& program, const ReachView& view,
                                  const std::vector<ReachedState>& states);

}  // namespace cohort::report
