// The configurations that a certificate lists, whichever engine wrote it, read from its JSON form: that is all there is
// of one that another process made.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

namespace cohort::report {

struct ListedStates {
  struct Configuration {
    std::size_t shared = 0;                                                     // index in `shared`
    std::vector<std::pair<std::size_t, std::optional<std::uint64_t>>> threads;  // in `locals`; no count: any number
  };

  bool has_cubes = false;   // values are sets: texts with a character for each variable
  bool is_complete = true;  // false: it lists what remains possible, not what is reached
  nlohmann::json shared;    // a list of valuations, or of sets of them
  nlohmann::json locals;    // objects with `template`, `location`, `values`
  std::vector<Configuration> configurations;
};

// None: the proof is of another kind.
std::optional<ListedStates> listed_states(const nlohmann::json& certificate);

}  // namespace cohort::report
