// Random runs of a few threads on the interpreter, whose states no invariant may exclude: they kill most candidates
// before a solver is asked.
#pragma once

#include <cstdint>

#include "base/env.hpp"
#include "lemma/facts.hpp"
#include "lemma/grammar.hpp"

namespace cohort::lemma {

// Choices of wide types fall on the grammar's constants.  What cannot be executed is left out: samples only help.
void absorb_random_runs(Env& env, const model::Commands& commands, const Alphabet& alphabet, const Grammar& grammar,
                        std::uint32_t steps, Facts& facts);

}  // namespace cohort::lemma
