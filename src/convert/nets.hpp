// Petri nets: MIST's `.spec`, with transfers, and PNML place/transition nets.
#pragma once

#include <string>

#include "model/program.hpp"

namespace cohort::convert {

// The program for any number of threads.  A broadcast in which a passive thread has a choice is refused: it is no
// transfer.
std::string to_spec(const model::Program& program);
// Without broadcasts.  The violation is a token at the place with the id `bad`, to be given as the target.
std::string to_pnml(const model::Program& program);

}  // namespace cohort::convert
