#include "engine/unbounded/widening_engine.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "engine/unbounded/bounded_search.hpp"
#include "engine/unbounded/certify.hpp"
#include "engine/unbounded/verdict.hpp"
#include "engine/unbounded/widening.hpp"

namespace cohort::engine::unbounded {

namespace {

constexpr std::uint64_t first_turn = 5'000;

// The forward side: complete searches with few threads, as far as a turn goes.
void search_forwards(Env& env, CounterSystem& system, Coverable& coverable, std::uint64_t max_states) {
  auto threads = static_cast<std::uint32_t>(std::max<std::uint64_t>(1, fewest_threads(system)));
  std::size_t before = 0;
  for (std::uint64_t visited = 0; visited < max_states && env.stop_reason() == StopReason::None; ++threads) {
    BoundedSearch search(env, system, threads, max_states - visited);
    const auto outcome = search.run([&](ControlId control, TokenView tokens, std::uint32_t) {
      coverable.learn(control, tokens);
      return false;
    });
    // Without room for more threads more of them are no more.
    if (outcome == BoundedSearch::Outcome::Stopped || search.state_count() == before) return;
    before = search.state_count();
    visited += before;
  }
}

}  // namespace

std::optional<std::string> WideningEngine::refuses(const Task& task) const {
  if (task.bound) return "it decides for any number of threads, not for a bound";
  return CounterSystem::refuses(task.program);
}

result::Result WideningEngine::check(Env& env, const Task& task) const {
  CounterSystem system(task.program, &env);
  const Possible possible(env, system);
  if (!possible.complete()) return result::Result::unknown(env.describe_stop());
  const Net net(system, possible);
  Coverable coverable;
  Widening search(env, net, coverable);
  auto outcome = Widening::Outcome::Paused;
  for (std::uint64_t turn = first_turn; outcome == Widening::Outcome::Paused; turn *= 2) {
    search_forwards(env, system, coverable, turn);
    outcome = search.run(turn);
  }
  env.statistics.set("coverable", std::uint64_t{coverable.size()});
  const Backward& last = search.search();
  if (outcome == Widening::Outcome::Violation) return unsafe(env, system, last.execution(), last.goals());
  if (outcome == Widening::Outcome::Stopped) {
    return result::Result::unknown(
        fmt::format("{}; {} guesses were wrong", env.describe_stop(), search.wrong_guesses()));
  }
  result::Result result = safe();
  result.cutoff_open = true;
  if (task.options.certificate) result.certificate = certify(net, nullptr, &last);
  return result;
}

}  // namespace cohort::engine::unbounded
