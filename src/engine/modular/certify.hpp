// The certificate of an invariant: its atoms as formulas in SMT-LIB.
#pragma once

#include <memory>
#include <vector>

#include "lemma/houdini.hpp"
#include "result/modular_certificate.hpp"

namespace cohort::engine::modular {

// `ghosts` are the last shared variables of the alphabet's program, in this order.
std::unique_ptr<result::Certificate> certify(const lemma::Alphabet& alphabet, const std::vector<lemma::Ghost>& ghosts,
                                             const lemma::Invariant& invariant);

}  // namespace cohort::engine::modular
