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
        result.threads.emplace_back(thread_of(cell.set, sets_.local_bdd(cell.set)));
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

  // A state where the leg starts from which its edge leads to `after`, if there is one.
  std::optional<State> predecessor(const State& after, const CounterSearch::Leg& leg) {
    after_ = &after;
    leg_ = &leg;
    cells_ = leg.cells;
    remove_thread(cells_, leg.mover);
    const std::uint32_t alive = thread_count(leg.cells);
    const std::uint32_t room = alive < search_.bound() ? search_.bound() - alive : 0;
    kept_children_ = std::min<std::size_t>(leg.edge->children.size(), room);
    roles_.assign(after.threads.size(), no_role);
    return assign_roles(0);
  }

  ThreadState thread_of(LocalSet set, const dd::Bdd& values) const {
    const Place& place = sets_.place(set);
    return {place.templ, place.location, place.atomic,
            pick_local(encoding_, values, program_.templ(place.templ).local_slots())};
  }

  bool at(const ThreadState& thread, model::TemplateId templ, model::LocId location, bool atomic) const {
    return thread.templ == templ && thread.location == location && thread.atomic == atomic;
  }

  bool fits_role(const ThreadState& thread, std::size_t next) const {
    const EdgeRelation& edge = *leg_->edge;
    if (next < kept_children_) return at(thread, edge.children[next].templ, edge.children[next].location, false);
    bool atomic = sets_.place(leg_->mover).atomic;
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
    const dd::Bdd here = sets_.shared_bdd(leg_->shared) & sets_.local_bdd(leg_->mover);
    if (!edge.broadcast) {
      const dd::Bdd before = here & without_children(preimage(active_after(), edge.main, edge.child_vars));
      if (before.is_false()) return std::nullopt;
      return finish(before, [](const dd::Bdd& set, const ThreadState& thread, const Encoding& encoding) {
        return set & dd::cube(local_literals(encoding, thread.locals));
      });
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
      if (!before.is_false()) {
        result = finish(before, [&](const dd::Bdd& set, const ThreadState& thread, const Encoding& encoding) {
          return passive_before(set, thread, encoding, passive);
        });
      }
      return !result;
    });
    return result;
  }

  // The part of the cell's set from which a passive thread becomes `thread`.
  dd::Bdd passive_before(const dd::Bdd& set, const ThreadState& thread, const Encoding& encoding,
                         const dd::Bdd& passive) const {
    if (thread.templ != leg_->edge->ref.templ) return set & dd::cube(local_literals(encoding, thread.locals));
    const auto& modified = leg_->edge->broadcast->passive_modified;
    dd::Assignment known;
    for (std::size_t slot = 0; slot < thread.locals.size(); ++slot) {
      const dd::Var before = encoding.passive(slot);
      known.emplace_back(modified.contains(before) ? Encoding::after(before) : before, thread.locals[slot] != 0);
    }
    std::vector<dd::Var> after_vars;
    for (const dd::Var before : modified.variables()) after_vars.push_back(Encoding::after(before));
    const dd::Bdd sources = dd::and_exists(passive, dd::cube(known), dd::VarSet(after_vars));
    return set & encoding.passive_to_local(sources);
  }

  // Deals the other threads out to the cells that are left; `sources(set, thread, encoding)` is what a thread may have
  // been in a cell.
  template <class Sources>
  std::optional<State> finish(const dd::Bdd& active_before, Sources&& sources) {
    std::vector<std::size_t> passive;
    for (std::size_t i = 0; i < roles_.size(); ++i) {
      if (roles_[i] == no_role) passive.push_back(i);
    }
    if (passive.size() != thread_count(cells_)) return std::nullopt;
    std::vector<std::vector<dd::Bdd>> options(passive.size());
    for (std::size_t i = 0; i < passive.size(); ++i) {
      const ThreadState& thread = *after_->threads[passive[i]];
      for (const Cell& cell : cells_) {
        const Place& place = sets_.place(cell.set);
        const bool fits = at(thread, place.templ, place.location, place.atomic);
        options[i].push_back(fits ? sources(sets_.local_bdd(cell.set), thread, encoding_) : dd::Bdd());
      }
    }
    std::vector<std::size_t> dealt(passive.size());
    Cells left = cells_;
    if (!deal(options, 0, left, dealt)) return std::nullopt;
    State before{pick_shared(encoding_, dd::exists(active_before, encoding_.local_vars())), {}};
    const dd::Bdd own =
        dd::exists(active_before & dd::cube(shared_literals(encoding_, before.shared)), encoding_.shared_vars());
    before.threads.emplace_back(thread_of(leg_->mover, own));
    for (std::size_t i = 0; i < passive.size(); ++i) {
      before.threads.emplace_back(thread_of(cells_[dealt[i]].set, options[i][dealt[i]]));
    }
    return before;
  }

  bool deal(const std::vector<std::vector<dd::Bdd>>& options, std::size_t next, Cells& left,
            std::vector<std::size_t>& dealt) const {
    if (next == options.size()) return true;
    for (std::size_t j = 0; j < left.size(); ++j) {
      if (left[j].count == 0 || options[next][j].is_false()) continue;
      --left[j].count;
      dealt[next] = j;
      const bool done = deal(options, next + 1, left, dealt);
      ++left[j].count;
      if (done) return true;
    }
    return false;
  }

  const model::Program& program_;
  CounterSearch& search_;
  const Encoding& encoding_;
  SetTable& sets_;
  const State* after_ = nullptr;
  const CounterSearch::Leg* leg_ = nullptr;
  Cells cells_;  // of the leg, without the mover
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
