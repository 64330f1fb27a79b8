#include "model/run_choices.hpp"

#include <set>

namespace cohort::model {

namespace {

// As many as the interpreter enumerates.
constexpr std::uint64_t enumerable = std::uint64_t{1} << 24U;

bool has_wide_choices(const Program& program) {
  for (std::size_t i = 0; i < program.exprs.size(); ++i) {
    const Expr& node = program.exprs[ExprId(i)];
    if (node.op != Op::Nondet) continue;
    const std::uint64_t count = node.type.cardinality();
    if (count == 0 || count > enumerable) return true;
  }
  return false;
}

}  // namespace

void allow_choices(const Program& program, Run& run) {
  if (!run.choices.empty() || !has_wide_choices(program)) return;
  const std::vector<Value> samples = sample_values(program);
  std::set<Value> values(samples.begin(), samples.end());
  const auto add = [&](const State& state) {
    values.insert(state.shared.begin(), state.shared.end());
    for (const auto& thread : state.threads) {
      if (thread) values.insert(thread->locals.begin(), thread->locals.end());
    }
  };
  add(run.initial);
  for (const Transition& step : run.steps) add(step.target);
  run.choices.assign(values.begin(), values.end());
}

}  // namespace cohort::model
