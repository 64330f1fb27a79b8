// Sets of Boolean valuations in certificates, written as cubes: a string with one character for each variable, which is
// 0, 1, or - for any value.  A set is the union of its cubes.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "model/state.hpp"
#include "result/checking.hpp"

namespace cohort::result {

using Cubes = std::vector<std::string>;

// The valuations of a set, sorted.  Refutes cubes that do not have `width` characters, and refuses sets of more than
// 2^20 valuations.
std::vector<model::Valuation> values_of(Env& env, const nlohmann::json& cubes, std::size_t width);

}  // namespace cohort::result
