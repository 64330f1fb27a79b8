#include "model/any_number.hpp"

#include <string_view>

namespace cohort::model {

namespace {

constexpr std::string_view words = " stands for every number from 1 on";

}  // namespace

std::string any_number_text(const std::string& name) {
  return name + std::string(words);
}

std::vector<std::string> any_numbers(const Program& program) {
  std::vector<std::string> names;
  for (const std::string& assumption : program.assumptions) {
    if (assumption.ends_with(words)) names.push_back(assumption.substr(0, assumption.size() - words.size()));
  }
  return names;
}

}  // namespace cohort::model
