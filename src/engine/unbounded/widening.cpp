// Target widening (Kaiser, Kroening and Wahl 2012).  A backward search follows many configurations that differ in
// threads which do not matter: that two threads are never in their critical sections often follows from a single thread
// state being impossible.  So each new configuration is replaced by a part of it, no thread or one or two, that nothing
// reachable is known to cover.  If the search ends, the guesses were right or at least harmless: the set is closed, has
// all targets and no initial configuration, which is a proof whatever it was grown from.
//
// If it comes to an initial configuration, the path from there leads to the first guess on it by true steps, so that
// guess can be covered, and so can all that is on the path.  These join what is known to be coverable, which vetoes
// the guess from then on; whatever a forward search has reached vetoes guesses before they cost anything.  Then the
// search begins again.  There are finitely many guesses of at most two threads, so at last none is left and the search
// is the plain one.  A path without any guess is a violation.
//
// BFC keeps the parts of the search that do not depend on a wrong guess; here all begins again, because a search with
// good vetoes is short: the first wrong guesses are found after few steps.
#include "engine/unbounded/widening.hpp"

#include <algorithm>

#include "base/contract.hpp"

namespace cohort::engine::unbounded {

namespace {

// A guess is looked at again every so many steps, for what has been learned since may veto it.
constexpr std::uint64_t steps_between_vetoes = 5'000;
// Configurations that occupy more places than this have too many pairs.
constexpr std::size_t most_listed = 32;

}  // namespace

std::size_t Coverable::PartHash::operator()(const Part& part) const noexcept {
  std::uint64_t hash = part.control * 0x9E3779B97F4A7C15ULL;
  hash = (hash ^ part.first) * 0xBF58476D1CE4E5B9ULL;
  hash = (hash ^ (hash >> 29U) ^ part.second) * 0x94D049BB133111EBULL;
  return hash ^ (hash >> 32U);
}

void Coverable::learn(ControlId control, TokenView tokens) {
  parts_.insert({control});
  for (const Token& token : tokens) parts_.insert({control, token.place});
  if (tokens.size() > most_listed) {
    const Summary summary = Summary::of(tokens);
    const auto above = [&](std::uint32_t other) { return unbounded::covers(large_[other].tokens, tokens); };
    if (index_.any_above(control, summary, above)) return;
    index_.insert(control, summary, static_cast<std::uint32_t>(large_.size()));
    large_.push_back({control, Tokens(tokens.begin(), tokens.end())});
    return;
  }
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].count > 1) parts_.insert({control, tokens[i].place, tokens[i].place});
    for (std::size_t k = i + 1; k < tokens.size(); ++k) parts_.insert({control, tokens[i].place, tokens[k].place});
  }
}

bool Coverable::covers(ControlId control, TokenView tokens) {
  COHORT_EXPECT(total(tokens) <= 2, "only what at most two threads cover is asked for");
  Part part{control};
  if (!tokens.empty()) part.first = tokens.front().place;
  if (total(tokens) == 2) part.second = tokens.back().place;
  if (parts_.contains(part)) return true;
  return part.second != none && index_.any_above(control, Summary::of(tokens), [&](std::uint32_t other) {
    return unbounded::covers(large_[other].tokens, tokens);
  });
}

Widening::Widening(Env& env, const Net& net, Coverable& coverable, MarkingEquation* equation)
    : env_(&env), net_(&net), coverable_(&coverable), equation_(equation) {
  for (const Configuration& start : net.initial()) coverable.learn(start.control, start.tokens);
}

void Widening::begin() {
  guesses_.clear();
  search_ = std::make_unique<Backward>(*env_, *net_, equation_);
  search_->widen_by([this](ControlId control, TokenView tokens) { return guess(control, tokens); });
}

// The smallest part that nothing is known to cover: the control state alone, one thread, two threads.
std::optional<Tokens> Widening::guess(ControlId control, TokenView tokens) {
  const auto open = [&](const Tokens& part) { return !coverable_->covers(control, part); };
  const auto made = [&](Tokens part) {
    guesses_.push_back({control, part});
    return std::optional(std::move(part));
  };
  if (!tokens.empty() && open({})) return made({});
  const std::uint64_t threads = total(tokens);
  if (threads <= 1) return std::nullopt;
  for (const Token& token : tokens) {
    if (Tokens one{{token.place, 1}}; open(one)) return made(std::move(one));
  }
  if (threads <= 2) return std::nullopt;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].count > 1) {
      if (Tokens two{{tokens[i].place, 2}}; open(two)) return made(std::move(two));
    }
    for (std::size_t k = i + 1; k < tokens.size(); ++k) {
      if (Tokens two{{tokens[i].place, 1}, {tokens[k].place, 1}}; open(two)) return made(std::move(two));
    }
  }
  return std::nullopt;
}

// Everything on the path from the start to the guess can be covered.
void Widening::learn_from_wrong_guess() {
  ++wrong_;
  const std::uint32_t guess = *search_->guessed();
  for (std::uint32_t here = search_->found();; here = search_->elements()[here].next) {
    coverable_->learn(search_->elements()[here].control, search_->tokens(here));
    if (here == guess) break;
  }
}

bool Widening::vetoed() const {
  return std::any_of(guesses_.begin(), guesses_.end(),
                     [&](const Configuration& guess) { return coverable_->covers(guess.control, guess.tokens); });
}

Widening::Outcome Widening::run(std::uint64_t max_steps) {
  const std::uint64_t pause = max_steps < UINT64_MAX - steps_ ? steps_ + max_steps : UINT64_MAX;
  while (true) {
    if (!search_ || vetoed()) begin();
    const std::uint64_t turn = std::min(pause - steps_, steps_between_vetoes);
    const Outcome outcome = search_->run(turn);
    steps_ += turn;
    if (outcome == Outcome::Violation && search_->guessed()) {
      learn_from_wrong_guess();
      begin();
    } else if (outcome != Outcome::Paused) {
      env_->statistics.set("wrong_guesses", wrong_);
      return outcome;
    }
    if (steps_ >= pause) return Outcome::Paused;
  }
}

}  // namespace cohort::engine::unbounded
