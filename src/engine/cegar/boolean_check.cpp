#include "engine/cegar/boolean_check.hpp"

#include <algorithm>

#include "base/contract.hpp"
#include "model/validate.hpp"

namespace cohort::engine::cegar {

using abstraction::Cube;
using abstraction::Role;

BooleanCheck::BooleanCheck(Env& env, abstraction::Oracle& oracle, const abstraction::Predicates& predicates,
                           const Engine& checker, std::uint32_t cube_length)
    : env_(env),
      oracle_(oracle),
      predicates_(predicates),
      checker_(checker),
      cube_length_(cube_length),
      refined_(oracle.commands().all().size()) {}

void BooleanCheck::abstract() {
  if (known_ != predicates_.all().size()) {
    abstraction::Cartesian cartesian(oracle_, predicates_, cube_length_);
    steps_.clear();
    for (std::uint32_t i = 0; i < refined_.size() && !oracle_.stopped(); ++i) {
      if (env_.stop_requested("cegar-cubes")) return;
      steps_.push_back(cartesian.step(i));
      steps_.back().forbidden.insert(steps_.back().forbidden.end(), refined_[i].begin(), refined_[i].end());
    }
    if (oracle_.stopped()) return;
    known_ = predicates_.all().size();
  }
  model_ = boolean_model(oracle_, predicates_, steps_);
  if (env_.self_check) model::validate(model_->program);
}

BooleanCheck::Outcome BooleanCheck::check(std::uint32_t bound) {
  if (oracle_.stopped() || env_.stop_reason() != StopReason::None) {
    reason_ = oracle_.stopped() ? oracle_.stop_reason() : env_.describe_stop();
    return Outcome::Stopped;
  }
  Env inner(env_);
  const Task task{model_->program, bound, {}};
  if (auto refusal = checker_.refuses(task)) {
    reason_ = "the Boolean program: " + *refusal;
    return Outcome::Stopped;
  }
  const result::Result result = checker_.check(inner, task);
  if (result.verdict == result::Verdict::Unknown) {
    reason_ = result.reason;
    return Outcome::Stopped;
  }
  if (result.verdict == result::Verdict::Safe) return Outcome::Safe;
  COHORT_EXPECT(result.run.has_value(), "a violation has a run");
  follow(*result.run);
  return Outcome::Violated;
}

// The run of the Boolean program as a path of commands, with threads told apart although slots are used again.
void BooleanCheck::follow(const model::Run& run) {
  const model::Commands& commands = oracle_.commands();
  const model::Program& program = commands.program();
  path_ = Path();
  moments_.clear();
  std::vector<std::size_t> names;
  for (const auto& thread : run.initial.threads) {
    COHORT_EXPECT(thread.has_value(), "no slot is empty at the start");
    names.push_back(path_.groups.size());
    const model::Place place = commands.places()[thread->location.value];
    for (std::size_t i = 0; i < program.initial.size(); ++i) {
      if (program.initial[i].templ != place.templ || program.initial[i].location != place.location) continue;
      path_.groups.emplace_back(i);
      break;
    }
  }
  COHORT_EXPECT(names.size() == path_.groups.size(), "threads start where groups of initial threads do");
  const model::State* before = &run.initial;
  for (const model::Transition& step : run.steps) {
    const BooleanModel::Meaning meaning = model_->edges[step.edge.edge];
    if (meaning.kind == BooleanModel::Kind::Completion) {
      const auto& children = commands.all()[meaning.command].children;
      for (std::size_t i = 0; i < children.size() && i < step.spawned.size(); ++i) {
        names.resize(std::max(names.size(), step.spawned[i] + 1));
        names[step.spawned[i]] = path_.groups.size();
        path_.steps.back().children.emplace_back(path_.groups.size());
        path_.groups.emplace_back();
      }
      path_.steps.back().children.resize(children.size());
    } else {
      path_.steps.push_back({names[step.thread], meaning.command, {}});
      path_.ends_in_trouble = meaning.kind == BooleanModel::Kind::Trouble;
      moments_.push_back({*before, step.thread, step.target, meaning.command});
    }
    before = &step.target;
  }
  for (const auto& thread : before->threads) {
    if (!thread || thread->location.value >= commands.places().size() || path_.property) continue;
    path_.property = commands.error(model::PlaceId(thread->location.value));
  }
}

// What is known of the threads of J, before and after the step.
Cube BooleanCheck::values(const Moment& moment, std::optional<std::size_t> passive) const {
  const model::Commands& commands = oracle_.commands();
  const model::Command& command = commands.all()[moment.command];
  const bool lasts = !path_.ends_in_trouble || &moment != &moments_.back();
  Cube cube;
  for (std::size_t i = 0; i < predicates_.all().size(); ++i) {
    const abstraction::Predicate& predicate = predicates_[i];
    const auto add = [&](std::optional<std::size_t> thread, Role before, Role after, bool has_after) {
      cube.push_back({i, before, model_->value(moment.before, thread, i)});
      if (has_after) cube.push_back({i, after, model_->value(moment.after, thread, i)});
    };
    if (predicate.is_shared()) {
      add(std::nullopt, Role::ActiveBefore, Role::ActiveAfter, lasts);
      continue;
    }
    if (predicate.templ == commands.place(command.from).templ) {
      add(moment.thread, Role::ActiveBefore, Role::ActiveAfter, lasts && command.to.has_value());
    }
    if (passive && model_->is_tagged(*moment.before.threads[*passive], predicate.templ)) {
      add(passive, Role::PassiveBefore, Role::PassiveAfter, lasts);
    }
  }
  return cube;
}

std::size_t BooleanCheck::refine() {
  std::size_t added = 0;
  for (const Moment& moment : moments_) {
    if (oracle_.stopped()) break;
    if (exclude(moment, std::nullopt)) {
      ++added;
      continue;
    }
    if (path_.ends_in_trouble && &moment == &moments_.back()) continue;
    for (std::size_t i = 0; i < moment.before.threads.size(); ++i) {
      if (i == moment.thread || !moment.before.threads[i]) continue;
      if (!exclude(moment, i)) continue;
      ++added;
      break;
    }
  }
  conjuncts_ += added;
  return added;
}

// Is the step impossible with these values?  Then a minimal part of them is forbidden from now on.
bool BooleanCheck::exclude(const Moment& moment, std::optional<std::size_t> passive) {
  const bool trouble = path_.ends_in_trouble && &moment == &moments_.back();
  std::optional<model::TemplateId> templ;
  if (passive) {
    const model::ThreadState& thread = *moment.before.threads[*passive];
    templ = model_->templates[thread.location.value];
    if (!templ || !model_->is_tagged(thread, *templ)) return false;
  }
  const auto possible = [&](const Cube& cube) {
    return trouble ? oracle_.trouble_possible(moment.command, cube)
                   : oracle_.step_possible(moment.command, templ, cube);
  };
  Cube core = values(moment, passive);
  if (possible(core)) return false;
  for (std::size_t i = 0; i < core.size();) {
    Cube smaller = core;
    smaller.erase(smaller.begin() + static_cast<std::ptrdiff_t>(i));
    if (possible(smaller)) {
      ++i;
    } else {
      core = std::move(smaller);
    }
  }
  if (oracle_.stopped()) return false;
  abstraction::BroadcastStep& step = steps_[moment.command];
  auto& forbidden = trouble ? step.harmless : step.forbidden;
  // An earlier step of the same path may have led to it.
  if (std::find(forbidden.begin(), forbidden.end(), core) != forbidden.end()) return false;
  forbidden.push_back(core);
  if (!trouble) refined_[moment.command].push_back(std::move(core));
  return true;
}

}  // namespace cohort::engine::cegar
