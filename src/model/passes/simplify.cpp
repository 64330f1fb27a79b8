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

namespace {

// Does every step look at the shared state, or take others along, and is there nothing but locations that a thread
// knows?  So it is in thread transition systems and Petri nets, which can have very many edges: no step is local there,
// and no local dies.
bool has_nothing_to_simplify(const Program& program) {
  const auto is_seen = [&](const Action& action) {
    if (!action.takes.empty()) return true;
    if (!action.guard) return false;
    const Expr& guard = program.exprs[*action.guard];
    return guard.op == Op::Eq && program.exprs[guard.args[0]].op == Op::SharedVar;
  };
  for (const Template& templ : program.templates) {
    if (!templ.locals.empty()) return false;
    for (const Edge& edge : templ.edges) {
      if (edge.actions.size() != 1 || !is_seen(edge.actions[0])) return false;
    }
  }
  return true;
}

}  // namespace

Simplified simplify(const Program& flat, const SimplifyOptions& options, Env* env) {
  COHORT_EXPECT(is_flat(flat), "calls are inlined before a program is simplified");
  Program program = flat;
  for (std::size_t i = 0; i < program.templates.size(); ++i) {
    auto& edges = program.templates[i].edges;
    for (std::uint32_t j = 0; j < edges.size(); ++j) {
      for (Action& action : edges[j].actions) action.origin = EdgeRef{TemplateId(i), j};
    }
  }
  if (has_nothing_to_simplify(program)) {
    LiveLocals live = LiveLocals::everything(program);
    RelevantVariables relevant = RelevantVariables::everything(program);
    return {std::move(program), std::move(live), std::move(relevant)};
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
