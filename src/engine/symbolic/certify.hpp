// The certificate of a finished search that skipped nothing: its symbolic states, sets as cubes.
#pragma once

#include <memory>

#include "engine/symbolic/counter_search.hpp"
#include "engine/symbolic/plain_search.hpp"
#include "result/symbolic_certificate.hpp"

namespace cohort::engine::symbolic {

std::unique_ptr<result::Certificate> certify(const model::Program& program, CounterSearch& search);
// Every cube of the diagrams becomes a symbolic state of its own, with one thread in each cell.
std::unique_ptr<result::Certificate> certify(const model::Program& program, const PlainSearch& search);

}  // namespace cohort::engine::symbolic
