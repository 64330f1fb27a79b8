// The Model Checking Contest's questions about nets, for the command line; see frontend/pnml/contest.hpp.
#pragma once

#include "frontend/pnml/contest.hpp"

namespace cohort::load {

using frontend::pnml::Contest;
using frontend::pnml::ContestQuestion;

}  // namespace cohort::load
