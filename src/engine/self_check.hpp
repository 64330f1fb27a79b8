// Expensive invariants of engines: looked at under `--self-check` only.  One
// that does not hold is a bug of Cohort and ends the run as an internal error;
// how many were looked at is the statistic `self_checks`.
#pragma once

#include <cstdint>
#include <optional>

#include "base/contract.hpp"
#include "base/env.hpp"
#include "model/program.hpp"
#include "result/certificate.hpp"

namespace cohort::engine {

// `holds()` answers true as well when a limit stopped it.
template <class Holds>
void self_check(Env& env, const char* meaning, Holds&& holds) {
  if (!env.self_check) return;
  COHORT_EXPECT(holds(), meaning);
  env.statistics.add("self_checks", 1);
}

// What the engine found, written as a certificate and judged by the checker,
// who shares no code with it.
bool passes_checker(Env& env, const model::Program& program, std::optional<std::uint32_t> bound,
                    const result::Certificate& certificate);

}  // namespace cohort::engine
