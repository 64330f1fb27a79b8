#include "engine/unbounded/karp_miller_engine.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "base/contract.hpp"
#include "engine/self_check.hpp"
#include "engine/unbounded/backward.hpp"
#include "engine/unbounded/boolean_encoding.hpp"
#include "engine/unbounded/certify.hpp"
#include "engine/unbounded/karp_miller.hpp"
#include "engine/unbounded/symbolic_karp_miller.hpp"
#include "engine/unbounded/tree_answers.hpp"
#include "engine/unbounded/verdict.hpp"
#include "model/analysis/visit.hpp"

namespace cohort::engine::unbounded {

namespace {

constexpr std::uint64_t first_turn_steps = 20'000;

const model::Action* first_broadcast(const model::Program& program) {
  for (const auto& [action, edge, templ] : model::actions_of(program)) {
    if (model::is_broadcast(program.exprs, action)) return &action;
  }
  return nullptr;
}

// Locations times values of the locals: the dimension that a vector addition system made in advance would have.
double possible_local_states(const model::Program& program) {
  double sum = 0;
  for (const model::Template& templ : program.templates) {
    double values = static_cast<double>(templ.locations.size());
    for (const model::Variable& variable : templ.locals) {
      const auto each = static_cast<double>(std::max<std::uint64_t>(variable.type.element().cardinality(), 1));
      values *= std::pow(each, variable.type.slots());
    }
    sum += values;
  }
  return sum;
}

// Where the tree grows large, a backward search takes turns with it: some nets have a small set of predecessors and a
// huge cover.
class Helper {
 public:
  Helper(Env& env, CounterSystem& system, bool certificate) : env_(env), system_(system), certificate_(certificate) {}

  std::optional<result::Result> take_turn(std::uint64_t steps) {
    if (!possible_) possible_ = std::make_unique<Possible>(env_, system_);
    if (!possible_->complete()) return std::nullopt;
    if (!search_) {
      net_ = std::make_unique<Net>(system_, *possible_);
      search_ = std::make_unique<Backward>(env_, *net_);
    }
    const auto outcome = search_->run(steps);
    if (outcome == Backward::Outcome::Violation) return unsafe(env_, system_, search_->execution(), search_->goals());
    if (outcome != Backward::Outcome::Unreachable) return std::nullopt;
    env_.statistics.set("decided_by", std::string("backward search"));
    result::Result result = safe();
    if (certificate_) result.certificate = certify(*net_, nullptr, search_.get());
    return result;
  }

 private:
  Env& env_;
  CounterSystem& system_;
  bool certificate_;
  std::unique_ptr<Possible> possible_;
  std::unique_ptr<Net> net_;
  std::unique_ptr<Backward> search_;
};

// SAFE by the symbolic construction, or UNKNOWN where a limit stopped it; none where there is a violation, which the
// explicit construction then shows with an execution.
std::optional<result::Result> symbolic_proof(Env& env, const Task& task) try {
  const BooleanEncoding encoding(env, task.program);
  SymbolicKarpMiller tree(env, encoding);
  const auto outcome = tree.run();
  if (outcome == SymbolicKarpMiller::Outcome::Violation) return std::nullopt;
  if (outcome == SymbolicKarpMiller::Outcome::Stopped) {
    return result::Result::unknown(fmt::format("{}; the symbolic construction has not ended", env.describe_stop()));
  }
  self_check(env, "the symbolic cover is a proof to the checker",
             [&] { return passes_checker(env, task.program, std::nullopt, *certify(encoding, tree)); });
  result::Result result = safe();
  if (task.options.certificate) result.certificate = certify(encoding, tree);
  return result;
} catch (const dd::OutOfMemory& problem) {
  // While the steps were encoded, or written down.
  return result::Result::unknown(env.stop_reason() != StopReason::None ? env.describe_stop() : problem.what());
}

KarpMillerOptions options_of(const Task& task) {
  KarpMillerOptions options;
  options.classic = task.options.karp_miller.variant == KarpMillerVariant::Classic;
  options.improvements = task.options.karp_miller.improvements;
  options.order = task.options.order;
  if (options.classic && !options.order) options.order = SearchOrder::DepthFirst;
  options.stop_at_violation = !task.options.karp_miller.whole_cover;
  return options;
}

}  // namespace

bool has_many_starts(const Task& task) {
  const KarpMillerSwitches& switches = task.options.karp_miller;
  if (switches.variant == KarpMillerVariant::Classic || switches.whole_cover || BooleanEncoding::refuses(task.program))
    return false;
  const auto open = [](const std::vector<model::Variable>& variables) {
    return std::count_if(variables.begin(), variables.end(),
                         [](const auto& variable) { return variable.initial.empty(); });
  };
  std::ptrdiff_t bits = open(task.program.shared);
  for (const model::InitialThreads& group : task.program.initial) bits += open(task.program.templ(group.templ).locals);
  return bits > 10;
}

std::optional<std::string> KarpMillerEngine::refuses(const Task& task) const {
  if (task.bound) return "it decides for any number of threads, not for a bound";
  if (const auto reason = CounterSystem::refuses(task.program)) return reason;
  if (const model::Action* action = first_broadcast(task.program)) {
    return fmt::format("the broadcast '{}'{} cannot be accelerated; the engine 'backward' takes broadcasts",
                       action->text, action->span.known() ? fmt::format(" at {}", to_string(action->span)) : "");
  }
  if (task.options.karp_miller.variant == KarpMillerVariant::Symbolic) {
    if (const auto reason = BooleanEncoding::refuses(task.program))
      return fmt::format("the symbolic construction: {}", *reason);
  }
  return std::nullopt;
}

result::Result KarpMillerEngine::check(Env& env, const Task& task) const {
  COHORT_EXPECT(!refuses(task), "an engine checks only what it takes");
  env.statistics.set("local_states_possible", possible_local_states(task.program));
  if (task.options.karp_miller.variant == KarpMillerVariant::Symbolic || has_many_starts(task)) {
    if (auto result = symbolic_proof(env, task)) return std::move(*result);
  }
  CounterSystem system(task.program, &env);
  const KarpMillerOptions options = options_of(task);
  KarpMiller tree(env, system, options);
  Helper helper(env, system, task.options.certificate);
  const bool turns = task.options.karp_miller.improvements.turns && !options.classic && options.stop_at_violation;
  const double start = env.limits.elapsed_seconds();
  auto outcome = KarpMiller::Outcome::Paused;
  for (std::uint64_t steps = first_turn_steps; outcome == KarpMiller::Outcome::Paused; steps *= 2) {
    outcome = tree.run(turns ? steps : UINT64_MAX);
    if (outcome != KarpMiller::Outcome::Paused) break;
    if (auto result = helper.take_turn(steps)) return std::move(*result);
  }
  env.statistics.set("tree_seconds", env.limits.elapsed_seconds() - start);
  switch (outcome) {
    case KarpMiller::Outcome::Paused:
    case KarpMiller::Outcome::Stopped:
      return result::Result::unknown(fmt::format("{}; no violation among {} configurations of the Karp-Miller tree",
                                                 env.describe_stop(), tree.nodes().size()));
    case KarpMiller::Outcome::Violation: return violation(env, system, tree);
    case KarpMiller::Outcome::Covered: break;
  }
  if (tree.bad_node() != none) return violation(env, system, tree);
  if (!options.classic && options.improvements.coverage)
    COHORT_EXPECT(tree.is_closed(), "the cover is closed under every rule");
  if (env.stop_reason() != StopReason::None) return result::Result::unknown(env.describe_stop());
  result::Result result = covered(env, system, tree);
  if (task.options.certificate) result.certificate = certify(tree);
  return result;
}

}  // namespace cohort::engine::unbounded
