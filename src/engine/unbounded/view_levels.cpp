// A view is a control state with at most k threads in it (Abdulla, Haziza and Holik 2013: view abstraction).  Of a
// configuration with any number of threads it shows all its views.  A step by one thread changes a view of k threads in
// a way that depends on these and on the thread that steps, k + 1 in all; and a configuration shows such k + 1 threads
// only if it shows all k of them.  So views that come together at level t, starting with those of the initial
// configurations at level 0, are there after t steps at the earliest, however many threads there are.
//
// The level of a view is a lower bound; a search with few threads gives an upper one.  Where the two meet, the number
// of steps is known without searching backwards for it (fewest_steps.cpp).
//
// Level by level: every new view of k threads is tried with every place as one thread more; if all other choices of k
// from these have been seen, the k + 1 threads take their steps.  So each set of k + 1 threads is looked at when the
// last of its parts is new.  Cost: about the number of views times the number of places in a control state.
#include "engine/unbounded/view_levels.hpp"

#include <algorithm>
#include <array>

#include "base/contract.hpp"

namespace cohort::engine::unbounded {

namespace {

// A view is one 32-bit number beside its control state.
unsigned bits_of(std::size_t width) {
  return static_cast<unsigned>(32 / width);
}

}  // namespace

bool ViewLevels::takes(const Net& net, std::size_t width) {
  if (net.place_count() + 1 >= (std::size_t{1} << bits_of(width)) || net.system().has_broadcasts()) return false;
  return std::all_of(net.transitions().begin(), net.transitions().end(),
                     [](const Transition& transition) { return total(transition.pre) <= 1; });
}

ViewLevels::ViewLevels(Env& env, const Net& net, std::size_t width)
    : env_(&env),
      net_(&net),
      width_(width),
      bits_(bits_of(width)),
      leaving_(net.control_count()),
      free_(net.control_count()),
      seen_(net.control_count()) {
  COHORT_EXPECT(width >= least_width && width <= most_width && takes(net, width),
                "views of this width can be computed");
  COHORT_EXPECT(net.is_whole(), "every step is a transition");
  for (TransitionId id = 0; id < net.transitions().size(); ++id) {
    const Transition& transition = net.transitions()[id];
    if (transition.pre.empty()) {
      free_[transition.from].push_back(id);
      continue;
    }
    auto& by_place = leaving_[transition.from];
    const Place place = transition.pre[0].place;
    if (place >= by_place.size()) by_place.resize(place + 1);
    by_place[place].push_back(id);
  }
}

std::uint32_t ViewLevels::code_of(std::span<const Place> places) const {
  std::uint32_t code = 0;
  for (const Place place : places) code = (code << bits_) | (place + 1);
  return code;
}

std::uint32_t ViewLevels::level(ControlId control, Place place) const {
  const std::uint32_t found =
      place == none ? levels_.find(control, 0) : levels_.find(control, code_of(std::array<Place, 1>{place}));
  return found == model::PairTable::absent ? none : found;
}

// The view and all its parts, unless they are known.
void ViewLevels::settle(ControlId control, std::span<const Place> places) {
  const std::uint32_t code = code_of(places);
  if (levels_.find(control, code) != model::PairTable::absent) return;
  levels_.insert(control, code, level_);
  View view{.control = control, .size = static_cast<std::uint32_t>(places.size())};
  std::copy(places.begin(), places.end(), view.places.begin());
  next_.push_back(view);
  if (places.size() == 1) seen_[control].push_back(places[0]);
  for (std::size_t left_out = 0; left_out < places.size(); ++left_out) {
    std::vector<Place> part(places.begin(), places.end());
    part.erase(part.begin() + static_cast<std::ptrdiff_t>(left_out));
    settle(control, part);
  }
}

// All choices of as many as a view has; `places` in descending order.
void ViewLevels::settle_parts(ControlId control, std::vector<Place>& places, std::size_t from) {
  if (places.size() <= width_) {
    settle(control, places);
    return;
  }
  for (std::size_t i = from; i < places.size(); ++i) {
    const Place left_out = places[i];
    places.erase(places.begin() + static_cast<std::ptrdiff_t>(i));
    settle_parts(control, places, i);
    places.insert(places.begin() + static_cast<std::ptrdiff_t>(i), left_out);
  }
}

void ViewLevels::add_starts() {
  for (const Configuration& start : net_->initial()) {
    std::vector<Place> places;
    for (const Token& token : start.tokens) {
      places.insert(places.end(), std::min<std::size_t>(token.count, width_), token.place);
    }
    std::sort(places.rbegin(), places.rend());
    settle_parts(start.control, places, 0);
  }
}

bool ViewLevels::run(std::size_t most_views) {
  add_starts();
  while (!next_.empty()) {
    now_.clear();
    std::swap(now_, next_);
    ++level_;
    for (const View& view : now_) {
      if (env_->stop_requested("view-levels") || levels_.size() > most_views) return false;
      fire(view.control, {view.places.data(), view.size});
      if (view.size == width_) extend(view);
    }
  }
  return true;
}

// With each place as one thread more.
void ViewLevels::extend(const View& view) {
  std::vector<Place> places;
  const std::vector<Place>& seen = seen_[view.control];
  for (std::size_t i = 0; i < seen.size(); ++i) {
    places.assign(view.places.begin(), view.places.begin() + view.size);
    places.insert(std::upper_bound(places.begin(), places.end(), seen[i], std::greater<>()), seen[i]);
    if (is_settled_with(view, places)) fire(view.control, places);
  }
}

// Have all parts of `places` been seen, and is this view the first of those that are new?
bool ViewLevels::is_settled_with(const View& view, std::span<const Place> places) const {
  const std::uint32_t own = code_of({view.places.data(), view.size});
  std::array<Place, most_width> part{};
  for (std::size_t left_out = 0; left_out < places.size(); ++left_out) {
    std::size_t size = 0;
    for (std::size_t i = 0; i < places.size(); ++i) {
      if (i != left_out) part[size++] = places[i];
    }
    const std::uint32_t code = code_of({part.data(), size});
    const std::uint32_t known = levels_.find(view.control, code);
    if (known == model::PairTable::absent || known >= level_) return false;
    if (known + 1 == level_ && code < own) return false;
  }
  return true;
}

// The steps of these threads, and of one inside an atomic section.
void ViewLevels::fire(ControlId control, std::span<const Place> places) {
  std::vector<Place> after;
  const auto take = [&](const Transition& transition, std::size_t active) {
    after.clear();
    for (std::size_t i = 0; i < places.size(); ++i) {
      if (i != active) after.push_back(places[i]);
    }
    for (const Token& token : transition.post) {
      after.insert(after.end(), std::min<std::size_t>(token.count, width_), token.place);
    }
    std::sort(after.rbegin(), after.rend());
    settle_parts(transition.to, after, 0);
  };
  for (const TransitionId id : free_[control]) take(net_->transitions()[id], places.size());
  const auto& by_place = leaving_[control];
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (places[i] >= by_place.size() || (i > 0 && places[i] == places[i - 1])) continue;
    for (const TransitionId id : by_place[places[i]]) take(net_->transitions()[id], i);
  }
}

}  // namespace cohort::engine::unbounded
