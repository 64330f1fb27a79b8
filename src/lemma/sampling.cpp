#include "lemma/sampling.hpp"

#include <algorithm>
#include <random>

#include "base/source.hpp"
#include "model/interpreter.hpp"

namespace cohort::lemma {

using model::State;
using model::ThreadState;
using model::Valuation;
using model::Value;

namespace {

constexpr std::uint32_t most_threads = 4;  // of each group without a count
constexpr std::size_t most_alive = 12;
constexpr std::uint32_t run_length = 60;
constexpr std::size_t most_choices = 8;  // values for choices of wide types

class Sampler {
 public:
  Sampler(Env& env, const model::Commands& commands, const Alphabet& alphabet, const Grammar& grammar, Facts& facts)
      : env_(env),
        commands_(commands),
        alphabet_(alphabet),
        facts_(facts),
        interpreter_(commands.program(), std::nullopt),
        values_(grammar.constants()) {
    std::vector<Value> chosen = values_;
    std::shuffle(chosen.begin(), chosen.end(), random_);
    chosen.resize(std::min(chosen.size(), most_choices));
    interpreter_.choose_among(chosen);
  }

  void run(std::uint32_t steps) {
    for (std::uint32_t done = 0; done < steps && !env_.stop_requested("lemma-sampling"); done += run_length) {
      try {
        walk();
      } catch (const InputError&) {
        return;  // a step with too many outcomes
      }
    }
  }

 private:
  void walk() {
    State state = start();
    if (!interpreter_.is_initial(state)) return;
    see(state);
    for (std::uint32_t step = 0; step < run_length; ++step) {
      std::vector<model::Transition> steps = interpreter_.successors(state);
      std::erase_if(steps, [](const model::Transition& one) { return one.fault.has_value(); });
      if (steps.empty()) return;
      model::Transition& taken = steps[random_() % steps.size()];
      for (const std::size_t slot : taken.spawned) ++created_[taken.target.threads[slot]->templ.value];
      state = std::move(taken.target);
      if (state.threads.size() > most_alive) return;
      see(state);
    }
  }

  Value any(const model::Type& type) {
    const std::uint64_t count = type.cardinality();
    if (count > 0 && count <= 16) return type.first() + static_cast<Value>(random_() % count);
    const Value value = values_[random_() % values_.size()];
    return type.contains(value) ? value : type.default_value();
  }

  Valuation start_of(const std::vector<model::Variable>& variables) {
    Valuation result;
    for (const model::Variable& variable : variables) {
      for (std::uint32_t i = 0; i < variable.type.slots(); ++i) {
        const auto& initial = variable.initial;
        result.push_back(initial.empty() ? any(variable.type.element()) : initial[initial.size() == 1 ? 0 : i]);
      }
    }
    return result;
  }

  State start() {
    State state;
    state.shared = start_of(commands_.program().shared);
    created_.assign(commands_.program().templates.size(), 0);
    for (const model::InitialThreads& group : commands_.program().initial) {
      const std::uint32_t count = group.count.value_or(1 + static_cast<std::uint32_t>(random_() % most_threads));
      created_[group.templ.value] += count;
      for (std::uint32_t i = 0; i < count; ++i) {
        state.threads.emplace_back(
            ThreadState{group.templ, group.location, false, start_of(commands_.program().templ(group.templ).locals)});
      }
    }
    return state;
  }

  // Every choice of threads that makes a view.  Threads that are not alive are taken from those that there may be.
  void see(const State& state) {
    std::vector<SpotId> spots;
    std::vector<const Valuation*> locals;
    std::vector<std::uint64_t> alive(created_.size(), 0);
    for (const auto& thread : state.threads) {
      if (!thread) continue;
      const auto place = commands_.find({thread->templ, thread->location, thread->atomic});
      if (!place) return;
      spots.push_back(alphabet_.at(*place));
      locals.push_back(&thread->locals);
      ++alive[thread->templ.value];
    }
    add_absent(spots, alive);
    for (const auto& members : views_among(alphabet_, spots)) {
      Sample sample{state.shared, {}};
      for (const std::uint32_t member : members) {
        const model::Template& templ = commands_.program().templ(alphabet_.spot(spots[member]).templ);
        sample.locals.push_back(member < locals.size() ? *locals[member] : Valuation(templ.local_slots(), 0));
      }
      facts_.absorb(view_of(spots, members), sample);
    }
  }

  // Threads that have not been created, and those that have ended, as many as a view may need.
  void add_absent(std::vector<SpotId>& spots, const std::vector<std::uint64_t>& alive) const {
    for (SpotId id = 0; id < alphabet_.spots().size(); ++id) {
      const Spot& spot = alphabet_.spot(id);
      if (spot.place) continue;
      std::uint64_t count = alphabet_.options().threads;
      if (const auto& limit = alphabet_.limit(spot.templ)) {
        const std::uint64_t created = created_[spot.templ.value];
        if (created > *limit) continue;
        count = std::min(count, spot.gone ? created - alive[spot.templ.value] : *limit - created);
      }
      spots.insert(spots.end(), count, id);
    }
  }

  Env& env_;
  const model::Commands& commands_;
  const Alphabet& alphabet_;
  Facts& facts_;
  model::Interpreter interpreter_;
  std::vector<Value> values_;
  std::vector<std::uint64_t> created_;  // in the current run, by template
  std::mt19937_64 random_{1};
};

}  // namespace

void absorb_random_runs(Env& env, const model::Commands& commands, const Alphabet& alphabet, const Grammar& grammar,
                        std::uint32_t steps, Facts& facts) {
  if (steps > 0) Sampler(env, commands, alphabet, grammar, facts).run(steps);
}

}  // namespace cohort::lemma
