#include "report/reach.hpp"

#include <algorithm>
#include <set>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "base/contract.hpp"
#include "result/counter_certificate.hpp"
#include "result/named_certificate.hpp"
#include "result/omega_certificate.hpp"

namespace cohort::report {

using model::Program;
using model::ThreadState;
using model::Valuation;
using model::Variable;
using nlohmann::ordered_json;

namespace {

// A variable without index, or with one: `x`, `x[2]`.
bool is_called(const Variable& variable, std::uint32_t element, const std::string& name) {
  if (!variable.type.is_array()) return variable.name == name;
  return fmt::format("{}[{}]", variable.name, element) == name;
}

std::optional<std::uint32_t> slot_of(const std::vector<Variable>& variables, const std::string& name) {
  for (const Variable& variable : variables) {
    for (std::uint32_t element = 0; element < variable.type.slots(); ++element) {
      if (is_called(variable, element, name)) return variable.slot + element;
    }
  }
  return std::nullopt;
}

// Where the view's variables are found in a thread state of one template; local variables hide shared ones.
struct Projection {
  struct Place {
    bool shared = false;
    std::uint32_t slot = 0;
  };
  std::vector<std::optional<Place>> places;
};

Projection project(const Program& program, const model::Template& templ, const ReachView& view) {
  Projection projection;
  for (const std::string& name : view.variables) {
    auto& place = projection.places.emplace_back();
    if (const auto local = slot_of(templ.locals, name)) {
      place = {false, *local};
    } else if (const auto shared = slot_of(program.shared, name)) {
      place = {true, *shared};
    }
  }
  return projection;
}

bool has_label(const Program& program, const ThreadState& thread, const std::string& label) {
  return program.templ(thread.templ).locations[thread.location.value].label == label;
}

std::string place_of(const Program& program, const ReachedState& state) {
  const model::Location& location = program.templ(state.templ).locations[state.location->value];
  const std::string label = location.label.empty() ? fmt::format("#{}", state.location->value) : location.label;
  // Locations without a label of the user's are called by their line already.
  const bool says_line = label.starts_with("line ") || !location.span.known();
  const std::string line = says_line ? "" : fmt::format(" (line {})", location.span.line);
  return fmt::format("{}: {}{}", program.templ(state.templ).name, label, line);
}

}  // namespace

std::optional<std::string> refuses(const Program& program, const ReachView& view) {
  for (const std::string& name : view.variables) {
    bool found = slot_of(program.shared, name).has_value();
    for (const model::Template& templ : program.templates) found = found || slot_of(templ.locals, name);
    if (!found) return fmt::format("no variable is called {}", name);
  }
  if (!view.location) return std::nullopt;
  for (const model::Template& templ : program.templates) {
    for (const model::Location& location : templ.locations) {
      if (location.label == *view.location) return std::nullopt;
    }
  }
  return fmt::format("no location is called {}", *view.location);
}

std::vector<ReachedState> reached_states(const Program& program, const result::Certificate& closed_set,
                                         const ReachView& view) {
  std::vector<Projection> projections;
  for (const model::Template& templ : program.templates) projections.push_back(project(program, templ, view));
  std::set<ReachedState> reached;
  const auto see = [&](const Valuation& shared, const ThreadState& thread) {
    if (view.location && !has_label(program, thread, *view.location)) return;
    ReachedState seen{.templ = thread.templ};
    if (view.locations) seen.location = thread.location;
    for (const auto& place : projections[thread.templ.value].places) {
      auto& value = seen.values.emplace_back();
      if (place) value = place->shared ? shared[place->slot] : thread.locals[place->slot];
    }
    reached.insert(std::move(seen));
  };
  const auto see_all = [&](const auto& set, const auto& configurations) {
    for (const auto& configuration : configurations) {
      for (const auto& [local, count] : configuration.cells) see(set.shared[configuration.shared], set.locals[local]);
    }
  };
  if (const auto* counted = dynamic_cast<const result::CounterCertificate*>(&closed_set)) {
    see_all(*counted, counted->states);
  } else if (const auto* named = dynamic_cast<const result::NamedCertificate*>(&closed_set)) {
    for (const model::State& state : named->states) {
      for (const auto& thread : state.threads) {
        if (thread) see(state.shared, *thread);
      }
    }
  } else {
    const auto* covered = dynamic_cast<const result::OmegaCertificate*>(&closed_set);
    COHORT_EXPECT(covered != nullptr, "the set is one of states or of configurations with omegas");
    see_all(*covered, covered->configurations);
  }
  return {reached.begin(), reached.end()};
}

std::string reach_text(const Program& program, const ReachView& view, const std::vector<ReachedState>& states) {
  std::string text;
  for (const ReachedState& state : states) {
    COHORT_EXPECT(state.values.size() == view.variables.size(), "a state shows what the view asks for");
    std::string line = state.location ? place_of(program, state) : program.templ(state.templ).name + ":";
    for (std::size_t i = 0; i < view.variables.size(); ++i) {
      if (state.values[i]) line += fmt::format("  {} = {}", view.variables[i], *state.values[i]);
    }
    text += line + "\n";
  }
  return text;
}

ordered_json reach_json(const Program& program, const ReachView& view, const std::vector<ReachedState>& states) {
  ordered_json list = ordered_json::array();
  for (const ReachedState& state : states) {
    ordered_json object = {{"template", program.templ(state.templ).name}};
    if (state.location) {
      const model::Location& location = program.templ(state.templ).locations[state.location->value];
      object["location"] = {{"index", state.location->value}, {"label", location.label}};
      if (location.span.known()) {
        object["location"]["file"] = location.span.file->name();
        object["location"]["line"] = location.span.line;
      }
    }
    ordered_json values = ordered_json::object();
    for (std::size_t i = 0; i < view.variables.size(); ++i) {
      if (state.values[i]) values[view.variables[i]] = *state.values[i];
    }
    object["values"] = values;
    list.push_back(std::move(object));
  }
  return list;
}

}  // namespace cohort::report
