// A plan is the list of steps to take, each by its thread, edge and number in the original run.  Threads are known by
// the order of their creation there, so that they keep their names where they come into being in another order.
#include "strategy/shorten.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "base/contract.hpp"
#include "result/replay.hpp"

namespace cohort::strategy {

using model::Run;
using model::State;
using model::Transition;

namespace {

// All steps that are tried, of all plans together; more where states are large.
constexpr std::size_t most_steps = 100'000;
// Where one thread takes every step at one place, as that of a Petri net does, every part of the run looks like a loop
// that might be left out, and hardly one is.
constexpr std::size_t most_steps_of_a_net = 10'000;

using Plan = std::vector<std::size_t>;  // steps of the original run

struct Block {
  std::size_t first = 0;
  std::size_t last = 0;
};

class Shortener {
 public:
  Shortener(Env& env, const model::Program& program, std::optional<std::uint32_t> bound, const Run& run,
            std::optional<model::PropertyId> property)
      : env_(env),
        program_(program),
        interpreter_(model::interpreter_for(program, bound, run, &env)),
        original_(run),
        names_(result::thread_names(run)),
        property_(property),
        keeps_end_(property && program.properties[property->value].kind == model::Property::Kind::Deadlock),
        most_steps_(is_of_a_net(run) ? most_steps_of_a_net : most_steps) {
    for (std::size_t i = 0; i < run.steps.size(); ++i) plan_.push_back(i);
  }

  Run run() {
    best_ = original_;
    try {
      while (!is_spent() && (drop_thread() || cut_loop() || join_blocks())) {
      }
    } catch (const Stopped&) {
      // What has been reached is a run, too.
    }
    return std::move(best_);
  }

 private:
  static bool is_of_a_net(const Run& run) {
    const auto place_of = [](const State& state, std::size_t thread) {
      return thread < state.threads.size() && state.threads[thread] ? std::optional(state.threads[thread]->location)
                                                                    : std::nullopt;
    };
    return std::all_of(run.steps.begin(), run.steps.end(), [&](const Transition& step) {
      return step.thread == run.steps.front().thread &&
             place_of(step.target, step.thread) == place_of(run.initial, step.thread);
    });
  }

  bool is_spent() const { return steps_ >= most_steps_; }
  std::uint32_t thread_of(std::size_t step) const { return names_[step][original_.steps[step].thread]; }

  // Of the ways to take the step, the one that leaves its thread as the original did.
  const Transition* choose(const std::vector<Transition>& ways, std::size_t step, std::size_t slot) const {
    const Transition& wanted = original_.steps[step];
    const Transition* chosen = nullptr;
    for (const Transition& way : ways) {
      if (way.fault != wanted.fault || way.spawned.size() != wanted.spawned.size()) continue;
      if (way.fault) return &way;
      const auto own =
          wanted.thread < wanted.target.threads.size() ? wanted.target.threads[wanted.thread] : std::nullopt;
      const auto there = slot < way.target.threads.size() ? way.target.threads[slot] : std::nullopt;
      if (own == there && way.target.shared == wanted.target.shared) return &way;
      if (chosen == nullptr || own == there) chosen = &way;
    }
    return chosen;
  }

  // The run by the plan; none if it cannot be taken to its end, or does not violate there.
  std::optional<Run> execute(const Plan& plan) {
    std::map<std::uint32_t, std::size_t> slots;
    for (std::size_t slot = 0; slot < original_.initial.threads.size(); ++slot) slots[names_[0][slot]] = slot;
    Run run{.initial = original_.initial, .steps = {}, .choices = original_.choices};
    for (const std::size_t step : plan) {
      env_.poll("shorten");
      steps_ += 1 + run.last().threads.size() / 8 + run.last().shared.size() / 64;
      const auto known = slots.find(thread_of(step));
      if (known == slots.end()) return std::nullopt;
      const State& state = run.last();
      if (known->second >= state.threads.size() || !state.threads[known->second]) return std::nullopt;
      const auto ways = interpreter_.successors(state, known->second, original_.steps[step].edge);
      const Transition* way = choose(ways, step, known->second);
      if (way == nullptr) return std::nullopt;
      for (std::size_t i = 0; i < way->spawned.size(); ++i) {
        slots[names_[step + 1][original_.steps[step].spawned[i]]] = way->spawned[i];
      }
      run.steps.push_back(*way);
    }
    return violates(run) ? std::optional(std::move(run)) : std::nullopt;
  }

  bool violates(const Run& run) const {
    if (!property_) return !run.steps.empty() && run.steps.back().fault.has_value();
    // That threads wait for ever is dear to find out again: the same end is as good.
    if (keeps_end_) return run.last() == original_.last();
    return interpreter_.violated(run.last()) == property_;
  }

  bool take(Plan plan) {
    auto run = execute(plan);
    if (!run) return false;
    plan_ = std::move(plan);
    best_ = std::move(*run);
    return true;
  }

  // Leaves out all steps of a thread, or the later part of them; true if that succeeds once.
  bool drop_thread() {
    if (keeps_end_) return false;  // who waits in a deadlock is a part of it
    for (const auto& [thread, steps] : steps_by_thread()) {
      for (std::size_t kept = 0; kept < steps.size() && !is_spent();) {
        Plan plan;
        for (const std::size_t step : plan_) {
          if (thread_of(step) != thread || step < steps[kept]) plan.push_back(step);
        }
        if (!plan.empty() && take(std::move(plan))) return true;
        kept += std::max<std::size_t>(1, (steps.size() - kept) / 2);
      }
    }
    return false;
  }

  std::map<std::uint32_t, std::vector<std::size_t>> steps_by_thread() const {
    std::map<std::uint32_t, std::vector<std::size_t>> own;
    for (const std::size_t step : plan_) own[thread_of(step)].push_back(step);
    return own;
  }

  // Leaves out what a thread does until it is back where it was, the longest way round first; true if that succeeds
  // once.
  bool cut_loop() {
    const auto place = [&](std::size_t step) { return program_.edge(original_.steps[step].edge).source; };
    for (const auto& [thread, steps] : steps_by_thread()) {
      for (std::size_t from = 0; from < steps.size(); ++from) {
        for (std::size_t to = steps.size() - 1; to > from && !is_spent(); --to) {
          if (place(steps[from]) != place(steps[to])) continue;
          Plan plan;
          for (const std::size_t step : plan_) {
            const bool is_cut = thread_of(step) == thread && step >= steps[from] && step < steps[to];
            if (!is_cut) plan.push_back(step);
          }
          if (take(std::move(plan))) return true;
        }
      }
    }
    return false;
  }

  std::vector<Block> blocks() const {
    std::vector<Block> result;
    for (std::size_t i = 0; i < plan_.size(); ++i) {
      if (i == 0 || thread_of(plan_[i]) != thread_of(plan_[i - 1])) result.push_back({i, i});
      result.back().last = i + 1;
    }
    return result;
  }

  Plan exchanged(const Block& first, const Block& second) const {
    COHORT_EXPECT(first.last == second.first, "the blocks lie side by side");
    Plan plan = plan_;
    std::rotate(plan.begin() + static_cast<std::ptrdiff_t>(first.first),
                plan.begin() + static_cast<std::ptrdiff_t>(second.first),
                plan.begin() + static_cast<std::ptrdiff_t>(second.last));
    return plan;
  }

  std::size_t switches_in(const Plan& plan) const {
    std::size_t count = 0;
    for (std::size_t i = 1; i < plan.size(); ++i) count += thread_of(plan[i]) != thread_of(plan[i - 1]) ? 1 : 0;
    return count;
  }

  // Exchanges neighbours so that a thread goes on for longer; true if the run has got better.
  bool join_blocks() {
    const auto all = blocks();
    for (std::size_t i = 0; i + 1 < all.size() && !is_spent(); ++i) {
      Plan plan = exchanged(all[i], all[i + 1]);
      if (switches_in(plan) < switches_in(plan_) && take(std::move(plan))) return true;
    }
    return false;
  }

  Env& env_;
  const model::Program& program_;
  const model::Interpreter interpreter_;
  const Run& original_;
  const std::vector<std::vector<std::uint32_t>> names_;
  const std::optional<model::PropertyId> property_;
  const bool keeps_end_;
  const std::size_t most_steps_;
  Plan plan_;
  Run best_;
  std::size_t steps_ = 0;
};

}  // namespace

Run shortened(Env& env, const model::Program& program, std::optional<std::uint32_t> bound, Run run,
              std::optional<model::PropertyId> property) {
  return Shortener(env, program, bound, run, property).run();
}

}  // namespace cohort::strategy
