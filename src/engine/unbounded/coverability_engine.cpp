// Coverability is hard in different ways, and the methods are complementary: the Karp-Miller tree is fast where the
// cover is small, the marking equation proves nets with huge covers in milliseconds, backward search needs few
// configurations where the violation is specific, and it alone takes broadcasts.  So they take turns, each longer than
// the one before; the first that has an answer gives it, with its kind of certificate, and the statistic `decided_by`
// names it.
#include "engine/unbounded/coverability_engine.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "base/contract.hpp"
#include "engine/self_check.hpp"
#include "engine/unbounded/backward.hpp"
#include "engine/unbounded/certify.hpp"
#include "engine/unbounded/directed.hpp"
#include "engine/unbounded/karp_miller.hpp"
#include "engine/unbounded/karp_miller_engine.hpp"
#include "engine/unbounded/marking_equation.hpp"
#include "engine/unbounded/reduce.hpp"
#include "engine/unbounded/tree_answers.hpp"
#include "engine/unbounded/verdict.hpp"

namespace cohort::engine::unbounded {

namespace {

// The first turns are short: most programs need no more.
constexpr std::uint64_t first_turn_steps = 2'000;
constexpr double least_proof_seconds = 2;
// A linear program costs about as much as so many steps of the other searches.
constexpr std::uint64_t steps_of_a_distance = 50;
constexpr std::size_t first_traps = 10;
constexpr std::uint64_t fewer_threads_steps = 5'000;
constexpr std::uint64_t showing_distances = 2'000;

// Do the traps and weightings, verified from the beginning, refute every target?
bool refutes_again(const Net& net, const Invariants& known) {
  Invariants again;
  const auto& traps = known.traps();
  const auto& weightings = known.weightings();
  return std::all_of(traps.begin(), traps.end(), [&](const Trap& trap) { return again.add_trap(net, trap); }) &&
         std::all_of(weightings.begin(), weightings.end(),
                     [&](const Weighting& weighting) { return again.add_weighting(net, weighting); }) &&
         std::all_of(net.targets().begin(), net.targets().end(),
                     [&](const Target& target) { return again.refutes(target.least.control, target.least.tokens); });
}

class Portfolio {
 public:
  Portfolio(Env& env, const Task& task)
      : env_(env),
        system_(task.program, &env),
        with_tree_(!KarpMillerEngine().refuses(task)),
        certificate_(task.options.certificate) {}

  result::Result run() {
    for (std::uint64_t steps = first_turn_steps;; steps *= 2) {
      if (auto result = take_turns(steps)) return std::move(*result);
      if (env_.poll_now("coverability")) return result::Result::unknown(established());
    }
  }

 private:
  std::optional<result::Result> take_turns(std::uint64_t steps) {
    if (with_tree_) {
      if (auto result = grow_tree(steps)) return result;
    }
    if (!net_ && !make_net()) return std::nullopt;
    if (proving_) {
      if (auto result = prove()) return result;
    }
    if (auto result = search_forwards(steps / steps_of_a_distance)) return result;
    return search_backwards(steps);
  }

  std::optional<result::Result> grow_tree(std::uint64_t steps) {
    if (!tree_) tree_ = std::make_unique<KarpMiller>(env_, system_, KarpMillerOptions{});
    const auto outcome = tree_->run(steps);
    if (outcome == KarpMiller::Outcome::Violation) return show_violation();
    if (outcome != KarpMiller::Outcome::Covered) return std::nullopt;
    COHORT_EXPECT(tree_->is_closed(), "the cover is closed under every rule");
    if (env_.stop_reason() != StopReason::None) return std::nullopt;
    result::Result result = covered(env_, system_, *tree_);
    if (certificate_) result.certificate = certify(*tree_);
    return decided("karp-miller", std::move(result));
  }

  // That there is a violation is known; a directed search has an execution soonest.
  std::optional<result::Result> show_violation() {
    if (net_ || make_net()) {
      if (auto result = search_forwards(showing_distances)) return decided("karp-miller", std::move(*result));
    }
    return decided("karp-miller", violation(env_, system_, *tree_));
  }

  bool make_net() {
    possible_ = std::make_unique<Possible>(env_, system_);
    if (!possible_->complete()) return false;
    net_ = std::make_unique<Net>(system_, *possible_);
    return certificate_ || reduce_net();
  }

  bool reduce_net() {
    Reduction reduction;
    auto reduced = reduce(env_, *net_, reduction);
    if (!reduced) return false;
    env_.statistics.set("transitions", std::uint64_t{reduction.transitions_before});
    env_.statistics.set("transitions_reduced", std::uint64_t{reduction.transitions_after});
    net_ = std::make_unique<Net>(std::move(*reduced));
    return true;
  }

  std::optional<result::Result> prove() {
    if (!equation_) equation_ = std::make_unique<MarkingEquation>(env_, *net_);
    equation_->allow_traps(traps_);
    traps_ = std::max(first_traps, 2 * traps_);
    if (!equation_->refute_targets(std::max(least_proof_seconds, env_.limits.elapsed_seconds()))) {
      proving_ = equation_->was_limited();
      return std::nullopt;
    }
    COHORT_EXPECT(possible_->is_closed(), "what is impossible stays so");
    self_check(env_, "traps and weightings refute every target",
               [&] { return refutes_again(*net_, equation_->invariants()); });
    result::Result result = safe();
    result.cutoff_open = with_tree_;
    if (certificate_) result.certificate = certify(*net_, &equation_->invariants(), nullptr);
    return decided("marking equation", std::move(result));
  }

  std::optional<result::Result> search_forwards(std::uint64_t distances) {
    if (system_.has_broadcasts()) return std::nullopt;
    if (!directed_) directed_ = std::make_unique<Directed>(env_, *net_, Directed::Order::Greedy);
    if (directed_->run(distances) != Directed::Outcome::Violation) return std::nullopt;
    // Backwards it may be found with fewer threads.
    Backward fewer(env_, *net_);
    const bool better = fewer.run(fewer_threads_steps) == Backward::Outcome::Violation;
    return decided("directed search", unsafe(system_, better ? fewer.execution() : directed_->execution(), {}));
  }

  std::optional<result::Result> search_backwards(std::uint64_t steps) {
    if (!search_) search_ = std::make_unique<Backward>(env_, *net_, equation_.get());
    const auto outcome = search_->run(steps);
    if (outcome == Backward::Outcome::Violation) {
      return decided("backward search", unsafe(system_, search_->execution(), search_->goals()));
    }
    if (outcome != Backward::Outcome::Unreachable) return std::nullopt;
    result::Result result = safe();
    result.cutoff_open = with_tree_;
    if (certificate_) result.certificate = certify(*net_, &equation_->invariants(), search_.get());
    return decided("backward search", std::move(result));
  }

  std::optional<result::Result> decided(const char* method, result::Result result) {
    env_.statistics.set("decided_by", std::string(method));
    return result;
  }

  std::string established() const {
    std::string text = env_.describe_stop();
    if (tree_) {
      text += fmt::format("; no violation among {} configurations of the Karp-Miller tree", tree_->nodes().size());
    }
    if (search_) {
      text += fmt::format("; no violation among the {} configurations searched backwards", search_->elements().size());
    }
    return text;
  }

  Env& env_;
  CounterSystem system_;
  bool with_tree_;
  bool certificate_;
  std::unique_ptr<KarpMiller> tree_;
  std::unique_ptr<Possible> possible_;
  std::unique_ptr<Net> net_;
  std::unique_ptr<MarkingEquation> equation_;
  bool proving_ = true;    // the marking equation may still prove something
  std::size_t traps_ = 0;  // none at first: they cost more than a look for a violation
  std::unique_ptr<Directed> directed_;
  std::unique_ptr<Backward> search_;
};

bool chooses_karp_miller(const EngineOptions& options) {
  const KarpMillerSwitches& km = options.karp_miller;
  return options.order || km.variant || km.whole_cover || !km.improvements.written().empty();
}

}  // namespace

std::optional<std::string> CoverabilityEngine::refuses(const Task& task) const {
  if (task.bound) return "it decides for any number of threads, not for a bound";
  if (chooses_karp_miller(task.options)) {
    return "the order of the search and the variants of the construction are options of the engine 'karp-miller'";
  }
  if (has_many_starts(task)) return "so many variables are uninitialised that sets are better";
  return CounterSystem::refuses(task.program);
}

result::Result CoverabilityEngine::check(Env& env, const Task& task) const {
  return Portfolio(env, task).run();
}

}  // namespace cohort::engine::unbounded
