// Unreachable edges go first, since they would keep variables alive and locations in use.  Then irrelevant variables:
// where assignments to them disappear, steps become local and locals die.  Merging comes before the reset of
// dead locals, so that only locations that are left get resets.  Neither gives the earlier passes new work: merging
// makes no location reachable or unreachable, and a reset removes no use.
#include "model/passes/simplify.hpp"

#include <utility>

#include "base/contract.hpp"
#include "model/passes/merge.hpp"
#include "model/passes/unreachable.hpp"

namespace cohort::model {

Simplified simplify(const Program& flat, const SimplifyOptions& options, Env* env) {
  COHORT_EXPECT(is_flat(flat), "calls are inlined before a program is simplified");
  Program program = flat;
  for (std::size_t i = 0; i < program.templates.size(); ++i) {
    auto& edges = program.templates[i].edges;
    for (std::uint32_t j = 0; j < edges.size(); ++j) {
      for (Action& action : edges[j].actions) action.origin = EdgeRef{TemplateId(i), j};
    }
  }
  program = remove_unreachable(std::move(program), env);
  const RelevantVariables relevant =
      options.fix_irrelevant ? RelevantVariables(program, env) : RelevantVariables::everything(program);
  program = fix_irrelevant(std::move(program), relevant);
  if (options.merge) program = merge_steps(std::move(program), {.atomic_sections = options.merge_atomic_sections}, env);
  if (!options.reset_dead) {
    LiveLocals everything = LiveLocals::everything(program);
    return {std::move(program), std::move(everything), relevant};
  }
  LiveLocals live(program, env);
  program = reset_dead_locals(std::move(program), live, env);
  return {std::move(program), std::move(live), relevant};
}

}  // namespace cohort::model
