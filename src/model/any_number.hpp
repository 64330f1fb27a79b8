// Numbers of a program that stand for every number from 1 on: said among its assumptions, in words that can be read
// back.
#pragma once

#include <string>
#include <vector>

#include "model/program.hpp"

namespace cohort::model {

std::string any_number_text(const std::string& name);

// The names of such numbers.
std::vector<std::string> any_numbers(const Program& program);

}  // namespace cohort::model
