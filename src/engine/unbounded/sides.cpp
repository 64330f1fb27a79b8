// Forwards, the Karp-Miller tree and the directed search take turns; towards a proof, the marking equation, a backward
// search with guesses and one without do, and, where broadcasts rule the others out, dynamic cutoff detection.
//
// What is shared: everything that was reached forwards vetoes guesses of the backward search; every configuration that
// the backward search knows a way from is one more target for the directed search, so that the two may meet in the
// middle.  Both is told at the end of a turn, through the board, in whole batches: a side never looks at the other's
// data.  The net and the counter system are only read by then (CounterSystem::freeze).
#include "engine/unbounded/sides.hpp"

#include <algorithm>

#include "base/contract.hpp"

namespace cohort::engine::unbounded {

namespace {

constexpr double least_proof_seconds = 2;
// A linear program costs about as much as so many steps of the other searches.
constexpr std::uint64_t steps_of_a_distance = 50;
constexpr std::size_t first_traps = 10;
constexpr std::uint64_t fewer_threads_steps = 5'000;
constexpr std::uint64_t showing_distances = 2'000;
// More than this in one turn is not told: it would take longer to read than to find out.
constexpr std::size_t most_told = 20'000;
constexpr std::size_t most_ways = 300;
constexpr std::size_t most_ways_looked_at = 5'000;

Decision violation(std::string method, Execution execution, std::vector<Tokens> goals) {
  Decision decision;
  decision.method = std::move(method);
  decision.execution = std::move(execution);
  decision.goals = std::move(goals);
  return decision;
}

Decision of_kind(Decision::Kind kind, std::string method, const Backward* proof = nullptr) {
  Decision decision;
  decision.kind = kind;
  decision.method = std::move(method);
  decision.proof = proof;
  return decision;
}

}  // namespace

void Board::tell_coverable(std::vector<Configuration> configurations) {
  const std::lock_guard lock(mutex_);
  std::move(configurations.begin(), configurations.end(), std::back_inserter(coverable_));
}

std::vector<Configuration> Board::take_coverable() {
  const std::lock_guard lock(mutex_);
  return std::exchange(coverable_, {});
}

void Board::tell_ways(std::vector<Directed::Goal> ways) {
  const std::lock_guard lock(mutex_);
  std::move(ways.begin(), ways.end(), std::back_inserter(ways_));
}

std::vector<Directed::Goal> Board::take_ways() {
  const std::lock_guard lock(mutex_);
  return std::exchange(ways_, {});
}

ForwardSide::ForwardSide(const Env& env, CounterSystem& system, Board& board)
    : env_(env), system_(&system), board_(&board) {}

std::optional<Decision> ForwardSide::grow_tree(std::uint64_t steps) {
  if (!tree_) tree_ = std::make_unique<KarpMiller>(env_, *system_, KarpMillerOptions{});
  const auto outcome = tree_->run(steps);
  if (outcome == KarpMiller::Outcome::Violation) return of_kind(Decision::Kind::BadNode, "karp-miller");
  if (outcome == KarpMiller::Outcome::Covered) return of_kind(Decision::Kind::Covered, "karp-miller");
  publish();
  return std::nullopt;
}

void ForwardSide::publish() {
  std::vector<Configuration> reached;
  const auto& nodes = tree_->nodes();
  const std::size_t first = nodes.size() - std::min(nodes.size(), most_told);
  published_ = std::max(published_, static_cast<std::uint32_t>(first));
  for (; published_ < nodes.size(); ++published_) {
    const TokenView tokens = tree_->tokens(published_);
    reached.push_back({nodes[published_].control, Tokens(tokens.begin(), tokens.end())});
  }
  board_->tell_coverable(std::move(reached));
}

std::optional<Decision> ForwardSide::search(const Net& net, std::uint64_t steps) {
  return direct(net, steps / steps_of_a_distance);
}

std::optional<Decision> ForwardSide::show(const Net& net) {
  return direct(net, showing_distances);
}

std::optional<Decision> ForwardSide::direct(const Net& net, std::uint64_t distances) {
  if (!directed_) directed_ = std::make_unique<Directed>(env_, net, Directed::Order::Greedy);
  std::vector<Directed::Goal> ways = board_->take_ways();
  if (!ways.empty()) env_.statistics.add("ways_told", ways.size());
  for (Directed::Goal& way : ways) directed_->add_goal(std::move(way));
  if (directed_->run(distances) != Directed::Outcome::Violation) return std::nullopt;
  // Backwards it may be found with fewer threads.
  Backward fewer(env_, net);
  const bool better = fewer.run(fewer_threads_steps) == Backward::Outcome::Violation;
  const char* method = directed_->met() ? "directed and backward search" : "directed search";
  return violation(method, better ? fewer.execution() : directed_->execution(), {});
}

std::optional<Decision> ProofSide::prove(const Net& net, const Possible& possible) {
  if (!equation_) equation_ = std::make_unique<MarkingEquation>(env_, net);
  if (!proving_) return std::nullopt;
  equation_->allow_traps(traps_);
  traps_ = std::max(first_traps, 2 * traps_);
  if (!equation_->refute_targets(std::max(least_proof_seconds, env_.limits.elapsed_seconds()))) {
    proving_ = equation_->was_limited();
    return std::nullopt;
  }
  COHORT_EXPECT(possible.is_closed(), "what is impossible stays so");
  return of_kind(Decision::Kind::Weights, "marking equation");
}

std::optional<Decision> ProofSide::search(const Net& net, const Net& whole, std::uint64_t steps) {
  if (auto decision = widen(net, steps)) return decision;
  if (!search_) search_ = std::make_unique<Backward>(env_, net, equation_.get());
  const auto outcome = search_->run(steps);
  if (outcome == Backward::Outcome::Violation) {
    return violation("backward search", search_->execution(), search_->goals());
  }
  if (outcome == Backward::Outcome::Unreachable) {
    return of_kind(Decision::Kind::Closed, "backward search", search_.get());
  }
  if (net.system().has_broadcasts()) return detect_cutoff(whole, steps);
  publish();
  return std::nullopt;
}

std::optional<Decision> ProofSide::widen(const Net& net, std::uint64_t steps) {
  const std::vector<Configuration> told = board_->take_coverable();
  if (!told.empty()) env_.statistics.add("reached_told", told.size());
  for (const Configuration& reached : told) coverable_.learn(reached.control, reached.tokens);
  if (!widening_) widening_ = std::make_unique<Widening>(env_, net, coverable_, equation_.get());
  const auto outcome = widening_->run(steps);
  const Backward& last = widening_->search();
  if (outcome == Widening::Outcome::Violation) return violation("widening", last.execution(), last.goals());
  if (outcome == Widening::Outcome::Unreachable) return of_kind(Decision::Kind::Closed, "widening", &last);
  return std::nullopt;
}

std::optional<Decision> ProofSide::detect_cutoff(const Net& whole, std::uint64_t steps) {
  if (!cutoff_) cutoff_ = std::make_unique<DynamicCutoff>(env_, whole);
  const auto outcome = cutoff_->run(steps);
  if (outcome == DynamicCutoff::Outcome::Violation) {
    return violation("dynamic cutoff", cutoff_->execution(), cutoff_->goals());
  }
  if (outcome != DynamicCutoff::Outcome::Found) return std::nullopt;
  Decision decision = of_kind(Decision::Kind::Closed, "dynamic cutoff", &cutoff_->proof());
  decision.is_whole = true;
  return decision;
}

// The newest elements, those that ask for few threads first.
void ProofSide::publish() {
  const auto& elements = search_->elements();
  published_ = std::max(published_, elements.size() - std::min(elements.size(), most_ways_looked_at));
  std::vector<std::uint32_t> fresh;
  for (; published_ < elements.size(); ++published_) {
    if (elements[published_].minimal) fresh.push_back(static_cast<std::uint32_t>(published_));
  }
  const std::size_t count = std::min(fresh.size(), most_ways);
  std::partial_sort(fresh.begin(), fresh.begin() + static_cast<std::ptrdiff_t>(count), fresh.end(),
                    [&](std::uint32_t a, std::uint32_t b) { return elements[a].level < elements[b].level; });
  std::vector<Directed::Goal> ways;
  for (std::size_t i = 0; i < count; ++i) ways.push_back(search_->way_from(fresh[i]));
  board_->tell_ways(std::move(ways));
}

}  // namespace cohort::engine::unbounded
