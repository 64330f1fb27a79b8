// Why it is sound: an invariant over views holds of every choice of threads of every reachable state, for any number of
// threads, and a state of the program with a bound on its threads is one of them as long as no creation runs into the
// bound (then no lemmas are looked for).  Threads at places that no view within reach has are in no reachable state.
#include "engine/bmc/lemmas.hpp"

#include <algorithm>

#include "base/processor_time.hpp"
#include "model/analysis/thread_bound.hpp"
#include "smt/command_terms.hpp"

namespace cohort::engine::bmc {

using lemma::SpotId;
using lemma::View;
using smt::Term;

namespace {

constexpr std::size_t most_instances = 200'000;  // of facts, in one state

}  // namespace

Lemmas::Lemmas(Env& env, const Task& task, double seconds) {
  const auto most = model::most_threads(task.program);
  if (task.bound && (!most || *most > *task.bound)) return;
  if (model::Commands::refuses(task.program) || lemma::unseen_property(task.program)) return;
  const double end = processor_seconds() + seconds;
  commands_ = std::make_unique<model::Commands>(task.program);
  for (const std::uint32_t threads : {1U, 2U}) {
    Level level;
    level.houdini = std::make_unique<lemma::Houdini>(
        env, *commands_,
        lemma::HoudiniOptions{.views = {.threads = threads},
                              .stop_at_errors = false,
                              .processor_seconds = std::max(0.0, end - processor_seconds())});
    lemma::HoudiniResult found = level.houdini->run();
    if (!found.inductive) break;
    level.invariant = std::move(found.invariant);
    for (const auto& [view, atoms] : level.invariant.facts) count_ += atoms.size();
    levels_.push_back(std::move(level));
  }
}

// One level in one state.
class Lemmas::Writer {
 public:
  Writer(const Level& level, const model::Commands& commands, const SymbolicState& state, smt::Translator& translator,
         smt::Solver& solver)
      : level_(level),
        alphabet_(level.houdini->alphabet()),
        commands_(commands),
        state_(state),
        translator_(commands.program(), translator.context(), translator.numbers()),
        terms_(commands, translator_),
        context_(translator.context()),
        solver_(solver) {}

  // Threads are where some view has them, and satisfy what it says.
  void one_thread() {
    for (std::size_t slot = 0; slot < state_.threads.size(); ++slot) {
      const smt::SymbolicThread& thread = state_.threads[slot];
      for (std::size_t templ = 0; templ < thread.at.size(); ++templ) {
        for (std::size_t location = 0; location < thread.at[templ].size(); ++location) {
          for (const bool atomic : {false, true}) {
            const auto spot = spot_of(model::TemplateId(templ), model::LocId(location), atomic);
            const auto it = spot ? level_.invariant.facts.find({*spot}) : level_.invariant.facts.end();
            const bool known = it != level_.invariant.facts.end();
            imply(there(slot, model::TemplateId(templ), model::LocId(location), atomic),
                  known ? facts(*it, {slot}) : context_.falsity());
          }
        }
      }
    }
  }

  void two_threads() {
    const std::size_t slots = state_.threads.size();
    if (level_.invariant.facts.size() * slots * slots > most_instances) return;
    const std::vector<lemma::Spot>& spots = alphabet_.spots();
    for (SpotId a = 0; a < spots.size(); ++a) {
      for (SpotId b = a; b < spots.size(); ++b) {
        if (!spots[a].place || !spots[b].place) continue;
        const auto it = level_.invariant.facts.find({a, b});
        for (std::size_t one = 0; one < slots; ++one) {
          for (std::size_t other = 0; other < slots; ++other) {
            if (one == other || (a == b && one > other)) continue;
            const Term both = context_.conj(there(one, a), there(other, b));
            if (context_.is_false(both)) continue;
            imply(both, it == level_.invariant.facts.end() ? context_.falsity() : facts(*it, {one, other}));
          }
        }
      }
    }
  }

 private:
  std::optional<SpotId> spot_of(model::TemplateId templ, model::LocId location, bool atomic) const {
    const auto place = commands_.find({templ, location, atomic});
    return place ? std::optional(alphabet_.at(*place)) : std::nullopt;
  }

  Term there(std::size_t slot, model::TemplateId templ, model::LocId location, bool atomic) {
    const smt::SymbolicThread& thread = state_.threads[slot];
    const Term at = thread.at[templ.value][location.value];
    return context_.conj(at, atomic ? thread.atomic : context_.negate(thread.atomic));
  }
  Term there(std::size_t slot, SpotId spot) {
    const model::Place& place = commands_.place(*alphabet_.spot(spot).place);
    if (state_.threads[slot].at[place.templ.value].empty()) return context_.falsity();
    return there(slot, place.templ, place.location, place.atomic);
  }

  Term facts(const std::pair<const View, std::vector<lemma::Atom>>& entry, const std::vector<std::size_t>& slots) {
    lemma::Scenery scenery{&state_.shared, {}, {}};
    for (std::size_t i = 0; i < slots.size(); ++i) {
      const model::TemplateId templ = alphabet_.spot(entry.first[i]).templ;
      scenery.templates.push_back(templ);
      scenery.locals.push_back(&state_.threads[slots[i]].locals[templ.value]);
    }
    std::vector<Term> terms;
    for (const lemma::Atom& atom : entry.second) {
      terms.push_back(level_.houdini->atoms().term(atom, scenery, translator_, terms_));
    }
    return context_.conj(terms);
  }

  void imply(Term premise, Term conclusion) {
    if (!context_.is_false(premise)) solver_.add(context_.implies(premise, conclusion));
  }

  const Level& level_;
  const lemma::Alphabet& alphabet_;
  const model::Commands& commands_;
  const SymbolicState& state_;
  smt::Translator translator_;
  smt::CommandTerms terms_;
  smt::Context& context_;
  smt::Solver& solver_;
};

void Lemmas::assume(const SymbolicState& state, smt::Translator& translator, smt::Solver& solver) const {
  for (const Level& level : levels_) {
    Writer writer(level, *commands_, state, translator, solver);
    if (level.invariant.views.threads == 1) {
      writer.one_thread();
    } else {
      writer.two_threads();
    }
  }
}

}  // namespace cohort::engine::bmc
