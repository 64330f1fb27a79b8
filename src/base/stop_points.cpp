#include "base/stop_points.hpp"

#include <algorithm>
#include <array>

namespace cohort {

namespace {

constexpr auto points = std::to_array<std::string_view>({
    "backward",
    "backward-broadcast",
    "backward-origins",
    "bmc-depth",
    "bmc-induction",
    "bmc-step",
    "bmc-unroll",
    "bmc-walk",
    "bounded-search",
    "build-net",
    "cegar-counting",
    "cegar-views",
    "certificate-cubes",
    "certificate-solver",
    "certificate-tables",
    "check-control-flow",
    "check-counter-set",
    "check-modular",
    "check-modular-query",
    "check-omega-set",
    "check-symbolic-omega-set",
    "check-symbolic-set",
    "check-upward-set",
    "check-weightings",
    "count-threads",
    "coverability",
    "cutoff",
    "deviate",
    "deviation-search",
    "directed",
    "engine",
    "explicit-search",
    "follow-witness",
    "forward",
    "hide",
    "initial-configurations",
    "inline",
    "inline-c",
    "interpreter",
    "karp-miller",
    "karp-miller-check",
    "karp-miller-diagrams",
    "lemma-clauses",
    "lemma-exclude",
    "lemma-faults",
    "lemma-sampling",
    "lemma-saturate",
    "lift",
    "linear-program",
    "liveness",
    "load",
    "load-lola",
    "load-scpl",
    "localize",
    "localize-hide",
    "localize-refine",
    "lower-bp",
    "lower-c",
    "lower-pbmc",
    "lower-red",
    "merge",
    "movers",
    "narrow-choices",
    "parse-bp",
    "parse-c",
    "parse-pbmc",
    "parse-red",
    "pointer-diagrams",
    "pointer-image",
    "pointer-initial",
    "pointer-search",
    "points-to",
    "portfolio",
    "portfolio-wait",
    "possible-states",
    "propagate",
    "random-start",
    "random-walk",
    "read-json",
    "read-pnml",
    "read-spec",
    "read-tts",
    "reduce-net",
    "relevance",
    "replay",
    "shorten",
    "smt-check",
    "solitude",
    "step-outcomes",
    "symbolic-counter",
    "symbolic-diagrams",
    "symbolic-karp-miller",
    "symbolic-karp-miller-check",
    "symbolic-plain",
    "uninitialised",
    "unreachable",
    "untangle",
    "validate",
    "verify-each",
    "waiting-threads",
});
static_assert(std::is_sorted(points.begin(), points.end()));

}  // namespace

std::span<const std::string_view> stop_points() {
  return points;
}

bool is_stop_point(std::string_view name) {
  return std::binary_search(points.begin(), points.end(), name);
}

}  // namespace cohort
