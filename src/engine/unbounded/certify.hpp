// What the engines found, as proof objects that checkers without any engine verify.
#pragma once

#include <memory>

#include "engine/unbounded/backward.hpp"
#include "engine/unbounded/invariants.hpp"
#include "engine/unbounded/karp_miller.hpp"
#include "engine/unbounded/net.hpp"
#include "engine/unbounded/symbolic_karp_miller.hpp"
#include "result/certificate.hpp"

namespace cohort::engine::unbounded {

// After Covered.
std::unique_ptr<result::Certificate> certify(const KarpMiller& tree);
std::unique_ptr<result::Certificate> certify(const BooleanEncoding& encoding, const SymbolicKarpMiller& tree);
// After Unreachable, with the invariants that the search used; without a search, where these refute every target.
std::unique_ptr<result::Certificate> certify(const Net& net, const Invariants* invariants, const Backward* search);

}  // namespace cohort::engine::unbounded
