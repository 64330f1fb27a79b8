// A plan is the list of steps to take, each by its thread, edge and number in the original run.  Threads are known by
// the order of their creation there, so that they keep their names where they come into being in another order.
// A plan is followed to the letter, or loosely: then what cannot be done any more is left out.
#include "strategy/shorten.hpp"

#include <algorithm>
#include <cmath>
#include <map>
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
// Longer runs of more threads, the states of both multiplied, are left as they are: nobody reads them, and copies of
// them would take more memory than the search had.
constexpr std::size_t most_thread_states = 3'000'000;

// How many of the smaller outcomes of a choice are tried, in their order, and the share of all steps for that.
constexpr std::size_t most_ranks = 12;
constexpr std::size_t share_of_choices = 4;

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
        original_(run),
        interpreter_(model::interpreter_for(program, bound, run, &env)),
        names_(result::thread_names(run)),
        property_(property),
        keeps_end_(property && program.properties[property->value].kind == model::Property::Kind::Deadlock &&
                   interpreter_.violated(run.last()) != property),
        most_steps_(is_of_a_net(run) ? most_steps_of_a_net : most_steps) {
    for (const model::Template& templ : program.templates) outgoing_.emplace_back(templ);
    for (std::size_t i = 0; i < run.steps.size(); ++i) plan_.push_back(i);
  }

  Run run() {
    best_ = original_;
    try {
      while (steps_ < most_steps_ / share_of_choices && lower_choice()) {
      }
      // There are many loops to try, and few blocks.
      while (!is_spent() && (drop_thread() || join_blocks() || finish_statement() || cut_loop())) {
      }
      simplify_values();
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

  // Who takes the step.
  std::uint32_t thread_of(std::size_t step) const {
    const std::uint32_t name = names_[step][original_.steps[step].thread];
    const auto other = stand_ins_.find(name);
    return other != stand_ins_.end() ? other->second : name;
  }

  // How far the values in the state are from nothing.
  static double weight(const Transition& way) {
    double sum = 0;
    for (const model::Value value : way.target.shared) sum += std::abs(static_cast<double>(value));
    for (const auto& thread : way.target.threads) {
      if (!thread) continue;
      for (const model::Value value : thread->locals) sum += std::abs(static_cast<double>(value));
    }
    return sum;
  }

  // The ways to take a step of the kind of the original's, those with the least values first.
  std::vector<const Transition*> by_weight(const std::vector<Transition>& ways, std::size_t step) const {
    std::vector<std::pair<double, const Transition*>> weighed;
    for (const Transition& way : ways) {
      if (way.fault || way.spawned.size() != original_.steps[step].spawned.size()) continue;
      weighed.emplace_back(weight(way), &way);
    }
    std::stable_sort(weighed.begin(), weighed.end(),
                     [](const auto& one, const auto& other) { return one.first < other.first; });
    std::vector<const Transition*> sorted;
    for (const auto& [ignored, way] : weighed) sorted.push_back(way);
    return sorted;
  }

  // Of the ways to take the step, the one that leaves its thread as the original did; or that of the rank it was given.
  const Transition* choose(const std::vector<Transition>& ways, std::size_t step, std::size_t slot) const {
    const Transition& wanted = original_.steps[step];
    if (const auto rank = ranks_.find(step); rank != ranks_.end()) {
      const auto sorted = by_weight(ways, step);
      return rank->second < sorted.size() ? sorted[rank->second] : nullptr;
    }
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

  // Where the data are others, a statement may go another way than in the original, as where it frees another object:
  // what the thread can do instead, if that is one thing.
  std::vector<Transition> other_ways(const State& state, std::size_t slot, std::size_t step) const {
    const model::EdgeRef planned = original_.steps[step].edge;
    const model::ThreadState& thread = *state.threads[slot];
    if (thread.templ != planned.templ) return {};
    std::vector<Transition> only;
    for (const std::uint32_t edge : outgoing_[thread.templ.value].of(thread.location)) {
      auto ways = interpreter_.successors(state, slot, {thread.templ, edge});
      if (ways.empty()) continue;
      if (!only.empty()) return {};
      only = std::move(ways);
    }
    return only;
  }

  void name_spawned(std::size_t step, const Transition& way, std::map<std::uint32_t, std::size_t>& slots) const {
    for (std::size_t i = 0; i < way.spawned.size(); ++i)
      slots[names_[step + 1][original_.steps[step].spawned[i]]] = way.spawned[i];
  }

  struct Execution {
    Plan plan;  // the steps that have been taken
    Run run;
  };

  std::optional<Run> execute(const Plan& plan, std::size_t kept = SIZE_MAX) {
    auto done = execute(plan, kept, false);
    return done ? std::optional(std::move(done->run)) : std::nullopt;
  }

  // The run by the plan; none if it cannot be taken to its end, or does not violate there.  What the plan has in common
  // with that of the best run is taken from there, but no more than `kept` steps.  `loosely`: steps of threads that are
  // not there, or are elsewhere, are left out.
  std::optional<Execution> execute(const Plan& plan, std::size_t kept, bool loosely) {
    std::map<std::uint32_t, std::size_t> slots;
    for (std::size_t slot = 0; slot < original_.initial.threads.size(); ++slot) slots[names_[0][slot]] = slot;
    Run run{.initial = original_.initial, .steps = {}, .choices = original_.choices};
    const auto [differs, ignored] = std::mismatch(plan.begin(), plan.end(), plan_.begin(), plan_.end());
    kept = std::min(kept, static_cast<std::size_t>(differs - plan.begin()));
    for (std::size_t i = 0; i < kept; ++i) name_spawned(plan[i], best_.steps[i], slots);
    run.steps.assign(best_.steps.begin(), best_.steps.begin() + static_cast<std::ptrdiff_t>(kept));
    steps_ += kept / 16;
    Plan taken(plan.begin(), plan.begin() + static_cast<std::ptrdiff_t>(kept));
    for (std::size_t i = kept; i < plan.size(); ++i) {
      const std::size_t step = plan[i];
      env_.poll("shorten");
      if (loosely && !slots.contains(thread_of(step))) find_stand_in(run.last(), slots, step);
      const auto known = slots.find(thread_of(step));
      const auto way = known == slots.end() ? std::nullopt : taken_way(run.last(), step, known->second, loosely);
      if (!way && loosely) continue;
      if (!way) return std::nullopt;
      name_spawned(step, *way, slots);
      run.steps.push_back(*way);
      taken.push_back(step);
    }
    return violates(run) ? std::optional(Execution{std::move(taken), std::move(run)}) : std::nullopt;
  }

  // The thread of the step has not been created: one that runs the same and does nothing in the plan does it instead.
  void find_stand_in(const State& state, const std::map<std::uint32_t, std::size_t>& slots, std::size_t step) {
    const auto own = steps_by_thread();
    for (const auto& [name, slot] : slots) {
      if (own.contains(name) || slot >= state.threads.size() || !state.threads[slot]) continue;
      if (state.threads[slot]->templ != original_.steps[step].edge.templ) continue;
      stand_ins_[thread_of(step)] = name;
      return;
    }
  }

  // How the thread in the slot takes the step, or another one in its place; none if it cannot.
  std::optional<Transition> taken_way(const State& state, std::size_t step, std::size_t slot, bool loosely) {
    steps_ += 1 + state.threads.size() / 8 + state.shared.size() / 64;
    if (slot >= state.threads.size() || !state.threads[slot]) return std::nullopt;
    const model::EdgeRef edge = original_.steps[step].edge;
    if (loosely && state.threads[slot]->location != program_.edge(edge).source) return std::nullopt;
    auto ways = interpreter_.successors(state, slot, edge);
    const Transition* way = choose(ways, step, slot);
    if (way == nullptr) {
      ways = other_ways(state, slot, step);
      way = choose(ways, step, slot);
    }
    return way != nullptr ? std::optional(*way) : std::nullopt;
  }

  bool violates(const Run& run) const {
    if (!property_) return !run.steps.empty() && run.steps.back().fault.has_value();
    // That threads wait for ever while others go on is dear to find out again: the same end is as good.
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
    if (keeps_end_) return false;
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

  bool is_in_one_statement(std::size_t one, std::size_t other) const {
    const model::Action& left = program_.edge(original_.steps[one].edge).actions.front();
    const model::Action& right = program_.edge(original_.steps[other].edge).actions.front();
    return left.span.file == right.span.file && left.span.line == right.span.line &&
           left.span.column == right.span.column && left.text == right.text;
  }

  // What a plan asks of its reader: the changes from one thread to another, and those in the middle of a statement.
  struct Cost {
    std::size_t switches = 0;
    std::size_t splits = 0;

    auto operator<=>(const Cost&) const = default;
  };

  Cost cost_of(const Plan& plan) const {
    Cost cost;
    std::map<std::uint32_t, std::size_t> latest;  // of each thread: where its last step is in the plan
    for (std::size_t i = 0; i < plan.size(); ++i) {
      const std::uint32_t thread = thread_of(plan[i]);
      cost.switches += i > 0 && thread_of(plan[i - 1]) != thread ? 1 : 0;
      const auto own = latest.find(thread);
      const bool comes_back = own != latest.end() && own->second + 1 != i;
      cost.splits += comes_back && is_in_one_statement(plan[own->second], plan[i]) ? 1 : 0;
      latest[thread] = i;
    }
    return cost;
  }

  bool take_if_better(Plan plan) { return cost_of(plan) < cost_of(plan_) && take(std::move(plan)); }

  // The plan with [first, last) moved so that it begins where `to` is now.
  Plan moved(Block block, std::size_t to) const {
    Plan plan = plan_;
    const auto at = [&](std::size_t i) { return plan.begin() + static_cast<std::ptrdiff_t>(i); };
    COHORT_EXPECT(to <= block.first || to >= block.last, "a block is moved to another place");
    if (to < block.first) {
      std::rotate(at(to), at(block.first), at(block.last));
    } else {
      std::rotate(at(block.first), at(block.last), at(to));
    }
    return plan;
  }

  // Brings two blocks of a thread together, over all that is between them; true if the run has got better.
  bool join_blocks() {
    const auto all = blocks();
    for (std::size_t i = 0; i + 2 < all.size(); ++i) {
      for (std::size_t j = i + 2; j < all.size() && !is_spent(); ++j) {
        if (thread_of(plan_[all[i].first]) != thread_of(plan_[all[j].first])) continue;
        if (take_if_better(moved(all[j], all[i].last)) || take_if_better(moved(all[i], all[j].first))) return true;
        break;
      }
    }
    return false;
  }

  // Lets a thread end the statement that it is in before another one goes on.
  bool finish_statement() {
    const auto all = blocks();
    for (std::size_t i = 0; i + 2 < all.size(); ++i) {
      for (std::size_t j = i + 2; j < all.size() && !is_spent(); ++j) {
        if (thread_of(plan_[all[i].first]) != thread_of(plan_[all[j].first])) continue;
        Block rest{all[j].first, all[j].first};
        while (rest.last < all[j].last && is_in_one_statement(plan_[all[i].last - 1], plan_[rest.last])) ++rest.last;
        if (rest.last > rest.first && take_if_better(moved(rest, all[i].last))) return true;
        // Or begin it later.
        Block begun{all[i].last, all[i].last};
        while (begun.first > all[i].first && is_in_one_statement(plan_[begun.first - 1], plan_[all[j].first]))
          --begun.first;
        if (begun.last > begun.first && take_if_better(moved(begun, all[j].first))) return true;
        break;
      }
    }
    return false;
  }

  bool has_choice(model::EdgeRef edge) const {
    const auto chooses = [&](model::ExprId value) { return mentions(program_.exprs, value, model::Op::Nondet); };
    const auto& actions = program_.edge(edge).actions;
    return std::any_of(actions.begin(), actions.end(), [&](const model::Action& action) {
      return std::any_of(action.assigns.begin(), action.assigns.end(),
                         [&](const model::Assign& assign) { return chooses(assign.value); });
    });
  }

  // Gives a choice a smaller outcome even where threads then go another way, as out of a loop that creates threads;
  // true if that makes the run shorter.
  bool lower_choice() {
    if (keeps_end_) return false;
    for (std::size_t i = 0; i < plan_.size(); ++i) {
      const std::size_t step = plan_[i];
      if (!has_choice(original_.steps[step].edge)) continue;
      const Transition present = best_.steps[i];
      const State& before = i == 0 ? best_.initial : best_.steps[i - 1].target;
      const auto ways = interpreter_.successors(before, present.thread, original_.steps[step].edge);
      const auto sorted = by_weight(ways, step);
      for (std::size_t rank = 0; rank < std::min(sorted.size(), most_ranks); ++rank) {
        if (steps_ >= most_steps_ / share_of_choices) return false;
        if (weight(*sorted[rank]) > weight(present)) break;
        if (take_with_rank(i, rank)) return true;
      }
    }
    return false;
  }

  // The plan with another outcome of its i-th step, loosely; true if that makes the run shorter.
  bool take_with_rank(std::size_t i, std::size_t rank) {
    const auto former_ranks = ranks_;
    const auto former_stand_ins = stand_ins_;
    ranks_[plan_[i]] = rank;
    auto done = execute(plan_, i, true);
    if (done && done->plan.size() < plan_.size()) {
      plan_ = std::move(done->plan);
      best_ = std::move(done->run);
      return true;
    }
    ranks_ = former_ranks;
    stand_ins_ = former_stand_ins;
    return false;
  }

  // Of each choice, the least value with which the run still goes its way.
  void simplify_values() {
    for (std::size_t i = 0; i < plan_.size(); ++i) {
      const std::size_t step = plan_[i];
      if (is_spent()) return;
      if (!has_choice(original_.steps[step].edge)) continue;
      if (ranks_.contains(step)) continue;
      ranks_[step] = 0;
      auto run = execute(plan_, i);
      if (run) {
        best_ = std::move(*run);
      } else {
        ranks_.erase(step);
      }
    }
  }

  Env& env_;
  const model::Program& program_;
  const Run& original_;
  const model::Interpreter interpreter_;
  const std::vector<std::vector<std::uint32_t>> names_;
  std::vector<model::OutEdges> outgoing_;  // by template
  const std::optional<model::PropertyId> property_;
  const bool keeps_end_;
  const std::size_t most_steps_;
  Plan plan_;
  std::map<std::uint32_t, std::uint32_t> stand_ins_;  // threads that others take the steps of, and who
  std::map<std::size_t, std::size_t> ranks_;          // steps whose outcome is chosen, by weight: 0 is the least
  Run best_;
  std::size_t steps_ = 0;
};

}  // namespace

Run shortened(Env& env, const model::Program& program, std::optional<std::uint32_t> bound, Run run,
              std::optional<model::PropertyId> property) {
  if (run.steps.size() * run.last().threads.size() > most_thread_states) return run;
  // Nothing is the simplest of values, also for choices that nobody can enumerate.
  if (!run.choices.empty() && std::find(run.choices.begin(), run.choices.end(), 0) == run.choices.end())
    run.choices.push_back(0);
  return Shortener(env, program, bound, run, property).run();
}

}  // namespace cohort::strategy
