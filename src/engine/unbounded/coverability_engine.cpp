// Coverability is hard in different ways, and the methods are complementary: the Karp-Miller tree is fast where the
// cover is small, the marking equation proves nets with huge covers in milliseconds, backward search needs few
// configurations where the violation is specific, and it alone takes broadcasts.  So they take turns, each longer than
// the one before; the first that has an answer gives it, with its kind of certificate, and the statistic `decided_by`
// names it.
//
// Where the first turns have not decided and there are two processors, the methods that search forwards and those that
// look for a proof go on at the same time, each side in a thread of its own; sides.hpp says what they tell each other.
// Each has an environment of its own, so that nothing that changes is shared; this thread looks at the limits.
#include "engine/unbounded/coverability_engine.hpp"

#include <sched.h>

#include <atomic>
#include <barrier>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>

#include <fmt/core.h>

#include "base/contract.hpp"
#include "engine/self_check.hpp"
#include "engine/unbounded/certify.hpp"
#include "engine/unbounded/drop_closure.hpp"
#include "engine/unbounded/karp_miller_engine.hpp"
#include "engine/unbounded/lift.hpp"
#include "engine/unbounded/reduce.hpp"
#include "engine/unbounded/sides.hpp"
#include "engine/unbounded/tree_answers.hpp"
#include "engine/unbounded/verdict.hpp"

namespace cohort::engine::unbounded {

namespace {

constexpr auto look_interval = std::chrono::milliseconds(10);

unsigned usable_processors() {
  cpu_set_t set;
  CPU_ZERO(&set);
  return sched_getaffinity(0, sizeof set, &set) == 0 ? static_cast<unsigned>(CPU_COUNT(&set)) : 1;
}

class Portfolio {
 public:
  Portfolio(Env& env, const Task& task, const Turns& turns)
      : env_(env),
        turns_(turns),
        task_(task),
        program_(task.program),
        system_(task.program, &env),
        with_tree_(!KarpMillerEngine().refuses(task)),
        certificate_(task.options.certificate),
        forward_(env, system_, board_),
        proof_(env, board_) {}

  result::Result run() {
    if (!with_tree_) {
      possible_ = std::make_unique<Possible>(env_, system_, Blocking::Dropped);
      if (!possible_->complete()) return result::Result::unknown(established());
      if (possible_->may_block()) return check_drop_closure(env_, task_, system_, *possible_);
    }
    std::uint64_t steps = turns_.first_steps;
    for (int turn = 0;; ++turn, steps *= 2) {
      if (turn >= turns_.in_one_thread && has_two_sides()) return run_both(steps);
      if (auto decision = take_turns(turn, steps)) return answer(*decision);
      if (stops()) return result::Result::unknown(established());
    }
  }

 private:
  std::optional<Decision> take_turns(int turn, std::uint64_t steps) {
    // Of nets the marking equation often has a proof at once, so that there the tree begins with less.
    const bool few = turn == 0 && system_.is_table() && program_.shared.empty();
    const std::uint64_t first = few ? steps / 4 : steps;
    if (with_tree_) {
      if (auto decision = forward_.grow_tree(first)) return decision;
    }
    if (!net_ && !make_net()) return std::nullopt;
    if (auto decision = proof_.prove(*net_, *possible_)) return decision;
    if (with_tree_ && first < steps) {
      if (auto decision = forward_.grow_tree(steps - first)) return decision;
    }
    if (with_tree_) {
      if (auto decision = forward_.search(*net_, steps)) return decision;
    }
    return proof_.search(*net_, *whole_, steps);
  }

  bool has_two_sides() {
    if (!with_tree_ || !(turns_.always_two_threads || usable_processors() > 1)) return false;
    return (net_ || make_net()) && !system_.has_broadcasts();
  }

  // Both sides at the same time, each in turns that grow; the first decision counts.
  result::Result run_both(std::uint64_t steps) {
    system_.freeze();
    forward_.env().limits.set_interrupt_flag(&halt_);
    proof_.env().limits.set_interrupt_flag(&halt_);
    forward_.env().set_progress({});
    proof_.env().set_progress({});
    std::thread forwards([&] {
      work(
          [&](std::uint64_t turn) -> std::optional<Decision> {
            if (auto decision = forward_.grow_tree(turn)) return decision;
            return forward_.search(*net_, turn);
          },
          forward_.env(), steps);
    });
    std::thread towards_proof([&] {
      work(
          [&](std::uint64_t turn) -> std::optional<Decision> {
            if (auto decision = proof_.prove(*net_, *possible_)) return decision;
            return proof_.search(*net_, *whole_, turn);
          },
          proof_.env(), steps);
    });
    wait();
    halt_ = true;
    forwards.join();
    towards_proof.join();
    if (error_) std::rethrow_exception(error_);
    env_.statistics.set("sides", std::uint64_t{2});
    if (!decision_) return result::Result::unknown(established());
    // What is left to do is done here, by sides that are no longer told to halt.
    for (Env* env : {&forward_.env(), &proof_.env()}) *env = resumed(*env);
    return answer(*decision_);
  }

  template <class Turn>
  void work(const Turn& turn, Env& env, std::uint64_t steps) {
    std::optional<Decision> decision;
    std::exception_ptr error;
    try {
      for (; !decision && env.stop_reason() == StopReason::None; steps *= 2) {
        decision = turn(steps);
        if (!decision && env.poll_now("coverability")) break;
        if (!decision && turns_.in_step) turn_ends_.arrive_and_wait();
      }
    } catch (const Stopped&) {
      // Told to halt, or a limit: the reason is in the environment.
    } catch (...) {
      error = std::current_exception();
    }
    turn_ends_.arrive_and_drop();
    const std::lock_guard lock(mutex_);
    if (!ended_ && !decision && !error && !halt_) stop_ = env.describe_stop();
    ended_ = true;
    if (!decision_ && decision) decision_ = std::move(decision);
    if (error && !error_) error_ = error;
    changed_.notify_all();
  }

  // Until a side has ended, with a decision or at a limit, or the run must.
  void wait() {
    std::unique_lock lock(mutex_);
    while (!ended_ && !env_.poll_now("coverability")) {
      env_.report_progress([] { return "coverability: searching forwards and for a proof at the same time"; });
      changed_.wait_for(lock, look_interval);
    }
  }

  // An environment that was told to halt, as it was before.
  Env resumed(const Env& env) const {
    Env fresh = env_;
    fresh.statistics = env.statistics;
    return fresh;
  }

  bool make_net() {
    if (!possible_) possible_ = std::make_unique<Possible>(env_, system_);
    if (!possible_->complete()) return false;
    whole_ = std::make_unique<Net>(system_, *possible_);
    Reduction reduction;
    auto reduced = reduce(env_, *whole_, reduction);
    if (!reduced) return false;
    env_.statistics.set("transitions", std::uint64_t{reduction.transitions_before});
    env_.statistics.set("transitions_reduced", std::uint64_t{reduction.transitions_after});
    net_ = std::make_unique<Net>(std::move(*reduced));
    return true;
  }

  result::Result answer(const Decision& decision) {
    take_statistics();
    env_.statistics.set("decided_by", decision.method);
    switch (decision.kind) {
      case Decision::Kind::Covered: return whole_cover();
      case Decision::Kind::BadNode: return bad_node();
      case Decision::Kind::Violation: return unsafe(env_, system_, decision.execution, decision.goals);
      case Decision::Kind::Weights:
      case Decision::Kind::Closed: break;
    }
    result::Result result = safe();
    result.cutoff_open = with_tree_;
    if (!certificate_ && !env_.self_check) return result;
    auto certificate = decision.is_whole ? certify(*whole_, nullptr, decision.proof)
                                         : lift(env_, *whole_, decision.proof, proof_.traps());
    if (certificate) {
      self_check(env_, "what was found is a proof to the checker",
                 [&] { return passes_checker(env_, program_, std::nullopt, *certificate); });
    }
    if (!certificate_) return result;
    result.certificate = std::move(certificate);
    if (result.certificate) return result;
    return result::Result::unknown(fmt::format("{}; proved, but its certificate is not written", env_.describe_stop()));
  }

  result::Result whole_cover() {
    KarpMiller& tree = *forward_.tree();
    COHORT_EXPECT(tree.is_closed(), "the cover is closed under every rule");
    if (stops()) return result::Result::unknown(established());
    result::Result result = covered(env_, system_, tree);
    if (certificate_) result.certificate = certify(tree);
    return result;
  }

  // That there is a violation is known.  The rules on the way to it have an execution soonest; where that search grows
  // large, a directed one.
  result::Result bad_node() {
    if (!possible_) possible_ = std::make_unique<Possible>(env_, system_);
    if (auto result = quick_violation(env_, system_, *possible_, *forward_.tree())) return std::move(*result);
    if (net_ || make_net()) {
      if (auto shown = forward_.show(*net_)) return unsafe(env_, system_, shown->execution, shown->goals);
    }
    return violation(env_, system_, *forward_.tree());
  }

  // The sides have environments of their own, with the same limits.
  bool stops() {
    return env_.poll_now("coverability") || forward_.env().stop_reason() != StopReason::None ||
           proof_.env().stop_reason() != StopReason::None;
  }

  void take_statistics() {
    for (Env* env : {&forward_.env(), &proof_.env()}) {
      for (const auto& [name, value] : env->statistics.entries()) env_.statistics.set(name, value);
    }
  }

  std::string established() {
    take_statistics();
    std::string text = stop_;
    for (const Env* env : {&env_, &forward_.env(), &proof_.env()}) {
      if (text.empty() && env->stop_reason() != StopReason::None) text = env->describe_stop();
    }
    if (const KarpMiller* tree = forward_.tree()) {
      text += fmt::format("; no violation among {} configurations of the Karp-Miller tree", tree->nodes().size());
    }
    if (const Backward* search = proof_.backward()) {
      text += fmt::format("; no violation among the {} configurations searched backwards", search->elements().size());
    }
    return text;
  }

  Env& env_;
  Turns turns_;
  const Task& task_;
  const model::Program& program_;
  CounterSystem system_;
  bool with_tree_;
  bool certificate_;
  std::unique_ptr<Possible> possible_;
  std::unique_ptr<Net> whole_;
  std::unique_ptr<Net> net_;  // reduced
  Board board_;
  ForwardSide forward_;
  ProofSide proof_;

  std::atomic<bool> halt_ = false;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::barrier<> turn_ends_{2};
  bool ended_ = false;
  std::string stop_;  // why the side that ended first did, where it has no decision
  std::optional<Decision> decision_;
  std::exception_ptr error_;
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
  return Portfolio(env, task, turns_).run();
}

}  // namespace cohort::engine::unbounded
