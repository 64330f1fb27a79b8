// That a thread cannot move says of each of its edges that no way to make its choices lets it be taken.  In the formula
// choices are unknowns, of which a solver finds some values; here it takes all.  So the edge is executed once for each
// combination of values, as constants, and what lets it be taken is the disjunction.  Most edges that wait, as for a
// lock, make no choice that matters: executed with two different sets of unknowns they come out as the same term, and
// are taken as they are.
//
// Rejected: quantifiers in the formula, which the solver for bit-vectors does not take.
#include "engine/bmc/deadlock.hpp"

#include <optional>
#include <set>
#include <tuple>
#include <vector>

#include <fmt/core.h>

#include "base/source.hpp"
#include "model/analysis/access.hpp"

namespace cohort::engine::bmc {

using model::EdgeRef;
using model::LocId;
using model::TemplateId;
using smt::Datum;
using smt::Term;

namespace {

// More ways than this to take one edge are not looked at.
constexpr std::uint64_t most_ways = 4096;

// Choices that are constants: one combination of values after the other, in depth-first order.  Later choices may
// depend on earlier ones, so each is met again in every round.
class EveryChoice : public Choices {
 public:
  EveryChoice(smt::Translator& translator, smt::Solver& solver, const SymbolicState& state)
      : Choices(translator, solver, state), translator_(translator) {}

  void begin_edge() override {
    next_ = 0;
    allowed_ = translator_.context().truth();
  }

  Datum draw(const model::Type& type) override {
    const bool reference = type.kind() == model::Type::Kind::ThreadRef;
    if (next_ == digits_.size()) digits_.push_back({0, reference ? threads() + 1 : type.cardinality()});
    const Digit& digit = digits_[next_++];
    if (digit.count == 0 || digit.count > most_ways) too_many_ = true;
    const model::Value value = (reference ? 0 : type.first()) + static_cast<model::Value>(digit.value);
    if (reference) allowed_ = translator_.context().conj(allowed_, allows(translator_.numbers().constant(value)));
    return translator_.constant(value, type);
  }

  // Goes on to the next combination; false: there is none.
  bool advance() {
    while (!digits_.empty()) {
      if (++digits_.back().value < digits_.back().count) return true;
      digits_.pop_back();
    }
    return false;
  }

  Term allowed() const { return allowed_; }
  bool too_many() const { return too_many_; }

 private:
  struct Digit {
    std::uint64_t value = 0;
    std::uint64_t count = 0;
  };

  smt::Translator& translator_;
  std::vector<Digit> digits_;
  std::size_t next_ = 0;
  Term allowed_;
  bool too_many_ = false;
};

class Deadlock {
 public:
  Deadlock(Unrolling& unrolling, smt::Translator& translator, smt::Solver& solver)
      : unrolling_(unrolling),
        program_(unrolling.program()),
        translator_(translator),
        context_(translator.context()),
        solver_(solver),
        state_(unrolling.state(unrolling.depth())),
        moves_(context_.falsity()),
        overflows_(context_.falsity()) {}

  Term condition() {
    std::vector<Term> conditions;
    std::vector<Term> alive;
    for (std::size_t slot = 0; slot < state_.threads.size(); ++slot) {
      alive.push_back(state_.threads[slot].alive);
      conditions.push_back(context_.implies(alive.back(), waits(slot)));
    }
    conditions.push_back(context_.disj(alive));
    const Term waiting = context_.conj(conditions);
    if (context_.is_false(waiting)) return waiting;
    for (std::size_t slot = 0; slot < state_.threads.size(); ++slot) add_moves(slot);
    // The interpreter refuses the state when a step from it overflows, so it gets to see it.
    return context_.conj(waiting, context_.disj(context_.negate(moves_), overflows_));
  }

 private:
  Term waits(std::size_t slot) {
    std::vector<Term> places;
    for (const TemplateId id : unrolling_.plan().slots()[slot].templates) {
      const auto& locations = program_.templ(id).locations;
      for (std::size_t place = 0; place < locations.size(); ++place) {
        if (locations[place].waits) places.push_back(state_.threads[slot].at[id.value][place]);
      }
    }
    return context_.disj(places);
  }

  // Only threads that wait are of interest.
  void add_moves(std::size_t slot) {
    Term may_run = context_.truth();
    for (std::size_t other = 0; other < state_.threads.size(); ++other) {
      if (other != slot) may_run = context_.conj(may_run, context_.negate(state_.threads[other].atomic));
    }
    for (const TemplateId id : unrolling_.plan().slots()[slot].templates) {
      const model::Template& templ = program_.templ(id);
      for (std::uint32_t i = 0; i < templ.edges.size(); ++i) {
        const LocId place = templ.edges[i].source;
        const Term here = context_.conj(state_.threads[slot].at[id.value][place.value], may_run);
        if (!templ.locations[place.value].waits || context_.is_false(here)) continue;
        add_edge(slot, EdgeRef{id, i}, here);
      }
    }
  }

  // When the step leads to another state: one that leads back to the same is none.
  Term changes(std::size_t slot, EdgeRef ref, const Execution& effect) {
    const model::Edge& edge = program_.edge(ref);
    if (model::ends_thread(edge) || edge.target != edge.source) return context_.truth();
    std::vector<Term> differences;
    for (const model::Action& action : edge.actions) {
      if (action.atomic == model::AtomicChange::None) continue;
      const Term atomic = state_.threads[slot].atomic;
      differences.push_back(action.atomic == model::AtomicChange::Enter ? context_.negate(atomic) : atomic);
    }
    for (const Child& child : effect.children) differences.push_back(child.when);
    for (const Displaced& one : effect.displaced) {
      if (one.to != one.from) differences.push_back(one.when);
    }
    // Of several updates of the same variable the last is what it gets.
    std::set<std::tuple<std::optional<std::size_t>, std::size_t, std::size_t>> seen;
    for (auto update = effect.updates.rbegin(); update != effect.updates.rend(); ++update) {
      if (!seen.emplace(update->thread, update->templ.value, update->slot).second) continue;
      const Datum& before = update->thread ? state_.threads[*update->thread].locals[update->templ.value][update->slot]
                                           : state_.shared[update->slot];
      differences.push_back(context_.negate(translator_.equal(update->value, before)));
    }
    return context_.disj(differences);
  }

  void add_edge(std::size_t slot, EdgeRef edge, Term here) {
    const Executor::View view = unrolling_.view(slot, edge.templ, program_.edge(edge).source);
    const auto execute = [&](Choices& choices) {
      return unrolling_.executor().execute(state_, view, slot, edge, choices);
    };
    const auto add = [&](const Execution& effect, Term allowed) {
      Term moves = context_.conj(effect.enabled, changes(slot, edge, effect));
      if (program_.faults == model::FaultPolicy::Violation) moves = context_.disj(moves, effect.trouble.fault);
      moves_ = context_.disj(moves_, context_.conj(std::vector{here, allowed, moves}));
      overflows_ = context_.disj(overflows_, context_.conj(std::vector{here, allowed, effect.trouble.overflow}));
    };
    Choices some(translator_, solver_, state_);
    Choices others(translator_, solver_, state_);
    const Execution one = execute(some);
    const Execution other = execute(others);
    if (one.enabled == other.enabled && one.trouble.fault == other.trouble.fault &&
        one.trouble.overflow == other.trouble.overflow && changes(slot, edge, one) == changes(slot, edge, other)) {
      return add(one, context_.truth());
    }
    EveryChoice choices(translator_, solver_, state_);
    std::uint64_t ways = 0;
    do {
      const Execution effect = execute(choices);
      if (choices.too_many() || ++ways > most_ways) {
        const model::Action& action = program_.edge(edge).actions[0];
        throw_unsupported(action.span, fmt::format("whether a step that waits is stuck depends on a choice among more "
                                                   "than {} (engine bmc, deadlocks)",
                                                   most_ways));
      }
      add(effect, choices.allowed());
    } while (choices.advance());
  }

  Unrolling& unrolling_;
  const model::Program& program_;
  smt::Translator& translator_;
  smt::Context& context_;
  smt::Solver& solver_;
  const SymbolicState& state_;
  Term moves_;      // some thread that waits can move, or fault
  Term overflows_;  // some thread that waits can overflow
};

}  // namespace

Term is_deadlock(Unrolling& unrolling, smt::Translator& translator, smt::Solver& solver) {
  return Deadlock(unrolling, translator, solver).condition();
}

}  // namespace cohort::engine::bmc
