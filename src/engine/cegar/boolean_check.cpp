#include "engine/cegar/boolean_check.hpp"

#include <algorithm>

#include "base/contract.hpp"
#include "model/validate.hpp"

namespace cohort::engine::cegar {

using abstraction::Cube;
using abstraction::Role;

namespace {

bool is_passive(Role role) {
  return role == Role::PassiveBefore || role == Role::PassiveAfter;
}

}  // namespace

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
}

void BooleanCheck::make_program() {
  if (!is_complete()) return;
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
      moments_.push_back(moment_of(step, *before, meaning.command, path_.ends_in_trouble));
    }
    before = &step.target;
  }
  for (const auto& thread : before->threads) {
    if (!thread || thread->location.value >= commands.places().size() || path_.property) continue;
    path_.property = commands.error(model::PlaceId(thread->location.value));
  }
}

// The questions that a step of the Boolean program raises.
BooleanCheck::Moment BooleanCheck::moment_of(const model::Transition& step, const model::State& before,
                                             std::uint32_t command, bool trouble) const {
  Moment moment{command, trouble, {}};
  const auto ask = [&](std::optional<std::size_t> other, std::optional<model::TemplateId> templ) {
    const auto value = [&](std::size_t predicate, Role role) {
      const bool after = role == Role::ActiveAfter || role == Role::PassiveAfter;
      std::optional<std::size_t> thread;
      if (!predicates_[predicate].is_shared()) thread = is_passive(role) ? other : step.thread;
      return model_->value(after ? step.target : before, thread, predicate);
    };
    moment.questions.push_back({templ, values(command, trouble, templ, value)});
  };
  ask(std::nullopt, std::nullopt);
  for (std::size_t i = 0; i < before.threads.size() && !trouble; ++i) {
    if (i == step.thread || !before.threads[i]) continue;
    const auto templ = model_->templates[before.threads[i]->location.value];
    if (templ && model_->is_tagged(*before.threads[i], *templ)) ask(i, templ);
  }
  return moment;
}

void BooleanCheck::follow(const Counted& counted) {
  const model::Commands& commands = oracle_.commands();
  const abstraction::States& states = oracle_.states();
  moments_.clear();
  path_ = counted.path;
  for (std::size_t i = 0; i < path_.steps.size(); ++i) {
    const PathStep& step = path_.steps[i];
    const bool trouble = path_.ends_in_trouble && i + 1 == path_.steps.size();
    const Configuration& before = counted.configurations[i];
    const Configuration& after = counted.configurations[trouble ? i : i + 1];
    Moment moment{step.command, trouble, {}};
    const auto ask = [&](std::size_t other, std::optional<model::TemplateId> templ) {
      const auto value = [&](std::size_t predicate, Role role) {
        const bool late = role == Role::ActiveAfter || role == Role::PassiveAfter;
        const Configuration& at = late ? after : before;
        const bool shared = predicates_[predicate].is_shared();
        const auto& scope = shared ? predicates_.shared() : predicates_.of(predicates_[predicate].templ);
        const auto number = static_cast<std::size_t>(std::find(scope.begin(), scope.end(), predicate) - scope.begin());
        const std::size_t thread = is_passive(role) ? other : step.thread;
        const abstraction::Bits& bits = shared ? states.bits(at.shared) : states.bits(at.threads[thread]);
        return bits[number] == '1';
      };
      moment.questions.push_back({templ, values(step.command, trouble, templ, value)});
    };
    ask(step.thread, std::nullopt);
    for (std::size_t other = 0; other < before.threads.size() && !trouble; ++other) {
      if (other == step.thread || before.threads[other] == abstraction::absent) continue;
      ask(other, commands.place(states.place(before.threads[other])).templ);
    }
    moments_.push_back(std::move(moment));
  }
}

// What is known of the threads of J, before and after the step.
Cube BooleanCheck::values(std::uint32_t index, bool trouble, std::optional<model::TemplateId> passive,
                          const Value& value) const {
  const model::Commands& commands = oracle_.commands();
  const model::Command& command = commands.all()[index];
  Cube cube;
  for (std::size_t i = 0; i < predicates_.all().size(); ++i) {
    const abstraction::Predicate& predicate = predicates_[i];
    const auto add = [&](Role before, Role after, bool has_after) {
      cube.push_back({i, before, value(i, before)});
      if (has_after) cube.push_back({i, after, value(i, after)});
    };
    if (predicate.is_shared()) {
      add(Role::ActiveBefore, Role::ActiveAfter, !trouble);
      continue;
    }
    if (predicate.templ == commands.place(command.from).templ) {
      add(Role::ActiveBefore, Role::ActiveAfter, !trouble && command.to.has_value());
    }
    if (passive == predicate.templ) add(Role::PassiveBefore, Role::PassiveAfter, !trouble);
  }
  return cube;
}

std::size_t BooleanCheck::refine() {
  std::size_t added = 0;
  for (const Moment& moment : moments_) {
    if (oracle_.stopped()) break;
    const bool found = std::any_of(moment.questions.begin(), moment.questions.end(),
                                   [&](const Question& question) { return exclude(moment, question); });
    added += found ? 1 : 0;
  }
  conjuncts_ += added;
  return added;
}

// Is the step impossible with these values?  Then a minimal part of them is forbidden from now on.
bool BooleanCheck::exclude(const Moment& moment, const Question& question) {
  const auto possible = [&](const Cube& cube) {
    return moment.trouble ? oracle_.trouble_possible(moment.command, cube)
                          : oracle_.step_possible(moment.command, question.passive, cube);
  };
  Cube core = question.values;
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
  auto& forbidden = moment.trouble ? step.harmless : step.forbidden;
  // An earlier step of the same path may have led to it.
  if (std::find(forbidden.begin(), forbidden.end(), core) != forbidden.end()) return false;
  forbidden.push_back(core);
  if (!moment.trouble) refined_[moment.command].push_back(std::move(core));
  return true;
}

}  // namespace cohort::engine::cegar
