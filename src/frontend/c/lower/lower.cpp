#include "frontend/c/lower/lower.hpp"

#include <set>
#include <variant>

#include <fmt/core.h>

#include "base/contract.hpp"
#include "frontend/c/lower/alignment.hpp"
#include "frontend/c/lower/emit.hpp"
#include "frontend/c/lower/sharing.hpp"
#include "frontend/c/lower/stages.hpp"
#include "frontend/c/lower/uninitialised.hpp"
#include "model/validate.hpp"

namespace cohort::frontend::c::lower {

namespace {

// One way through all stages, with some objects spread over the threads that have them.  Instead of a program, gives
// the objects that must be spread, too.
std::variant<Lowered, std::set<InstId>> attempt(ir::Unit unit, const std::string& name, const Options& options,
                                                const std::set<InstId>& spread) {
  Pipeline pipeline(unit, options, spread);
  pipeline.run();
  Flat& flat = pipeline.flat;
  const PointsTo points_to(flat);
  const std::vector<std::string> assumed = cut_looks_at_addresses(flat, points_to);
  const Sharing sharing(flat, points_to);
  for (const InstId id : sharing.escaped()) {
    const Inst& inst = flat.inst(id);
    if (!flat.bodies[inst.body.value].has_async) continue;
    throw_unsupported(inst.span, fmt::format("{}: other threads get the address of this object, which each of many "
                                             "threads has its own of",
                                             inst.name));
  }
  if (!sharing.escaped().empty()) return std::set(sharing.escaped().begin(), sharing.escaped().end());
  Layout layout(flat);
  std::set<GroupId> flagged = read_uninitialised(flat, points_to, sharing, layout);
  Lowered result{emit(flat, points_to, sharing, layout, std::move(flagged), name), pipeline.inliner.notes()};
  if (pipeline.endless) result.notes.push_back(*pipeline.endless);
  result.notes.insert(result.notes.end(), assumed.begin(), assumed.end());
  model::validate(result.program);
  return result;
}

}  // namespace

// Only after all constants have been propagated is it known which objects must be spread; instances have the same
// numbers each time, so the next attempt can be told.
Lowered lower(ir::Unit unit, const std::string& name, const Options& options) {
  std::set<InstId> spread;
  for (;;) {
    auto result = attempt(unit, name, options, spread);
    if (auto* lowered = std::get_if<Lowered>(&result)) return std::move(*lowered);
    const std::size_t before = spread.size();
    spread.merge(std::get<std::set<InstId>>(result));
    COHORT_EXPECT(spread.size() > before, "an object that has been spread does not escape");
  }
}

}  // namespace cohort::frontend::c::lower
