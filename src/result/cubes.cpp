#include "result/cubes.hpp"

#include <set>

#include <nlohmann/json.hpp>

namespace cohort::result {

using model::Valuation;
using nlohmann::json;

void refute(std::string message) {
  throw Refused{{.message = std::move(message)}};
}

std::vector<Valuation> values_of(const json& cubes, std::size_t width) {
  std::set<Valuation> distinct;
  for (const json& item : cubes) {
    const auto cube = item.get<std::string>();
    if (cube.size() != width || cube.find_first_not_of("01-") != std::string::npos)
      refute("a cube does not fit the program");
    std::vector<std::size_t> open;
    Valuation values(width, 0);
    for (std::size_t i = 0; i < width; ++i) {
      values[i] = cube[i] == '1' ? 1 : 0;
      if (cube[i] == '-') open.push_back(i);
    }
    if (open.size() > 20)
      throw Refused{{.complete = false, .message = "a set with more than 2^20 elements is not expanded"}};
    for (std::uint64_t choice = 0; choice < std::uint64_t{1} << open.size(); ++choice) {
      for (std::size_t i = 0; i < open.size(); ++i) values[open[i]] = static_cast<model::Value>((choice >> i) & 1U);
      distinct.insert(values);
    }
  }
  return {distinct.begin(), distinct.end()};
}

}  // namespace cohort::result
