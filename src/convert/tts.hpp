// Thread transition systems.
#pragma once

#include <string>

#include "model/program.hpp"

namespace cohort::convert {

// The program for any number of threads as the text of a `.tts` file that carries its target; the first comment says
// which initial configuration it is to be read with (`--init`).
std::string to_tts(const model::Program& program);
// The notation for `--init` that belongs to the text.
std::string tts_init(const model::Program& program);

}  // namespace cohort::convert
