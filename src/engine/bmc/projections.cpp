// One formula: executions of at most `depth` steps that do not violate anything by their last step, constrained to
// projections on the variables (ending.hpp) and to one order of independent steps (normal_form.hpp).  Each model is a
// projection; its steps are then forbidden in this combination, and the next one is asked for.
//
// A projection is told by who takes which edge, step by step, not by the values: figure 1 of the paper shows one with
// each set of values, which differ in their steps too.  Idle steps come first, so an execution is met with one length.
#include "engine/projections.hpp"

#include <fmt/core.h>

#include "base/contract.hpp"
#include "engine/bmc/bmc_engine.hpp"
#include "engine/bmc/ending.hpp"
#include "engine/bmc/normal_form.hpp"
#include "engine/bmc/plan.hpp"
#include "engine/bmc/run_builder.hpp"
#include "engine/bmc/unrolling.hpp"
#include "model/analysis/visit.hpp"
#include "smt/solver.hpp"
#include "smt/translator.hpp"

namespace cohort::engine::bmc {

using smt::Term;

namespace {

class Lister {
 public:
  Lister(Env& env, const Task& task)
      : env_(env),
        task_(task),
        context_(env.limits.memory_limit().value_or(0)),
        numbers_(context_, smt::Logic::Bits),
        translator_(task.program, context_, numbers_),
        solver_(env, context_, {smt::Logic::Bits, ""}),
        plan_(task.program, task.bound),
        unrolling_(env, task, plan_, translator_, solver_),
        normal_form_(task.program, unrolling_, context_, solver_) {}

  Projections list(const ProjectionQuery& query) {
    Projections result;
    const Term ends = context_.fresh_boolean("end");
    for (std::uint32_t step = 1; step <= query.depth; ++step) {
      if (env_.poll_now("bmc-depth")) return stopped(std::move(result), env_.describe_stop());
      unrolling_.extend(step == query.depth ? ends : context_.falsity());
      normal_form_.add_step(unrolling_.step(step - 1));
    }
    if (query.depth == 0) return result;
    const Step& last = unrolling_.step(query.depth - 1);
    solver_.add(ends);
    solver_.add(last.moves);
    solver_.add(context_.negate(last.errs));
    Ending ending(task_.program, unrolling_, translator_, solver_, ends);
    ending.look_at(cells_of(query.variables));
    ending.require_projection();
    while (true) {
      const smt::Answer answer = solver_.check();
      if (answer == smt::Answer::Unknown) return stopped(std::move(result), solver_.reason());
      if (answer == smt::Answer::Unsatisfiable) return result;
      if (result.runs.size() == query.most) return stopped(std::move(result), fmt::format("more than {}", query.most));
      const Executed executed = executed_in_model(unrolling_, solver_);
      result.runs.push_back(build_run(task_, unrolling_, numbers_, solver_, executed));
      forbid(executed);
    }
  }

 private:
  static Projections stopped(Projections result, std::string why) {
    result.others = std::move(why);
    return result;
  }

  std::vector<Access> cells_of(const std::vector<model::VarId>& variables) const {
    std::vector<Access> cells;
    for (const model::VarId id : variables) {
      const model::Variable& variable = task_.program.shared[id.value];
      for (std::size_t i = 0; i < variable.type.slots(); ++i)
        cells.push_back({unrolling_.cells().shared(variable.slot + i), context_.truth()});
    }
    return cells;
  }

  void forbid(const Executed& executed) {
    std::vector<Term> different;
    for (std::size_t i = 0; i < executed.size(); ++i) {
      different.push_back(
          context_.negate(executed[i] != nullptr ? executed[i]->taken : context_.negate(unrolling_.step(i).moves)));
    }
    solver_.add(context_.disj(different));
  }

  Env& env_;
  const Task& task_;
  smt::Context context_;
  smt::Numbers numbers_;
  smt::Translator translator_;
  smt::Solver solver_;
  const Plan plan_;
  Unrolling unrolling_;
  NormalForm normal_form_;
};

}  // namespace

}  // namespace cohort::engine::bmc

namespace cohort::engine {

std::optional<std::string> projections_refuse(const Task& task) {
  if (auto reason = bmc::BmcEngine().refuses(task)) return reason;
  if (model::looks_for_deadlocks(task.program)) return "every step influences a deadlock";
  for (const auto& [action, edge, templ] : model::actions_of(task.program)) {
    if (!action.takes.empty()) return "projections of steps that take other threads along are not listed";
  }
  return std::nullopt;
}

Projections list_projections(Env& env, const Task& task, const ProjectionQuery& query) {
  COHORT_EXPECT(!projections_refuse(task), "projections are listed for what the engine bmc takes");
  return bmc::Lister(env, task).list(query);
}

}  // namespace cohort::engine
