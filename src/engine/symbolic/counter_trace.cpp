#include "engine/symbolic/counter_trace.hpp"

#include <algorithm>
#include <functional>

#include "base/contract.hpp"
#include "engine/symbolic/concretize.hpp"

namespace cohort::engine::symbolic {

namespace {

using model::State;
using model::ThreadState;

class Walker {
 public:
  Walker(const model::Program& program, CounterSearch& search)
      : program_(program), search_(search), encoding_(search.encoding()), sets_(search.sets()) {}

  State choose(const CounterState& state, const dd::Bdd& shared) const {
    State result{pick_shared(encoding_, shared), {}};
    for (const Cell& cell : search_.cells(state)) {
      for (std::uint32_t i = 0; i < cell.count; ++i)
        add_threads(result, sets_.places_of(cell.set), sets_.local_bdd(cell.set));
    }
    return result;
  }

  // The states along the way, the last first, if it leads to `after`.
  std::optional<std::vector<State>> go_back(const State& after, const std::vector<CounterSearch::Leg>& way) {
    std::vector<State> states;
    for (auto leg = way.rbegin(); leg != way.rend(); ++leg) {
      auto before = predecessor(states.empty() ? after : states.back(), *leg);
      if (!before) return std::nullopt;
      states.push_back(std::move(*before));
    }
    return states;
  }

 private:
  static constexpr std::size_t no_role = SIZE_MAX;
  static constexpr std::size_t mover_role = SIZE_MAX - 1;

  // Threads of one set, found among those after the step, with what they may have been before it.
  struct Seats {
    LocalSet set = 0;
    dd::Bdd values;                  // over the copies of the members
    std::vector<std::size_t> taken;  // numbers of threads, by member
  };
  // What a thread may have been before the step, over the locals: given by the thread after it.
  using Sources = std::function<dd::Bdd(const ThreadState&)>;

  // A state where the leg starts from which its edge leads to `after`, if there is one.
  std::optional<State> predecessor(const State& after, const CounterSearch::Leg& leg) {
    after_ = &after;
    leg_ = &leg;
    cells_ = leg.cells;
    remove_thread(cells_, leg.mover.set);
    places_ = sets_.places_of(leg.mover.set);
    std::swap(places_[0], places_[leg.mover.member]);
    const std::uint32_t alive = thread_count(sets_, leg.cells);
    const std::uint32_t room = alive < search_.bound() ? search_.bound() - alive : 0;
    kept_children_ = std::min<std::size_t>(leg.edge->children.size(), room);
    roles_.assign(after.threads.size(), no_role);
    return assign_roles(0);
  }

  // Adds threads at the places, with values that are together in the set.
  void add_threads(State& state, const std::vector<PlaceId>& places, dd::Bdd values) const {
    for (std::uint32_t member = 0; member < places.size(); ++member) {
      const Place& place = sets_.place_at(places[member]);
      const dd::Bdd own = search_.ties().alone(values, places.size(), member);
      auto picked = pick_local(encoding_, own, encoding_.local_slots());
      values &= to_member(dd::cube(local_literals(encoding_, picked)), member);
      picked.resize(program_.templ(place.templ).local_slots());
      state.threads.emplace_back(ThreadState{place.templ, place.location, place.atomic, std::move(picked)});
    }
  }

  // A set of values of the locals, for a member.
  dd::Bdd to_member(const dd::Bdd& values, std::uint32_t member) const {
    return member == 0 ? values : search_.ties().exchange(0, member)(values);
  }

  bool at(const ThreadState& thread, model::TemplateId templ, model::LocId location, bool atomic) const {
    return thread.templ == templ && thread.location == location && thread.atomic == atomic;
  }
  bool at(const ThreadState& thread, PlaceId id) const {
    const Place& place = sets_.place_at(id);
    return at(thread, place.templ, place.location, place.atomic);
  }

  bool fits_role(const ThreadState& thread, std::size_t next) const {
    const EdgeRelation& edge = *leg_->edge;
    if (next < kept_children_) return at(thread, edge.children[next].templ, edge.children[next].location, false);
    bool atomic = sets_.place_at(places_[0]).atomic;
    if (edge.atomic != model::AtomicChange::None) atomic = edge.atomic == model::AtomicChange::Enter;
    return at(thread, edge.ref.templ, edge.target, atomic);
  }

  // First the children, then the mover (unless it ended) are found among the threads; all choices are tried.
  std::optional<State> assign_roles(std::size_t next) {
    const std::size_t roles = kept_children_ + (leg_->edge->ends ? 0 : 1);
    if (next == roles) return solve();
    for (std::size_t i = 0; i < roles_.size(); ++i) {
      if (roles_[i] != no_role || !fits_role(*after_->threads[i], next)) continue;
      roles_[i] = next < kept_children_ ? next : mover_role;
      auto result = assign_roles(next + 1);
      roles_[i] = no_role;
      if (result) return result;
    }
    return std::nullopt;
  }

  // What the active side is known to be after the step.
  dd::Bdd active_after() const {
    dd::Assignment literals = shared_literals(encoding_, after_->shared);
    for (std::size_t i = 0; i < roles_.size(); ++i) {
      if (roles_[i] == no_role) continue;
      const auto& locals = after_->threads[i]->locals;
      const auto more =
          roles_[i] == mover_role ? local_literals(encoding_, locals) : child_literals(encoding_, roles_[i], locals);
      literals.insert(literals.end(), more.begin(), more.end());
    }
    return dd::cube(literals);
  }

  std::optional<State> solve() {
    const EdgeRelation& edge = *leg_->edge;
    const dd::Bdd here = sets_.shared_bdd(leg_->shared) & search_.ties().led_by(leg_->mover.set, leg_->mover.member);
    if (!edge.broadcast) {
      const dd::Bdd before = here & without_children(preimage(active_after(), edge.main, edge.child_vars));
      return finish(before, [this](const ThreadState& thread) { return same(thread); });
    }
    return solve_broadcast(here);
  }

  // Locals that a new thread starts with by chance are in no relation.
  dd::Bdd without_children(const dd::Bdd& set) const { return dd::exists(set, dd::VarSet(leg_->edge->child_vars)); }

  // Steps of the broadcasting action that fit the ends, one valuation of the deciding variables after the other.
  std::optional<State> solve_broadcast(const dd::Bdd& here) {
    const EdgeRelation& edge = *leg_->edge;
    const BroadcastPart& part = *edge.broadcast;
    const dd::Bdd behind = preimage(active_after(), edge.rest, edge.child_vars);
    std::vector<std::pair<dd::Var, dd::Var>> forward;
    for (const dd::Var before : part.active.modified.variables()) forward.emplace_back(before, Encoding::after(before));
    const dd::Bdd steps = image(encoding_, here, edge.main) & part.active.bdd & dd::Renaming(forward)(behind);
    std::vector<dd::Var> others;
    for (const dd::Var variable : dd::support(steps)) {
      if (!part.deciding.contains(variable)) others.push_back(variable);
    }
    std::optional<State> result;
    dd::for_each_assignment(dd::exists(steps, dd::VarSet(others)), part.deciding, [&](const dd::Assignment& values) {
      std::vector<dd::Var> after_vars;
      for (const dd::Var before : part.active.modified.variables()) after_vars.push_back(Encoding::after(before));
      const dd::Bdd at_action = dd::and_exists(steps, dd::cube(values), dd::VarSet(after_vars));
      const dd::Bdd before = here & without_children(preimage(at_action, edge.main, edge.child_vars));
      const dd::Bdd passive = dd::cofactor(part.passive, values);
      result = finish(before, [&](const ThreadState& thread) { return passive_before(thread, passive); });
      return !result;
    });
    return result;
  }

  dd::Bdd same(const ThreadState& thread) const { return dd::cube(local_literals(encoding_, thread.locals)); }

  // From where a passive thread becomes `thread`.
  dd::Bdd passive_before(const ThreadState& thread, const dd::Bdd& passive) const {
    if (thread.templ != leg_->edge->ref.templ) return same(thread);
    const auto& modified = leg_->edge->broadcast->passive_modified;
    dd::Assignment known;
    for (std::size_t slot = 0; slot < thread.locals.size(); ++slot) {
      const dd::Var before = encoding_.passive(slot);
      known.emplace_back(modified.contains(before) ? Encoding::after(before) : before, thread.locals[slot] != 0);
    }
    std::vector<dd::Var> after_vars;
    for (const dd::Var before : modified.variables()) after_vars.push_back(Encoding::after(before));
    return encoding_.passive_to_local(dd::and_exists(passive, dd::cube(known), dd::VarSet(after_vars)));
  }

  // Finds the other threads of the mover's set, and deals the rest out to the cells that are left.  `before` is what
  // the shared state, the mover and the others of its set may have been.
  std::optional<State> finish(const dd::Bdd& before, const Sources& sources) {
    if (before.is_false()) return std::nullopt;
    std::vector<dd::Bdd> was(roles_.size());
    std::size_t passive = 0;
    for (std::size_t i = 0; i < roles_.size(); ++i) {
      if (roles_[i] != no_role) continue;
      was[i] = sources(*after_->threads[i]);
      ++passive;
    }
    if (passive + 1 != thread_count(sets_, cells_) + places_.size()) return std::nullopt;
    std::vector<Seats> seats{{leg_->mover.set, before, {no_role}}};
    for (const bool tied : {true, false}) {  // those that are harder to fill come first
      for (const Cell& cell : cells_) {
        if ((sets_.width(cell.set) > 1) != tied) continue;
        for (std::uint32_t i = 0; i < cell.count; ++i) seats.push_back({cell.set, sets_.local_bdd(cell.set), {}});
      }
    }
    std::vector<bool> free(roles_.size());
    for (std::size_t i = 0; i < roles_.size(); ++i) free[i] = roles_[i] == no_role;
    if (!seat(seats, 0, was, free)) return std::nullopt;
    State result{pick_shared(encoding_, shared_part(seats[0].values)), {}};
    const dd::Bdd shared = dd::cube(shared_literals(encoding_, result.shared));
    seats[0].values = dd::exists(seats[0].values & shared, encoding_.shared_vars());
    for (const Seats& group : seats)
      add_threads(result, &group == seats.data() ? places_ : sets_.places_of(group.set), group.values);
    return result;
  }

  dd::Bdd shared_part(dd::Bdd values) const {
    for (std::uint32_t member = 0; member < places_.size(); ++member)
      values = dd::exists(values, search_.ties().member_vars(member));
    return values;
  }

  // Fills the seats from the given ones on; all choices are tried.
  bool seat(std::vector<Seats>& seats, std::size_t next, const std::vector<dd::Bdd>& was,
            std::vector<bool>& free) const {
    if (next == seats.size()) return true;
    Seats& group = seats[next];
    const auto& places = next == 0 ? places_ : sets_.places_of(group.set);
    const auto member = static_cast<std::uint32_t>(group.taken.size());
    if (member == places.size()) return seat(seats, next + 1, was, free);
    // Among equal sets, the one that comes first gets the first thread.
    const bool repeats = next > 1 && seats[next - 1].set == group.set && member == 0;
    for (std::size_t i = repeats ? seats[next - 1].taken[0] + 1 : 0; i < free.size(); ++i) {
      if (!free[i] || !at(*after_->threads[i], places[member])) continue;
      const dd::Bdd all = group.values;
      group.values &= to_member(was[i], member);
      if (!group.values.is_false()) {
        free[i] = false;
        group.taken.push_back(i);
        if (seat(seats, next, was, free)) return true;
        group.taken.pop_back();
        free[i] = true;
      }
      group.values = all;
    }
    return false;
  }

  const model::Program& program_;
  CounterSearch& search_;
  const Encoding& encoding_;
  SetTable& sets_;
  const State* after_ = nullptr;
  const CounterSearch::Leg* leg_ = nullptr;
  Cells cells_;                  // of the leg, without the mover's
  std::vector<PlaceId> places_;  // of the mover and the others of its set
  std::size_t kept_children_ = 0;
  std::vector<std::size_t> roles_;  // of the threads after the step: number of a child, the mover, or none
};

// Adds the way from one of the origins to the last state, and returns where it starts.
std::uint32_t step_back(Walker& walker, CounterSearch& search, const std::vector<Origin>& origins,
                        std::vector<State>& states, std::vector<model::EdgeRef>& edges) {
  for (const Origin& origin : origins) {
    for (const auto& way : search.ways(origin)) {
      const auto before = walker.go_back(states.back(), way);
      if (!before) continue;
      for (auto leg = way.rbegin(); leg != way.rend(); ++leg) edges.push_back(leg->edge->ref);
      states.insert(states.end(), before->begin(), before->end());
      return origin.node;
    }
  }
  COHORT_UNREACHABLE("every represented state was reached from one of its origins");
}

}  // namespace

model::Run counter_trace(const model::Program& program, CounterSearch& search, const CounterSearch::Found& found) {
  Walker walker(program, search);
  std::vector<State> states{walker.choose(found.state, found.violation.shared)};
  std::vector<model::EdgeRef> edges;
  std::vector<Origin> origins;
  if (!found.initial) origins.push_back(found.origin);
  while (!origins.empty()) {
    const std::uint32_t node = step_back(walker, search, origins, states, edges);
    origins = search.origins(node);
  }
  std::reverse(states.begin(), states.end());
  std::reverse(edges.begin(), edges.end());
  return run_through(program, search.bound(), states, edges);
}

}  // namespace cohort::engine::symbolic
