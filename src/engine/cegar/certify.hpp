// The proof that the views are, as a certificate: for each way in which threads can be placed, the disjunction of the
// views that were found there, as cubes over the predicates, and the lemmas of its pairs.  It is an invariant of two
// threads and of those that are alone in their templates, so it has the form, and the checker, of the proofs by
// invariants of a few threads (result/modular_certificate.hpp).
#pragma once

#include <memory>

#include "abstraction/oracle.hpp"
#include "abstraction/predicates.hpp"
#include "engine/cegar/layout.hpp"
#include "engine/cegar/views.hpp"
#include "lemma/houdini.hpp"
#include "result/certificate.hpp"

namespace cohort::engine::cegar {

// `houdini` and `invariant` are null where no lemmas were used.  `views` is closed and has no error.  `ghosts` are the
// last shared variables of the program, in this order.
std::unique_ptr<result::Certificate> certify(abstraction::Oracle& oracle, const abstraction::Predicates& predicates,
                                             const Layout& layout, const Views& views, const lemma::Houdini* houdini,
                                             const lemma::Invariant* invariant,
                                             const std::vector<lemma::Ghost>& ghosts = {});

}  // namespace cohort::engine::cegar
