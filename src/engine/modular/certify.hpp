// The certificate of an invariant: its atoms as formulas in SMT-LIB.
#pragma once

#include <memory>

#include "lemma/houdini.hpp"
#include "result/modular_certificate.hpp"

namespace cohort::engine::modular {

std::unique_ptr<result::Certificate> certify(const model::Commands& commands, const lemma::Alphabet& alphabet,
                                             const lemma::Invariant& invariant);

}  // namespace cohort::engine::modular
