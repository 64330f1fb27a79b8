// Abdulla, Cerans, Jonsson and Tsay (1996): in a monotone system the configurations from which a violation can be
// reached form an upward-closed set, which has finitely many minimal elements.  Start with those of the violations and
// add predecessors until nothing new appears or one lies below an initial configuration.  Broadcasts are monotone as
// long as no thread can block them, so they are decided too, where the Karp-Miller construction is not exact.
//
// The minimal configurations from which a rule leads above m: what the rule produces need not be there before; the rest
// of m must come from passive threads.  Without a broadcast these stay where they are: (m - post) + pre.  With one,
// each remaining thread at place p may come from any place that the broadcast can lead to p: one predecessor for each
// multiset of origins, none if some p has no origin.
//
// Elements that name an impossible thread state (see possible.hpp) lie above nothing reachable and are dropped.  So are
// those that the marking equation refutes (Blondin, Finkel, Haase and Haddad 2016; Geffroy, Leroux and Sutre 2016): the
// weightings that it finds are kept and refute others without another linear program.  The
// queue is ordered by the number of threads, the oldest first, so that violations are found with few threads: the
// fewest where no rule creates or ends threads, unless looking for fewer takes long.  Ordered by steps, it is breadth
// first; then an element stays although a smaller one is found that needs more steps.  A rule that keeps the control
// state and produces nothing that m asks for leads from above m to above m and is never tried: such rules are found by
// what they produce.
//
// Before it says Unreachable, the search goes through the final set once more (is_closed): a mistake in its bookkeeping
// becomes an internal error, never an answer.
//
// Cost: the number of minimal elements, for which there is no elementary bound; each new one is compared with those of
// its control state.
#include "engine/unbounded/backward.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "base/contract.hpp"
#include "engine/self_check.hpp"

namespace cohort::engine::unbounded {

namespace {

// After a violation has been found, one with fewer threads is looked for so long.
constexpr std::uint64_t fewer_threads_steps = 20'000;

// Linear programs cost much more than predecessors.  Each takes from a credit to which a success adds; without any
// left, one element in `rare` is asked about.
constexpr std::int64_t first_credit = 50;
constexpr std::int64_t success = 20;
constexpr std::int64_t most_credit = 200;
constexpr std::uint64_t rare = 200;
constexpr double refute_seconds = 1;

}  // namespace

Backward::Backward(Env& env, const Net& net, MarkingEquation* equation, Order order)
    : env_(&env), net_(&net), equation_(equation), order_(order), credit_(first_credit) {
  initial_.resize(net.control_count());
  for (const Configuration& start : net.initial()) initial_[start.control].push_back(&start);
  index_transitions();
}

void Backward::index_transitions() {
  entering_.resize(net_->control_count());
  for (TransitionId id = 0; id < net_->transitions().size(); ++id) {
    const Transition& transition = net_->transitions()[id];
    if (transition.from != transition.to || transition.broadcast != none) {
      entering_[transition.to].push_back(id);
      continue;
    }
    for (const Token& token : transition.post) {
      if (count_at(transition.pre, token.place) >= token.count) continue;
      std::uint32_t index = producing_index_.find(transition.to, token.place);
      if (index == model::PairTable::absent) {
        index = static_cast<std::uint32_t>(producing_.size());
        producing_index_.insert(transition.to, token.place, index);
        producing_.emplace_back();
      }
      producing_[index].push_back(id);
    }
  }
}

Backward::Outcome Backward::run(std::uint64_t max_steps) {
  const Outcome outcome = search(max_steps);
  return found_ != none ? Outcome::Violation : outcome;
}

Backward::Outcome Backward::search(std::uint64_t max_steps) {
  pause_ = max_steps < UINT64_MAX - steps_ ? steps_ + max_steps : UINT64_MAX;
  if (!started_ && add_targets()) return Outcome::Violation;
  started_ = true;
  while (true) {
    while (lowest_ < queue_.size() && queue_[lowest_].empty()) ++lowest_;
    if (lowest_ >= queue_.size()) break;
    if (lowest_ >= last_level_) return Outcome::Paused;
    if (found_ != none && lowest_ >= elements_[found_].level) return Outcome::Violation;
    const std::size_t level = lowest_;
    std::vector<std::uint32_t> batch;
    std::swap(batch, queue_[level]);
    for (std::size_t i = 0; i < batch.size(); ++i) {
      if (env_->stop_requested("backward")) return Outcome::Stopped;
      env_->report_progress([&] {
        return fmt::format("backward: {} elements, {} minimal, {} {}", elements_.size(), minimal_.size(), lowest_,
                           order_ == Order::Threads ? "threads" : "steps");
      });
      if (elements_[batch[i]].minimal && expand(batch[i])) return Outcome::Violation;
      if (steps_ < pause_) continue;
      // What was begun is begun again: its predecessors are known then and fall away.
      queue_[level].insert(queue_[level].begin(), batch.begin() + static_cast<std::ptrdiff_t>(i), batch.end());
      lowest_ = 0;
      return Outcome::Paused;
    }
    // Predecessors can be smaller.
    lowest_ = 0;
  }
  // The last expansion may have been stopped in the middle.
  if (env_->stop_reason() != StopReason::None) return Outcome::Stopped;
  if (found_ != none) return Outcome::Violation;
  if (!net_->is_partial()) {
    COHORT_EXPECT(net_->possible().is_closed() && is_closed(), "the set is closed under predecessors");
    if (env_->stop_reason() != StopReason::None) return Outcome::Stopped;
  }
  self_check(*env_, "the minimal elements are an antichain", [&] { return is_antichain(); });
  if (env_->stop_reason() != StopReason::None) return Outcome::Stopped;
  env_->statistics.set("elements", std::uint64_t{elements_.size()});
  env_->statistics.set("minimal_elements", std::uint64_t{minimal_.size()});
  return Outcome::Unreachable;
}

std::vector<std::uint32_t> Backward::minimal() const {
  std::vector<std::uint32_t> result;
  minimal_.for_each([&](std::uint32_t element) { result.push_back(element); });
  std::sort(result.begin(), result.end());
  return result;
}

// Goes through all targets and all predecessors of the final set once more; add() then reports what is missing.
bool Backward::is_closed() {
  checking_ = true;
  pause_ = UINT64_MAX;
  bool closed = !add_targets();
  for (const std::uint32_t element : minimal()) {
    if (!closed) break;
    closed = !is_initial(elements_[element].control, tokens(element)) && !expand(element);
  }
  checking_ = false;
  return closed;
}

bool Backward::is_antichain() const {
  const std::vector<std::uint32_t> elements = minimal();
  for (const std::uint32_t element : elements) {
    if (env_->stop_requested("backward")) return true;
    for (const std::uint32_t other : elements) {
      const bool same = elements_[element].control == elements_[other].control;
      if (element != other && same && covers(tokens(element), tokens(other))) return false;
    }
  }
  return true;
}

bool Backward::add_targets() {
  for (std::uint32_t target = 0; target < net_->targets().size(); ++target) {
    const Configuration& least = net_->targets()[target].least;
    if (add(least.control, least.tokens, none, target)) return true;
  }
  for (const Configuration& configuration : forbidden_) {
    if (add(configuration.control, configuration.tokens, none, none)) return true;
  }
  return false;
}

bool Backward::is_initial(ControlId control, TokenView label) const {
  if (control >= initial_.size()) return false;
  return std::any_of(initial_[control].begin(), initial_[control].end(),
                     [&](const Configuration* start) { return covers(start->tokens, label); });
}

// Adds an element unless a smaller one is known; true when it lies below an initial configuration and no other can
// with fewer threads (or, while the final set is checked, when there is anything to add).
bool Backward::add(ControlId control, const Tokens& needed, std::uint32_t next, TransitionId transition) {
  ++steps_;
  if (!net_->possible().contains_all(control, needed)) return false;
  if (equation_ != nullptr && equation_->invariants().refutes(control, needed)) return false;
  const bool known =
      minimal_.any_below(control, needed, [&](std::uint32_t other) { return covers(needed, tokens(other)); });
  if (known || checking_) return !known;
  if (is_refuted(control, needed)) return false;
  std::optional<Tokens> guess = widen_ ? widen_(control, needed) : std::nullopt;
  COHORT_EXPECT(!guess || covers(needed, *guess), "a guess asks for less");
  const Tokens& label = guess ? *guess : needed;
  const auto id = static_cast<std::uint32_t>(elements_.size());
  COHORT_EXPECT(id < none - 1 && arena_.size() + label.size() < none, "elements are numbered with 32 bits");
  const auto threads = static_cast<std::uint32_t>(std::min<std::uint64_t>(total(label), none - 1));
  const std::uint32_t steps = next == none ? 0 : elements_[next].level + 1;
  elements_.push_back({control, static_cast<std::uint32_t>(arena_.size()), static_cast<std::uint32_t>(label.size()),
                       next, transition, order_ == Order::Threads ? threads : steps, true, guess.has_value()});
  const std::uint32_t level = elements_.back().level;
  arena_.insert(arena_.end(), label.begin(), label.end());
  if (is_initial(control, label)) {
    if (order_ == Order::Steps || widen_ != nullptr) {
      found_ = id;
      return true;
    }
    if (found_ == none) pause_ = std::min(pause_, steps_ + fewer_threads_steps);
    if (found_ == none || level < elements_[found_].level) found_ = id;
    return level <= lowest_;
  }
  if (order_ == Order::Threads) {
    minimal_.remove_above(control, label, [&](std::uint32_t other) {
      if (!covers(tokens(other), label)) return false;
      elements_[other].minimal = false;
      return true;
    });
  }
  minimal_.insert(control, label, id);
  if (level >= queue_.size()) queue_.resize(level + 1);
  queue_[level].push_back(id);
  return false;
}

// Asks the marking equation about a new element, as long as that succeeds now and then.
bool Backward::is_refuted(ControlId control, TokenView label) {
  if (equation_ == nullptr) return false;
  if (credit_ <= 0 && ++unasked_ % rare != 0) return false;
  --credit_;
  if (!equation_->refute(control, label, refute_seconds)) return false;
  credit_ = std::min(credit_ + success, most_credit);
  return true;
}

bool Backward::expand(std::uint32_t element) {
  const ControlId control = elements_[element].control;
  for (const TransitionId id : entering_[control]) {
    if (env_->stop_requested("backward-origins") || steps_ >= pause_) return false;
    if (back_over(element, id)) return true;
    if (!elements_[element].minimal) return false;
  }
  const Tokens label(tokens(element).begin(), tokens(element).end());
  for (std::size_t i = 0; i < label.size(); ++i) {
    const std::uint32_t index = producing_index_.find(control, label[i].place);
    if (index == model::PairTable::absent) continue;
    for (const TransitionId id : producing_[index]) {
      if (env_->stop_requested("backward-origins") || steps_ >= pause_) return false;
      if (back_over(element, id)) return true;
      if (!elements_[element].minimal) return false;
    }
  }
  return false;
}

bool Backward::back_over(std::uint32_t element, TransitionId id) {
  const Transition& transition = net_->transitions()[id];
  Tokens before = minus(tokens(element), transition.post);
  if (transition.broadcast == none) {
    unbounded::add(before, transition.pre);
    return add(transition.from, before, element, id);
  }
  Tokens chosen = transition.pre;
  return back_over_broadcast(element, id, before, 0, before.empty() ? 0 : before[0].count, 0, chosen);
}

// Chooses the origins of what is left of the element: of the `left` threads at the place with this index, some come
// from origin `choice`, the others from those after it.  It descends as deep as there are origins, however many threads
// there are.  Stops in the middle at a limit, which whoever called must notice.
bool Backward::back_over_broadcast(std::uint32_t element, TransitionId id, const Tokens& rest, std::size_t index,
                                   Count left, std::size_t choice, Tokens& chosen) {
  if (env_->stop_requested("backward-broadcast")) return false;
  if (index == rest.size()) return add(net_->transitions()[id].from, chosen, element, id);
  const std::vector<Place>& from = origins(net_->transitions()[id], rest[index].place);
  if (choice == from.size()) {
    if (left > 0) return false;
    const Count next = index + 1 < rest.size() ? rest[index + 1].count : 0;
    return back_over_broadcast(element, id, rest, index + 1, next, 0, chosen);
  }
  const Count fewest = choice + 1 == from.size() ? left : 0;
  for (Count taken = left;; --taken) {
    Tokens extended = chosen;
    if (taken > 0) unbounded::add(extended, from[choice], taken);
    if (back_over_broadcast(element, id, rest, index, left - taken, choice + 1, extended)) return true;
    if (taken == fewest || env_->stop_requested("backward-broadcast")) return false;
  }
}

// The possible places from which the transition's broadcast leads to `place`.
const std::vector<Place>& Backward::origins(const Transition& transition, Place place) {
  const std::uint64_t key = (std::uint64_t{transition.broadcast} << 32U) | place;
  const auto [entry, is_new] = origins_.try_emplace(key);
  if (is_new) {
    for (const Place from : net_->possible().places(transition.from)) {
      const auto after = net_->passive(transition, from);
      if (std::find(after.begin(), after.end(), place) != after.end()) entry->second.push_back(from);
    }
  }
  return entry->second;
}

std::optional<std::uint32_t> Backward::guessed() const {
  COHORT_EXPECT(found_ != none, "the search found a violation");
  for (std::uint32_t here = found_;; here = elements_[here].next) {
    const bool last = elements_[here].next == none;
    if (elements_[here].widened || (last && elements_[here].transition == none)) return here;
    if (last) return std::nullopt;
  }
}

Backward::Way Backward::way() const {
  COHORT_EXPECT(found_ != none && !guessed(), "the search found a violation");
  Way way;
  for (std::uint32_t here = found_;; here = elements_[here].next) {
    way.elements.emplace_back(tokens(here).begin(), tokens(here).end());
    if (elements_[here].next == none) {
      way.target = &net_->targets()[elements_[here].transition];
      return way;
    }
    way.path.push_back(elements_[here].transition);
  }
}

Directed::Goal Backward::way_from(std::uint32_t element) const {
  COHORT_EXPECT(widen_ == nullptr && forbidden_.empty(), "every element leads to a target");
  Directed::Goal way{{elements_[element].control, Tokens(tokens(element).begin(), tokens(element).end())}, {}, 0};
  for (; elements_[element].next != none; element = elements_[element].next) {
    way.rest.push_back(elements_[element].transition);
  }
  way.target = elements_[element].transition;
  return way;
}

Execution Backward::execution() const {
  const Way found = way();
  if (!net_->system().has_broadcasts()) return net_->execution(found.path, *found.target);
  Execution execution;
  Tokens wanted;
  net_->goals(found.path, found.elements, *found.target, wanted);
  for (const Configuration& start : net_->system().initial()) {
    if (start.control != elements_[found_].control || !covers(start.tokens, wanted)) continue;
    execution.start = complete_start(net_->system(), start, wanted);
    break;
  }
  for (const TransitionId id : found.path) {
    const auto& rules = net_->transitions()[id].rules;
    execution.rules.insert(execution.rules.end(), rules.begin(), rules.end());
  }
  if (found.target->fault != none) execution.rules.push_back(found.target->fault);
  return execution;
}

std::vector<Tokens> Backward::goals() const {
  const Way found = way();
  Tokens start;
  return net_->goals(found.path, found.elements, *found.target, start);
}

}  // namespace cohort::engine::unbounded
