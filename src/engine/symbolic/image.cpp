#include "engine/symbolic/image.hpp"

#include "base/contract.hpp"
#include "engine/symbolic/splice.hpp"

namespace cohort::engine::symbolic {

ThreadImages::ThreadImages(const Encoding& encoding, const Transitions& transitions, SetTable& sets)
    : encoding_(&encoding), transitions_(&transitions), sets_(&sets) {
  most_children_ = encoding.children();
  std::vector<dd::Var> variables = encoding.local_vars().variables();
  for (std::uint32_t number = 0; number < most_children_; ++number) {
    for (const dd::Var variable : encoding.child_vars(number)) variables.push_back(variable);
  }
  thread_vars_ = dd::VarSet(std::move(variables));
}

const std::vector<ThreadOutcome>& ThreadImages::by_local(LocalSet local, std::uint32_t room) {
  const auto [it, added] = by_local_.try_emplace({room, 0, local});
  if (!added) return it->second;
  std::vector<ThreadOutcome> outcomes;
  const Place place = sets_->place(local);
  for (const EdgeRelation& edge : transitions_->from(place.templ, place.location)) {
    if (edge.touches_shared) continue;
    ++figures_.images;
    add_threads(edge, image(*encoding_, sets_->local_bdd(local), edge.main), local, room, {.edge = &edge}, outcomes);
  }
  std::erase_if(outcomes, [&](const ThreadOutcome& o) { return o.local == local && o.children.empty(); });
  return it->second = std::move(outcomes);
}

const std::vector<ThreadOutcome>& ThreadImages::by_pair(SharedSet shared, LocalSet local, std::uint32_t room) {
  const auto [it, added] = by_pair_.try_emplace({room, shared, local});
  if (!added) return it->second;
  std::vector<ThreadOutcome> outcomes;
  const Place place = sets_->place(local);
  dd::Bdd states;
  for (const EdgeRelation& edge : transitions_->from(place.templ, place.location)) {
    if (!edge.touches_shared) continue;
    if (states.is_false()) states = sets_->shared_bdd(shared) & sets_->local_bdd(local);
    ++figures_.images;
    count_cofactors(edge, sets_->shared_bdd(shared));
    const dd::Bdd after = image(*encoding_, states, edge.main);
    if (after.is_false()) continue;
    if (edge.broadcast) {
      broadcast(edge, after, local, room, outcomes);
    } else {
      add_products(edge, after, local, room, no_passive, outcomes);
    }
  }
  std::erase_if(outcomes, [&](const ThreadOutcome& o) {
    return o.shared == shared && o.local == local && o.children.empty() && o.passive == no_passive;
  });
  return it->second = std::move(outcomes);
}

void ThreadImages::broadcast(const EdgeRelation& edge, const dd::Bdd& states, LocalSet local, std::uint32_t room,
                             std::vector<ThreadOutcome>& outcomes) {
  const BroadcastPart& part = *edge.broadcast;
  const dd::Bdd steps = states & part.active.bdd;
  std::vector<dd::Var> others;
  for (const dd::Var variable : dd::support(steps)) {
    if (!part.deciding.contains(variable)) others.push_back(variable);
  }
  // Active valuations by the relation they decide for the passive threads.
  std::unordered_map<dd::Bdd, dd::Bdd> valuations;
  dd::for_each_assignment(dd::exists(steps, dd::VarSet(others)), part.deciding, [&](const dd::Assignment& values) {
    valuations[dd::cofactor(part.passive, values)] |= dd::cube(values);
    return true;
  });
  for (const auto& [relation, deciding] : valuations) {
    const dd::Bdd after = encoding_->after_to_before(dd::and_exists(steps, deciding, part.active.modified));
    add_products(edge, image(*encoding_, after, edge.rest), local, room, intern_passive(edge, relation), outcomes);
  }
}

void ThreadImages::add_products(const EdgeRelation& edge, const dd::Bdd& after, LocalSet local, std::uint32_t room,
                                std::uint32_t passive, std::vector<ThreadOutcome>& outcomes) {
  if (after.is_false()) return;
  ThreadOutcome partial{.edge = &edge, .passive = passive};
  if (!edge.may_splice) {
    partial.shared = sets_->shared(dd::exists(after, thread_vars_));
    add_threads(edge, dd::exists(after, encoding_->shared_vars()), local, room, partial, outcomes);
    return;
  }
  // The locals of a thread that ends tie nothing.
  const dd::Bdd visible = edge.ends ? dd::exists(after, encoding_->local_vars()) : after;
  std::vector<dd::Var> used;
  for (const Product& product : split(visible, encoding_->shared_vars(), thread_vars_, used)) {
    partial.shared = sets_->shared(product.first);
    add_threads(edge, product.second, local, room, partial, outcomes);
  }
  if (!used.empty()) record_splice(edge, used.size());
}

void ThreadImages::add_threads(const EdgeRelation& edge, dd::Bdd after, LocalSet local, std::uint32_t room,
                               const ThreadOutcome& partial, std::vector<ThreadOutcome>& outcomes) {
  if (after.is_false()) return;
  const std::size_t kept = std::min<std::size_t>(edge.children.size(), room);
  std::vector<dd::Var> gone;
  for (std::size_t number = kept; number < edge.children.size(); ++number) {
    for (const dd::Var variable : encoding_->child_vars(number)) gone.push_back(variable);
  }
  if (edge.ends)
    gone.insert(gone.end(), encoding_->local_vars().variables().begin(), encoding_->local_vars().variables().end());
  after = dd::exists(after, dd::VarSet(gone));

  Place place = sets_->place(local);
  place.location = edge.target;
  if (edge.atomic != model::AtomicChange::None) place.atomic = edge.atomic == model::AtomicChange::Enter;
  const PlaceId own = sets_->place(place);
  if (kept == 0) {
    outcomes.push_back(partial);
    if (!edge.ends) outcomes.back().local = sets_->local(own, after);
    return;
  }

  // One block after the other is split off what is left; the first is the thread itself.
  struct Open {
    ThreadOutcome outcome;
    dd::Bdd rest;
  };
  std::vector<Open> open{{partial, after}};
  std::vector<dd::Var> used;
  if (!edge.ends) {
    const dd::VarSet others = thread_vars_.minus(encoding_->local_vars());
    std::vector<Open> next;
    for (const Open& item : open) {
      for (const Product& product : split(item.rest, encoding_->local_vars(), others, used)) {
        next.push_back({item.outcome, product.second});
        next.back().outcome.local = sets_->local(own, product.first);
      }
    }
    open = std::move(next);
  }
  for (std::size_t number = 0; number < kept; ++number) {
    const PlaceId where = sets_->place({edge.children[number].templ, edge.children[number].location, false});
    const dd::VarSet block(encoding_->child_vars(number));
    std::vector<Open> next;
    for (const Open& item : open) {
      for (const Product& product : split(item.rest, block, thread_vars_.minus(block), used)) {
        next.push_back({item.outcome, product.second});
        next.back().outcome.children.push_back(sets_->local(where, encoding_->child_to_local(number, product.first)));
      }
    }
    open = std::move(next);
  }
  for (Open& item : open) outcomes.push_back(std::move(item.outcome));
}

std::uint32_t ThreadImages::intern_passive(const EdgeRelation& edge, const dd::Bdd& relation) {
  const auto [it, added] =
      passive_index_.try_emplace({&edge, relation.id()}, static_cast<std::uint32_t>(passives_.size()));
  if (added) passives_.push_back({&edge, relation});
  return it->second;
}

std::optional<LocalSet> ThreadImages::passive_image(std::uint32_t passive, LocalSet local) {
  const Passive& step = passives_[passive];
  const PlaceId place = sets_->place_of(local);
  if (sets_->place_at(place).templ != step.edge->ref.templ) return local;
  const auto [it, added] = passive_images_.try_emplace((std::uint64_t{passive} << 32U) | local);
  if (!added) return it->second;
  const dd::Bdd before = encoding_->local_to_passive(sets_->local_bdd(local));
  const dd::Bdd after = dd::and_exists(before, step.relation, step.edge->broadcast->passive_modified);
  if (after.is_false()) return std::nullopt;
  return it->second = sets_->local(place, encoding_->passive_to_local(encoding_->after_to_before(after)));
}

std::optional<LocalSet> ThreadImages::only_local_successor(LocalSet local) {
  const auto& outcomes = by_local(local, 0);
  return outcomes.size() == 1 ? outcomes[0].local : std::nullopt;
}

dd::Bdd ThreadImages::enabled(SharedSet shared, LocalSet local) const {
  const Place place = sets_->place(local);
  dd::Bdd some;
  for (const EdgeRelation& edge : transitions_->from(place.templ, place.location)) {
    COHORT_EXPECT(!edge.broadcast, "whether a broadcast can happen depends on the passive threads");
    some |= edge.enabled;
  }
  return some & sets_->shared_bdd(shared) & sets_->local_bdd(local);
}

void ThreadImages::count_cofactors(const EdgeRelation& edge, const dd::Bdd& shared) {
  for (const dd::Var candidate : edge.splice_candidates) {
    ++figures_.candidates;
    const bool both =
        !dd::cofactor(shared, candidate, false).is_false() && !dd::cofactor(shared, candidate, true).is_false();
    if (both) ++figures_.satisfiable_twice;
  }
}

void ThreadImages::record_splice(const EdgeRelation& edge, std::size_t variables) {
  ++figures_.splices;
  figures_.edges.insert(edge.ref);
  if (figures_.variable_counts.size() <= variables) figures_.variable_counts.resize(variables + 1, 0);
  ++figures_.variable_counts[variables];
}

}  // namespace cohort::engine::symbolic
