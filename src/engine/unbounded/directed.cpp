// Blondin, Haase and Offtermatt (2021) search forwards and let a relaxation say how far it still is: the marking
// equation.  Here configurations may hold omega, which stays: any number of threads at the start is one configuration,
// and one that is covered by another that was expanded before is left out, for whatever it leads to is covered too.
//
// Greedy search takes the configuration whose parent was nearest first and computes its own distance when its turn
// comes (as planners do); every other turn belongs to those that were reached by a transition of the very solution that
// made their parent look near, for these are the steps that the relaxation proposes.  Before that all that the solution
// fires is fired at once (plan.hpp), and what that leads to is one of those configurations; where it is a target, the
// search ends after one linear program.  With Order::Shortest it is A*:
// the distance never says more than it takes, so the first target found is reached with the fewest rules.  Then only
// equal configurations are left out, and those that turn out to be reached with fewer rules are expanded again.
//
// Cost: one linear program for each configuration that is expanded, and about as much for what its solution fires.
#include "engine/unbounded/directed.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "base/contract.hpp"
#include "engine/unbounded/plan.hpp"

namespace cohort::engine::unbounded {

namespace {

// Steps of plans: so many at first, and so many more for each linear program.
constexpr std::uint64_t first_plan_steps = 100'000;
constexpr std::uint64_t plan_steps_of_a_distance = 500;

}  // namespace

Directed::Directed(Env& env, const Net& net, Order order)
    : env_(&env), net_(&net), order_(order), distance_(net), plan_steps_left_(first_plan_steps) {
  index_transitions();
  is_preferred_.assign(net.transitions().size(), false);
  targets_.resize(net.control_count());
  for (std::uint32_t i = 0; i < net.targets().size(); ++i) targets_[net.targets()[i].least.control].push_back(i);
}

// Files each transition under the place it consumes from that the fewest transitions consume from.
void Directed::index_transitions() {
  std::vector<std::uint32_t> uses(net_->place_count(), 0);
  for (const Transition& transition : net_->transitions()) {
    for (const Token& token : transition.pre) ++uses[token.place];
  }
  free_.resize(net_->control_count());
  for (TransitionId id = 0; id < net_->transitions().size(); ++id) {
    const Transition& transition = net_->transitions()[id];
    if (transition.pre.empty()) {
      free_[transition.from].push_back(id);
      continue;
    }
    const auto rarest = std::min_element(transition.pre.begin(), transition.pre.end(),
                                         [&](const Token& a, const Token& b) { return uses[a.place] < uses[b.place]; });
    std::uint32_t row = row_index_.find(transition.from, rarest->place);
    if (row == model::PairTable::absent) {
      row = static_cast<std::uint32_t>(rows_.size());
      row_index_.insert(transition.from, rarest->place, row);
      rows_.emplace_back();
    }
    rows_[row].push_back(id);
  }
}

void Directed::add_goal(Goal goal) {
  COHORT_EXPECT(order_ == Order::Greedy, "ways from a goal need not be shortest");
  targets_[goal.least.control].push_back(static_cast<std::uint32_t>(net_->targets().size() + goals_.size()));
  goals_.push_back(std::move(goal));
}

void Directed::start() {
  started_ = true;
  for (const Configuration& configuration : net_->initial()) {
    if (reach(configuration, none, none, 0, true)) return;
  }
}

Directed::Outcome Directed::run(std::uint64_t max_distances) {
  const std::uint64_t pause = max_distances < UINT64_MAX - distances_ ? distances_ + max_distances : UINT64_MAX;
  if (!started_) start();
  while (found_ == none) {
    if (queue_.empty() && preferred_.empty()) return Outcome::Exhausted;
    if (env_->stop_requested("directed")) return Outcome::Stopped;
    if (distances_ >= pause) return Outcome::Paused;
    env_->report_progress(
        [&] { return fmt::format("directed: {} configurations, {} distances", states_.size(), distances_); });
    const std::uint32_t state = pop();
    if (states_[state].closed || (order_ == Order::Greedy && is_covered(state))) continue;
    states_[state].closed = true;
    if (order_ == Order::Shortest && finds_target(state)) break;
    expand(state);
    if (env_->stop_reason() != StopReason::None) return Outcome::Stopped;
  }
  return Outcome::Violation;
}

std::uint32_t Directed::pop() {
  Queue& queue = preferred_.empty() || (!queue_.empty() && ++turn_ % 2 == 0) ? queue_ : preferred_;
  const std::uint32_t state = queue.top().state;
  queue.pop();
  return state;
}

bool Directed::is_covered(std::uint32_t state) {
  const TokenView label = tokens(state);
  const Summary summary = Summary::of(label);
  const ControlId control = states_[state].control;
  const bool covered =
      expanded_.any_above(control, summary, [&](std::uint32_t other) { return covers(tokens(other), label); });
  if (!covered) expanded_.insert(control, summary, state);
  return covered;
}

bool Directed::finds_target(std::uint32_t state) {
  const std::size_t known = net_->targets().size();
  for (const std::uint32_t target : targets_[states_[state].control]) {
    const Configuration& least = target < known ? net_->targets()[target].least : goals_[target - known].least;
    if (!covers(tokens(state), least.tokens)) continue;
    found_ = state;
    found_target_ = target;
    return true;
  }
  return false;
}

bool Directed::expand(std::uint32_t state) {
  ++distances_;
  const auto answer = distance_.from(*env_, states_[state].control, tokens(state));
  // Without an answer the configuration is as good as any.
  if (answer && !answer->reachable) return false;
  const double steps = answer ? answer->steps : 0;
  const auto prefer = [&](bool preferred) {
    if (!answer) return;
    for (const RelaxedDistance::Share& share : answer->shares) {
      for (const TransitionId id : share.transitions) is_preferred_[id] = preferred;
    }
  };
  prefer(true);
  bool found = answer && order_ == Order::Greedy && follow(state, *answer);
  const auto fire_all = [&](const std::vector<TransitionId>& candidates) {
    for (std::size_t i = 0; i < candidates.size() && !found; ++i) {
      if (covers(tokens(state), net_->transitions()[candidates[i]].pre)) found = fire(state, candidates[i], steps);
    }
  };
  fire_all(free_[states_[state].control]);
  const Tokens label(tokens(state).begin(), tokens(state).end());
  for (std::size_t i = 0; i < label.size() && !found; ++i) {
    const std::uint32_t row = row_index_.find(states_[state].control, label[i].place);
    if (row != model::PairTable::absent) fire_all(rows_[row]);
  }
  prefer(false);
  return found;
}

// Fires all that the solution fires, as far as it can be.
bool Directed::follow(std::uint32_t state, const RelaxedDistance::Answer& answer) {
  plan_steps_left_ += plan_steps_of_a_distance;
  Configuration after{states_[state].control, Tokens(tokens(state).begin(), tokens(state).end())};
  std::vector<TransitionId> fired = follow_plan(*env_, *net_, answer.shares, after, plan_steps_left_);
  plan_steps_left_ -= fired.size();
  // A single step is taken anyway.
  if (fired.size() < 2) return false;
  const auto id = static_cast<TransitionId>(net_->transitions().size() + plans_.size());
  plans_.push_back(std::move(fired));
  const double left = std::max(0.0, answer.steps - rules_of(id));
  return reach(after, state, id, left, true);
}

// Of a transition, or of all that a plan fires.
std::uint32_t Directed::rules_of(TransitionId transition) const {
  const std::size_t known = net_->transitions().size();
  if (transition < known) return static_cast<std::uint32_t>(net_->transitions()[transition].rules.size());
  std::uint32_t rules = 0;
  for (const TransitionId id : plans_[transition - known]) rules += rules_of(id);
  return rules;
}

bool Directed::fire(std::uint32_t state, TransitionId id, double distance) {
  const Transition& transition = net_->transitions()[id];
  Configuration after{transition.to, Tokens(tokens(state).begin(), tokens(state).end())};
  remove(after.tokens, transition.pre);
  add(after.tokens, transition.post);
  double priority = distance;
  if (order_ == Order::Shortest) {
    // The true distance decreases by at most what the step costs, so the parent's is good enough.
    const auto cost = static_cast<double>(transition.rules.size());
    priority = states_[state].depth + cost + std::max(0.0, std::ceil(distance - 1e-6) - cost);
  }
  return reach(after, state, id, priority, is_preferred_[id]);
}

bool Directed::reach(const Configuration& configuration, std::uint32_t parent, TransitionId transition, double priority,
                     bool preferred) {
  std::uint32_t depth = 0;
  if (parent != none) {
    depth = states_[parent].depth + rules_of(transition);
  }
  const std::uint64_t hash = hash_of(configuration.control, configuration.tokens);
  const auto [first, last] = index_.equal_range(hash);
  for (auto it = first; it != last; ++it) {
    State& known = states_[it->second];
    const TokenView label = tokens(it->second);
    if (known.control != configuration.control ||
        !std::equal(label.begin(), label.end(), configuration.tokens.begin(), configuration.tokens.end()))
      continue;
    if (order_ == Order::Greedy || known.depth <= depth) return false;
    known.closed = false;
    known.depth = depth;
    known.parent = parent;
    known.transition = transition;
    queue_.push({priority, it->second});
    return false;
  }
  const auto id = static_cast<std::uint32_t>(states_.size());
  COHORT_EXPECT(id < none - 1 && arena_.size() + configuration.tokens.size() < none, "numbers have 32 bits");
  states_.push_back({configuration.control, static_cast<std::uint32_t>(arena_.size()),
                     static_cast<std::uint32_t>(configuration.tokens.size()), parent, transition, depth, false});
  arena_.insert(arena_.end(), configuration.tokens.begin(), configuration.tokens.end());
  index_.emplace(hash, id);
  if (order_ == Order::Greedy && finds_target(id)) return true;
  Queue& queue = order_ == Order::Greedy && preferred ? preferred_ : queue_;
  queue.push({priority, id});
  return false;
}

Execution Directed::execution() const {
  COHORT_EXPECT(found_ != none, "the search found a violation");
  std::vector<TransitionId> path;
  for (std::uint32_t state = found_; states_[state].parent != none; state = states_[state].parent) {
    const TransitionId made_by = states_[state].transition;
    if (made_by < net_->transitions().size()) {
      path.push_back(made_by);
    } else {
      const auto& fired = plans_[made_by - net_->transitions().size()];
      path.insert(path.end(), fired.rbegin(), fired.rend());
    }
  }
  std::reverse(path.begin(), path.end());
  if (!met()) return net_->execution(path, net_->targets()[found_target_]);
  const Goal& goal = goals_[found_target_ - net_->targets().size()];
  path.insert(path.end(), goal.rest.begin(), goal.rest.end());
  return net_->execution(path, net_->targets()[goal.target]);
}

}  // namespace cohort::engine::unbounded
