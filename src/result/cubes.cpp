#include "result/cubes.hpp"

#include <set>

#include <nlohmann/json.hpp>

#include "base/contract.hpp"

namespace cohort::result {

using model::Valuation;
using nlohmann::json;

namespace {

constexpr std::size_t most_values = std::size_t{1} << 20U;

void add_values(Env& env, const std::string& cube, std::set<Valuation>& values) {
  std::vector<std::size_t> open;
  COHORT_EXPECT(!cube.empty() || values.empty() || values.begin()->empty(), "all cubes have one width");
  Valuation value(cube.size(), 0);
  for (std::size_t i = 0; i < cube.size(); ++i) {
    value[i] = cube[i] == '1' ? 1 : 0;
    if (cube[i] == '-') open.push_back(i);
  }
  if (open.size() > 20) refuse("a set with more than 2^20 elements is not expanded");
  COHORT_EXPECT(open.size() <= 20, "so many values can be gone through");
  for (std::uint64_t choice = 0; choice < std::uint64_t{1} << open.size(); ++choice) {
    env.poll("certificate-cubes");
    for (std::size_t i = 0; i < open.size(); ++i) value[open[i]] = static_cast<model::Value>((choice >> i) & 1U);
    values.insert(value);
    if (values.size() > most_values) refuse("a set with more than 2^20 elements is not expanded");
  }
}

}  // namespace

std::vector<Valuation> values_of(Env& env, const json& cubes, std::size_t width) {
  std::set<Valuation> distinct;
  for (const json& item : elements(cubes, "a set of values")) {
    const std::string cube = text(item, "a cube");
    if (cube.size() != width || cube.find_first_not_of("01-") != std::string::npos) {
      refute("a cube does not fit the program");
    }
    add_values(env, cube, distinct);
  }
  COHORT_EXPECT(distinct.size() <= most_values, "no larger set is expanded");
  return {distinct.begin(), distinct.end()};
}

}  // namespace cohort::result
